import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createDeadlineSchedule,
  createOverdueSchedule,
  createPollSchedule,
  type Pressure,
} from '../../../src/model/schedule/poll-schedule.js';
import { inBrief, tries } from '../../helpers/long.js';
import { createChance } from '../../security/attacks.js';

const PLENTY: Pressure = { roundMs: 0, isSending: false, openShare: 1 };
const SENDING: Pressure = { roundMs: 40_000, isSending: true, openShare: 1 };

const COUNT = 1_500;
/** Leads whose polls teach the schedule, and are not judged. */
const WARM_UP = 500;

interface Polled {
  readonly polls: number;
  /** Wait after the answer was there, as a share of its latency. */
  readonly extraShare: number;
}

const RUNS = inBrief([1], [2, 3]).flatMap((seed) => [
  { seed, gapMs: 100 },
  { seed, gapMs: 500 },
  { seed, gapMs: 120_000 },
]);

describe.each(RUNS)(
  'with latencies of seed $seed and a lead every $gapMs ms',
  ({ seed, gapMs }) => {
    it('a poll is rarely in vain and an answer seldom waits, while requests are plenty', () => {
      const settled = simulate(seed, gapMs, PLENTY).slice(WARM_UP);
      expect(mean(settled.map(({ polls }) => polls))).toBeLessThanOrEqual(5);
      expect(median(settled.map(({ extraShare }) => extraShare))).toBeLessThanOrEqual(0.1);
    });

    it('nearly every first poll brings the answer, where requests are scarce', () => {
      const settled = simulate(seed, gapMs, SENDING).slice(WARM_UP);
      expect(mean(settled.map(({ polls }) => polls))).toBeLessThanOrEqual(1.05);
      // It must not get there by waiting for ever.
      expect(median(settled.map(({ extraShare }) => extraShare))).toBeLessThanOrEqual(3.5);
    });
  },
);

