// Answers that the dialect cannot read: none of them is a miss, each is kept, and little is paid before one can be read.
import { describe, expect, it } from 'vitest';
import { Readings } from '../../../src/run/collect/readings.js';
import { processRun } from '../../../src/run/process-run.js';
import { names, people, readerOf } from '../../helpers/people.js';
import type { ReadFate } from '../../helpers/scripted-platform.js';
import { tempFolder } from '../../helpers/temp-folder.js';
import {
  type Changes,
  createWorld,
  openLoaded,
  openProcess,
  statusesOf,
  TERMS,
  type World,
} from '../../helpers/test-run.js';

const folder = tempFolder();
const WHO = names(60);

async function work(world: World, who: readonly string[], changes: Changes = {}) {
  const opened = await openProcess(world, changes);
  const { context, events } = opened;
  const { problem } = await world.clock.drive(processRun(context, readerOf(people(who)), false));
  const seen = {
    problem: problem as Error | undefined,
    statuses: await statusesOf(context),
    tally: await context.store.tally(context.run.id),
    warnings: events.flatMap((event) => (event.kind === 'run.warned' ? [event.warning] : [])),
    messages: events.flatMap((event) => (event.kind === 'run.warned' ? [event.message] : [])),
    answers: await context.store.answers(context.run.id, { after: 0, limit: 100 }),
    readings: await context.store.readings(TERMS.account, 'neutral'),
  };
  await opened.close();
  return seen;
}

describe('a dialect that looks in the wrong place', () => {
  it('settles nothing, stops sending after a handful, and says where to look', async () => {
    const world = createWorld(folder, { read: () => 'odd' });
    const seen = await work(world, WHO, { firstBatch: 20 });
    expect(seen.problem).toMatchObject({ code: 'platform' });
    expect(seen.problem?.message).toMatch(/keeps \d+ answers as they came.*Correct the dialect/);
    expect(seen.statuses).not.toContain('not_found');
    expect(seen.answers[0]).toMatchObject({
      status: 'awaiting',
      reason: 'the answer came and cannot be read: no path of the dialect reads mail',
    });
    expect(world.platform.submissions).toHaveLength(20);
    expect(seen.warnings).toEqual(['unread_answers']);
  });

  it('costs no second payment and no second question once it is corrected', async () => {
    let isCorrected = false;
    const world = createWorld(folder, {
      read: () => (isCorrected ? 'filled' : 'odd'),
      reread: () => (isCorrected ? 'filled' : 'odd'),
    });
    await work(world, WHO, { firstBatch: 20 });
    const { submissions, reads } = world.platform;
    const before = { sent: submissions.length, read: reads.length };
    isCorrected = true;
    const seen = await work(world, WHO);
    expect(seen.problem).toBeUndefined();
    expect(new Set(seen.statuses)).toEqual(new Set(['found']));
    expect(submissions).toHaveLength(WHO.length);
    expect(world.platform.repeated()).toEqual([]);
    expect(reads.length - before.read).toBe(WHO.length - before.sent);
  });

  it('asks again where the kept body still cannot be read, and takes what comes', async () => {
    let now: ReadFate = 'odd';
    const world = createWorld(folder, { read: () => now });
    const first = await work(world, names(3));
    expect(first.problem).toMatchObject({ code: 'platform' });
    const again = await work(world, names(3));
    expect(again.statuses).toEqual(['awaiting', 'awaiting', 'awaiting']);
    expect(again.problem).toMatchObject({ code: 'platform' });
    now = 'filled';
    const last = await work(world, names(3));
    expect(last.problem).toBeUndefined();
    expect(last.tally).toMatchObject({ byStatus: { found: 3 }, credits: 15 });
    expect(world.platform.submissions).toHaveLength(3);
  });

  it('keeps what it could not read where the platform knows the ticket no more', async () => {
    let now: ReadFate = 'odd';
    const world = createWorld(folder, { read: () => now });
    await work(world, names(2), { deadlineMs: 1_000 });
    now = 'unknown';
    const seen = await work(world, names(2), { deadlineMs: 1_000 });
    expect(seen.statuses).toEqual(['awaiting', 'awaiting']);
    const world2 = { ...world, platform: world.platform };
    world.platform.script.reread = () => 'filled';
    expect((await work(world2, names(2))).statuses).toEqual(['found', 'found']);
  });
});

