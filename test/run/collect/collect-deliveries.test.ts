import { describe, expect, it } from 'vitest';
import {
  createDeadlineSchedule,
  createOverdueSchedule,
  createPollSchedule,
} from '../../../src/model/schedule/poll-schedule.js';
import type { LeadReader } from '../../../src/ports/lead-reader.js';
import { processRun } from '../../../src/run/process-run.js';
import { around, atCall } from '../../helpers/around.js';
import { settled } from '../../helpers/driven-clock.js';
import { names, people, readerOf } from '../../helpers/people.js';
import type { DeliveryFate, Script, SubmitFate } from '../../helpers/scripted-platform.js';
import { tempFolder } from '../../helpers/temp-folder.js';
import {
  type Changes,
  createRequestCallbacks,
  createTestCallbacks,
  createWorld,
  deliver,
  hookUrl,
  openProcess,
  statusesOf,
  type World,
} from '../../helpers/test-run.js';

const folder = tempFolder();
/** A run to which webhooks bring the results, and that polls at the deadline alone, after ten minutes. */
async function begin(world: World, changes: Changes = {}) {
  const process = await openProcess(world, {
    callbacks: createRequestCallbacks(),
    schedule: createDeadlineSchedule(),
    ...changes,
  });
  return process;
}

async function started(given: Script | World, who: readonly string[], changes: Changes = {}) {
  const world = 'platform' in given ? given : createWorld(folder, given);
  const { platform, clock } = world;
  const process = await begin(world, changes);
  const startMs = clock.now();
  const working = processRun(process.context, readerOf(people(who)), false);
  await settled();
  return {
    ...process,
    world,
    platform,
    clock,
    elapsedMs: () => clock.now() - startMs,
    statuses: () => statusesOf(process.context),
    /** A webhook about one of them, at the address that was told for it. */
    hear: (one: string, fate?: DeliveryFate) =>
      deliver(world, platform.deliveryOf(one, fate), platform.callbackOf(one)),
    end: async () => {
      const { problem } = await clock.drive(working);
      expect(problem).toBeUndefined();
      expect(platform.repeated()).toEqual([]);
      expect(platform.permitsOut()).toBe(0);
      return statusesOf(process.context);
    },
  };
}

/** A process that dies when it has sent its first request, whether that arrived or not. */
async function die(
  world: World,
  reader: LeadReader,
  hasArrived: boolean,
  changes: Changes = {},
): Promise<void> {
  const { context } = await begin(world, changes);
  let isDead = false;
  const pass = async (verb: string, call: () => Promise<unknown>): Promise<unknown> => {
    if (verb === 'submit' && hasArrived) await call();
    isDead ||= verb === 'submit';
    return isDead ? new Promise(() => undefined) : call();
  };
  const store = around(context.store, pass);
  const platform = around(world.platform, pass);
  void processRun({ ...context, store, platform }, reader, false);
  await settled();
}

describe('a run that webhooks bring the results to', () => {
  it('sees what another process kept within a fifth of a second, at any time', async () => {
    const run = await started({}, names(5));
    for (const [i, one] of names(5).entries()) {
      await run.clock.advance(1_000 + i * 37);
      await run.hear(one);
      await run.clock.advance(200);
      expect((await run.statuses())[i]).toBe('found');
    }
    await run.end();
  });

  it('settles more than are looked at in one step', async () => {
    const run = await started({}, names(210), { concurrency: 500 });
    for (const one of names(210)) await run.hear(one);
    await run.clock.advance(200);
    expect(new Set(await run.statuses())).toEqual(new Set(['found']));
    await run.end();
  });

  it('polls nothing before the deadline, and then asks once before it gives up', async () => {
    const script: Script = { read: (who) => (who === 'a1' ? 'filled' : 'pending') };
    const run = await started(script, ['a1', 'a2']);
    await run.clock.advance(599_999);
    expect(run.platform.reads).toHaveLength(0);
    expect(await run.end()).toEqual(['found', 'timed_out']);
    expect(run.platform.reads.map(({ who }) => who).sort()).toEqual(['a1', 'a2']);
    expect(run.elapsedMs()).toBe(600_000);
  });

  it('that also polls what is overdue asks for that alone', async () => {
    const run = await started({}, names(12), { schedule: createOverdueSchedule() });
    for (const one of names(11)) {
      await run.clock.advance(1_000);
      await run.hear(one);
    }
    expect(new Set(await run.end())).toEqual(new Set(['found']));
    expect(run.platform.reads.map(({ who }) => who)).toEqual(['a12']);
    expect(run.elapsedMs()).toBe(30_000);
  });

  it('and that polls as ever takes a webhook for a poll', async () => {
    const script: Script = { read: () => 'pending' };
    const run = await started(script, ['a1'], { schedule: createPollSchedule() });
    await run.clock.advance(3_000);
    await run.hear('a1');
    expect(await run.end()).toEqual(['found']);
    expect(run.elapsedMs()).toBeLessThanOrEqual(3_200);
  });

  it('ends over a journal that cannot be read, and loses nothing', async () => {
    const world = createWorld(folder);
    const first = await begin(world);
    const broken = () => Promise.reject(new Error('disk full'));
    const store = atCall(first.context.store, 'handleDeliveries', 1, broken);
    const working = processRun({ ...first.context, store }, readerOf(people(['a1'])), false);
    await settled();
    await deliver(world, world.platform.deliveryOf('a1'), world.platform.callbackOf('a1'));
    expect((await world.clock.drive(working)).problem).toMatchObject({ message: 'disk full' });
    expect(await statusesOf(first.context)).toEqual(['awaiting']);
    const next = await begin(world);
    await world.clock.drive(processRun(next.context, readerOf(), false));
    expect(await statusesOf(next.context)).toEqual(['found']);
  });
});

