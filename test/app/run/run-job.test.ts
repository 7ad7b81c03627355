import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runJob } from '../../../src/app/run/run-job.js';
import { describeJob } from '../../../src/app/settings/describe-job.js';
import { readEnvironment } from '../../../src/app/settings/environment.js';
import { openSandbox } from '../../../src/sandbox/open-sandbox.js';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.js';
import { serveMetrics } from '../../../src/telemetry/serve-metrics.js';
import { tempFolder } from '../../helpers/temp-folder.js';
import { csv, people } from '../../helpers/workdir.js';

const folder = tempFolder();
const at = (name: string): string => join(folder, name);
const environment = readEnvironment({ SLUICE_USERNAME: 'u', SLUICE_PASSWORD: 'p' });
const store = openSqliteStore(at('state.db'));
const metrics = await serveMetrics(
  { host: '127.0.0.1', port: 0 },
  { contentType: 'text/plain', text: async () => '' },
);
afterAll(async () => {
  await metrics.close();
  await store.close();
});

describe('a run that may send no more and still collects', () => {
  it('tells so at once, and ends by the signal that stops it, not by what stopped the sending', async () => {
    const sandbox = await openSandbox({
      rate: 'off',
      credits: 5,
      latency: { medianMs: 600_000, sigma: 0 },
    });
    try {
      writeFileSync(at('many.csv'), csv(people(9)));
      const job = describeJob('poor', {
        input: at('many.csv'),
        out: at('poor.csv'),
        ask: ['find_email'],
        url: sandbox.url,
        rate: 'off',
        concurrency: 1,
        state: at('state.db'),
      });
      const draining = new AbortController();
      const warnings: string[] = [];
      const [report] = await runJob(job, {
        environment: readEnvironment({ SLUICE_USERNAME: 'sandbox', SLUICE_PASSWORD: 'sandbox' }),
        drain: draining.signal,
        observe: (event) => {
          if (event.kind !== 'run.warned') return;
          warnings.push(event.message);
          draining.abort();
        },
      });
      expect(warnings).toEqual([
        expect.stringMatching(/out of credits .* Nothing more is sent; what is paid for is still/),
      ]);
      expect(report).toMatchObject({ isFinished: false, exported: { rows: 9 } });
      expect(report?.tally.byStatus).toMatchObject({ awaiting: 1, queued: 8 });
    } finally {
      await sandbox.close();
    }
  });
});

describe('a job that serves metrics', () => {
  it('is busy while another process has it, and only then asks for the port, which that process has', async () => {
    writeFileSync(at('leads.csv'), csv(people(1)));
    const job = describeJob('nightly', {
      input: at('leads.csv'),
      out: at('out.csv'),
      ask: ['find_email'],
      url: 'http://127.0.0.1:9',
      state: at('state.db'),
      'metrics-listen': `127.0.0.1:${metrics.port}`,
    });
    const lock = await store.lockJob('nightly', { pid: 1, host: 'here', since: 0 });
    await expect(runJob(job, { environment })).rejects.toMatchObject({ code: 'busy' });
    if (lock.kind === 'taken') await lock.release();
    await expect(runJob(job, { environment })).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('the port is taken'),
    });
    expect(await store.isLocked('nightly')).toBe(false);
    expect(await store.hasRun('nightly')).toBe(false);
  });
});

describe('what is wrong with a job', () => {
  const wrong = (name: string, more: object) =>
    describeJob(name, {
      input: at('o1.csv'),
      out: at('o{run}.csv'),
      ask: ['find_email'],
      url: 'http://127.0.0.1:9',
      state: at('other.db'),
      ...more,
    });

  it('is found before there is a run: a bulk call that the dialect does not have', async () => {
    writeFileSync(at('o1.csv'), csv(people(1)));
    writeFileSync(at('no-bulk.yaml'), 'bulk: { path: null }\n');
    const more = { submit: 'bulk', collect: 'poll', dialect: at('no-bulk.yaml') } as const;
    await expect(runJob(wrong('bulk', more), { environment })).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('--submit single'),
    });
    expect(existsSync(at('other.db'))).toBe(false);
  });

  it('leaves no run open: a table whose number makes it the input', async () => {
    const job = wrong('numbered', {});
    await expect(runJob(job, { environment })).rejects.toMatchObject({ code: 'usage' });
    const others = openSqliteStore(at('other.db'));
    expect(await others.findOpenRun('numbered')).toBeNull();
    await others.close();
    await expect(runJob(job, { environment })).rejects.toMatchObject({ code: 'usage' });
  });
});