describe('values that no path reads', () => {
  it('are no misses before the first hit, and misses after it, which is told', async () => {
    const world = createWorld(folder, {
      read: (who) => (who === WHO[40] ? 'filled' : 'odd'),
    });
    const seen = await work(world, WHO, { concurrency: 60 });
    expect(seen.problem).toBeUndefined();
    expect(seen.tally.byStatus).toMatchObject({ found: 1, not_found: 59 });
    expect(world.platform.repeated()).toEqual([]);
    expect(seen.warnings).toContain('unread_fields');
    expect(seen.readings.sort()).toEqual(['find_email']);
  });

  it('are misses as well where the first hit is read while one of them is written down', async () => {
    const world = createWorld(folder, { read: () => 'odd' });
    const readings = new Readings('neutral');
    const opened = await openProcess(world, { readings });
    const { store } = opened.context;
    const slow: typeof store = {
      ...store,
      settle: async (looks) => {
        if (looks.some((one) => 'body' in one)) readings.note(['find_email'], undefined);
        return await store.settle(looks);
      },
    };
    const context = { ...opened.context, store: slow };
    const { problem } = await world.clock.drive(
      processRun(context, readerOf(people(names(1))), false),
    );
    expect(problem).toBeUndefined();
    expect(await statusesOf(context)).toEqual(['not_found']);
    await opened.close();
  });

  it('are misses at once where an earlier run had a hit', async () => {
    const world = createWorld(folder, { read: () => 'odd' });
    const readings = new Readings('neutral', ['find_email']);
    const seen = await work(world, names(9), { readings });
    expect(seen.tally.byStatus).toMatchObject({ not_found: 9 });
    expect(seen.warnings).toEqual(['unread_fields']);
  });

  it('are told of as well where the place for results is missing: there may be no result yet', async () => {
    const world = createWorld(folder, {
      read: (who) => (who === WHO[0] ? 'filled' : 'placeless'),
    });
    const readings = new Readings('neutral', ['find_email']);
    const seen = await work(world, names(4), { readings });
    expect(seen.tally.byStatus).toMatchObject({ found: 1, not_found: 3 });
    expect(seen.messages).toEqual([
      expect.stringMatching(/^3 misses came without .*answer\.read\.pending.*--only not_found/),
    ]);
  });

  it('say nothing of another ask', async () => {
    const world = createWorld(folder, { read: () => 'odd' });
    const readings = new Readings('neutral', ['find_phone']);
    expect((await work(world, names(2), { readings })).statuses).toEqual(['awaiting', 'awaiting']);
  });
});

