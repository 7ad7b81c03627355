// Ctrl+C, SIGTERM, a closed terminal and kill -9 in the middle of a run: nothing lost, nothing paid twice.
import { describe, expect, test } from 'vitest';
import type { LedgerSummary } from '../../src/sandbox/ledger/ledger.js';
import { startServer } from '../helpers/counting-server.js';
import { inBrief, isLong } from '../helpers/long.js';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { csv, openWorkdir, people } from '../helpers/workdir.js';

const UNLIMITED = 'enrich leads.csv --out out.csv --ask find_email';
const ENRICH = `${UNLIMITED} --set rate=off`;
/** Slow enough to be struck in the middle. */
const SLOW = `${UNLIMITED} --set rate=20/200ms`;

describe.concurrent('a signal in the middle of a run', () => {
  test.each(
    inBrief(
      [['SIGINT', 130]],
      [
        ['SIGTERM', 143],
        ['SIGHUP', 129],
      ],
    ),
  )('%s saves everything, and the next run goes on', async (signal, code) => {
    const sandbox = await startSandboxProcess('--latency 300ms');
    const dir = openWorkdir(sandbox.url).write('leads.csv', csv(people(40)));
    const first = dir.start(`${SLOW} --set concurrency=2`);
    await sandbox.until(({ accepted }) => accepted >= 15, first);
    first.child.kill(signal);
    const stopped = await first.ended;
    expect(stopped.code).toBe(code);
    expect(stopped.stderr).toContain('Stopping: nothing more is sent');
    expect(stopped.stderr).toContain('Continue with: the same command');
    const acceptedThen = (await sandbox.ledger()).accepted;
    expect(acceptedThen).toBeLessThan(40);

    // A line for every lead read, in input order, each with what is known.
    const rows = dir.rows('out.csv');
    expect(rows.map((row) => row['first_name'])).toEqual(
      people(40).map((line) => line.split(',')[0]),
    );
    const sent = rows.filter((row) => row['enrichment_id'] !== '');
    expect(sent).toHaveLength(acceptedThen);
    expect(rows.filter((row) => row['sluice_status'] === 'queued')).toHaveLength(40 - acceptedThen);

    const second = await dir.sluice(ENRICH);
    expect(second.stderr).toContain('Continuing run 1 of leads.csv (40 leads)');
    expect(second.code).toBe(0);
    expect(
      dir.rows('out.csv').every((row) => /found$|failed/.test(row['sluice_status'] ?? '')),
    ).toBe(true);
    expect(await sandbox.ledger()).toMatchObject({ accepted: 40, distinct: 40, doubled: [] });
  });

  // Node.js by itself would open its inspector; recipes for rotating logs send this signal.
  test.runIf(isLong)('SIGUSR1 does nothing', async () => {
    const sandbox = await startSandboxProcess('--latency 300ms');
    const dir = openWorkdir(sandbox.url).write('leads.csv', csv(people(20)));
    const run = dir.start(`${SLOW} --set concurrency=2`);
    await run.says('Columns:');
    run.child.kill('SIGUSR1');
    await sandbox.until(({ accepted }) => accepted >= 15, run);
    run.child.kill('SIGUSR1');
    const { code, stderr } = await run.ended;
    expect(code).toBe(0);
    expect(stderr).not.toMatch(/debugger|inspector/i);
    expect(dir.rows('out.csv')).toHaveLength(20);
  });

  test('a second signal ends the process at once', async () => {
    const sandbox = await startSandboxProcess('--latency 60s');
    const dir = openWorkdir(sandbox.url).write('leads.csv', csv(people(2)));
    const run = dir.start(ENRICH);
    await run.says('Columns:');
    run.child.kill('SIGINT');
    run.child.kill('SIGINT');
    expect((await run.ended).code).toBe(130);
  });
});

// The other tests share a process of several sandboxes: test/helpers/sandbox-process.ts.
test.each(inBrief(['SIGTERM'], ['SIGINT', 'SIGHUP']))('%s ends a sandbox', async (signal) => {
  const sandbox = openWorkdir().start('sandbox --port 0', { isService: true });
  await sandbox.says('Ctrl+C stops it.');
  sandbox.child.kill(signal);
  const { code, stdout, stderr } = await sandbox.ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const [url = ''] = /http:\/\/\S+ledger/.exec(stdout) ?? [];
  await expect(fetch(url)).rejects.toThrow();
});

describe('kill -9', () => {
  const LEADS = isLong ? 150 : 40;
  const CONCURRENCY = 4;
  /** While it sends, then while it collects. */
  const MOMENTS: ((ledger: LedgerSummary) => boolean)[] = isLong
    ? [
        ({ accepted }) => accepted >= 1,
        ({ accepted }) => accepted >= 50,
        ({ accepted }) => accepted >= 100,
        ({ polls }) => polls >= 10,
        ({ polls }) => polls >= 75,
      ]
    : [({ accepted }) => accepted >= 15, ({ polls }) => polls >= 10];

  test('at the moment its request arrives leaves that uncertain, and sends it no second time', async () => {
    let sent = 0;
    const server = await startServer((request, response) => {
      if (request.method !== 'POST') return void response.end('{"schema":{}}');
      sent += 1;
      run.child.kill('SIGKILL');
      request.socket.destroy();
    });
    const dir = openWorkdir(server.url).write('leads.csv', csv(people(1)));
    const run = dir.start(ENRICH);
    expect(await run.ended).toMatchObject({ signal: 'SIGKILL' });
    expect(await dir.json(ENRICH)).toMatchObject({ by_status: { uncertain: 1 } });
    expect(sent).toBe(1);
  });

  test('at any moment loses no lead and pays for none twice', async () => {
    const sandbox = await startSandboxProcess('--latency 200ms');
    const dir = openWorkdir(sandbox.url).write('leads.csv', csv(people(LEADS)));
    const line = `${SLOW} --set concurrency=${CONCURRENCY}`;
    for (const hasCome of MOMENTS) {
      const run = dir.start(line);
      await sandbox.until(hasCome, run);
      run.child.kill('SIGKILL');
      expect(await run.ended).toMatchObject({ code: null, signal: 'SIGKILL' });
      expect((await sandbox.ledger()).doubled).toEqual([]);
    }
    const last = await dir.sluice(`${line} --json`);
    const { by_status, credits } = JSON.parse(last.stdout);
    expect(last.code).toBe(by_status.uncertain > 0 ? 1 : 0);
    expect(by_status).toMatchObject({ queued: 0, submitting: 0, awaiting: 0, timed_out: 0 });
    expect(by_status.uncertain).toBeLessThanOrEqual(CONCURRENCY * MOMENTS.length);

    const ledger = await sandbox.ledger();
    expect(ledger.doubled).toEqual([]);
    expect(ledger.accepted).toBeLessThanOrEqual(LEADS);
    expect(ledger.accepted).toBeGreaterThanOrEqual(LEADS - by_status.uncertain);
    expect(credits).toBeLessThanOrEqual(ledger.charged);
    expect(dir.rows('out.csv').map((row) => row['first_name'])).toEqual(
      people(LEADS).map((person) => person.split(',')[0]),
    );

    // What was uncertain stays so, and costs nothing more, until the user says otherwise.
    expect(await dir.json(line)).toMatchObject({
      by_status: { uncertain: by_status.uncertain },
    });
    expect((await sandbox.ledger()).doubled).toEqual([]);
  });
});
