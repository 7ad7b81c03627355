// How long a run goes on, as it is told while simulated runs go on.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createPace,
  type DoneLeads,
  describeLeft,
  doneLeads,
  payableWith,
  type TimeLeft,
} from '../../../src/model/schedule/pace.js';
import type { Pace, RateLimit } from '../../../src/model/schedule/rate.js';
import { emptyByStatus, type RunTally } from '../../../src/model/tally.js';
import { tries } from '../../helpers/long.js';

const TICK_MS = 100;

interface Simulated {
  readonly leads: number;
  readonly best: Pace & { readonly limit: RateLimit };
  /** The median of how long an answer takes, and by how much answers differ. */
  readonly latencyMs: number;
  readonly spread: number;
  readonly seed: number;
  /** Whether answers that are there are read before leads are sent, or after. */
  readonly readsFirst: boolean;
}

/** A log-normal latency of each lead, the same for the same seed. */
function latencies({ latencyMs, leads, seed, spread }: Simulated): number[] {
  let state = seed;
  const random = (): number => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return (state + 0.5) / 2 ** 32;
  };
  return Array.from({ length: leads }, () => {
    const normal = Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
    return latencyMs * Math.exp(spread * normal);
  });
}

/** What was done at each tick, to the end of the run: one request after the other, as the limit allows. */
function simulate(run: Simulated): (DoneLeads & { readonly at: number })[] {
  const { best, leads } = run;
  const { isRead, limit, perCall } = best;
  const takes = latencies(run);
  const ready: number[] = [];
  const story: (DoneLeads & { at: number })[] = [];
  const requests: number[] = [];
  const awaited: number[] = [];
  let [sent, settled] = [0, 0];
  for (let at = 0; settled < leads; at += TICK_MS) {
    for (const readyAt of awaited.filter((one) => one <= at)) {
      awaited.splice(awaited.indexOf(readyAt), 1);
      ready.push(readyAt);
    }
    const mayAsk = (): boolean => {
      while ((requests[0] ?? at) <= at - limit.perMs) requests.shift();
      return requests.length < limit.requests;
    };
    const read = (): void => {
      while (ready.length > 0 && (!isRead || mayAsk())) {
        if (isRead) requests.push(at);
        ready.pop();
        settled += 1;
      }
    };
    const send = (): void => {
      while (sent < leads && mayAsk()) {
        requests.push(at);
        const many = Math.min(perCall, leads - sent);
        for (let n = 0; n < many; n += 1) awaited.push(at + (takes[sent + n] ?? 0));
        sent += many;
      }
    };
    if (run.readsFirst) read();
    send();
    read();
    story.push({ at, asked: leads, sent, sentHere: sent, settled });
  }
  return story;
}

const steadyRun: fc.Arbitrary<Simulated> = fc
  .record({
    requests: fc.integer({ min: 1, max: 40 }),
    perMs: fc.constantFrom(1_000, 2_000, 10_000),
    perCall: fc.constantFrom(1, 1, 10),
    isRead: fc.boolean(),
    latencyMs: fc.integer({ min: 200, max: 30_000 }),
    spread: fc.constantFrom(0, 0.3, 0.6),
    seed: fc.integer({ min: 1, max: 2 ** 31 }),
    readsFirst: fc.boolean(),
    rounds: fc.integer({ min: 6, max: 20 }),
  })
  .map(({ isRead, perCall, perMs, requests, rounds, ...rest }) => {
    const perLead = 1 / perCall + (isRead ? 1 : 0);
    const speed = requests / perMs / perLead;
    // Steady: it goes on for much longer than an answer takes.
    const longest = rest.latencyMs * Math.exp(3 * rest.spread);
    const leads = Math.min(
      5_000,
      Math.ceil(speed * Math.max(rounds * longest, 12 * perMs, 20_000)),
    );
    const best = { limit: { requests, perMs }, perCall, isRead };
    return { ...rest, leads: Math.max(leads, 40), best };
  })
  .filter(({ leads }) => leads < 5_000);

interface Watched {
  /** Whether it is watched from its beginning, or from when a twentieth was answered. */
  readonly isFromBegin: boolean;
  readonly knowsLimit: boolean;
}

/** What is told to who looks each second, once so much was answered, and how long the run goes on then. */
function toldAfter(run: Simulated, share: number, { isFromBegin, knowsLimit }: Watched) {
  const story = simulate(run);
  const endedAt = story.at(-1)?.at ?? 0;
  const pace = createPace(isFromBegin ? 0 : undefined);
  for (const { at, ...done } of story) {
    if (at % 1_000 !== 0 || (!isFromBegin && done.settled < run.leads / 20)) continue;
    const told = pace.left(at, done, knowsLimit ? run.best : undefined);
    if (done.settled >= share * run.leads) return { told, truth: endedAt - at };
  }
  throw new Error('It ended before.');
}

