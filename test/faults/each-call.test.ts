// Whatever dies in between: every call to the store or the platform, one after the other, fails or is the
// last one of its process, and a new process goes on with the state file. In the end every lead is
// answered for, nothing was sent twice, and the rows are those of an undisturbed run. That holds for
// single requests and for bulk calls, and whether results are asked for or delivered.
//
// SLUICE_FAULT_SEEDS=1,2,3 runs every single call of these seeds; without it a sample keeps the suite short.
// SLUICE_SWEEP_RESULT=FILE writes what was counted there, as JSON.
import { writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import type { LeadAnswer } from '../../src/model/answer.js';
import {
  createDeadlineSchedule,
  createPollSchedule,
} from '../../src/model/schedule/poll-schedule.js';
import { openLeads } from '../../src/model/tally.js';
import { processRun } from '../../src/run/process-run.js';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.js';
import { around } from '../helpers/around.js';
import { miscounts } from '../helpers/miscounts.js';
import { tempFolder } from '../helpers/temp-folder.js';
import {
  type Changes,
  createRequestCallbacks,
  createTestCallbacks,
  openProcess,
} from '../helpers/test-run.js';
import { createOutside, LEAD_COUNT, type Mode, type Outside } from './each-call-script.js';
import { PATIENCE_MS } from './sweep.js';

const folder = tempFolder();
const LONG = process.env['SLUICE_FAULT_SEEDS'];
const RESULT = process.env['SLUICE_SWEEP_RESULT'];
const SEEDS = LONG === undefined ? [1, 2] : LONG.split(',').map(Number);
const PROCESSES_MAX = 60;

interface SweptMode extends Mode {
  readonly concurrency: number;
  /** The short version disturbs every so many-th call, starting elsewhere for each kind of fault. */
  readonly stride: number;
}

const MODES: readonly SweptMode[] = [
  { name: 'single requests, polled', bulkMax: 1, concurrency: 3, isDelivered: false, stride: 46 },
  {
    name: 'single requests, delivered',
    bulkMax: 1,
    concurrency: 3,
    isDelivered: true,
    stride: 146,
  },
  { name: 'bulk calls, polled', bulkMax: 3, concurrency: 2, isDelivered: false, stride: 106 },
  { name: 'bulk calls, delivered', bulkMax: 3, concurrency: 2, isDelivered: true, stride: 122 },
];

/**
 * - `fails before`, `fails after`: the call throws, and its effect is not there, or is there all the same
 * - `dies before`, `dies after`: the process ends in this call; nothing it does after that reaches anyone
 */
const FAULTS = ['fails before', 'fails after', 'dies before', 'dies after'] as const;
type Fault = (typeof FAULTS)[number];

/** Puts one fault into one call, counted over all calls to the store and the platform. */
function createSaboteur(fault: Fault | undefined, nth: number) {
  let calls = 0;
  let isDead = false;
  let die = (): void => undefined;
  const death = new Promise<'dead'>((resolve) => {
    die = () => {
      isDead = true;
      resolve('dead');
    };
  });
  const never = new Promise<never>(() => undefined);
  const pass = async (_: string, call: () => Promise<unknown>): Promise<unknown> => {
    if (isDead) return never;
    calls += 1;
    if (calls !== nth || fault === undefined) {
      const value = await call();
      return isDead ? never : value;
    }
    if (fault.endsWith('after')) await call();
    if (fault.startsWith('fails')) throw new Error(`call ${nth} ${fault}`);
    die();
    return never;
  };
  return { pass, death, calls: () => calls };
}

interface Life {
  readonly rows: readonly LeadAnswer[];
  readonly calls: number;
  readonly processes: number;
}

/** How a process of this mode is put together. */
function changesOf({ bulkMax, concurrency, isDelivered }: SweptMode): Changes {
  const shared = { bulkMax, concurrency };
  if (!isDelivered) {
    return { ...shared, callbacks: createTestCallbacks(), schedule: createPollSchedule() };
  }
  return {
    ...shared,
    callbacks: createRequestCallbacks(5_000),
    schedule: createDeadlineSchedule(),
    deadlineMs: 8_000,
  };
}

/** One process after the other, the first of them disturbed, until every lead is answered. */
async function live(outside: Outside, mode: SweptMode, fault?: Fault, nth = 0): Promise<Life> {
  const { reader, world } = outside;
  const saboteur = createSaboteur(fault, nth);
  let hasAllCome = !mode.isDelivered;
  let problem: unknown;
  for (let processes = 1; processes <= PROCESSES_MAX; processes += 1) {
    const real = openSqliteStore(world.path);
    const isFirst = processes === 1;
    const store = isFirst ? around(real, saboteur.pass, ['jobNow', 'startRun']) : real;
    const platform = isFirst ? around(world.platform, saboteur.pass) : world.platform;
    const { context } = await openProcess(world, { ...changesOf(mode), store, platform });
    const working = processRun(context, reader, false);
    const ending = await world.clock.drive(
      isFirst ? Promise.race([working, saboteur.death]) : working,
    );
    problem = ending === 'dead' ? undefined : ending.problem;
    const tally = await real.tally(context.run.id);
    const isOver = ending !== 'dead' && problem === undefined && openLeads(tally) === 0;
    const rows = (await real.answers(context.run.id, { after: 0, limit: 100 })).map(comparable);
    // What a dead process had sent arrives all the same; it only never hears of it.
    if (ending === 'dead') await world.clock.advance(1_000);
    expect(miscounts(world.path)).toEqual([]);
    await real.close();
    if (isOver && hasAllCome) {
      await outside.close();
      return { rows, calls: saboteur.calls(), processes };
    }
    // A webhook that comes after the end is settled by the next process.
    if (isOver) {
      await outside.drain();
      hasAllCome = true;
    }
  }
  throw new Error(`not ended after ${PROCESSES_MAX} processes`, { cause: problem });
}

/** All but the time, which is another one in every life. */
function comparable(row: LeadAnswer): LeadAnswer {
  return { ...row, enrichedAt: null };
}

/** Rows that are certain, and not what an undisturbed run says. */
function unlike(rows: readonly LeadAnswer[], calm: readonly LeadAnswer[]): LeadAnswer[] {
  return rows.filter(
    (row, i) => row.status !== 'uncertain' && JSON.stringify(row) !== JSON.stringify(calm[i]),
  );
}

/** Persons that are uncertain in these rows, each once. */
function uncertainIn(rows: readonly LeadAnswer[]): string[] {
  const uncertain = rows.filter(({ status }) => status === 'uncertain');
  return [...new Set(uncertain.map(({ cells }) => cells[0] as string))];
}

const counts = MODES.map(({ name }) => ({
  mode: name,
  lives: 0,
  processes: 0,
  /** Persons for whom the platform was asked twice. */
  doubled: 0,
  /** Leads that are missing, and certain ones that came out otherwise. */
  lost: 0,
  unlike: 0,
  /** Persons that only the disturbance made uncertain. */
  uncertain: 0,
  /** Of these, such whose webhook had come. */
  unclaimed: 0,
}));
afterAll(() => {
  if (LONG !== undefined) process.stderr.write(`faults: ${JSON.stringify(counts)}\n`);
  if (RESULT === undefined) return;
  const sum = (of: (one: (typeof counts)[number]) => number): number =>
    counts.reduce((total, one) => total + of(one), 0);
  const result = {
    isSample: LONG === undefined,
    seeds: SEEDS,
    faults: FAULTS,
    modes: counts,
    lives: sum(({ lives }) => lives),
    processes: sum(({ processes }) => processes),
    doubled: sum(({ doubled }) => doubled),
    lost: sum(({ lost }) => lost),
    unlike: sum(({ unlike }) => unlike),
    uncertain: sum(({ uncertain }) => uncertain),
    unclaimed: sum(({ unclaimed }) => unclaimed),
  };
  writeFileSync(RESULT, `${JSON.stringify(result, null, 2)}\n`);
});

const RUNS = MODES.flatMap((mode, m) => SEEDS.map((seed) => ({ ...mode, m, seed })));

describe.each(RUNS)('a disturbed run of $name (seed $seed)', ({ m, seed, ...mode }) => {
  let calm:
    | Promise<{ readonly rows: readonly LeadAnswer[]; readonly outside: Outside }>
    | undefined;
  const liveCalmly = async () => {
    const outside = createOutside(folder, seed, mode, true);
    const { rows } = await live(outside, mode);
    return { rows, outside };
  };
  /** The undisturbed run; one serves every fault. */
  const calmly = () => {
    calm ??= liveCalmly();
    return calm;
  };

  it('undisturbed, it answers every lead and sends nothing twice', async () => {
    const { rows, outside } = await calmly();
    expect(rows).toHaveLength(LEAD_COUNT);
    expect(outside.world.platform.repeated()).toEqual([]);
    expect(uncertainIn(rows).filter((who) => outside.delivered.has(who))).toEqual([]);
  });

  it.each(FAULTS)(
    'when any one call %s, every lead is answered for, nothing is sent twice, and the rows are the same',
    async (fault) => {
      const { rows: calmRows } = await calmly();
      const stride = LONG === undefined ? mode.stride : 1;
      const one = FAULTS.indexOf(fault) * SEEDS.length + SEEDS.indexOf(seed);
      const start =
        1 + (LONG === undefined ? Math.floor((one * stride) / (FAULTS.length * SEEDS.length)) : 0);
      const count = counts[m] as (typeof counts)[number];
      // The disturbed process may make more calls than the calm one: until the n-th is never made.
      for (let nth = start; ; nth += stride) {
        const outside = createOutside(folder, seed, mode, false);
        const { platform } = outside.world;
        const { rows, calls, processes } = await live(outside, mode, fault, nth);
        const where = `call ${nth} ${fault}`;
        const known = new Set(uncertainIn(calmRows));
        const doubts = uncertainIn(rows).filter((who) => !known.has(who));
        const unclaimed = doubts.filter((who) => outside.delivered.has(who));
        count.lives += 1;
        count.processes += processes;
        count.doubled += platform.repeated().length;
        count.lost += LEAD_COUNT - rows.length;
        count.unlike += unlike(rows, calmRows).length;
        count.uncertain += doubts.length;
        count.unclaimed += unclaimed.length;
        expect(platform.repeated(), where).toEqual([]);
        expect(platform.misuses, where).toBe(0);
        expect(rows, where).toHaveLength(LEAD_COUNT);
        expect(unlike(rows, calmRows), where).toEqual([]);
        expect(unclaimed, where).toEqual([]);
        // Nothing is called uncertain but what was under way when it happened, or in a call that was lost.
        const disturbed = doubts.filter((who) => !outside.lostCalls.has(who));
        expect(disturbed.length, where).toBeLessThanOrEqual(mode.concurrency * mode.bulkMax);
        if (calls < nth) break;
      }
    },
    PATIENCE_MS,
  );
});
