// Metrics as a collector sees them: a file after each run, an address while a process lasts.
import { chmodSync, mkdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { canBeUnprivileged } from '../helpers/command-line.js';
import { readExposition, type Sample, valueOf } from '../helpers/exposition.js';
import { freePort } from '../helpers/free-port.js';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { csv, openWorkdir, people, type Workdir } from '../helpers/workdir.js';

const ENRICH = 'enrich leads.csv --out out.csv --ask find_email --set rate=off --state state.db';
const SUCCESS = 'sluice_last_success_timestamp_seconds';

function fileOf(dir: Workdir, name = 'sluice.prom'): Sample[] {
  return readExposition(dir.text(name));
}

async function scrape(port: number): Promise<Sample[]> {
  return readExposition(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text());
}

describe.concurrent('a file of metrics', () => {
  test('is written after a success and after a failure, which keeps the time of the success', async () => {
    const sandbox = await startSandboxProcess();
    const dir = openWorkdir(sandbox.url).write('leads.csv', csv(people(10)));
    const line = `${ENRICH} --set metrics-file=sluice.prom --quiet`;
    expect(await dir.sluice(line)).toMatchObject({ code: 0, stderr: '' });
    const first = fileOf(dir);
    for (const { labels } of first) expect(labels['sluice_job']).toBe('leads.csv');
    const { accepted, charged } = await sandbox.ledger();
    expect(valueOf(first, 'sluice_requests_total', { route: 'submit', status: '2xx' })).toBe(10);
    expect(valueOf(first, 'sluice_enrichments_submitted_total')).toBe(accepted);
    expect(valueOf(first, 'sluice_credits_spent_total')).toBe(charged);
    expect(valueOf(first, 'sluice_credits_reserved')).toBe(0);
    expect(valueOf(first, 'sluice_last_run_result', { result: 'ok' })).toBe(1);
    const found = dir.rows('out.csv').filter((row) => row['sluice_status'] === 'found');
    expect(valueOf(first, 'sluice_run_leads', { status: 'found' })).toBe(found.length);
    const succeededAt = valueOf(first, SUCCESS);
    expect(succeededAt).toBe(valueOf(first, 'sluice_last_run_timestamp_seconds'));

    dir.write('leads.csv', csv(people(12)));
    const gone = `${line} --url http://127.0.0.1:1`;
    expect((await dir.sluice(gone)).code).toBe(4);
    const second = fileOf(dir);
    expect(valueOf(second, SUCCESS)).toBe(succeededAt);
    expect(valueOf(second, 'sluice_last_run_result', { result: 'platform' })).toBe(1);
    expect(valueOf(second, 'sluice_last_run_result', { result: 'ok' })).toBeUndefined();
    // Another platform is another account: these were all to be sent, and none was.
    expect(valueOf(second, 'sluice_leads_read_total')).toBe(22);
    expect(valueOf(second, 'sluice_enrichments_submitted_total')).toBe(10);
    const lost = { route: 'people_schema', status: 'unsent' };
    expect(valueOf(second, 'sluice_requests_total', lost)).toBeGreaterThan(0);
    expect(dir.files().filter((name) => name.includes('.partial'))).toEqual([]);
  });

  test('of a job that cannot even begin says so', async () => {
    const dir = openWorkdir('http://127.0.0.1:1');
    const ended = await dir.sluice(`${ENRICH} --set metrics-file=sluice.prom`);
    expect(ended.code).toBe(3);
    expect(valueOf(fileOf(dir), 'sluice_last_run_result', { result: 'input' })).toBe(1);
    expect(valueOf(fileOf(dir), SUCCESS)).toBeUndefined();
  });

  test('is a key of a job, and those of two jobs can be read together', async () => {
    const sandbox = await startSandboxProcess();
    const dir = openWorkdir(sandbox.url).write('leads.csv', csv(people(2)));
    for (const job of ['one', 'two']) {
      const keys = ['input: leads.csv', `out: ${job}.csv`, 'ask: [find_email]', 'rate: "off"'];
      const metrics = `metrics-file: ${job}.prom`;
      dir.write(`jobs/${job}.yaml`, [...keys, 'state: state.db', metrics, ''].join('\n'));
      expect((await dir.sluice(`run ${job} --quiet`)).code).toBe(0);
    }
    const seriesOf = (name: string) =>
      fileOf(dir, name).map(({ name: metric, labels }) => JSON.stringify([metric, labels]));
    const other = new Set(seriesOf('two.prom'));
    expect(seriesOf('one.prom').filter((series) => other.has(series))).toEqual([]);
    const about = (name: string) =>
      dir
        .text(name)
        .split('\n')
        .filter((line) => line.startsWith('#'));
    expect(about('one.prom')).toEqual(about('two.prom'));
  });

  test('has what the run has spent, also by a process that was killed', async () => {
    const sandbox = await startSandboxProcess();
    const dir = openWorkdir(sandbox.url).write('leads.csv', csv(people(40)));
    const command = `${ENRICH} --set concurrency=1 --set metrics-file=m.prom`;
    const run = dir.start(command);
    await sandbox.until(({ charged }) => charged >= 100, run);
    run.child.kill('SIGKILL');
    await run.ended;
    await dir.sluice(command);
    const samples = fileOf(dir, 'm.prom');
    const [spent = 0, reserved = 0, counted = 0] = [
      'run_credits',
      'credits_reserved',
      'credits_spent_total',
    ].map((name) => valueOf(samples, `sluice_${name}`));
    const { charged } = await sandbox.ledger();
    // A request that was on its way is uncertain, and reserved.
    expect([spent <= charged, charged <= spent + reserved]).toEqual([true, true]);
    expect(counted).toBeLessThan(spent);
  });

  test('that cannot be written is told before anything is sent', async () => {
    const sandbox = await startSandboxProcess();
    const dir = openWorkdir(sandbox.url).write('leads.csv', csv(people(1)));
    for (const [file, why] of [
      ['nowhere/m.prom', 'The metrics cannot be written to "nowhere/m.prom": its folder'],
      ['leads.csv', '--set metrics-file: a file of metrics ends in .prom'],
    ]) {
      const ended = await dir.sluice(`${ENRICH} --set metrics-file=${file}`);
      expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining(why ?? '') });
    }
    expect(await sandbox.ledger()).toMatchObject({ requests: 0 });
  });

  test.runIf(canBeUnprivileged)('that cannot be written in the end fails no run', async () => {
    const sandbox = await startSandboxProcess('--latency 5s --sigma 0');
    const dir = openWorkdir(sandbox.url).write('leads.csv', csv(people(3)));
    mkdirSync(dir.at('prom'));
    chmodSync(dir.at('prom'), 0o777);
    const line = `${ENRICH} --set metrics-file=prom/m.prom --log-level warn`;
    const run = dir.start(line, { isUnprivileged: true });
    await sandbox.until(({ accepted }) => accepted >= 3, run);
    chmodSync(dir.at('prom'), 0o555);
    const ended = await run.ended;
    expect(ended).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('metrics_not_written'),
    });
    expect(dir.rows('out.csv')).toHaveLength(3);
  });
});

