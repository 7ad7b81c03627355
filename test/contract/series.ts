// What a run counted over time: by whom, when, and how much of it is kept.
import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  BUCKETS_MAX,
  bucketOf,
  noCounts,
  type SeriesCounts,
  stepOf,
} from '../../src/model/report/series.js';
import type { Run } from '../../src/model/run.js';
import type { DeliveryStep } from '../../src/ports/store/deliveries.js';
import type { Settlement } from '../../src/ports/store/enrichments.js';
import type { RequestCounts } from '../../src/ports/store/series.js';
import type { Store } from '../../src/ports/store/store.js';
import { asked, runPlan, skippedLead } from '../helpers/leads.js';
import { tries } from '../helpers/long.js';
import {
  accepted,
  found,
  refused,
  type StoreBench,
  T0,
  TIMES,
  timedOut,
  uncertain,
  unsent,
} from './store-bench.js';

const SETTLED_AT = T0 + 3_000;
const NO_REQUESTS = { submits: 0, polls: 0, others: 0, peak: 0, throttled: 0, pausedMs: 0 };

export function describeSeries(bench: StoreBench): void {
  const { claimOne, finish, inState, ingest, sent } = bench;
  let store: Store;
  let run: Run;
  beforeEach(() => {
    ({ store, run } = bench);
  });

  /** What was counted in all, and nothing that is 0. */
  const totals = async (runId = run.id): Promise<Partial<SeriesCounts>> => {
    const sums = noCounts();
    for (const { at: _, ...counts } of (await store.series(runId))?.buckets ?? []) {
      for (const key of Object.keys(sums) as (keyof SeriesCounts)[]) sums[key] += counts[key];
    }
    return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0));
  };
  const histograms = async () => (await store.series(run.id))?.histograms;
  const ofOne = (value: number): number[] => [...Array.from({ length: stepOf(value) }, () => 0), 1];
  const missed = (id: number): Settlement => ({
    id,
    at: SETTLED_AT,
    outcome: 'not_found',
    result: {},
    credits: 0,
  });

  /** A delivery with these entries. */
  const handle = async (steps: readonly DeliveryStep[]): Promise<void> => {
    const body = JSON.stringify(steps);
    await store.keepArrivals([
      { scope: 's', enrichmentId: null, callId: null, receivedAt: T0, body },
    ]);
    const [delivery] = await store.pendingDeliveries('s', 1);
    await store.handleDeliveries('acc', [{ id: delivery?.id ?? 1, at: T0, steps }]);
  };

  describe('the series of a run', () => {
    it('is empty at first, and null of a run that is not there', async () => {
      expect(await store.series(run.id)).toEqual({
        widthMs: 1_000,
        buckets: [],
        histograms: { polled: [], delivered: [], polls: [], http: [] },
      });
      expect(await store.series(99)).toBeNull();
    });

    it('counts leads as they are read: those that are known, to be paid for, or on their way', async () => {
      await inState('found', 'ada');
      await inState('awaiting', 'bob');
      const next = await store.startRun(runPlan({ job: 'weekly' }), T0);
      const leads = ['ada', 'bob', 'cyd', 'cyd'].map((who, i) => asked(i + 1, who));
      await ingest([...leads, skippedLead(5, 'no name')], next.id);
      await ingest(leads, next.id);
      expect(await totals(next.id)).toEqual({ leads: 5, known: 1, onTheirWay: 1, toPay: 1 });
    });

    it('counts what is accepted once, for the run that sent it, and no other fate of a send', async () => {
      const ada = await sent('ada');
      const bob = await sent('bob');
      await store.recordSubmits([accepted(ada), unsent(bob)]);
      await store.recordSubmits([accepted(ada)]);
      await store.recordSubmits([uncertain(await claimOne())]);
      await ingest([asked(1, 'ada')], (await store.startRun(runPlan({ job: 'weekly' }), T0)).id);
      expect(await totals()).toEqual({ leads: 2, toPay: 2, accepted: 1 });
    });

    it('counts answers and what they cost, each once, where and when they came', async () => {
      const [ada, bob, cyd] = [
        await inState('awaiting', 'ada'),
        await inState('awaiting', 'bob'),
        await inState('awaiting', 'cyd'),
      ];
      await store.settle([{ ...found(ada.id), at: SETTLED_AT, credits: 0.7 }]);
      await store.settle([found(ada.id), missed(bob.id)]);
      await store.settle([{ id: cyd.id, at: SETTLED_AT, outcome: 'failed', reason: 'broken' }]);
      const series = await store.series(run.id);
      expect(series?.buckets).toEqual([
        { ...noCounts(), at: T0, leads: 3, toPay: 3, accepted: 3 },
        {
          ...noCounts(),
          at: SETTLED_AT,
          found: 1,
          notFound: 1,
          failed: 1,
          polled: 3,
          credits: 0.7,
        },
      ]);
    });

    it('counts a refusal as a failure, which neither poll nor webhook brought', async () => {
      await store.recordSubmits([refused(await sent())]);
      expect(await totals()).toEqual({ leads: 1, toPay: 1, failed: 1 });
      expect(await histograms()).toMatchObject({ polls: [], polled: [] });
    });

    it('counts an answer that came at once, and what it cost', async () => {
      const ada = await sent();
      const atOnce = { kind: 'settle', settlement: found(ada.id) } as const;
      await store.recordSubmits([{ ...accepted(ada), atOnce }]);
      expect(await totals()).toEqual({ leads: 1, toPay: 1, accepted: 1, found: 1, credits: 5 });
    });

    it('tells a webhook from a poll, and how long each answer took', async () => {
      const [ada, bob] = [await inState('awaiting', 'ada'), await inState('awaiting', 'bob')];
      await store.postpone([{ id: ada.id, pollAt: T0, wasEmpty: false }], T0 + 1_000);
      await store.postpone([{ id: ada.id, pollAt: T0, wasEmpty: true }], T0 + 2_000);
      await store.settle([{ ...found(ada.id), at: SETTLED_AT }]);
      await store.postpone([{ id: ada.id, pollAt: T0, wasEmpty: true }], T0 + 2_000);
      const settlement = { ...found(bob.id), at: T0 + 900 };
      for (const _ of [1, 2]) await handle([{ kind: 'settle', ticket: null, settlement }]);
      expect(await totals()).toMatchObject({ found: 2, polled: 1, delivered: 1, inVain: 2 });
      expect(await histograms()).toEqual({
        polled: ofOne(3_000),
        delivered: ofOne(900),
        polls: [1, 0, 0, 1],
        http: [],
      });
    });

    it('counts what only a webhook shows to be accepted', async () => {
      const [ada, bob, cyd] = [
        await inState('submitting', 'ada'),
        await inState('uncertain', 'bob'),
        await inState('timed_out', 'cyd'),
      ];
      const settlements = [ada, bob, cyd].map(({ id }) => ({ ...found(id), at: SETTLED_AT }));
      await handle(settlements.map((settlement) => ({ kind: 'settle', ticket: null, settlement })));
      expect(await totals()).toMatchObject({ accepted: 3, found: 3, delivered: 3, credits: 15 });
      const dan = await inState('uncertain', 'dan');
      const postponement = { id: dan.id, pollAt: T0, wasEmpty: true };
      const empty = { kind: 'postpone', ticket: 'enr_d', postponement, deadlineAt: T0 } as const;
      await handle([empty, empty]);
      expect(await totals()).toMatchObject({ accepted: 4, found: 3 });
    });

    it('counts no answer where none came in time, and counts the late one', async () => {
      const { id } = await inState('awaiting');
      await store.settle([timedOut(id)]);
      expect(await totals()).toEqual({ leads: 1, toPay: 1, accepted: 1 });
      await store.settle([missed(id)]);
      expect(await totals()).toMatchObject({ notFound: 1, polled: 1 });
    });

    it('counts an answer for the run that works on it, and its price for the run that sent it', async () => {
      const { id } = await inState('awaiting');
      const next = await store.startRun(runPlan({ job: 'weekly' }), T0);
      await ingest([asked(1, 'ada')], next.id);
      await store.settle([found(id)]);
      expect(await totals()).toEqual({ leads: 1, toPay: 1, accepted: 1, credits: 5 });
      expect(await totals(next.id)).toEqual({ leads: 1, onTheirWay: 1, found: 1, polled: 1 });
    });

    it('counts an answer again that is read again, and only what it costs more', async () => {
      const { id } = await inState('awaiting');
      await store.settle([{ ...missed(id), outcome: 'not_found', result: {}, credits: 1 }]);
      await finish();
      await store.retry(run.id, ['not_found'], { at: T0, deadlineAt: T0 });
      await store.settle([{ ...found(id), at: SETTLED_AT }]);
      expect(await totals()).toMatchObject({ notFound: 1, found: 1, credits: 5 });
    });

    it('is undone with the verb that fails', async () => {
      const [ada, bob] = [await inState('awaiting', 'ada'), await inState('awaiting', 'bob')];
      const unwritable = { ...found(bob.id), result: { find_email: 1n } as never };
      await expect(store.settle([found(ada.id), unwritable])).rejects.toThrow();
      await store.settle([missed(bob.id)]);
      expect(await totals()).toMatchObject({ notFound: 1, polled: 1 });
      expect(await totals()).not.toHaveProperty('found');
    });
  });

  describe('requests that are noted', () => {
    const second = (at: number, changes: Partial<RequestCounts> = {}): RequestCounts => ({
      at,
      ...NO_REQUESTS,
      ...changes,
    });

    it('are added up, and the larger peak of a second stays', async () => {
      await store.noteRequests(run.id, {
        seconds: [second(T0, { submits: 2, peak: 7 })],
        http: [0, 1],
      });
      await store.noteRequests(run.id, {
        seconds: [
          second(T0, { submits: 1, peak: 3 }),
          second(T0 + 1_000, { polls: 4, throttled: 1, pausedMs: 900 }),
        ],
        http: [0, 0, 0, 2],
      });
      expect((await store.series(run.id))?.buckets).toEqual([
        { ...noCounts(), at: T0, submits: 3, peak: 7 },
        { ...noCounts(), at: T0 + 1_000, polls: 4, throttled: 1, pausedMs: 900 },
      ]);
      expect((await histograms())?.http).toEqual([0, 1, 0, 2]);
    });

    it('of one second more than there are buckets share buckets of two', async () => {
      const from = bucketOf(T0, 2_000);
      const seconds = Array.from({ length: BUCKETS_MAX + 1 }, (_, i) =>
        second(from + i * 1_000, { polls: 1 }),
      );
      await store.noteRequests(run.id, { seconds: seconds.slice(0, -1), http: [] });
      expect(await store.series(run.id)).toMatchObject({ widthMs: 1_000 });
      await store.noteRequests(run.id, { seconds: seconds.slice(-1), http: [] });
      const { buckets = [], widthMs } = (await store.series(run.id)) ?? {};
      expect(widthMs).toBe(2_000);
      expect(buckets.map(({ polls }) => polls)).toEqual([
        ...Array.from({ length: 120 }, () => 2),
        1,
      ]);
    });

    it('of any length are kept in a bounded number of buckets, exactly, whichever process wrote them', async () => {
      const moment = fc.record({
        at: fc.oneof(fc.nat({ max: 900_000 }), fc.nat({ max: 90 * 86_400_000 })),
        polls: fc.nat({ max: 20 }),
        peak: fc.nat({ max: 20 }),
      });
      const other = await bench.openAgain();
      await fc.assert(
        fc.asyncProperty(
          fc.array(moment, { minLength: 1, maxLength: 700, size: 'max' }),
          async (moments) => {
            const { id } = await store.startRun(runPlan({ job: 'long' }), T0);
            for (let i = 0; i < moments.length; i += 50) {
              const seconds = moments
                .slice(i, i + 50)
                .map(({ at, ...counts }) => second(T0 + bucketOf(at, 1_000), counts));
              await (i % 100 === 0 ? store : other).noteRequests(id, { seconds, http: [] });
            }
            const { buckets = [], widthMs = 0 } = (await store.series(id)) ?? {};
            const startsOf = (width: number) =>
              new Set(moments.map(({ at }) => bucketOf(T0 + at, width)));
            expect(buckets.length).toBeLessThanOrEqual(BUCKETS_MAX);
            expect(buckets.map(({ at }) => at)).toEqual(
              [...startsOf(widthMs)].toSorted((a, b) => a - b),
            );
            for (const bucket of buckets) {
              const inside = moments.filter(({ at }) => bucketOf(T0 + at, widthMs) === bucket.at);
              expect(bucket.polls).toBe(inside.reduce((sum, { polls }) => sum + polls, 0));
              expect(bucket.peak).toBe(Math.max(...inside.map(({ peak }) => peak)));
            }
            if (widthMs > 1_000) expect(startsOf(widthMs / 2).size).toBeGreaterThan(BUCKETS_MAX);
          },
        ),
        // To shrink hundreds of moments takes minutes.
        { numRuns: tries(15), endOnFailure: true },
      );
      await other.close();
    });

    it('of a run without a series are passed over', async () => {
      await store.noteRequests(99, { seconds: [second(T0, { polls: 1 })], http: [1] });
      expect(await store.series(99)).toBeNull();
    });
  });

  it('the series of a run is there as long as the run', async () => {
    await inState('found');
    await finish();
    await store.startRun(runPlan({ job: 'weekly' }), T0);
    const { at } = TIMES;
    expect(await store.series(run.id)).not.toBeNull();
    await store.prune({ at, before: T0 + 1, freshSince: 0 }, true);
    expect(await store.series(run.id)).toBeNull();
  });
}