const WHOLE: Watched = { isFromBegin: true, knowsLimit: true };

/** Always the same runs: of some thousand others, one is off by more. */
const RUNS = { numRuns: tries(200), seed: 7 };

describe('the time that is left of a steady run', () => {
  it('is right within a half once a tenth is answered', () => {
    fc.assert(
      fc.property(steadyRun, (run) => {
        const { told, truth } = toldAfter(run, 0.1, WHOLE);
        expect(told?.isRough).toBe(false);
        expect(Math.abs((told?.ms ?? 0) - truth) / truth).toBeLessThan(0.5);
      }),
      RUNS,
    );
  });

  it('is not told wrong to who begins to look in its middle', () => {
    fc.assert(
      fc.property(steadyRun, (run) => {
        const { told, truth } = toldAfter(run, 0.3, { isFromBegin: false, knowsLimit: true });
        if (told !== null) expect(Math.abs(told.ms - truth) / truth).toBeLessThan(0.5);
      }),
      RUNS,
    );
  });
});

describe('the time that is left', () => {
  const run: Simulated = {
    leads: 1_000,
    best: { limit: { requests: 20, perMs: 2_000 }, perCall: 1, isRead: true },
    latencyMs: 40_000,
    spread: 0.3,
    seed: 1,
    readsFirst: true,
  };

  it('is no promise before answers have come, and no less than the limit allows', () => {
    const pace = createPace(0);
    for (const { at, ...done } of simulate(run)) {
      if (at % 1_000 !== 0 || at === 0 || done.settled > 0) continue;
      const told = pace.left(at, done, run.best);
      expect(told === null || told.isRough).toBe(true);
      if (told !== null) expect(told.ms).toBeGreaterThan(150_000);
    }
  });

  it('is only at least what the limit takes while sending is held, and no more than it turns out to be', () => {
    const pace = createPace(0);
    const limit = { requests: 20, perMs: 1_000 };
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
  const said = (ms: number, isRough: boolean, isToBudget = false) =>
    describeLeft({ ms, isRough, ...(isToBudget && { isToBudget }) });
  expect(said(997_000, true, true)).toBe('about 17 min until its budget is spent');
  expect(said(997_000, false)).toBe('16 min 37 s left');
  expect(said(997_000, true)).toBe('about 17 min left');
  expect(said(3_000, true)).toBe('about 10 s left');
  expect(said(44_000, true)).toBe('about 40 s left');
  expect(said(9_000_000, true)).toBe('about 2 h 30 min left');
  expect(describeLeft({ ms: 28_000, isRough: true, isLeast: true })).toBe('at least 28 s left');
  expect(said(900, false)).toBe('');
  expect(describeLeft(null)).toBe('');
  expect(describeLeft({ ms: 997_000, isRough: false, isToCap: true })).toBe(
    '16 min 37 s until a cap is met',
  );
});

it('ends where the budget is spent: at the price of the answers so far, or the highest one before', () => {
  const pace = createPace(0);
  let told: TimeLeft | null = null;
  for (let second = 1; second <= 60; second += 1) {
    const done = 10 * second;
    const payable = payableWith(5_000 - 4 * done, {
      credits: 4 * done,
      settled: done,
      priceMax: 5,
    });
    told = pace.left(second * 1_000, {
      asked: 10_000,
      payable,
      sent: done,
      sentHere: done,
      settled: done,
    });
  }
  // 1,250 at 4 credits, of which 600 are done.
  expect(told?.isToBudget).toBe(true);
  expect((told?.ms ?? 0) / 1_000).toBeCloseTo(65, 0);
  expect(payableWith(100, { credits: 0, settled: 3, priceMax: 5 })).toBe(23);
  expect(payableWith(100, { credits: 0, settled: 30, priceMax: 5 })).toBeUndefined();
  expect(payableWith(-5, { credits: 150, settled: 30, priceMax: 5 })).toBe(30);
});

it('ends at a cap where that leaves less than the budget', () => {
  const cap = {
    of: 'account',
    period: 'day',
    timezone: 'UTC',
    credits: 300,
    spent: 200,
    held: 20,
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
  expect(doneLeads(run, tally, [cap])).toMatchObject({ payable: 30, isByCap: true });
  expect(doneLeads({ ...run, budget: 75 }, tally, [cap])).toMatchObject({
    payable: 15,
    isByCap: false,
  });
  expect(doneLeads(run, tally)).toMatchObject({ payable: undefined, isByCap: false });
});
