// What a run shows over time: its requests as they were noted, and its answers as the rows have them.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BUCKETS_MAX, bucketOf, noCounts, stepOf } from '../../src/model/report/series.js';
import type { RequestCounts } from '../../src/ports/store/runs.js';
import { asked, runPlan, skippedLead } from '../helpers/leads.js';
import { tries } from '../helpers/long.js';
import { failed, found, missed, type StoreBench, T0, TIMES, timedOut } from './store-bench.js';

const SETTLED_AT = T0 + 3_000;
const NO_REQUESTS = { submits: 0, polls: 0, others: 0, peak: 0, throttled: 0, pausedMs: 0 };

export function describeSeries(bench: StoreBench): void {
  const { finish, inState, ingest, store, run } = bench;

  const EMPTY = {
    widthMs: 1_000,
    buckets: [],
    asked: { leads: 0, expected: 0, toPay: [], onTheirWay: 0 },
    histograms: { answers: [], http: [] },
  };

  describe('the series of a run', () => {
    it('is empty at first, and of a run that is not there', async () => {
      expect(await store.series(run.id)).toEqual(EMPTY);
      expect(await store.series(99)).toEqual(EMPTY);
    });

    it('tells which leads are known, to be paid for, or on their way', async () => {
      await inState('found', 'ada');
      await inState('awaiting', 'bob');
      const next = await store.startRun(runPlan({ job: 'weekly' }), T0 + 1_000);
      const leads = ['ada', 'bob', 'cyd', 'cyd'].map((who, i) => asked(i + 1, who));
      await ingest([...leads, skippedLead(5, 'no name')], next.id);
      const { asked: of } = await store.series(next.id);
      const toPay = [{ ask: ['find_email'], count: 1 }];
      expect(of).toEqual({ leads: 5, expected: 3, onTheirWay: 1, toPay });
    });

    it('tells of answers when they came, what the run paid for them, and how long each took', async () => {
      const [ada, bob, cyd, dan] = [
        await inState('awaiting', 'ada'),
        await inState('awaiting', 'bob'),
        await inState('awaiting', 'cyd'),
        await inState('awaiting', 'dan'),
      ];
      await store.settle([{ ...found(ada.id), at: SETTLED_AT, credits: 0.7 }, timedOut(dan.id)]);
      await store.settle([missed(bob.id, T0 + 900), failed(cyd.id, SETTLED_AT)]);
      const { buckets, histograms } = await store.series(run.id);
      expect(buckets).toEqual([
        { ...noCounts(), at: T0, notFound: 1 },
        { ...noCounts(), at: SETTLED_AT, found: 1, failed: 1, credits: 0.7 },
      ]);
      const { answers } = histograms;
      expect(answers[stepOf(900)]).toBe(1);
      expect(answers[stepOf(3_000)]).toBe(2);
    });

    it('tells of no answer that came before it began, or after it ended', async () => {
      const { id } = await inState('awaiting');
      await finish();
      const next = await store.startRun(runPlan({ job: 'weekly' }), T0 + 1_000);
      await ingest([asked(1, 'ada')], next.id);
      await store.settle([{ ...found(id), at: SETTLED_AT }]);
      expect((await store.series(run.id)).buckets).toEqual([]);
      // The run that sent it has paid.
      expect((await store.series(next.id)).buckets).toEqual([
        { ...noCounts(), at: SETTLED_AT, found: 1 },
      ]);
      const last = await store.startRun(runPlan({ job: 'monthly' }), SETTLED_AT + 1);
      await ingest([asked(1, 'ada')], last.id);
      expect(await store.series(last.id)).toEqual({
        ...EMPTY,
        asked: { ...EMPTY.asked, leads: 1 },
      });
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
      expect((await store.series(run.id)).buckets).toEqual([
        { ...noCounts(), at: T0, submits: 3, peak: 7 },
        { ...noCounts(), at: T0 + 1_000, polls: 4, throttled: 1, pausedMs: 900 },
      ]);
      expect((await store.series(run.id)).histograms.http).toEqual([0, 1, 0, 2]);
    });

    it('of one second more than there are buckets share buckets of two', async () => {
      const from = bucketOf(T0, 2_000);
      const seconds = Array.from({ length: BUCKETS_MAX + 1 }, (_, i) =>
        second(from + i * 1_000, { polls: 1 }),
      );
      await store.noteRequests(run.id, { seconds: seconds.slice(0, -1), http: [] });
      expect(await store.series(run.id)).toMatchObject({ widthMs: 1_000 });
      await store.noteRequests(run.id, { seconds: seconds.slice(-1), http: [] });
      const { buckets, widthMs } = await store.series(run.id);
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
            const { buckets, widthMs } = await store.series(id);
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

    it('of a run that is gone are passed over', async () => {
      await store.noteRequests(99, { seconds: [second(T0, { polls: 1 })], http: [1] });
      expect(await store.series(99)).toEqual(EMPTY);
    });
  });

  it('the series of a run is there as long as the run', async () => {
    await inState('found');
    await finish();
    await store.startRun(runPlan({ job: 'weekly' }), T0);
    const { at } = TIMES;
    expect(await store.series(run.id)).not.toEqual(EMPTY);
    await store.prune({ at, before: T0 + 1, freshSince: 0 }, true);
    expect(await store.series(run.id)).toEqual(EMPTY);
  });
}
