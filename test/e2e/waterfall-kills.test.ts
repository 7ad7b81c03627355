// A waterfall whose process is killed at any moment: the next run goes on, nothing is paid twice, and the table is
// right.
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { freePort } from '../helpers/free-port.js';
import { inBrief, isLong } from '../helpers/long.js';
import type { SandboxProcess } from '../helpers/sandbox-process.js';
import {
  type ChainStep,
  jobOf,
  judgeWaterfall,
  openPlace,
  RUN,
  readLedgers,
  startThree,
} from '../helpers/waterfall.js';
import { people, type Workdir } from '../helpers/workdir.js';

const LEADS = isLong ? 30 : 12;
const CONCURRENCY = 3;
const SLOWLY = `concurrency: ${CONCURRENCY}`;

interface Kill {
  readonly at: 'first' | 'second' | 'check';
  /** Killed once so many are accepted there. */
  readonly accepted: number;
}
type Sandboxes = Readonly<Record<Kill['at'], SandboxProcess>>;

const BRIEF: readonly (readonly Kill[])[] = [
  [
    { at: 'first', accepted: 5 },
    { at: 'second', accepted: 2 },
  ],
];
const LONG: readonly (readonly Kill[])[] = Array.from({ length: 12 }, (_, i) => [
  { at: 'first', accepted: 1 + 2 * i },
  { at: 'second', accepted: 1 + Math.floor((2 * i) / 3) },
  { at: 'check', accepted: 1 },
]);

/** Runs the job, and kills it there; it may have ended before. */
async function killAt(dir: Workdir, sandboxes: Sandboxes, { accepted, at }: Kill): Promise<void> {
  const running = dir.start(RUN);
  await sandboxes[at].until((ledger) => ledger.accepted >= accepted, running);
  running.child.kill('SIGKILL');
  await running.ended;
}

function uncertainIn(dir: Workdir): number {
  return dir.rows('out.csv').filter((row) => row['sluice_status'] === 'uncertain').length;
}

async function expectRight(
  dir: Workdir,
  steps: readonly ChainStep[],
  sandboxes: Sandboxes,
): Promise<void> {
  // Whoever is uncertain at one step was asked of no later one: it would be a request that no row needs.
  const judged = await judgeWaterfall(steps, dir.rows('out.csv'));
  expect(judged).toMatchObject({ problems: [], unused: [] });
  for (const sandbox of Object.values(sandboxes)) {
    expect(await sandbox.ledger()).toMatchObject({ doubled: [] });
  }
}

test.concurrent.each(inBrief(BRIEF, LONG).map((kills) => ({ kills })))(
  'killed at $kills',
  async ({ kills }) => {
    const { sandboxes, steps } = await startThree();
    const slow = steps.map((step) => ({ ...step, more: SLOWLY }));
    const dir = openPlace(slow, people(LEADS));
    for (const kill of kills) await killAt(dir, sandboxes, kill);
    const { code } = await dir.sluice(RUN);
    expect(code).toBe(uncertainIn(dir) > 0 ? 1 : 0);
    // Each step may have been sending.
    expect(uncertainIn(dir)).toBeLessThanOrEqual(CONCURRENCY * slow.length * kills.length);
    await expectRight(dir, slow, sandboxes);
    // Whoever is told to may pay twice for those, and their chain goes on.
    expect(await dir.sluice(`${RUN} --resend-uncertain`)).toMatchObject({ code: 0 });
    expect(uncertainIn(dir)).toBe(0);
    const judged = await judgeWaterfall(slow, dir.rows('out.csv'));
    expect(judged.problems).toEqual([]);
  },
);

test('killed while it asks in another order: a row says which part of it is in doubt, and sends it again when told to', async () => {
  const { sandboxes, steps } = await startThree();
  const [first, second, check] = steps.map((step) => ({ ...step, more: SLOWLY })) as [
    ChainStep,
    ChainStep,
    ChainStep,
  ];
  const dir = openPlace([second, first, check], people(LEADS));
  const running = dir.start(RUN);
  // The step is asked for the number alone of whoever has an address by then, and its answers are on the way for long.
  await sandboxes.second.until(({ accepted }) => accepted > 0, running);
  await setFaults(sandboxes.first, { slow: 1 });
  const { accepted: before } = await sandboxes.first.ledger();
  await sandboxes.first.until(({ accepted }) => accepted >= before + CONCURRENCY, running);
  running.child.kill('SIGKILL');
  await running.ended;
  await setFaults(sandboxes.first, {});
  dir.write('job.yaml', jobOf([first, second, check]));
  expect([0, 1]).toContain((await dir.sluice(RUN)).code);
  const rows = dir.rows('out.csv');
  const doubts = rows.filter((row) => row['sluice_reason']?.includes('uncertain'));
  expect(doubts.map((row) => row['sluice_status'])).toContain('found');
  expect((await judgeWaterfall(steps, rows)).problems).toEqual([]);
  for (const sandbox of Object.values(sandboxes)) {
    expect(await sandbox.ledger()).toMatchObject({ doubled: [] });
  }
  expect(await dir.sluice(`${RUN} --resend-uncertain`)).toMatchObject({ code: 0 });
  expect(dir.text('out.csv')).not.toContain('uncertain');
  expect((await judgeWaterfall(steps, dir.rows('out.csv'))).problems).toEqual([]);
});