describe('a schedule', () => {
  it('looks for the first answer after half a second, and each time at the latest when it is twice as old', () => {
    const schedule = createPollSchedule();
    for (const pressure of [PLENTY, SENDING]) expect(schedule.ripeAfterMs(pressure)).toBe(500);
    for (const ageMs of [500, 900, 1_700]) {
      schedule.observePending(1, ageMs);
      expect(schedule.nextWaitMs(ageMs, SENDING)).toBeLessThanOrEqual(ageMs);
    }
    schedule.observe(1, 8_000, 'poll');
    expect(schedule.ripeAfterMs(PLENTY)).toBeGreaterThan(500);
  });

  it('forgets what is long ago', () => {
    const schedule = createPollSchedule();
    const learn = (fromMs: number, toMs: number) => {
      for (let id = 0; id < 400; id++) {
        schedule.observePending(id, fromMs);
        schedule.observe(id, toMs, 'poll');
      }
    };
    learn(45_000, 55_000);
    expect(schedule.ripeAfterMs(PLENTY)).toBeGreaterThan(40_000);
    learn(1_800, 2_200);
    expect(schedule.ripeAfterMs(PLENTY)).toBeLessThan(2_500);
  });

  it('never waits less than 20 ms or more than a minute, and never looks at the same age twice', () => {
    const ages = fc.array(fc.double({ min: 0, max: 3.6e6, noNaN: true }), { maxLength: 30 });
    const pressures = fc.record({
      roundMs: fc.double({ min: 0, max: 1e7, noNaN: true }),
      isSending: fc.boolean(),
      openShare: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    const property = fc.property(ages, ages, pressures, (pending, answered, pressure) => {
      const schedule = createPollSchedule();
      for (const [id, ageMs] of pending.entries()) schedule.observePending(id % 5, ageMs);
      for (const [id, ageMs] of answered.entries()) schedule.observe(id % 9, ageMs, 'poll');
      const waits = [0, 1, 500, 10_000, 3.6e6].map((ageMs) => schedule.nextWaitMs(ageMs, pressure));
      for (const waitMs of [...waits, schedule.firstWaitMs(), schedule.ripeAfterMs(pressure)]) {
        expect(waitMs).toBeGreaterThanOrEqual(20);
        expect(waitMs).toBeLessThanOrEqual(60_000);
      }
    });
    fc.assert(property, { numRuns: tries(200) });
  });

  it('puts a first look off for the round that the others take, until most or nearly all are there', () => {
    const schedule = createPollSchedule();
    for (let id = 0; id < 60; id++) {
      schedule.observePending(id, 4_000 + (id % 20) * 500);
      schedule.observe(id, 5_000 + (id % 20) * 600, 'poll');
    }
    const ripe = (pressure: Pressure) => schedule.ripeAfterMs(pressure);
    const rounds = [0, 1_000, 10_000, 1e6];
    const idle = rounds.map((roundMs) => ripe({ ...PLENTY, roundMs }));
    const sending = rounds.map((roundMs) => ripe({ ...SENDING, roundMs }));
    expect(idle).toEqual(idle.toSorted((a, b) => a - b));
    expect(sending).toEqual(sending.toSorted((a, b) => a - b));
    expect(sending.at(-1)).toBeGreaterThan((idle.at(-1) ?? 0) * 1.5);
  });

  it('waits shorter for the last ones', () => {
    const schedule = createPollSchedule();
    for (let id = 0; id < 20; id++) schedule.observe(id, 10_000, 'poll');
    const waits = [1, 0.1, 0.01].map((openShare) =>
      schedule.nextWaitMs(40_000, { ...PLENTY, openShare }),
    );
    expect(waits).toEqual(waits.toSorted((a, b) => b - a));
    expect(waits.at(-1)).toBe(600);
  });
});

describe('a schedule for what webhooks bring', () => {
  it('asks after half a minute, as long as it has seen fewer than eight webhooks', () => {
    const schedule = createOverdueSchedule();
    expect(schedule.firstWaitMs()).toBe(30_000);
    for (let i = 0; i < 7; i++) schedule.observe(i, 1_000, 'webhook');
    expect(schedule.firstWaitMs()).toBe(30_000);
    schedule.observe(8, 1_000, 'webhook');
    expect(schedule.firstWaitMs()).toBe(1.5 * 900 + 2_000);
  });

  it('asks when nearly all would have been there, and then some', () => {
    const schedule = createOverdueSchedule();
    for (let i = 1; i <= 104; i++) schedule.observe(i, i * 1_000, 'webhook');
    expect(schedule.firstWaitMs()).toBe(1.5 * 0.9 * 101_000 + 2_000);
  });

  it('learns nothing from answers that it had to ask for: they come late on purpose', () => {
    const schedule = createOverdueSchedule();
    for (let i = 0; i < 128; i++) schedule.observe(i, 400_000, 'poll');
    expect(schedule.firstWaitMs()).toBe(30_000);
  });

  it('never waits more than ten minutes before it asks', () => {
    const schedule = createOverdueSchedule();
    for (let i = 0; i < 8; i++) schedule.observe(i, 9e9, 'webhook');
    expect(schedule.firstWaitMs()).toBe(600_000);
  });

  it('asks again as any other', () => {
    for (const schedule of [createOverdueSchedule(), createDeadlineSchedule()]) {
      expect(schedule.nextWaitMs(10_000, PLENTY)).toBe(2_000);
      expect(schedule.nextWaitMs(10_000, { ...PLENTY, roundMs: 5_000 })).toBe(5_000);
    }
  });

  it('asks not at all before the deadline, where webhooks alone bring the answers', () => {
    const schedule = createDeadlineSchedule();
    for (let i = 0; i < 128; i++) schedule.observe(i, 1_000, 'webhook');
    expect(schedule.firstWaitMs()).toBe(Number.POSITIVE_INFINITY);
  });
});

/** Leads submitted on a beat, polled as the schedule says; in the order of submission. */
function simulate(seed: number, gapMs: number, pressure: Pressure): Polled[] {
  const schedule = createPollSchedule();
  const random = createChance(seed);
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
      schedule.observe(i, pendingMs, 'poll');
      polled[i] = { polls, extraShare: (pendingMs - latency) / latency };
      continue;
    }
    if (polls > 0) schedule.observePending(i, pendingMs);
    const waitMs =
      polls === 0 ? schedule.ripeAfterMs(pressure) : schedule.nextWaitMs(pendingMs, pressure);
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

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
