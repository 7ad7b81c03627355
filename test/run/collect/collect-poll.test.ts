import { describe, expect, it } from 'vitest';
import { openLimiter } from '../../../src/platform/limit/limiter.js';
import type { Permit } from '../../../src/ports/platform.js';
import { collectByPoll } from '../../../src/run/collect/collect-poll.js';
import { ingest } from '../../../src/run/ingest.js';
import { submit } from '../../../src/run/send/submit.js';
import { around, atCall } from '../../helpers/around.js';
import { nextTurn } from '../../helpers/driven-clock.js';
import { names, people, readerOf } from '../../helpers/people.js';
import type { ReadFate, Script } from '../../helpers/scripted-platform.js';
import { tempFolder } from '../../helpers/temp-folder.js';
import {
  createWorld,
  openLoaded,
  openProcess,
  statusesOf,
  type World,
} from '../../helpers/test-run.js';

const folder = tempFolder();
/** A process that has submitted everything and asked for nothing yet. */
async function submitted(
  world: World,
  who: readonly string[],
  changes: Parameters<typeof openProcess>[1] = {},
) {
  const process = await openLoaded(world, who, changes);
  await world.clock.drive(submit(process.context));
  process.context.backlog.submittingEnded();
  return process;
}

async function collected(script: Script, who: readonly string[], concurrency = 4) {
  const world = createWorld(folder, script);
  const process = await submitted(world, who, { concurrency });
  const startMs = world.clock.now();
  const ending = await world.clock.drive(collectByPoll(process.context)).then(
    () => 'ended',
    (error: Error) => error.message,
  );
  const readsMs = world.platform.reads.map(({ at }) => at - startMs);
  return { ...world, ...process, ending, readsMs, statuses: await statusesOf(process.context) };
}

function fates(...list: ReadFate[]): Script {
  return { read: (_, attempt) => list[attempt - 1] ?? 'filled' };
}

