// Whether an empty answer is believed, over whole runs: platforms whose values come a moment late, or begin to come with
// the first look, however late that is.
import { afterEach, describe, expect, it } from 'vitest';
import { createPollSchedule } from '../../../src/model/schedule/poll-schedule.js';
import type { Platform } from '../../../src/ports/platform.js';
import type { LookKind } from '../../../src/ports/store/enrichments.js';
import type { Store } from '../../../src/ports/store/store.js';
import { openReadings, type SecondLookRule } from '../../../src/run/collect/readings.js';
import { processRun } from '../../../src/run/process-run.js';
import { submit } from '../../../src/run/send/submit.js';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.js';
import { atCall } from '../../helpers/around.js';
import { inBrief, isLong } from '../../helpers/long.js';
import { names, people, readerOf } from '../../helpers/people.js';
import { tempFolder } from '../../helpers/temp-folder.js';
import {
  createWorld,
  openLoaded,
  openProcess,
  statusesOf,
  TERMS,
  type World,
} from '../../helpers/test-run.js';

const folder = tempFolder();
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

interface Process {
  readonly job?: string;
  /** Of all first looks. */
  readonly kind?: LookKind;
  readonly rule?: SecondLookRule;
  readonly wrap?: (store: Store) => Store;
}

/** A process that takes up what the state file knows, where requests are scarce, and what it has come to. */
async function work(
  world: World,
  who: readonly string[],
  { job = 'nightly', kind = 'late', rule = null, wrap = (store) => store }: Process = {},
) {
  const store = wrap(openSqliteStore(world.path));
  const read: Platform['read'] = async (...asked) => {
    await world.clock.sleep(100);
    return world.platform.read(...asked);
  };
  const process = await openProcess(world, {
    store,
    platform: { ...world.platform, leastMs: (requests) => requests * 100, read },
    readings: await openReadings(store, TERMS.account, 'neutral', rule),
    schedule: { ...createPollSchedule(), chanceOfNew: () => (kind === 'late' ? 0 : 1) },
    plan: { job },
  });
  open.push(process);
  const before = world.platform.reads.length;
  const { context, events } = process;
  const { problem } = await world.clock.drive(processRun(context, readerOf(people(who)), false));
  const warnings = events.flatMap((event) => (event.kind === 'run.warned' ? [event] : []));
  const looks = world.platform.reads.length - before - who.length;
  return { context, problem, warnings, looks, statuses: await statusesOf(context) };
}

/** Each has its values at the second look alone; those that are not named have none. */
function startingWithFirstLook(found: ReadonlySet<string>): World {
  return createWorld(folder, {
    read: (who, attempt) => (attempt > 1 && found.has(who) ? 'filled' : 'empty'),
  });
}

const truth = (who: readonly string[], found: ReadonlySet<string>): string[] =>
  who.map((one) => (found.has(one) ? 'found' : 'not_found'));

describe.each(inBrief(['late'], ['early']))('%s first looks at empty answers', (kind) => {
  it('are not believed before anything is known of the platform', async () => {
    const who = names(60);
    const { looks, statuses } = await work(startingWithFirstLook(new Set(who)), who, { kind });
    expect(new Set(statuses)).toEqual(new Set(['found']));
    expect(looks).toBe(60);
  });

  it('are believed when fifty second looks have brought nothing, but for one in twenty, also by the next process', async () => {
    const world = startingWithFirstLook(new Set());
    const all = names(300);
    const first = await work(world, all.slice(0, 200), { kind, job: 'first' });
    expect(new Set(first.statuses)).toEqual(new Set(['not_found']));
    // Fifty, those that were being looked at then, and one in twenty of the others.
    expect(first.looks).toBeGreaterThanOrEqual(50);
    expect(first.looks).toBeLessThan(120);
    // It is never closed, as after a crash.
    const second = await work(world, all.slice(200), { kind, job: 'second' });
    expect(second.looks).toBe(5);
    const { [kind]: trust } = await second.context.store.trusts(TERMS.account, 'neutral');
    expect(trust.confirmed).toBe(first.looks + second.looks);
    expect([...first.warnings, ...second.warnings]).toEqual([]);
  });

  it('say nothing of those of the other kind', async () => {
    const world = startingWithFirstLook(new Set());
    const all = names(160);
    const other = kind === 'early' ? 'late' : 'early';
    await work(world, all.slice(0, 100), { kind, job: 'first' });
    const { looks } = await work(world, all.slice(100, 149), { kind: other, job: 'second' });
    expect(looks).toBe(49);
  });
});