describe('the first batch', () => {
  it('is all that is under way until an answer was read', async () => {
    const world = createWorld(folder, {
      read: (_who, attempt) => (attempt < 4 ? 'pending' : 'filled'),
    });
    const { platform } = world;
    let outMax = 0;
    const counting = {
      ...platform,
      readAll: async (...asked: Parameters<typeof platform.readAll>) => {
        const answers = await platform.readAll(...asked);
        if (answers[0]?.kind === 'done' && outMax === 0) outMax = platform.submissions.length;
        return answers;
      },
    };
    const seen = await work({ ...world, platform: counting }, WHO, { firstBatch: 7 });
    expect(seen.problem).toBeUndefined();
    expect(outMax).toBe(7);
    expect(seen.tally.byStatus).toMatchObject({ found: 60 });
  });

  it('is looked at early while nothing else may be sent, and sending goes on soon after', async () => {
    const world = createWorld(folder, {
      read: () => (world.clock.now() < readyAt ? 'pending' : 'filled'),
    });
    const readyAt = world.clock.now() + 3_000;
    // Everything once takes 60 s: looks that waited for the queued ones would come as late.
    const platform = { ...world.platform, leastMs: (requests: number) => requests * 1_000 };
    const seen = await work({ ...world, platform }, WHO, { firstBatch: 20 });
    expect(seen.problem).toBeUndefined();
    const { submissions } = world.platform;
    expect(submissions.filter(({ at }) => at < readyAt)).toHaveLength(20);
    expect((submissions[20]?.at ?? 0) - readyAt).toBeLessThan(0.5 * 3_000);
  });

  it('is over for every later run with this dialect', async () => {
    const world = createWorld(folder, { read: () => 'filled' });
    await work(world, names(2), { firstBatch: 1 });
    const opened = await openProcess(world);
    const known = await opened.context.store.readings(TERMS.account, 'neutral');
    expect(known).toEqual(['find_email']);
    expect(await opened.context.store.readings('another', 'neutral')).toEqual([]);
    await opened.close();
  });

  it('goes on where its answers are misses, or fail', async () => {
    const fates: ReadFate[] = ['failed', 'empty'];
    for (const fate of fates) {
      const world = createWorld(folder, { read: () => fate });
      const seen = await work(world, names(9), { firstBatch: 2 });
      expect(seen.problem).toBeUndefined();
      expect(world.platform.submissions).toHaveLength(9);
    }
  });

  it('bounds bulk calls', async () => {
    const world = createWorld(folder, { read: () => 'odd' });
    await work(world, WHO, { bulkMax: 60, firstBatch: 11 });
    expect(world.platform.calls.map(({ length }) => length)).toEqual([8, 3]);
  });
});

describe('an answer that two runs share and cannot read', () => {
  it('is asked for a few times only, though each takes it from the other', async () => {
    const world = createWorld(folder, { read: () => 'odd' });
    const weekly = await openLoaded(world, names(2), { plan: { job: 'weekly' } });
    const { context } = await openProcess(world);
    const { store } = context;
    const shared: typeof store = {
      ...store,
      settle: async (looks) => {
        const changed = await store.settle(looks);
        await weekly.context.store.adopt(weekly.context.run.id, 0);
        return changed;
      },
    };
    const work = processRun({ ...context, store: shared }, readerOf(people(names(2))), false);
    expect(await world.clock.drive(work)).toMatchObject({ problem: { code: 'platform' } });
    expect(world.platform.reads.length).toBeLessThan(10);
    await weekly.close();
    await store.close();
  });

  it('is read by the one with the right dialect, though the other one has it at last', async () => {
    let isRight = false;
    const world = createWorld(folder, {
      read: () => (isRight ? 'filled' : 'odd'),
      reread: () => (isRight ? 'filled' : 'odd'),
    });
    await work(world, names(2));
    await work(world, names(2), { plan: { job: 'weekly' } });
    isRight = true;
    const seen = await work(world, names(2));
    expect(seen.problem).toBeUndefined();
    expect(seen.statuses).toEqual(['found', 'found']);
  });
});

describe('a ticket that is read once more', () => {
  it.each(['unknown', 'pending'] as const)('is not waited for where it is %s', async (now) => {
    let fate: ReadFate = 'empty';
    const world = createWorld(folder, { read: () => fate });
    const opened = await openProcess(world);
    const { context } = opened;
    const { store, run } = context;
    await world.clock.drive(processRun(context, readerOf(people(names(3))), false));
    await store.endRun(run.id, 'finished', world.clock.now());
    const at = world.clock.now();
    await store.retry(run.id, ['not_found'], { at, deadlineAt: at + 7_200_000 });
    await opened.close();
    fate = now;
    const seen = await work(world, names(3));
    expect(seen.statuses).toEqual(['not_found', 'not_found', 'not_found']);
    expect(seen.tally.askedAgain).toEqual({});
    expect(world.clock.now() - at).toBeLessThan(60_000);
  });
});