describe('collecting by poll', () => {
  it('reads every ticket once it is due, saves each answer, and ends', async () => {
    const { statuses, platform, readsMs, events, ending } = await collected({}, names(9));
    expect(ending).toBe('ended');
    expect(statuses).toEqual(names(9).map(() => 'found'));
    expect(Math.min(...readsMs)).toBe(500);
    expect(platform.reads).toHaveLength(9);
    expect(platform.permitsOut()).toBe(0);
    const settled = events.filter((event) => event.kind === 'enrichments.settled');
    const ids = settled.flatMap(({ enrichments }) => enrichments);
    expect(ids.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(settled.reduce((sum, { credits }) => sum + credits, 0)).toBe(45);
    for (const event of settled) expect(event).toMatchObject({ outcome: 'found', by: 'poll' });
  });

  it('asks again for what is pending when its time has come, with growing waits and not before', async () => {
    const { statuses, readsMs } = await collected(fates('pending', 'pending', 'pending'), ['a']);
    expect(statuses).toEqual(['found']);
    expect(readsMs).toEqual([500, 1_000, 2_000, 4_000]);
  });

  it('a failed one is failed, with the platform’s reason and for nothing', async () => {
    const { context } = await collected(fates('failed'), ['a']);
    expect((await context.store.answers(1, { after: 0, limit: 1 }))[0]).toMatchObject({
      status: 'failed',
      reason: 'broken',
      credits: 0,
    });
  });

  it('an unknown id is asked for until the deadline, and at the deadline; then it is timed_out', async () => {
    const { statuses, readsMs } = await collected({ read: () => 'unknown' }, ['a']);
    expect(statuses).toEqual(['timed_out']);
    expect(readsMs.at(-1)).toBe(600_000);
    // Waits grow with the age: ten minutes are a few dozen polls, not thousands.
    expect(readsMs.length).toBeLessThan(60);
  });

  it('no more than `concurrency` reads are in pool, and no ticket twice at once', async () => {
    const { platform } = await collected(
      { readMs: 70, read: (_, attempt) => (attempt < 3 ? 'pending' : 'filled') },
      names(25),
      3,
    );
    expect(platform.inFlightMax.poll).toBe(3);
    expect(platform.misuses).toBe(0);
    expect(platform.reads).toHaveLength(75);
  });

  it('one slow answer does not hold up those beyond the first fetch', async () => {
    const world = createWorld(folder, {
      read: async (who): Promise<ReadFate> => {
        if (who === 'a1') await world.clock.sleep(60_000);
        return 'filled';
      },
    });
    const { context } = await submitted(world, names(250), { concurrency: 16 });
    const collecting = collectByPoll(context);
    await world.clock.advance(5_000);
    const statuses = await statusesOf(context);
    expect(statuses.filter((status) => status === 'found')).toHaveLength(249);
    await world.clock.drive(collecting);
  });

  it('twenty unavailable in a row stop it; what was not answered stays awaiting', async () => {
    const { statuses, readsMs, ending } = await collected(
      { read: () => 'unavailable' },
      ['a', 'b'],
      1,
    );
    expect(ending).toBe('unavailable');
    expect(readsMs).toHaveLength(20);
    expect(statuses).toEqual(['awaiting', 'awaiting']);
  });

  it('a short outage that hits many polls at once does not stop it', async () => {
    const world = createWorld(folder, {
      readMs: 10,
      read: () => (world.clock.now() < upAt ? 'unavailable' : 'filled'),
    });
    const { context } = await submitted(world, names(40), { concurrency: 24 });
    const upAt = world.clock.now() + 20_000;
    await world.clock.drive(collectByPoll(context));
    expect(new Set(await statusesOf(context))).toEqual(new Set(['found']));
  });

  it('a final trouble stops it at once, saves what is under way, and gives nothing up, however late it is', async () => {
    const world = createWorld(folder, {
      readMs: 50,
      read: (who) => (who === 'a2' ? 'final' : 'filled'),
    });
    const { context } = await submitted(world, names(9), { concurrency: 3 });
    await world.clock.advance(700_000);
    const ending = world.clock.drive(collectByPoll(context));
    await expect(ending).rejects.toThrow('wrong password');
    expect((await statusesOf(context)).slice(0, 4)).toEqual([
      'found',
      'awaiting',
      'found',
      'awaiting',
    ]);
    expect(world.platform.permitsOut()).toBe(0);
  });
});

describe('deadlines', () => {
  it('one that passed while no process was there is polled once more first', async () => {
    for (const [fate, status] of [
      ['filled', 'found'],
      ['pending', 'timed_out'],
    ] as const) {
      const world = createWorld(folder, { read: () => fate });
      const first = await submitted(world, ['a']);
      await world.clock.advance(86_400_000);
      const { context } = first;
      await world.clock.drive(collectByPoll({ ...context, startedAt: world.clock.now() }));
      expect(await statusesOf(context)).toEqual([status]);
      expect(world.platform.reads).toHaveLength(1);
    }
  });

  it('a late answer to a timed out one is taken by the next run, and paid once', async () => {
    const world = createWorld(folder, { read: () => (isThere ? 'filled' : 'pending') });
    let isThere = false;
    const first = await submitted(world, ['a']);
    await world.clock.drive(collectByPoll(first.context));
    expect(await statusesOf(first.context)).toEqual(['timed_out']);
    await first.context.store.endRun(1, 'finished', world.clock.now());
    isThere = true;
    const next = await submitted(world, ['a']);
    await world.clock.drive(collectByPoll(next.context));
    expect(await statusesOf(next.context)).toEqual(['found']);
    expect(await statusesOf(first.context)).toEqual(['found']);
    expect(world.platform.submissions).toHaveLength(1);
  });
});

describe('waiting and ending', () => {
  it('a drain asks nothing more, saves the answers under way, and leaves the rest awaiting', async () => {
    const world = createWorld(folder, { readMs: 1_000 });
    const { context, stop } = await submitted(world, names(9), { concurrency: 2 });
    const collecting = collectByPoll(context);
    await world.clock.advance(900);
    stop();
    await world.clock.drive(collecting);
    expect(await context.store.work(1)).toMatchObject({ awaiting: 7 });
    expect(world.platform.reads).toHaveLength(2);
    expect(world.platform.permitsOut()).toBe(0);
    expect(world.clock.sleeping()).toBe(0);
  });

  it('permits that come together with the drain are given back', async () => {
    const world = createWorld(folder);
    const { context, stop } = await submitted(world, names(3));
    const platform = around(world.platform, async (verb, call) => {
      const answer = await call();
      if (verb === 'reserve') stop();
      return answer;
    });
    await world.clock.drive(collectByPoll({ ...context, platform }));
    expect(world.platform.reads).toHaveLength(0);
    expect(world.platform.permitsOut()).toBe(0);
  });

  it('polls that the drain cut short are no trouble, and no reason to give up after the deadline', async () => {
    const world = createWorld(folder, { readMs: 50, read: () => 'unavailable' });
    const { context, stop } = await submitted(world, names(30), { concurrency: 30 });
    await world.clock.advance(700_000);
    const collecting = collectByPoll(context);
    await world.clock.advance(10);
    stop();
    await world.clock.drive(collecting);
    expect(new Set(await statusesOf(context))).toEqual(new Set(['awaiting']));
  });

  it('asks the store no more often than there may be something to learn', async () => {
    const world = createWorld(folder, { read: () => 'unknown' });
    const { context } = await submitted(world, ['a']);
    let fetches = 0;
    const store = around(context.store, (verb, call) => {
      if (verb === 'awaited') fetches += 1;
      return call();
    });
    await world.clock.drive(collectByPoll({ ...context, store }));
    // And every five seconds, for others may settle what is awaited here.
    const looks = 600_000 / 5_000;
    expect(fetches).toBeLessThanOrEqual(world.platform.reads.length + looks + 2);
  });

  it('ends though another run has taken over, or already ended, what it was waiting for', async () => {
    const world = createWorld(folder, { read: (who) => (who === 'a1' ? 'filled' : 'pending') });
    const { context } = await submitted(world, names(4));
    const weekly = await openProcess(world, { plan: { job: 'weekly' } });
    await ingest(weekly.context, readerOf(people(['a2', 'a3', 'a4'])));
    await world.clock.drive(collectByPoll(context));
    expect(await statusesOf(context)).toEqual(['found', 'awaiting', 'awaiting', 'awaiting']);
  });

  it.each([1, 2, 3, 4, 5, 6])(
    'a store in which every verb takes its time changes nothing: no wake-up is missed, nothing is asked early (%i)',
    async (seed) => {
      const world = createWorld(folder, {
        readMs: 3,
        read: (who, attempt) => (attempt <= Number(who.slice(1)) % 4 ? 'pending' : 'filled'),
      });
      const { context } = await submitted(world, names(20), { concurrency: 3 });
      let calls = 0;
      const linger = async (): Promise<void> => {
        for (let turns = ((calls += 1) * seed * 7) % 5; turns > 0; turns -= 1) await nextTurn();
      };
      const store = around(context.store, async (_, call) => {
        await linger();
        const value = await call();
        await linger();
        return value;
      });
      await world.clock.drive(collectByPoll({ ...context, store }));
      expect(new Set(await statusesOf(context))).toEqual(new Set(['found']));
      expect(world.platform.misuses).toBe(0);
      expect(world.platform.reads).toHaveLength(20 + 5 * (1 + 2 + 3));
    },
  );

  it('one that lands while the store is asked is not asked for again with what was known before', async () => {
    const world = createWorld(folder, {
      read: (_, attempt) => (attempt < 2 ? 'pending' : 'filled'),
    });
    const { context } = await submitted(world, ['a1'], { concurrency: 2 });
    let land = (): void => undefined;
    const platform = atCall(world.platform, 'read', 1, async (call) => {
      await new Promise<void>((resolve) => {
        land = resolve;
      });
      return call();
    });
    // The third fetch sees a1 as it was; before it comes back, the poll of a1 has been postponed.
    const store = atCall(context.store, 'awaited', 3, async (call) => {
      const value = await call();
      land();
      for (let turn = 0; turn < 20; turn += 1) await nextTurn();
      return value;
    });
    const collecting = collectByPoll({ ...context, platform, store });
    await world.clock.advance(500);
    context.backlog.expectPoll(world.clock.now());
    await world.clock.drive(collecting);
    const [first, second] = world.platform.reads.map(({ at }) => at);
    expect((second ?? 0) - (first ?? 0)).toBe(500);
  });

  it('a store that fails stops it only after the answers under way are saved', async () => {
    const world = createWorld(folder, { readMs: 1_000 });
    const { context } = await submitted(world, names(2));
    const store = atCall(context.store, 'awaited', 3, () => Promise.reject(new Error('disk full')));
    const collecting = collectByPoll({ ...context, store });
    await world.clock.advance(600);
    // Another is due, so the store is asked while two are under way.
    context.backlog.expectPoll(world.clock.now());
    await expect(world.clock.drive(collecting)).rejects.toThrow('disk full');
    expect(await statusesOf(context)).toEqual(['found', 'found']);
  });

  it('a settlement that cannot be written stops it, and the ticket is asked for again by the next process', async () => {
    const world = createWorld(folder);
    const { context } = await submitted(world, ['a']);
    const store = atCall(context.store, 'settle', 1, () => Promise.reject(new Error('disk full')));
    await expect(world.clock.drive(collectByPoll({ ...context, store }))).rejects.toThrow(
      'disk full',
    );
    expect(await statusesOf(context)).toEqual(['awaiting']);
    const next = await openProcess(world);
    next.context.backlog.recounted({ queued: 0, awaiting: 1 }, false);
    next.context.backlog.submittingEnded();
    await world.clock.drive(collectByPoll(next.context));
    expect(await statusesOf(context)).toEqual(['found']);
  });

  it.each([
    ['at once', 250, 0, 600_000],
    ['one after the other', 25, 61_000, 3_600_000],
  ])(
    'deadlines %s hold while the platform asks to wait for days',
    async (_, count, submitMs, deadlineMs) => {
      const world = createWorld(folder, { submitMs, read: () => 'unavailable' });
      const { clock, platform } = world;
      const limiter = openLimiter({ limit: [], clock });
      /** Each request is answered so: one a minute goes. */
      const throttled = async (permits: readonly Permit[]) => {
        for (const permit of permits) {
          await limiter.start(permit);
          limiter.pause(999_999_000, 'poll', 'Retry-After: 999999');
          limiter.finish(permit);
        }
        return permits.length > 0;
      };
      const readAll: typeof platform.readAll = async (asked, permit, signal) => {
        const until = Math.min(...asked.map(({ deadlineAt = 0 }) => deadlineAt));
        while (await throttled(await limiter.reserve('poll', 1, signal, until)));
        const answers = await platform.readAll(asked, permit, signal);
        return answers.map((one) => ({ ...one, isThrottled: true }));
      };
      const reserve: typeof platform.reserve = async (kind, max, signal, until) => {
        const isSent = await throttled(
          await limiter.reserve(kind, Math.min(1, max), signal, until),
        );
        return isSent ? platform.reserve(kind, 1, signal) : [];
      };
      const process = await submitted(world, names(count), { concurrency: 1, deadlineMs });
      const from = clock.now();
      const { context } = process;
      await clock.drive(collectByPoll({ ...context, platform: { ...platform, readAll, reserve } }));
      expect(new Set(await statusesOf(context))).toEqual(new Set(['timed_out']));
      expect(clock.now() - from).toBeLessThan(deadlineMs + 100_000);
      const [, last] = await context.store.answers(1, { after: count - 2, limit: 2 });
      expect(last?.reason).toBe('no answer by the deadline: the platform asked to wait for longer');
      limiter.close();
    },
  );
});
