// How long a run goes on, as it is told meanwhile.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createPace,
  describeLeft,
  doneLeads,
  payableWith,
  type TimeLeft,
} from '../../../src/model/schedule/pace.js';
import { leastRunMs } from '../../../src/model/schedule/rate.js';
import { emptyByStatus, type RunTally } from '../../../src/model/tally.js';

describe('the time that is left', () => {
  it('is only at least what the limit takes while sending is held, and no more than it turns out to be', () => {
    const pace = createPace(0);
    const limit = [{ requests: 20, perMs: 1_000 }];
    const best = { limit, perCall: 1, isRead: true };
    const at = (second: number, sent: number, settled: number) =>
      pace.left(second * 1_000, { asked: 300, sent, sentHere: sent, settled }, best);
    for (let second = 1; second < 30; second += 1) {
      const told = at(second, 50, 0);
      expect(told).toEqual({ ms: 27_000, isRough: true, isLeast: true });
    }
    expect(at(30, 70, 2)).toMatchObject({ isLeast: true });
  });

  it('is not told while nothing happens, and soon again after', () => {
    const pace = createPace(0);
    const at = (second: number, done: number) =>
      pace.left(second * 1_000, { asked: 1_000, sent: done, sentHere: done, settled: done });
    for (let second = 1; second <= 20; second += 1) at(second, second * 10);
    for (let second = 21; second <= 50; second += 1) at(second, 200);
    expect(at(51, 200)).toBeNull();
    for (let second = 52; second <= 90; second += 1) at(second, 200 + (second - 51) * 10);
    expect(at(91, 600)).toEqual({ ms: 40_000, isRough: false });
  });

  it('does not rise while nothing changed, and is no less than the limit takes', () => {
    const look = fc.record({
      ms: fc.integer({ min: 1, max: 20_000 }),
      sent: fc.constantFrom(0, 0, 0, 1, 7, 40),
      settled: fc.constantFrom(0, 0, 0, 1, 7, 40),
    });
    const best = fc.constantFrom(
      { limit: [{ requests: 20, perMs: 2_000 }], perCall: 1, isRead: true },
      { limit: [{ requests: 60, perMs: 60_000 }], perCall: 1, isRead: false },
      { limit: [{ requests: 60, perMs: 60_000 }], perCall: 10, perRead: 10, isRead: true },
    );
    const property = fc.property(fc.array(look, { maxLength: 80 }), best, (looks, limited) => {
      const pace = createPace(0);
      const asked = 300;
      let [at, sent, settled] = [0, 0, 0];
      let before: TimeLeft | null = null;
      for (const step of looks) {
        at += step.ms;
        const isSame =
          sent === Math.min(asked, sent + step.sent) &&
          settled === Math.min(sent, settled + step.settled);
        sent = Math.min(asked, sent + step.sent);
        settled = Math.min(sent, settled + step.settled);
        const told = pace.left(at, { asked, sent, sentHere: sent, settled }, limited);
        if (told !== null) {
          const awaited = limited.isRead ? sent - settled : 0;
          const least = leastRunMs(limited, asked - sent, awaited) as number;
          expect(told.ms).toBeGreaterThanOrEqual(least);
          if (isSame && before?.isRough === false) expect(told.ms).toBeLessThanOrEqual(before.ms);
        }
        if (told !== null || !isSame) before = told;
      }
    });
    fc.assert(property, { numRuns: 300 });
  });

  it('is told of a run over days, from looks whose number is bounded', () => {
    const pace = createPace(0);
    let told = null;
    for (let minute = 1; minute <= 4_000; minute += 1) {
      const done = minute * 3;
      told = pace.left(minute * 60_000, {
        asked: 15_000,
        sent: done,
        sentHere: done,
        settled: done,
      });
    }
    expect(told).toEqual({ ms: 60_000_000, isRough: false });
  });
});

it('is said in round numbers while it is rough, and not at all where it is as good as over', () => {
  const said = (ms: number, isRough: boolean) => describeLeft({ ms, isRough });
  expect(said(997_000, false)).toBe('16 min 37 s left');
  expect(said(997_000, true)).toBe('about 17 min left');
  expect(said(3_000, true)).toBe('about 10 s left');
  expect(said(44_000, true)).toBe('about 40 s left');
  expect(said(9_000_000, true)).toBe('about 2 h 30 min left');
  expect(describeLeft({ ms: 28_000, isRough: true, isLeast: true })).toBe('at least 28 s left');
  expect(said(900, false)).toBe('');
  expect(describeLeft(null)).toBe('');
});

it('is not told where the budget ends the sending: at the price of the answers so far, or the highest one before', () => {
  const told = (budget: number) => {
    const pace = createPace(0);
    let last: TimeLeft | null = null;
    for (let second = 1; second <= 60; second += 1) {
      const done = 10 * second;
      const payable = payableWith(budget - 4 * done, { credits: 4 * done, settled: done });
      const counts = { asked: 1_000, payable, sent: done, sentHere: done, settled: done };
      last = pace.left(second * 1_000, counts);
    }
    return last;
  };
  expect(told(3_999)).toBeNull();
  expect(told(4_000)).toEqual({ ms: 40_000, isRough: false });
  expect(payableWith(100, { credits: 0, settled: 3, priceMax: 5 })).toBe(23);
  expect(payableWith(100, { credits: 0, settled: 30, priceMax: 5 })).toBeUndefined();
  expect(payableWith(-5, { credits: 150, settled: 30, priceMax: 5 })).toBe(30);
});

it('goes by a cap where that leaves less than the budget', () => {
  const cap = {
    of: 'account',
    period: 'day',
    timezone: 'UTC',
    credits: 300,
    spent: 200,
    reserved: 20,
    from: 0,
    until: 1,
  } as const;
  const run = { leadCount: 100, priceMax: 5 };
  const tally: RunTally = {
    leads: 100,
    rejects: 0,
    byStatus: { ...emptyByStatus(), found: 10, queued: 90 },
    askedAgain: {},
    reasons: [],
    inPart: { leads: 0, reasons: [] },
    enrichments: null,
    fromCache: 0,
    credits: 50,
  };
  // 100 credits are left at 5 each.
  expect(doneLeads(run, tally, [cap]).payable).toBe(30);
  expect(doneLeads({ ...run, budget: 75 }, tally, [cap]).payable).toBe(15);
  expect(doneLeads(run, tally).payable).toBe(Number.POSITIVE_INFINITY);
});