describe('a second look that brings a value', () => {
  const all = names(300);
  /** From the sample with the id 240 on. */
  const found: ReadonlySet<string> = new Set(all.slice(239));
  const [before, now] = [all.slice(0, 200), all.slice(200)];

  it('has the misses of the run that were believed looked at again before it ends, and says so', async () => {
    const world = startingWithFirstLook(found);
    await work(world, before, { job: 'first' }).then(({ context }) =>
      context.store.finishRun(context.run.id, world.clock.now()),
    );
    const { context, statuses, warnings } = await work(world, now, { job: 'second' });
    expect(statuses).toEqual(truth(now, found));
    expect(warnings.map(({ warning }) => warning)).toEqual(['empty_answers']);
    expect(warnings[0]?.message).toMatch(
      /\d+ misses of this run counted at the first look: before the run ends they are looked at again, for nothing, which takes \d+ s or more/,
    );
    expect(warnings[0]?.message).toContain('"sluice retry 1 --only not_found"');
    expect(world.platform.repeated()).toEqual([]);
    const { late } = await context.store.trusts(TERMS.account, 'neutral');
    expect(late.confirmed).toBeLessThan(50);
  });

  it.runIf(isLong)('has that done by the next process, where this one is killed', async () => {
    const world = startingWithFirstLook(found);
    await work(world, before, { job: 'first' });
    // The first call is that of its beginning.
    const dying = (store: Store): Store =>
      atCall(store, 'doubtMisses', 2, () => Promise.reject(new Error('killed')));
    const killed = await work(world, now, { job: 'second', wrap: dying });
    expect(killed.problem).toMatchObject({ message: 'killed' });
    expect(killed.statuses).not.toEqual(truth(now, found));
    const { statuses, warnings } = await work(world, [], { job: 'second' });
    expect(statuses).toEqual(truth(now, found));
    expect(warnings).toMatchObject([{ warning: 'empty_answers' }]);
  });

  it('counts for the runs of other processes too', async () => {
    const world = startingWithFirstLook(new Set());
    await work(world, before, { job: 'first' });
    const other = await openLoaded(world, ['other'], { plan: { job: 'other' } });
    open.push(other);
    await world.clock.drive(submit(other.context));
    const { store } = other.context;
    const refute = async (): Promise<void> => {
      const [{ id } = { id: 0 }] = await store.awaited(other.context.run.id, 1);
      const look = {
        account: TERMS.account,
        dialect: 'neutral',
        kind: 'late',
        isSame: false,
      } as const;
      const settlement = {
        id,
        at: world.clock.now(),
        outcome: 'found',
        result: {},
        credits: 5,
      } as const;
      await store.settle([{ ...settlement, secondLook: look }]);
    };
    // Of their ids none is that of a sample.
    const who = names(18, 'b');
    world.platform.script.read = async (one, attempt) => {
      if (one === 'b18' && attempt === 1) await refute();
      return 'empty' as const;
    };
    const { looks, warnings } = await work(world, who, { job: 'second' });
    expect(warnings).toMatchObject([{ warning: 'empty_answers' }]);
    expect(looks).toBe(18);
  });
});

describe('a dialect that states it', () => {
  it('has every empty answer looked at twice, or none', async () => {
    const world = startingWithFirstLook(new Set());
    const all = names(200);
    await work(world, all.slice(0, 100), { job: 'first' });
    const always = await work(world, all.slice(100, 150), { job: 'second', rule: 'always' });
    expect(always.looks).toBe(50);
    const anew = startingWithFirstLook(new Set());
    const never = await work(anew, all.slice(150), { job: 'third', rule: 'never' });
    expect([never.looks, new Set(never.statuses)]).toEqual([0, new Set(['not_found'])]);
    expect((await never.context.store.answers(1, 0, 1))[0]).not.toHaveProperty('isBelieved');
  });
});
