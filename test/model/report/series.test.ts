// The series of a run against the events that it was made of.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addHistograms,
  boundOf,
  bucketOf,
  fitTimeline,
  noCounts,
  type SeriesBucket,
  stepOf,
  toBuckets,
  WIDTH_MS_MIN,
} from '../../../src/model/report/series.js';

const DAY_MS = 86_400_000;

const happening = fc.record({
  at: fc.oneof(fc.nat({ max: 60_000 }), fc.nat({ max: 400 * DAY_MS })),
  found: fc.nat({ max: 9 }),
  credits: fc.constantFrom(0, 0.1, 0.7, 5),
  peak: fc.nat({ max: 20 }),
});
type Happening = { at: number; found: number; credits: number; peak: number };

/** The buckets of a width, made from the events themselves. */
function bucketsOf(events: readonly Happening[], widthMs: number): SeriesBucket[] {
  const starts = [...new Set(events.map(({ at }) => bucketOf(at, widthMs)))].toSorted(
    (a, b) => a - b,
  );
  return starts.map((start) => {
    const inside = events.filter(({ at }) => at >= start && at < start + widthMs);
    const sum = (pick: (event: Happening) => number) =>
      inside.reduce((total, event) => total + pick(event), 0);
    return {
      ...noCounts(),
      at: start,
      found: sum(({ found }) => found),
      credits: Math.round(sum(({ credits }) => credits * 1_000)) / 1_000,
      peak: Math.max(...inside.map(({ peak }) => peak)),
    };
  });
}

describe('a timeline with too many buckets', () => {
  it('holds what it held: each sum and each maximum of what now shares a bucket', () => {
    fc.assert(
      fc.property(
        fc.array(happening, { minLength: 1, maxLength: 60, size: 'max' }),
        fc.integer({ min: 1, max: 30 }),
        (events, max) => {
          const second = bucketsOf(events, WIDTH_MS_MIN);
          const { buckets, widthMs } = fitTimeline({ widthMs: WIDTH_MS_MIN, buckets: second }, max);
          expect(buckets.length).toBeLessThanOrEqual(max);
          expect(buckets).toEqual(bucketsOf(events, widthMs));
          // No wider than it must be.
          const isWidened = widthMs > WIDTH_MS_MIN;
          expect(!isWidened || bucketsOf(events, widthMs / 2).length > max).toBe(true);
        },
      ),
    );
  });

  it('adds up as the tenths of credits that they are', () => {
    const [bucket] = toBuckets(
      [0.1, 0.2].map((credits) => ({ at: 0, credits })),
      1_000,
    );
    expect(bucket?.credits).toBe(0.3);
  });
});

describe('the steps of a histogram', () => {
  it('are 0, 1, 2, 3, 4, 6, 8, 12 and so on, up to two days in ms', () => {
    const bounds = Array.from({ length: 55 }, (_, step) => boundOf(step));
    expect(bounds.slice(0, 12)).toEqual([0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48]);
    expect(bounds.at(-1)).toBe(2 ** 27);
    fc.assert(
      fc.property(fc.double({ min: -5, max: 2 ** 28, noNaN: true }), (value) => {
        const below = bounds.filter((bound) => bound <= value).length;
        expect(stepOf(value)).toBe(Math.max(0, below - 1));
      }),
    );
    expect(bounds.map(stepOf)).toEqual([...bounds.keys()]);
  });

  it('are added one by one, whichever histogram has more of them', () => {
    expect(addHistograms([1, 2, 3], [4])).toEqual([5, 2, 3]);
    expect(addHistograms([4], [1, 2, 3])).toEqual([5, 2, 3]);
    expect(addHistograms([], [])).toEqual([]);
  });
});