describe('a webhook that comes before the platform has answered the request', () => {
  const slow: Script = { submitMs: 5_000 };

  it.each(['accepted', 'lost', 'unsent', 'throttled'] as const)(
    'settles its lead, whatever is heard of the request then (%s)',
    async (fate) => {
      const run = await started({ ...slow, submit: () => fate }, ['a1']);
      await run.hear('a1');
      await run.clock.advance(200);
      expect(await run.statuses()).toEqual(['found']);
      expect(await run.end()).toEqual(['found']);
      expect(run.elapsedMs()).toBe(5_000);
      expect([run.platform.submissions.length, run.platform.reads.length]).toEqual([1, 0]);
      expect(await run.context.store.tally(1)).toMatchObject({ credits: 5, fromCache: 0 });
    },
  );

  it('with nothing in it yet, is read once more', async () => {
    const run = await started(slow, ['a1']);
    await run.hear('a1', 'empty');
    await run.clock.advance(200);
    expect(await run.statuses()).toEqual(['awaiting']);
    expect(await run.end()).toEqual(['found']);
    expect(run.platform.reads).toHaveLength(1);
    expect(run.elapsedMs()).toBe(5_000);
  });

  it('without a key waits for its ticket to be known, and settles it then', async () => {
    const run = await started(slow, ['a1'], { callbacks: createTestCallbacks() });
    await deliver(run.world, run.platform.deliveryOf('a1'), hookUrl());
    await run.clock.advance(4_000);
    expect(await run.statuses()).toEqual(['submitting']);
    expect(await run.context.store.listDeliveries(1)).toMatchObject([{ unknown: 1, settled: 0 }]);
    expect(await run.end()).toEqual(['found']);
    expect(await run.context.store.listDeliveries(1)).toMatchObject([{ unknown: 0, settled: 1 }]);
    expect(run.elapsedMs()).toBeLessThanOrEqual(5_200);
    expect(run.platform.reads).toHaveLength(0);
  });

  it('in one body with others settles each when its own ticket is known', async () => {
    const world = createWorld(folder, {
      submit: async (who): Promise<SubmitFate> => {
        if (who === 'a2') await world.clock.sleep(9_000);
        return 'accepted';
      },
    });
    const run = await started(world, ['a1', 'a2'], { callbacks: createTestCallbacks() });
    await deliver(run.world, run.platform.deliveryOf(['a1', 'a2']), hookUrl());
    await run.clock.advance(400);
    expect(await run.statuses()).toEqual(['found', 'submitting']);
    expect(await run.end()).toEqual(['found', 'found']);
    expect(run.platform.reads).toHaveLength(0);
  });
});

describe('an empty success by webhook', () => {
  it.each([
    ['found', 'filled'],
    ['not_found', 'empty'],
  ] as const)('is %s by the one poll that follows, two seconds later', async (status, fate) => {
    const run = await started({ read: () => fate }, ['a1']);
    await run.hear('a1', 'empty');
    await run.hear('a1', 'empty');
    await run.clock.advance(1_900);
    expect(await run.statuses()).toEqual(['awaiting']);
    await run.hear('a1', 'empty');
    expect(await run.end()).toEqual([status]);
    expect(run.platform.reads).toHaveLength(1);
    expect(run.elapsedMs()).toBeLessThanOrEqual(2_200);
  });
});