describe.concurrent('an address of metrics', () => {
  test('of a listener counts what it keeps and refuses, and is not where deliveries arrive', async () => {
    const sandbox = await startSandboxProcess('--latency 8s --sigma 0');
    const dir = openWorkdir(sandbox.url).write('leads.csv', csv(people(5)));
    const [port, metricsPort] = [await freePort(), await freePort()];
    const flags = `--listen ${port} --metrics-listen ${metricsPort} --state state.db`;
    const listener = dir.start(`listen ${flags}`, { isService: true });
    await listener.says('Metrics are at');
    const collect = `--collect webhook --submit single --set listen=${port} --set deadline=1s --quiet`;
    await dir.sluice(`${ENRICH} ${collect}`);
    await sandbox.until(({ delivered }) => delivered >= 5, listener);
    const there = await fetch(`http://127.0.0.1:${port}/metrics`);
    expect(there.status).toBe(404);
    const samples = await scrape(metricsPort);
    expect(valueOf(samples, 'sluice_deliveries_kept_total')).toBe(5);
    expect(valueOf(samples, 'sluice_deliveries_pending')).toBe(5);
    const refused = { reason: 'unknown_address' };
    expect(valueOf(samples, 'sluice_deliveries_refused_total', refused)).toBe(1);
    for (const { labels } of samples) expect(labels).not.toHaveProperty('sluice_job');
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
  });
});
