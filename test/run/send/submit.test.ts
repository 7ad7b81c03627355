import { describe, expect, it } from 'vitest';
import { SluiceError } from '../../../src/model/errors.js';
import { ingest } from '../../../src/run/ingest.js';
import { submit } from '../../../src/run/send/submit.js';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.js';
import { around, atCall } from '../../helpers/around.js';
import { nextTurn, settled } from '../../helpers/driven-clock.js';
import { asked, COLUMNS, runPlan } from '../../helpers/leads.js';
import { names, people, readerOf } from '../../helpers/people.js';
import type { Script, SubmitFate } from '../../helpers/scripted-platform.js';
import { tempFolder } from '../../helpers/temp-folder.js';
import {
  createWorld,
  openLoaded,
  openProcess,
  sendAll,
  statusesOf,
} from '../../helpers/test-run.js';

const folder = tempFolder();
function submitted(script: Script, who: readonly string[], concurrency = 4) {
  return sendAll(createWorld(folder, script), who, { concurrency });
}

function fates(...list: SubmitFate[]): Script {
  let n = 0;
  return { submit: () => list[n++] ?? 'accepted' };
}

describe('submitting', () => {
  it('tells once that the credits of the account may not suffice', async () => {
    const told = async (balance: number | undefined) =>
      (await sendAll(createWorld(folder), names(10), { balance: () => balance })).events.flatMap(
        (one) => (one.kind === 'run.warned' ? one.message : []),
      );
    expect(await told(49)).toEqual([
      'The account has 49 credits, and what is to be sent may cost 50.',
    ]);
    expect(await told(50)).toEqual([]);
    expect(await told(undefined)).toEqual([]);
  });

  it('sends everything once, in input order, and ends with every permit used', async () => {
    const { statuses, platform, context, events } = await submitted({}, names(10));
    expect(statuses).toEqual(names(10).map(() => 'awaiting'));
    expect(platform.submissions.map(({ who }) => who)).toEqual(names(10));
    expect(platform.permitsOut()).toBe(0);
    expect(context.backlog.queued).toBe(0);
    const told = events.filter((event) => event.kind === 'enrichments.submitted');
    expect(told.flatMap(({ enrichments }) => enrichments)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it('the intent is on disk, for any other process to see, before the request leaves', async () => {
    const seen: string[] = [];
    const world = createWorld(folder, {
      submit: async (who): Promise<SubmitFate> => {
        const other = openSqliteStore(world.path);
        const answers = await other.answers(1, { after: 0, limit: 10 });
        await other.close();
        seen.push(`${who} ${answers.find(({ cells }) => cells[0] === who)?.status ?? ''}`);
        return 'accepted';
      },
    });
    const { context } = await openLoaded(world, names(6));
    await world.clock.drive(submit(context));
    expect(seen.sort()).toEqual(names(6).map((who) => `${who} submitting`));
  });

  it('no more than `concurrency` are in pool, nor claimed, and all of it is used', async () => {
    const claimed: number[] = [];
    const world = createWorld(folder, {
      submitMs: 100,
      submit: async (): Promise<SubmitFate> => {
        claimed.push((await context.store.work(1)).submitting);
        return 'accepted';
      },
    });
    const { context } = await openLoaded(world, names(20), { concurrency: 3 });
    await world.clock.drive(submit(context));
    expect(world.platform.inFlightMax.submit).toBe(3);
    expect(Math.max(...claimed)).toBe(3);
    expect(world.platform.submissions).toHaveLength(20);
  });

  it('nothing is claimed that has no permit', async () => {
    const world = createWorld(folder, { permitsMax: 1 });
    let most = 0;
    const { context } = await openLoaded(world, names(5));
    const platform = around(world.platform, async (verb, call) => {
      most = Math.max(most, (await context.store.work(1)).submitting);
      // As a limiter whose window is full for a second.
      if (verb === 'reserve') await world.clock.sleep(1_000);
      return call();
    });
    const submitting = submit({ ...context, platform });
    await world.clock.advance(999);
    expect(await context.store.work(1)).toMatchObject({ queued: 5, submitting: 0 });
    await world.clock.drive(submitting);
    expect(world.platform.submissions).toHaveLength(5);
    expect(most).toBe(1);
  });

  it('records what the platform said: accepted, refused, and uncertain with the reason', async () => {
    const { statuses, context, clock, events } = await submitted(
      fates('accepted', 'refused', 'lost'),
      names(3),
      1,
    );
    expect(statuses).toEqual(['awaiting', 'failed', 'uncertain']);
    const answers = await context.store.answers(1, { after: 0, limit: 3 });
    expect(answers.map(({ reason }) => reason)).toEqual([
      null,
      'refused by the platform: no such company',
      'connection reset',
    ]);
    const [awaited] = await context.store.awaited(1, 1);
    expect(awaited).toMatchObject({
      pollAt: clock.now() + 500,
      deadlineAt: clock.now() + 600_000,
    });
    const settled = { kind: 'enrichments.settled', by: 'submit', credits: 0 };
    const claimed = (id: number) => ({ kind: 'enrichments.claimed', enrichments: [id] });
    expect(events.slice(-6)).toEqual([
      claimed(1),
      { kind: 'enrichments.submitted', enrichments: [1], pollAt: expect.any(Number) },
      claimed(2),
      { ...settled, outcome: 'failed', enrichments: [2] },
      claimed(3),
      { ...settled, outcome: 'uncertain', enrichments: [3] },
    ]);
  });

  it('what was certainly not accepted goes back into the queue and is sent again, after a pause', async () => {
    const { statuses, platform, ending } = await submitted(fates('unsent', 'unsent'), ['a'], 1);
    expect(ending).toBe('ended');
    expect(statuses).toEqual(['awaiting']);
    const [first = 0, ...later] = platform.submissions.map(({ at }) => at);
    expect(later.map((at) => at - first)).toEqual([500, 1_500]);
    expect(platform.repeated()).toEqual([]);
  });

  it('five in a row that could not be sent end it, with growing pauses between them; nothing is lost', async () => {
    const { statuses, platform, ending } = await submitted({ submit: () => 'unsent' }, names(3), 1);
    expect(ending).toBe('connection refused');
    expect(statuses).toEqual(['queued', 'queued', 'queued']);
    const [first = 0, ...later] = platform.submissions.map(({ at }) => at);
    expect(later.map((at) => at - first)).toEqual([500, 1_500, 3_500, 7_500]);
    expect(platform.permitsOut()).toBe(0);
  });

  it('a success starts the count anew', async () => {
    const four = ['unsent', 'unsent', 'unsent', 'unsent'] as const;
    const { ending } = await submitted(fates(...four, 'accepted', ...four), names(2), 1);
    expect(ending).toBe('ended');
  });

  it('a short outage that hits many requests at once is one trouble, not many', async () => {
    const world = createWorld(folder, {
      submitMs: 10,
      submit: () => (world.clock.now() < upAt ? 'unsent' : 'accepted'),
    });
    const upAt = world.clock.now() + 3_000;
    const { context } = await openLoaded(world, names(20), { concurrency: 8 });
    await world.clock.drive(submit(context));
    expect(await statusesOf(context)).toEqual(names(20).map(() => 'awaiting'));
  });

  it('a final trouble stops it at once; what was on its way is saved, the rest stays queued', async () => {
    const { statuses, platform, ending } = await submitted(
      { submitMs: 100, submit: (who) => (who === 'a2' ? 'final' : 'accepted') },
      names(9),
      3,
    );
    expect(ending).toBe('out of credits');
    expect(statuses.slice(0, 3)).toEqual(['awaiting', 'queued', 'awaiting']);
    expect(platform.submissions).toHaveLength(3);
    expect(statuses.slice(3)).toEqual(names(6).map(() => 'queued'));
  });

  it('eight of unknown fate in a row stop it, however many are in pool; seven do not', async () => {
    const seven = Array.from({ length: 7 }, () => 'lost' as const);
    const patient = await submitted(fates(...seven, 'accepted', ...seven), names(20), 1);
    expect(patient.ending).toBe('ended');
    const stopped = await submitted({ submit: () => 'lost' }, names(30), 4);
    expect(stopped.ending).toBe('reset');
    const sent = stopped.platform.submissions.length;
    expect(sent).toBeGreaterThanOrEqual(8);
    expect(sent).toBeLessThan(8 + 4);
    const { store } = stopped.context;
    expect(await store.work(1)).toMatchObject({ submitting: 0, queued: 30 - sent });
  });
});

describe('a throttled request', () => {
  it('is queued again at once, for as long as the platform wants its pause, and sent after it', async () => {
    const world = createWorld(folder, { pauseMs: 30_000, ...fates('throttled') });
    const { context } = await openLoaded(world, ['a'], { concurrency: 1 });
    const submitting = submit(context);
    await settled();
    expect(world.platform.submissions).toHaveLength(1);
    expect(await statusesOf(context)).toEqual(['queued']);
    await world.clock.advance(29_999);
    expect(await statusesOf(context)).toEqual(['queued']);
    await world.clock.drive(submitting);
    expect(await statusesOf(context)).toEqual(['awaiting']);
    const [first = 0, second = 0] = world.platform.submissions.map(({ at }) => at);
    expect(second - first).toBe(30_000);
    expect(world.platform.repeated()).toEqual([]);
  });

  it('is sent again seven times; eight in a row end it with the platform’s own words, and nothing is lost', async () => {
    const seven = Array.from({ length: 7 }, () => 'throttled' as const);
    const patient = await submitted(fates(...seven, 'accepted', ...seven), names(2), 1);
    expect([patient.ending, ...patient.statuses]).toEqual(['ended', 'awaiting', 'awaiting']);
    const stopped = await submitted({ submit: () => 'throttled' }, names(3), 1);
    expect(stopped.ending).toBe('too many requests');
    expect(stopped.platform.submissions).toHaveLength(8);
    expect(stopped.statuses).toEqual(['queued', 'queued', 'queued']);
    expect(stopped.platform.permitsOut()).toBe(0);
  });

  it('is no trouble where the run is ending anyway', async () => {
    const world = createWorld(folder, { submitMs: 1_000, submit: () => 'throttled' });
    const { context, stop } = await openLoaded(world, ['a'], { concurrency: 1 });
    const submitting = submit(context);
    await world.clock.advance(7_500);
    stop();
    await expect(world.clock.drive(submitting)).resolves.toBeUndefined();
    expect(world.platform.submissions).toHaveLength(8);
    expect(await statusesOf(context)).toEqual(['queued']);
  });
});

describe('waiting and ending', () => {
  it('what another run has taken over is neither sent nor waited for, and its permits are given back', async () => {
    const world = createWorld(folder);
    const { context } = await openLoaded(world, names(4));
    const weekly = await openProcess(world, { plan: { job: 'weekly' } });
    await ingest(weekly.context, readerOf(people(['a2', 'a3', 'a4'])));
    await world.clock.drive(submit(context));
    expect(world.platform.submissions.map(({ who }) => who)).toEqual(['a1']);
    expect(world.platform.permitsOut()).toBe(0);
  });

  it('leads that arrive while it finds fewer than it expected are not forgotten', async () => {
    const world = createWorld(folder);
    const { context } = await openLoaded(world, ['a1']);
    const weekly = await openProcess(world, { plan: { job: 'weekly' } });
    await ingest(weekly.context, readerOf(people(['a1'])));
    const store = atCall(context.store, 'claim', 1, async (call) => {
      const claimed = await call();
      const leads = [asked(2, 'late')];
      const times = { at: 0, freshSince: 0, deadlineAt: 0 };
      const batch = { columns: COLUMNS, leads, rejects: [] };
      context.backlog.ingested(await context.store.ingest(1, batch, times));
      context.backlog.changed();
      return claimed;
    });
    await world.clock.drive(submit({ ...context, store }));
    expect(world.platform.submissions.map(({ who }) => who)).toEqual(['late']);
  });

  it('a store in which every verb takes its time changes nothing', async () => {
    const world = createWorld(folder, {
      submitMs: 5,
      submit: (_, n) => (n < 3 ? 'unsent' : 'accepted'),
    });
    const { context } = await openLoaded(world, names(12), { concurrency: 3 });
    const store = around(context.store, async (_, call) => {
      await nextTurn();
      const value = await call();
      await nextTurn();
      return value;
    });
    await world.clock.drive(submit({ ...context, store }));
    expect(await statusesOf(context)).toEqual(names(12).map(() => 'awaiting'));
    expect(world.platform.permitsOut()).toBe(0);
  });

  it('a drain sends nothing more, saves what is on its way, and ends without a problem', async () => {
    const world = createWorld(folder, { submitMs: 1_000 });
    const { context, stop } = await openLoaded(world, names(9), { concurrency: 2 });
    const submitting = submit(context);
    await world.clock.advance(500);
    stop();
    await world.clock.drive(submitting);
    expect(world.platform.submissions).toHaveLength(2);
    expect(await context.store.work(1)).toMatchObject({ awaiting: 2, submitting: 0, queued: 7 });
    expect(world.platform.permitsOut()).toBe(0);
  });

  it('a drain during a pause or while it waits for a permit is obeyed at once', async () => {
    const world = createWorld(folder, { submit: () => 'unsent' });
    const { context, stop } = await openLoaded(world, ['a'], { concurrency: 1 });
    const submitting = submit(context);
    await world.clock.advance(600);
    const before = world.clock.now();
    stop();
    await submitting;
    expect(world.clock.now()).toBe(before);
    expect(world.clock.sleeping()).toBe(0);
    expect(await statusesOf(context)).toEqual(['queued']);
  });

  it('requests that the drain itself kept from being sent are no trouble', async () => {
    const world = createWorld(folder, { submitMs: 1_000, submit: () => 'unsent' });
    const { context, stop } = await openLoaded(world, names(1), { concurrency: 1 });
    let sends = 0;
    const platform = around(world.platform, async (verb, call) => {
      const answer = await call();
      if (verb === 'submit' && ++sends === 5) stop();
      return answer;
    });
    const ending = world.clock.drive(submit({ ...context, platform }));
    await expect(ending).resolves.toBeUndefined();
    expect(sends).toBe(5);
    expect(await statusesOf(context)).toEqual(['queued']);
  });

  it('a claim that fails gives its permits back, and what is on its way is saved before it throws', async () => {
    const world = createWorld(folder, { submitMs: 1_000 });
    const { context } = await openLoaded(world, names(6), { concurrency: 2 });
    context.backlog.recounted({ queued: 6, awaiting: 0 }, true);
    const store = atCall(context.store, 'claim', 2, () => Promise.reject(new Error('disk full')));
    // The first answers come one after the other: one is under way when the second claim fails.
    const platform = around(world.platform, async (verb, call) => {
      if (verb === 'submit' && world.platform.submissions.length === 1) {
        await world.clock.sleep(500);
      }
      return call();
    });
    const submitting = submit({ ...context, store, platform });
    await expect(world.clock.drive(submitting)).rejects.toThrow('disk full');
    expect(await context.store.work(1)).toMatchObject({ awaiting: 2, submitting: 0, queued: 4 });
    expect(world.platform.permitsOut()).toBe(0);
  });

  it('ends only when what it was told is durable, and counts a ticket only then', async () => {
    const world = createWorld(folder);
    const { context } = await openLoaded(world, names(3));
    const store = atCall(context.store, 'recordSubmits', 1, async (call) => {
      await world.clock.sleep(5_000);
      expect(context.backlog.awaiting).toBe(0);
      return call();
    });
    await world.clock.drive(submit({ ...context, store }));
    expect(await statusesOf(context)).toEqual(['awaiting', 'awaiting', 'awaiting']);
    expect(context.backlog.awaiting).toBe(3);
  });

  it('answers that cannot be written stop it; their fate is unknown to the next process, and no other’s', async () => {
    const world = createWorld(folder);
    const { context } = await openLoaded(world, names(9), { concurrency: 2 });
    const full = () => Promise.reject(new Error('disk full'));
    const store = atCall(context.store, 'recordSubmits', 2, full);
    await expect(world.clock.drive(submit({ ...context, store }))).rejects.toThrow('disk full');
    await context.store.recover(1);
    const statuses = await statusesOf(context);
    expect(statuses.slice(0, 5)).toEqual([
      'awaiting',
      'awaiting',
      'uncertain',
      'uncertain',
      'queued',
    ]);
  });

  it('a store that fails for a moment is asked again, with growing pauses, and in the end given up', async () => {
    const locked = new SluiceError('store', 'The state file is locked.');
    const sendWhile = async (failures: number) => {
      const world = createWorld(folder);
      const { context, events } = await openLoaded(world, ['a']);
      let calls = 0;
      const store = around(context.store, (verb, call) => {
        if (verb !== 'recordSubmits') return call();
        calls += 1;
        return calls > failures ? call() : Promise.reject(locked);
      });
      const ending = await world.clock.drive(submit({ ...context, store })).catch((error) => error);
      const repeated = events.filter(({ kind }) => kind === 'write.repeated');
      return { calls, ending, repeated };
    };
    const repeated = [100, 1_000, 5_000].map((pauseMs) => ({ pauseMs, reason: locked.message }));
    expect(await sendWhile(3)).toMatchObject({ calls: 4, ending: undefined, repeated });
    expect(await sendWhile(9)).toMatchObject({ calls: 5, ending: locked });
  });

  it('a platform that throws stops it; the fate of that one request is unknown to the next process', async () => {
    const world = createWorld(folder);
    const { context } = await openLoaded(world, names(3), { concurrency: 1 });
    const platform = atCall(world.platform, 'submit', 2, () => Promise.reject(new Error('bug')));
    await expect(world.clock.drive(submit({ ...context, platform }))).rejects.toThrow('bug');
    expect(await statusesOf(context)).toEqual(['awaiting', 'submitting', 'queued']);
    await context.store.recover(1);
    expect(await statusesOf(context)).toEqual(['awaiting', 'uncertain', 'queued']);
  });

  it('a platform that is not ready is never sent anything', async () => {
    const world = createWorld(folder);
    const whenReady = () => Promise.reject(new Error('wrong password'));
    const { context } = await openLoaded(world, names(3), { whenReady });
    await expect(world.clock.drive(submit(context))).rejects.toThrow('wrong password');
    expect(await context.store.work(1)).toMatchObject({ queued: 3, submitting: 0 });
    expect(await context.store.findRun(1)).toMatchObject(runPlan());
  });
});