async function setFaults({ url }: SandboxProcess, shares: Record<string, number>): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify(shares);
  const { ok } = await fetch(`${url}/sandbox/faults`, { method: 'PUT', headers, body });
  expect(ok).toBe(true);
}

test.runIf(isLong)('with two steps on one account, each goes on with its own', async () => {
  const { sandboxes, steps } = await startThree();
  const [first, second] = steps as [ChainStep, ChainStep];
  const chain = [
    { ...first, ask: ['find_email'], more: SLOWLY },
    { ...second, more: SLOWLY },
    { ...first, name: 'phone', ask: ['find_phone'], more: SLOWLY },
  ];
  const dir = openPlace(chain, people(LEADS));
  dir.write('job.yaml', jobOf(chain).replace('account: phone', 'account: first'));
  for (const accepted of [10, 35]) await killAt(dir, sandboxes, { at: 'first', accepted });
  expect([0, 1]).toContain((await dir.sluice(RUN)).code);
  for (const sandbox of Object.values(sandboxes)) {
    expect(await sandbox.ledger()).toMatchObject({ doubled: [] });
  }
  const mixed = await readLedgers(chain);
  const only = (name: string, ask: string) =>
    (mixed.get(name) ?? []).filter(({ entry }) => entry.ask.includes(ask));
  const ledgers = new Map([
    ['first', only('first', 'find_email')],
    ['second', only('second', 'find_email')],
    ['phone', only('phone', 'find_phone')],
  ]);
  expect(await judgeWaterfall(chain, dir.rows('out.csv'), ledgers)).toMatchObject({
    problems: [],
    unused: [],
  });
});

test.runIf(isLong)(
  'while everything is asked for again, a send that was cut off does not keep the run open',
  async () => {
    const { sandboxes, steps } = await startThree();
    const slow = steps.map((step) => ({ ...step, more: SLOWLY }));
    const dir = openPlace(slow, people(LEADS));
    expect(await dir.sluice(RUN)).toMatchObject({ code: 0 });
    const before = dir.rows('out.csv');
    dir.write('job.yaml', jobOf(slow, 'fresh-for: 1ms\n'));
    await killAt(dir, sandboxes, { at: 'first', accepted: LEADS + 2 });
    expect([0, 1]).toContain((await dir.sluice(RUN)).code);
    expect(dir.rows('out.csv').map((row) => row['sluice_status'])).not.toContain('queued');
    expect(await dir.json('status --state state.db')).toMatchObject({ state: 'finished' });
    // Values of older answers are in view meanwhile.
    const rows = dir.rows('out.csv').filter((row) => row['sluice_reason']?.includes('asked again'));
    for (const row of rows) {
      const { phone } = before.find(({ first_name: who }) => who === row['first_name']) ?? {};
      expect(row['phone']).toBe(phone);
    }
  },
);

const SWEPT_LEADS = 40;
const SWEPT_KILLS = 3;
const MODES = [
  { submit: 'single', collect: 'poll' },
  { submit: 'bulk', collect: 'webhook' },
  { submit: 'single', collect: 'webhook' },
  { submit: 'bulk', collect: 'poll' },
] as const;

describe.runIf(isLong).concurrent('killed again and again', () => {
  test.each(MODES)(
    'it answers for every lead and pays nothing twice, by $submit requests and $collect',
    async ({ collect, submit }) => {
      const flags = '--latency 150ms';
      const { sandboxes, steps } = await startThree({ first: flags, second: flags, check: flags });
      const chain = await Promise.all(
        steps.map(async (step) => ({
          ...step,
          more: [
            `submit: ${submit}`,
            'dialect: small.yaml',
            `collect: ${collect}`,
            // A webhook that came while no process ran is not sent for ever.
            ...(collect === 'webhook' ? [`listen: ${await freePort()}`, 'deadline: 20s'] : []),
            'concurrency: 2',
            'first-batch: 5',
          ].join('\n    '),
        })),
      );
      const dir = openPlace(chain, people(SWEPT_LEADS)).write('job.yaml', jobOf(chain));
      // A process that dies leaves few of unknown fate.
      dir.write('small.yaml', 'bulk: {max: 5}\n');
      const all = Object.values(sandboxes);
      const requestsOf = async (): Promise<number> =>
        (await Promise.all(all.map((one) => one.ledger()))).reduce(
          (sum, one) => sum + one.requests,
          0,
        );
      let kills = 0;
      while (kills < SWEPT_KILLS) {
        const before = await requestsOf();
        const running = dir.start(RUN);
        let isOver = false;
        const end = (): void => {
          isOver = true;
        };
        running.ended.then(end, end);
        while (!isOver && (await requestsOf()) === before) await pause(5);
        // At another moment of its work each time.
        await Promise.race([running.ended, pause((kills * 37) % 400)]);
        if (isOver) break;
        running.child.kill('SIGKILL');
        await running.ended;
        kills += 1;
      }
      expect(kills).toBeGreaterThan(0);
      for (let n = 0; n < 2; n += 1) expect([0, 1]).toContain((await dir.sluice(RUN)).code);
      const rows = dir.rows('out.csv');
      expect(rows.map((row) => row['first_name'])).toEqual(
        people(SWEPT_LEADS).map((line) => line.split(',')[0]),
      );
      expect(rows.map((row) => row['sluice_status'])).not.toContain('queued');
      await expectRight(dir, chain, sandboxes);
    },
  );
});
