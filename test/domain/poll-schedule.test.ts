import { describe, expect, it } from 'vitest';
import {
  createDeadlineSchedule,
  createOverdueSchedule,
  createPollSchedule,
} from '../../src/domain/poll-schedule.js';

const COUNT = 3_000;
/** Leads whose polls teach the schedule, and are not judged. */
const WARM_UP = 500;

interface Polled {
  readonly polls: number;
  /** Wait after the answer was there, as a share of its latency. */
  readonly extraShare: number;
}

const RUNS = [1, 2, 3].flatMap((seed) => [
  { seed, gapMs: 100 },
  { seed, gapMs: 500 },
  { seed, gapMs: 120_000 },
]);

describe.each(RUNS)(
  'with latencies of seed $seed and a lead every $gapMs ms',
  ({ seed, gapMs }) => {
    it('a poll is rarely in vain and an answer seldom waits, while requests are plenty', () => {
      const settled = simulate(seed, gapMs, false).slice(WARM_UP);
      expect(mean(settled.map(({ polls }) => polls))).toBeLessThanOrEqual(5);
      expect(median(settled.map(({ extraShare }) => extraShare))).toBeLessThanOrEqual(0.12);
    });

    it('nearly every first poll brings the answer, where requests are scarce', () => {
      const settled = simulate(seed, gapMs, true).slice(WARM_UP);
      expect(mean(settled.map(({ polls }) => polls))).toBeLessThanOrEqual(1.15);
      // It must not get there by waiting for ever.
      expect(median(settled.map(({ extraShare }) => extraShare))).toBeLessThanOrEqual(2.5);
    });
  },
);

describe('a schedule', () => {
  it('starts short, as long as it has seen fewer than eight answers', () => {
    const schedule = createPollSchedule();
    for (let i = 0; i < 7; i++) schedule.observe(10_000, 'poll');
    expect([schedule.firstWaitMs(false), schedule.firstWaitMs(true)]).toEqual([500, 500]);
    schedule.observe(10_000, 'poll');
    expect([schedule.firstWaitMs(false), schedule.firstWaitMs(true)]).toEqual([9_000, 9_000]);
  });

  it('waits for the fast answers, or for nearly all where requests are scarce', () => {
    const schedule = createPollSchedule();
    for (let i = 1; i <= 104; i++) schedule.observe(i * 1_000, 'poll');
    expect(schedule.firstWaitMs(false)).toBe(18_900);
    expect(schedule.firstWaitMs(true)).toBe(60_000);
  });

  it('forgets what is long ago', () => {
    const schedule = createPollSchedule();
    for (let i = 0; i < 128; i++) schedule.observe(50_000, 'poll');
    for (let i = 0; i < 128; i++) schedule.observe(2_000, 'poll');
    expect(schedule.firstWaitMs(true)).toBe(1_800);
  });

  it.each([
    [10_000, false, 2_000],
    [10_000, true, 4_000],
    [0, false, 20],
    [60, false, 20],
    [3_600_000, false, 60_000],
  ])('that has waited %i ms (scarce: %s) waits %i ms more', (pendingMs, isScarce, waitMs) => {
    expect(createPollSchedule().nextWaitMs(pendingMs, isScarce)).toBe(waitMs);
  });

  it('never waits less than 20 ms or more than a minute', () => {
    for (const [pendingMs, waitMs] of [
      [0, 20],
      [1e9, 60_000],
    ] as const) {
      const schedule = createPollSchedule();
      for (let i = 0; i < 8; i++) schedule.observe(pendingMs, 'poll');
      expect([schedule.firstWaitMs(false), schedule.firstWaitMs(true)]).toEqual([waitMs, waitMs]);
    }
  });
});

describe('a schedule for what webhooks bring', () => {
  it('asks after half a minute, as long as it has seen fewer than eight webhooks', () => {
    const schedule = createOverdueSchedule();
    expect(schedule.firstWaitMs(false)).toBe(30_000);
    for (let i = 0; i < 7; i++) schedule.observe(1_000, 'webhook');
    expect(schedule.firstWaitMs(true)).toBe(30_000);
    schedule.observe(1_000, 'webhook');
    expect(schedule.firstWaitMs(true)).toBe(1.5 * 900 + 2_000);
  });

  it('asks when nearly all would have been there, and then some', () => {
    const schedule = createOverdueSchedule();
    for (let i = 1; i <= 104; i++) schedule.observe(i * 1_000, 'webhook');
    expect(schedule.firstWaitMs(false)).toBe(1.5 * 0.9 * 101_000 + 2_000);
  });

  it('learns nothing from answers that it had to ask for: they come late on purpose', () => {
    const schedule = createOverdueSchedule();
    for (let i = 0; i < 128; i++) schedule.observe(400_000, 'poll');
    expect(schedule.firstWaitMs(false)).toBe(30_000);
  });

  it('never waits more than ten minutes before it asks', () => {
    const schedule = createOverdueSchedule();
    for (let i = 0; i < 8; i++) schedule.observe(9e9, 'webhook');
    expect(schedule.firstWaitMs(false)).toBe(600_000);
  });

  it('asks again as any other', () => {
    for (const schedule of [createOverdueSchedule(), createDeadlineSchedule()]) {
      expect(schedule.nextWaitMs(10_000, false)).toBe(2_000);
      expect(schedule.nextWaitMs(10_000, true)).toBe(4_000);
    }
  });

  it('asks not at all before the deadline, where webhooks alone bring the answers', () => {
    const schedule = createDeadlineSchedule();
    for (let i = 0; i < 128; i++) schedule.observe(1_000, 'webhook');
    expect(schedule.firstWaitMs(false)).toBe(Number.POSITIVE_INFINITY);
  });
});

/** Leads submitted on a beat, polled as the schedule says; in the order of submission. */
function simulate(seed: number, gapMs: number, isScarce: boolean): Polled[] {
  const schedule = createPollSchedule();
  const random = randomOf(seed);
  const latencies = Array.from({ length: COUNT }, () => latencyMs(random));
  const polled: Polled[] = [];
  const events = latencies
    .map((latency, i) => ({ at: i * gapMs, i, latency, polls: -1 }))
    .toReversed();
  for (let event = events.pop(); event !== undefined; event = events.pop()) {
    const { at, i, latency } = event;
    const pendingMs = at - i * gapMs;
    const polls = event.polls + 1;
    if (polls > 0 && pendingMs >= latency) {
      schedule.observe(pendingMs, 'poll');
      polled[i] = { polls, extraShare: (pendingMs - latency) / latency };
      continue;
    }
    const waitMs =
      polls === 0 ? schedule.firstWaitMs(isScarce) : schedule.nextWaitMs(pendingMs, isScarce);
    const next = { at: at + waitMs, i, latency, polls };
    // The latest stands first, so that the earliest is popped.
    let place = events.length;
    while (place > 0 && (events[place - 1]?.at ?? 0) < next.at) place -= 1;
    events.splice(place, 0, next);
  }
  return polled;
}

/** Log-normal: median 10 s, sigma 0.6. */
function latencyMs(random: () => number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return 10_000 * Math.exp(0.6 * normal);
}

/** Mulberry32: numbers in [0, 1), the same for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