describe('a lead whose fate is not known', () => {
  const lost: Script = { submit: (who) => (who === 'a1' ? 'lost' : 'accepted') };

  it('is waited for no longer than that', async () => {
    const run = await started(lost, ['a1']);
    expect(await run.end()).toEqual(['uncertain']);
    expect(run.elapsedMs()).toBeGreaterThanOrEqual(60_000);
    expect(run.elapsedMs()).toBeLessThanOrEqual(60_200);
  });

  it('is not waited for where no webhook can come', async () => {
    const run = await started(lost, ['a1'], { callbacks: createTestCallbacks() });
    expect(await run.end()).toEqual(['uncertain']);
    expect(run.elapsedMs()).toBeLessThanOrEqual(200);
  });

  it.each([0, 1_000])(
    'and is not waited for any more (%i ms) keeps nothing busy while the run goes on',
    async (claimWaitMs) => {
      const world = createWorld(folder, {
        submit: async (who): Promise<SubmitFate> => {
          if (who !== 'a1') await world.clock.sleep(30_000);
          return who === 'a1' ? 'lost' : 'accepted';
        },
      });
      const callbacks = createRequestCallbacks(claimWaitMs);
      const run = await started(world, ['a1', 'a2'], { callbacks });
      await run.clock.advance(30_000);
      await run.hear('a2');
      expect(await run.end()).toEqual(['uncertain', 'found']);
    },
  );

  it('is read again also where its empty answer is handled as the wait for it ends', async () => {
    const world = createWorld(folder, { ...lost, read: () => 'empty' });
    const { context } = await begin(world, { schedule: createOverdueSchedule() });
    let isSlow = true;
    const store = around(context.store, async (verb, call: () => Promise<unknown>) => {
      if (verb !== 'handleDeliveries' || !isSlow) return call();
      isSlow = false;
      await world.clock.sleep(2_000);
      return call();
    });
    const working = processRun({ ...context, store }, readerOf(people(['a1'])), false);
    await world.clock.advance(59_000);
    await deliver(world, world.platform.deliveryOf('a1', 'empty'), world.platform.callbackOf('a1'));
    expect(await world.clock.drive(working)).toEqual({ problem: undefined });
    expect(await statusesOf(context)).toEqual(['not_found']);
  });

  it('after a bulk call that was lost, the run ends as soon as all of its items are claimed', async () => {
    const script: Script = { call: (_, nth) => (nth === 1 ? 'lost' : 'answered') };
    const run = await started(script, names(6), { bulkMax: 4, concurrency: 1 });
    await run.clock.advance(3_000);
    await deliver(run.world, run.platform.deliveryOf(names(6)), run.platform.callbackOf('a1'));
    expect(new Set(await run.end())).toEqual(new Set(['found']));
    expect(run.elapsedMs()).toBeLessThanOrEqual(3_200);
  });

  it('since its process died is waited for by the next one, and claimed', async () => {
    const world = createWorld(folder);
    await die(world, readerOf(people(['a1'])), true);
    const next = await begin(world);
    const working = processRun(next.context, readerOf(people(['a1'])), false);
    await world.clock.advance(10_000);
    expect(await statusesOf(next.context)).toEqual(['uncertain']);
    await deliver(world, world.platform.deliveryOf('a1'), world.platform.callbackOf('a1'));
    const claimedMs = world.clock.now();
    await world.clock.drive(working);
    expect(await statusesOf(next.context)).toEqual(['found']);
    expect(world.clock.now() - claimedMs).toBeLessThanOrEqual(200);
    expect(world.platform.submissions).toHaveLength(1);
  });
});

describe('a lead that was queued again', () => {
  it('is claimed by its webhook after all, and not sent a second time', async () => {
    const script: Script = {
      pauseMs: 30_000,
      submit: (who, attempt) => (who === 'a1' && attempt === 1 ? 'throttled' : 'accepted'),
    };
    const run = await started(script, ['a1', 'a2'], { concurrency: 1 });
    expect(await run.statuses()).toEqual(['queued', 'queued']);
    await run.hear('a1');
    await run.clock.advance(1_000);
    expect(await run.statuses()).toEqual(['found', 'queued']);
    await run.clock.advance(30_000);
    await run.hear('a2');
    expect(await run.end()).toEqual(['found', 'found']);
    expect(run.platform.submissions.map(({ who }) => who)).toEqual(['a1', 'a2']);
    expect(await run.context.store.tally(1)).toMatchObject({ credits: 10, fromCache: 0 });
  });
});

