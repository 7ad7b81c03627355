import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runJob } from '../../../src/app/run/run-job.js';
import type { RunOptions } from '../../../src/app/run/run-options.js';
import { describeJob } from '../../../src/app/settings/describe-job.js';
import { systemClock } from '../../../src/app/system-clock.js';
import type { RunEvent } from '../../../src/model/telemetry/observe.js';
import type { Clock } from '../../../src/ports/clock.js';
import { openSandbox } from '../../../src/sandbox/open-sandbox.js';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.js';
import { tempFolder } from '../../helpers/temp-folder.js';
import { csv, people } from '../../helpers/workdir.js';
import { ENVIRONMENT } from '../job-runs.js';

const folder = tempFolder();
const at = (name: string): string => join(folder, name);
const environment = ENVIRONMENT;
const store = openSqliteStore(at('state.db'));
afterAll(() => store.close());

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
        environment,
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

describe('the clock of the machine, set while a run works', () => {
  const HOUR_MS = 3_600_000;

  /** A job over a platform whose answers take a moment, and a clock that can be set. */
  async function openSetting(name: string, medianMs: number) {
    const sandbox = await openSandbox({ rate: 'off', latency: { medianMs, sigma: 0 } });
    let aheadMs = 0;
    const clock: Clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
    writeFileSync(at(`${name}.csv`), csv(people(3)));
    const job = describeJob(name, {
      input: at(`${name}.csv`),
      out: at(`${name}-out.csv`),
      ask: ['find_email'],
      url: sandbox.url,
      rate: 'off',
      state: at(`${name}.db`),
    });
    const run = async (wishes: Pick<RunOptions, 'drain' | 'observe'>) => {
      const [report] = await runJob(job, { ...wishes, clock, environment });
      return report;
    };
    return { run, set: (byMs: number) => void (aheadMs += byMs), close: () => sandbox.close() };
  }

  const STAGES: readonly RunEvent['kind'][] = [
    'run.started',
    'enrichments.claimed',
    'enrichments.submitted',
    'enrichments.postponed',
    'enrichments.settled',
  ];

  it.each([HOUR_MS, -2 * HOUR_MS, 48 * HOUR_MS])(
    'by %i ms at each stage, ends no wait and makes none longer',
    async (byMs) => {
      const setting = await openSetting(`set${byMs}`, 900);
      const left = new Set(STAGES);
      try {
        const report = await setting.run({
          observe: ({ kind }) => {
            if (left.delete(kind)) setting.set(byMs);
          },
        });
        expect([...left]).toEqual([]);
        expect(report).toMatchObject({ isFinished: true });
        expect(report?.tally.byStatus).toMatchObject({ timed_out: 0, awaiting: 0, queued: 0 });
      } finally {
        await setting.close();
      }
    },
  );

  it.each(['enrichments.submitted', 'enrichments.postponed'] as const)(
    'back before a restart after %s, keeps no answer waiting',
    async (stage) => {
      const setting = await openSetting(stage, 900);
      const draining = new AbortController();
      try {
        const stopped = await setting.run({
          drain: draining.signal,
          observe: ({ kind }) => {
            if (kind === stage) draining.abort();
          },
        });
        expect(stopped).toMatchObject({ isFinished: false });
        expect(stopped?.tally.byStatus.awaiting).toBeGreaterThan(0);
        setting.set(-2 * HOUR_MS);
        expect(await setting.run({})).toMatchObject({ isFinished: true });
      } finally {
        await setting.close();
      }
    },
  );
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
    expect((await others.jobNow('numbered')).openRun).toBeNull();
    await others.close();
    await expect(runJob(job, { environment })).rejects.toMatchObject({ code: 'usage' });
  });
});
