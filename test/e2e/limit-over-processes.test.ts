// The platform's window does not end with our process: what one sent counts for the next one too.
import { expect, test as one } from 'vitest';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { csv, openWorkdir, people } from '../helpers/workdir.js';

// They wait for the clock.
const test = one.concurrent;
const RATE = '10/2s';
const ENRICH = `--ask find_email --set rate=${RATE}`;

test('a run after one that was killed keeps to the limit', async () => {
  const sandbox = await startSandboxProcess('--latency 0ms', RATE);
  const dir = openWorkdir(sandbox.url).write('leads.csv', csv(people(14)));
  const first = dir.start(`enrich leads.csv --out out.csv ${ENRICH}`);
  await sandbox.until(({ accepted }) => accepted >= 9, first);
  first.child.kill('SIGKILL');
  await first.ended;
  await dir.start(`enrich leads.csv --out out.csv ${ENRICH}`).ended;
  const ledger = await sandbox.ledger();
  expect(ledger).toMatchObject({ throttled: 0, doubled: [] });
  expect(ledger.worstWindow).toBeLessThanOrEqual(10);
});

test('the end of a run that sent nothing frees nothing of what another one sent', async () => {
  // One question that is free, four enrichments and four answers: the first run fills the window.
  const rate = '9/5s';
  const sandbox = await startSandboxProcess('--latency 0ms', rate);
  const dir = openWorkdir(sandbox.url)
    .write('a.csv', csv(people(4)))
    .write('b.csv', csv(people(5).slice(4)));
  const enrich = `--ask find_email --set rate=${rate}`;
  const idle = dir.start(`enrich - --out idle.csv ${enrich}`, {
    holdsStdin: true,
    stdin: csv(['Ada,Byron,']),
  });
  await idle.says('Columns:');
  await dir.start(`enrich a.csv --out a-out.csv ${enrich}`).ended;
  idle.child.stdin?.end();
  expect((await idle.ended).code).toBe(1);
  await dir.start(`enrich b.csv --out b-out.csv ${enrich}`).ended;
  const ledger = await sandbox.ledger();
  expect(ledger).toMatchObject({ accepted: 5, throttled: 0 });
  expect(ledger.worstWindow).toBeLessThanOrEqual(9);
});

test('two jobs at once on one state share the limit', async () => {
  const sandbox = await startSandboxProcess('--latency 0ms', RATE);
  const dir = openWorkdir(sandbox.url)
    .write('a.csv', csv(people(12)))
    .write('b.csv', csv(people(24).slice(12)));
  const runs = ['a', 'b'].map((name) =>
    dir.start(`enrich ${name}.csv --out ${name}-out.csv ${ENRICH}`),
  );
  for (const run of runs) expect(await run.ended).toMatchObject({ code: 0 });
  const ledger = await sandbox.ledger();
  expect(ledger).toMatchObject({ accepted: 24, throttled: 0, doubled: [] });
  expect(ledger.worstWindow).toBeLessThanOrEqual(10);
});

test('a job that begins while another one sends, and one that is killed beside it, keep to the limit', async () => {
  const sandbox = await startSandboxProcess('--latency 0ms', RATE);
  const dir = openWorkdir(sandbox.url)
    .write('a.csv', csv(people(20)))
    .write('b.csv', csv(people(32).slice(20)));
  const first = dir.start(`enrich a.csv --out a-out.csv ${ENRICH}`);
  await sandbox.until(({ accepted }) => accepted >= 6, first);
  const second = dir.start(`enrich b.csv --out b-out.csv ${ENRICH}`);
  await sandbox.until(({ accepted }) => accepted >= 12, second);
  first.child.kill('SIGKILL');
  await first.ended;
  await second.ended;
  await dir.start(`enrich a.csv --out a-out.csv ${ENRICH}`).ended;
  const ledger = await sandbox.ledger();
  expect(ledger).toMatchObject({ throttled: 0, doubled: [] });
  expect(ledger.worstWindow).toBeLessThanOrEqual(10);
});

test('a run that has used up the window of a day ends, says when it opens, and is not asleep', async () => {
  const sandbox = await startSandboxProcess('--latency 0ms');
  const dir = openWorkdir(sandbox.url).write('leads.csv', csv(people(12)));
  // One question that is free, and nine others for enrichments and answers.
  const line =
    'enrich leads.csv --out out.csv --ask find_email --set rate=20/2s,10/1d --set concurrency=2';
  const began = Date.now();
  for (let i = 0; i < 2; i += 1) {
    const ended = await dir.sluice(line);
    expect(ended.code).toBe(9);
    const [, day] =
      /The rate limit of 10\/1d is used up: the next request goes at (\S+ \S+) \(UTC\)\. Run again then; it continues\.$/.exec(
        ended.stderr.trimEnd(),
      ) ?? [];
    expect(Date.parse(`${day}Z`)).toBeGreaterThan(began + 86_000_000);
  }
  expect((await sandbox.ledger()).accepted).toBeLessThan(12);
  expect(await dir.json('status')).toMatchObject({ state: 'stopped_at_cap' });
  // And a single command.
  expect(await dir.refusal('schema people --rate 20/2s,10/1d', { code: 9 })).toContain(
    'The rate limit of 10/1d is used up',
  );
});