describe('what came while no run was active', () => {
  it('is settled before anything is sent again, also where the user wants that', async () => {
    const world = createWorld(folder, {
      call: (_, nth) => (nth === 1 ? 'answered' : 'lost'),
    });
    const who = names(210);
    const first = await begin(world, { bulkMax: 210, callbacks: createRequestCallbacks(0) });
    await world.clock.drive(processRun(first.context, readerOf(people([...who, 'late'])), false));
    // The first to be sent again is the last that was heard of.
    for (const one of who.slice(8).toReversed()) {
      await deliver(world, world.platform.deliveryOf(one), world.platform.callbackOf(one));
    }
    const next = await begin(world, { schedule: createPollSchedule() });
    await world.clock.drive(processRun(next.context, readerOf(), true));
    expect(new Set(await statusesOf(next.context))).toEqual(new Set(['found']));
    const again = world.platform.submissions.slice(211).map((one) => one.who);
    expect(again).toEqual(['late']);
  });

  it('is settled by a run that polls, too: nothing is asked for that is here already', async () => {
    const run = await started({}, ['a1']);
    run.stop();
    await run.end();
    await run.hear('a1');
    const next = await begin(run.world, {
      callbacks: createTestCallbacks(),
      schedule: createPollSchedule(),
    });
    await run.clock.drive(processRun(next.context, readerOf(), false));
    expect(await statusesOf(next.context)).toEqual(['found']);
    expect(run.platform.reads).toHaveLength(0);
  });

  it('is not waited for where the user wants it sent again', async () => {
    const world = createWorld(folder);
    await die(world, readerOf(people(['a1'])), false);
    const startMs = world.clock.now();
    const next = await begin(world, { schedule: createPollSchedule() });
    await world.clock.drive(processRun(next.context, readerOf(people(['a1'])), true));
    expect(await statusesOf(next.context)).toEqual(['found']);
    expect(world.clock.now() - startMs).toBeLessThan(2_000);
  });
});

describe('two runs of one account', () => {
  it('take one another’s webhooks, and neither waits for what the other has taken', async () => {
    const world = createWorld(folder);
    const nightly = await begin(world);
    const weekly = await begin(world, { plan: { job: 'weekly' } });
    const working = world.clock.drive(
      Promise.all([
        processRun(nightly.context, readerOf(people(names(3))), false),
        processRun(weekly.context, readerOf(people(names(3, 'b'))), false),
      ]),
    );
    const startMs = world.clock.now();
    const delivering = async () => {
      await world.clock.sleep(1_000);
      for (const one of [...names(3), ...names(3, 'b')]) {
        await deliver(world, world.platform.deliveryOf(one), world.platform.callbackOf(one));
      }
    };
    await Promise.all([working, delivering()]);
    for (const { context } of [nightly, weekly]) {
      expect(await statusesOf(context)).toEqual(['found', 'found', 'found']);
    }
    // The other's share is noticed at the next look into the store.
    expect(world.clock.now() - startMs).toBeLessThanOrEqual(6_500);
    expect([world.platform.repeated(), world.platform.reads]).toEqual([[], []]);
  });
});

it('what a dead run of another job had sent is claimed by its webhook, by whoever waits for it', async () => {
  const world = createWorld(folder);
  await die(world, readerOf(people(['a1'])), true, { plan: { job: 'weekly' } });
  const startMs = world.clock.now();
  const { context } = await begin(world);
  const working = processRun(context, readerOf(people(['a1'])), false);
  await world.clock.advance(10_000);
  expect(await statusesOf(context)).toEqual(['submitting']);
  await deliver(world, world.platform.deliveryOf('a1'), world.platform.callbackOf('a1'));
  await world.clock.drive(working);
  expect(await statusesOf(context)).toEqual(['found']);
  expect(world.clock.now() - startMs).toBeLessThanOrEqual(11_200);
});

describe('a run that polls, after one that counted on webhooks', () => {
  const polling = { schedule: createPollSchedule(), callbacks: createTestCallbacks() };

  it('asks soon for what that one had put off to its deadline', async () => {
    const run = await started({}, ['a1']);
    await run.clock.advance(10_000);
    run.stop();
    await run.end();
    const next = await begin(run.world, polling);
    await run.clock.drive(processRun(next.context, readerOf(), false));
    expect(await statusesOf(next.context)).toEqual(['found']);
    expect(run.elapsedMs()).toBeLessThanOrEqual(11_000);
  });

  it('asks soon also for what they share', async () => {
    const world = createWorld(folder);
    const weekly = await begin(world, { plan: { job: 'weekly' } });
    const waiting = processRun(weekly.context, readerOf(people(['a1'])), false);
    await world.clock.advance(10_000);
    const nightly = await begin(world, polling);
    const startMs = world.clock.now();
    const ours = processRun(nightly.context, readerOf(people(['a1'])), false);
    await world.clock.drive(ours);
    expect(await statusesOf(nightly.context)).toEqual(['found']);
    expect(world.clock.now() - startMs).toBeLessThanOrEqual(2_000);
    await world.clock.drive(waiting);
    expect(world.platform.reads).toHaveLength(1);
  });
});
