import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinOwners, leaveOwners } from '../../../src/model/schedule/limit.js';
import { leastTimeMs, parseRate, type RequestKind } from '../../../src/model/schedule/rate.js';
import { openLimiter } from '../../../src/platform/limit/limiter.js';
import type { Permit } from '../../../src/ports/platform.js';
import { nextTurn } from '../../helpers/driven-clock.js';
import { tries } from '../../helpers/long.js';
import { createVirtualClock } from '../virtual-clock.js';

const TWENTY = [{ requests: 20, perMs: 2_000 }];

/** The most moments that any half-open window of `perMs` holds. */
function mostInWindow(moments: readonly number[], perMs: number): number {
  const sorted = moments.toSorted((a, b) => a - b);
  return Math.max(
    0,
    ...sorted.map((from) => sorted.filter((at) => at >= from && at < from + perMs).length),
  );
}

/** Takes what is free at once, and fails when nothing is. */
async function take(limiter: ReturnType<typeof openLimiter>, count: number): Promise<Permit[]> {
  return limiter.reserve('submit', count, AbortSignal.timeout(5_000));
}

async function request(
  limiter: ReturnType<typeof openLimiter>,
  permit: Permit | undefined,
): Promise<void> {
  if (permit === undefined) throw new Error('no permit');
  expect(await limiter.start(permit)).toBe('started');
  limiter.finish(permit);
}

describe('the sliding window', () => {
  const plan = fc.record({
    waitMs: fc.integer({ min: 0, max: 3_000 }),
    max: fc.integer({ min: 1, max: 8 }),
    kind: fc.constantFrom<RequestKind>('submit', 'poll'),
    startMs: fc.integer({ min: 0, max: 400 }),
    latencyMs: fc.integer({ min: 0, max: 3_000 }),
    arrival: fc.double({ min: 0, max: 1, noNaN: true }),
    isReleased: fc.boolean(),
  });

  it('never holds more than the limit, whenever requests start, arrive and are answered', async () => {
    const property = fc.asyncProperty(
      fc.array(plan, { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 10, max: 2_000 }),
      async (plans, requests, perMs) => {
        const clock = createVirtualClock();
        const limiter = openLimiter({ limit: [{ requests, perMs }], clock });
        const starts: number[] = [];
        const arrivals: number[] = [];
        const send = async (permit: Permit, step: (typeof plans)[number]) => {
          await clock.sleep(step.startMs);
          if (step.isReleased) {
            permit.release();
            return;
          }
          expect(await limiter.start(permit)).toBe('started');
          starts.push(clock.now());
          arrivals.push(clock.now() + step.arrival * step.latencyMs);
          await clock.sleep(step.latencyMs);
          limiter.finish(permit);
        };
        const work = plans.map(async (step) => {
          await clock.sleep(step.waitMs);
          const permits = await limiter.reserve(step.kind, step.max);
          expect(permits.length).toBeGreaterThanOrEqual(1);
          expect(permits.length).toBeLessThanOrEqual(Math.min(step.max, requests));
          await Promise.all(permits.map((permit) => send(permit, step)));
        });
        await clock.runAll();
        await Promise.all(work);
        expect(mostInWindow(starts, perMs)).toBeLessThanOrEqual(requests);
        expect(mostInWindow(arrivals, perMs)).toBeLessThanOrEqual(requests);
      },
    );
    await fc.assert(property, { numRuns: tries(60) });
  });

  it('goes on where the process before it stopped', async () => {
    const clock = createVirtualClock();
    const now = { at: clock.now(), steady: null };
    const speaker = { id: 'before', origin: null, now, isDead: () => false };
    const word = { endedAgoMs: [1_500, 500], keeps: 3, cleared: [] };
    const left = leaveOwners(joinOwners(null, TWENTY, speaker), word, speaker);
    const after = openLimiter({ limit: TWENTY, clock, before: left ?? undefined });
    expect(await take(after, 20)).toHaveLength(15);
    const next = after.reserve('submit', 20);
    await clock.advance(499);
    expect(await Promise.race([next, nextTurn().then(() => 'waiting')])).toBe('waiting');
    await clock.advance(1);
    expect(await next).toHaveLength(1);
    after.close();
  });

  it('is not the only one: each of several holds', async () => {
    const clock = createVirtualClock();
    const limit = parseRate('3/1s, 5/10s') ?? [];
    const limiter = openLimiter({ limit, clock });
    const startedMs = clock.now();
    const at: number[] = [];
    const work = (async () => {
      while (at.length < 11) {
        for (const permit of await limiter.reserve('submit', 20)) {
          at.push(clock.now() - startedMs);
          await request(limiter, permit);
        }
      }
    })();
    await clock.runAll();
    await work;
    expect(at).toEqual([
      0,
      0,
      0,
      1_000,
      1_000,
      10_000,
      10_000,
      10_000,
      11_000,
      11_000,
      20_000,
      ...at.slice(11),
    ]);
    expect(leastTimeMs(11, limit)).toBe(20_000);
  });

  it('counts a slot from the response on, not from the start', async () => {
    const clock = createVirtualClock();
    const limiter = openLimiter({ limit: [{ requests: 1, perMs: 100 }], clock });
    const [permit] = await take(limiter, 1);
    if (permit !== undefined) await limiter.start(permit);
    const next = take(limiter, 1);
    await clock.advance(5_000);
    if (permit !== undefined) limiter.finish(permit);
    const answeredMs = clock.now();
    await clock.runAll();
    expect(await next).toHaveLength(1);
    expect(clock.now() - answeredMs).toBe(100);
  });

  it('gives a released permit to whoever waits, at once', async () => {
    const clock = createVirtualClock();
    const limiter = openLimiter({ limit: [{ requests: 1, perMs: 100 }], clock });
    const [permit] = await take(limiter, 1);
    const next = limiter.reserve('submit', 3);
    permit?.release();
    permit?.release();
    expect(await next).toHaveLength(1);
    expect(clock.sleeps).toEqual([]);
  });

  it('does not free the slot of a started request that is released', async () => {
    const clock = createVirtualClock();
    const limiter = openLimiter({ limit: [{ requests: 1, perMs: 100 }], clock });
    const [permit] = await take(limiter, 1);
    if (permit !== undefined) await limiter.start(permit);
    permit?.release();
    let isGiven = false;
    void limiter.reserve('poll', 1).then(() => (isGiven = true));
    await clock.advance(1_000);
    expect(isGiven).toBe(false);
    limiter.close();
  });

  it('refuses a permit that was used before', async () => {
    const limiter = openLimiter({ limit: [], clock: createVirtualClock() });
    const [permit] = await take(limiter, 1);
    await request(limiter, permit);
    await expect(request(limiter, permit)).rejects.toThrow('used or released');
  });

  it('gives everything at once when it is off, but no more than may be in flight', async () => {
    const clock = createVirtualClock();
    expect(await openLimiter({ limit: [], clock }).reserve('submit', 500)).toHaveLength(500);
    const limiter = openLimiter({ limit: [], clock, inFlightMax: 8 });
    const permits = await limiter.reserve('submit', 500);
    expect(permits).toHaveLength(8);
    const next = limiter.reserve('submit', 500);
    await request(limiter, permits[0]);
    expect(await next).toHaveLength(1);
    expect(limiter.leastMs(1_000)).toBe(0);
  });
});

describe('those who wait', () => {
  it('are served submits first, with one poll in twenty, each kind in the order of asking', async () => {
    const clock = createVirtualClock();
    const limiter = openLimiter({ limit: [{ requests: 1, perMs: 10 }], clock });
    await request(limiter, (await take(limiter, 1))[0]);
    const served: string[] = [];
    const ask = async (kind: RequestKind, name: string) => {
      const [permit] = await limiter.reserve(kind, 1);
      served.push(name);
      await request(limiter, permit);
    };
    const work = Array.from({ length: 50 }, (_, i) => [
      ask('poll', `poll ${i}`),
      ask('submit', `submit ${i}`),
    ]);
    await clock.runAll();
    await Promise.all(work.flat());
    const firstForty = served.slice(0, 40);
    expect(firstForty.filter((name) => name.startsWith('poll'))).toEqual(['poll 0', 'poll 1']);
    expect(served.filter((name) => name.startsWith('submit'))).toEqual(
      Array.from({ length: 50 }, (_, i) => `submit ${i}`),
    );
  });

  const pressed = fc.record({
    requests: fc.integer({ min: 1, max: 19 }),
    perMs: fc.integer({ min: 100, max: 5_000 }),
    latencyMs: fc.integer({ min: 1, max: 300 }),
    /** The time that a sender takes between one reservation and the next. */
    gapMs: fc.integer({ min: 0, max: 50 }),
    max: fc.integer({ min: 1, max: 20 }),
  });

  it('share a limit that is all used: submits have 19 of 20, also where the next one is just being claimed', async () => {
    const property = fc.asyncProperty(pressed, async ({ gapMs, latencyMs, max, ...limit }) => {
      const clock = createVirtualClock();
      const limiter = openLimiter({ limit: [limit], clock });
      const served: RequestKind[] = [];
      const send = async (permit: Permit) => {
        await limiter.start(permit);
        await clock.sleep(latencyMs);
        limiter.finish(permit);
      };
      const ask = async (kind: RequestKind, waitMs: number) => {
        while (served.length < 200) {
          const permits = await limiter.reserve(kind, max);
          for (const permit of permits) {
            served.push(kind);
            void send(permit);
          }
          await clock.sleep(waitMs);
        }
      };
      const work = Promise.all([ask('submit', gapMs), ask('poll', 0)]);
      await clock.runAll();
      await work;
      const polls = served.slice(0, 200).flatMap((kind, i) => (kind === 'poll' ? [i] : []));
      expect(polls.length).toBeGreaterThan(7);
      // Those who get permits at the same moment are told in any order.
      for (const [i, at] of polls.entries()) {
        expect(Math.abs(at - (19 + 20 * i))).toBeLessThanOrEqual(2 * max);
      }
    });
    await fc.assert(property, { numRuns: tries(40) });
  });

  it('are served at once where no submit has come for a while', async () => {
    const clock = createVirtualClock();
    const limiter = openLimiter({ limit: TWENTY, clock });
    await Promise.all((await take(limiter, 15)).map((permit) => request(limiter, permit)));
    let given = 0;
    const polls = limiter.reserve('poll', 20).then(({ length }) => (given = length));
    await clock.advance(99);
    expect(given).toBe(0);
    await clock.advance(1);
    expect(await polls).toBe(5);
  });

  it('get nothing when their signal aborts, and the next one is not held up', async () => {
    const clock = createVirtualClock();
    const limiter = openLimiter({ limit: [{ requests: 1, perMs: 100 }], clock });
    const [permit] = await take(limiter, 1);
    const stop = new AbortController();
    const first = limiter.reserve('submit', 1, stop.signal);
    const second = limiter.reserve('submit', 1);
    stop.abort();
    expect(await first).toEqual([]);
    expect(await limiter.reserve('submit', 1, stop.signal)).toEqual([]);
    permit?.release();
    expect(await second).toHaveLength(1);
  });

  it('get nothing when the limiter closes, twice if need be', async () => {
    const clock = createVirtualClock();
    const limiter = openLimiter({ limit: [{ requests: 1, perMs: 100 }], clock });
    const [permit] = await take(limiter, 1);
    limiter.pause(60_000, 'submit', 'Retry-After: 1');
    const waiting = limiter.reserve('submit', 1);
    const starting = permit === undefined ? undefined : limiter.start(permit);
    limiter.close();
    limiter.close();
    expect(await waiting).toEqual([]);
    expect(await starting).toBe('stopped');
    expect(await limiter.reserve('submit', 1)).toEqual([]);
  });
});

describe('the least time of many requests', () => {
  it('is told by the limit, and by what others leave of it', async () => {
    const clock = createVirtualClock();
    const limiter = openLimiter({ limit: TWENTY, clock });
    expect(limiter.leastMs(400)).toBe(40_000);
    const [permit] = await take(limiter, 1);
    if (permit !== undefined) await limiter.start(permit);
    if (permit !== undefined) limiter.finish(permit, { remaining: 9, resetMs: 60_000 });
    expect(limiter.leastMs(400)).toBe(80_000);
    await clock.advance(60_000);
    expect(limiter.leastMs(400)).toBe(40_000);
  });
});

describe('a request that may not wait', () => {
  const stateOf = (promise: Promise<unknown>) =>
    Promise.race([promise, nextTurn().then(() => 'waiting')]);

  it('is held by a pause that began after its permit was given, and gives its slot back', async () => {
    const clock = createVirtualClock();
    const limiter = openLimiter({ limit: [{ requests: 2, perMs: 100 }], clock });
    const [first, second] = await take(limiter, 2);
    if (first === undefined || second === undefined) throw new Error('no permits');
    limiter.pause(7_000, 'submit', 'Retry-After: 1');
    expect(await stateOf(limiter.start(first, { mayWait: false }))).toBe('must_wait');
    expect(() => limiter.start(first)).toThrow('used or released');
    const patient = limiter.start(second);
    expect(await stateOf(patient)).toBe('waiting');
    await clock.advance(7_000);
    expect(await stateOf(patient)).toBe('started');
    expect(await stateOf(limiter.reserve('submit', 5))).toHaveLength(1);
  });

  it('is held while the capacity has fallen below what runs, and behind those who wait', async () => {
    const clock = createVirtualClock();
    const limiter = openLimiter({ limit: [{ requests: 3, perMs: 100 }], clock });
    const [first, second, third] = await take(limiter, 3);
    if (first === undefined || second === undefined || third === undefined) throw new Error('none');
    await limiter.start(first);
    limiter.finish(first, { remaining: 0, resetMs: 10_000 });
    const patient = limiter.start(second);
    await clock.advance(9_999);
    expect(await stateOf(patient)).toBe('started');
    expect(await stateOf(limiter.start(third, { mayWait: false }))).toBe('must_wait');
  });
});

describe('room that came before the alarm rang', () => {
  it('goes to whoever waits, and only then to one that may not wait', async () => {
    let nowMs = 1_000_000;
    const clock = { now: () => nowMs, sleep: () => new Promise<void>(() => {}) };
    const limiter = openLimiter({ limit: [{ requests: 4, perMs: 100 }], clock });
    const [first, second, patient, other] = await take(limiter, 4);
    if (!first || !second || !patient || !other) throw new Error('no permits');
    await limiter.start(first);
    await limiter.start(second);
    // Another process uses two of the four for 50 ms, and one of them for longer.
    limiter.finish(first, { remaining: 0, resetMs: 50 });
    limiter.finish(second, { remaining: 1, resetMs: 10_000 });
    const waiting = limiter.start(patient);
    nowMs += 50;
    const stateOf = (start: Promise<unknown>) =>
      Promise.race([start, nextTurn().then(() => 'waiting')]);
    expect(await stateOf(limiter.start(other, { mayWait: false }))).toBe('must_wait');
    expect(await stateOf(waiting)).toBe('started');
  });
});

describe('what the platform tells', () => {
  it('pauses every request, also those that already have a permit', async () => {
    const clock = createVirtualClock();
    const limiter = openLimiter({ limit: TWENTY, clock });
    const [permit] = await take(limiter, 1);
    const startMs = clock.now();
    limiter.pause(7_000, 'submit', 'Retry-After: 1');
    limiter.pause(1_000, 'submit', 'Retry-After: 1');
    const startedMs = permit === undefined ? [] : limiter.start(permit).then(() => clock.now());
    const givenMs = limiter.reserve('poll', 1).then(() => clock.now());
    await clock.runAll();
    expect(await startedMs).toBe(startMs + 7_000);
    expect(await givenMs).toBe(startMs + 7_000);
  });

  it('lowers the capacity by what others use, until the reset', async () => {
    const clock = createVirtualClock();
    const limiter = openLimiter({ limit: TWENTY, clock });
    const [permit] = await take(limiter, 1);
    if (permit !== undefined) await limiter.start(permit);
    // By our own count 19 are left; the platform says 4: others use 15.
    if (permit !== undefined) limiter.finish(permit, { remaining: 4, resetMs: 10_000 });
    expect(await take(limiter, 20)).toHaveLength(4);
    const next = limiter.reserve('submit', 20);
    await clock.advance(9_999);
    const state = await Promise.race([next, nextTurn().then(() => 'waiting')]);
    // The first request's own slot came free after its window; the 15 did not.
    expect(state).toHaveLength(1);
    const rest = limiter.reserve('submit', 20);
    await clock.advance(1);
    expect(await rest).toHaveLength(15);
  });

  it('holds back permits that were given before others were known of', async () => {
    const clock = createVirtualClock();
    const limiter = openLimiter({ limit: TWENTY, clock });
    const [first, ...others] = await take(limiter, 20);
    if (first !== undefined) await limiter.start(first);
    if (first !== undefined) limiter.finish(first, { remaining: 4, resetMs: 10_000 });
    let started = 0;
    for (const permit of others) void limiter.start(permit).then(() => (started += 1));
    await nextTurn();
    expect(started).toBe(4);
    await clock.advance(10_000);
    expect(started).toBe(19);
  });

  it('believes no answer about others for longer than five minutes', async () => {
    const clock = createVirtualClock();
    const limiter = openLimiter({ limit: TWENTY, clock });
    const [permit] = await take(limiter, 1);
    if (permit !== undefined) await limiter.start(permit);
    if (permit !== undefined) limiter.finish(permit, { remaining: 0, resetMs: 3_600_000 });
    await clock.advance(299_999);
    const waiting = limiter.reserve('submit', 20);
    expect(await waiting).toHaveLength(1);
    const rest = limiter.reserve('submit', 20);
    await clock.advance(1);
    expect(await rest).toHaveLength(19);
  });

  it('does not take its own concurrent requests for others', async () => {
    const clock = createVirtualClock();
    const limiter = openLimiter({ limit: TWENTY, clock });
    const permits = await take(limiter, 20);
    const [first, ...others] = permits;
    if (first !== undefined) await limiter.start(first);
    for (const permit of others) await limiter.start(permit);
    // All twenty arrived before the first was answered.
    if (first !== undefined) limiter.finish(first, { limit: 20, remaining: 0, resetMs: 9_000 });
    for (const permit of others) limiter.finish(permit);
    await clock.advance(2_000);
    expect(await take(limiter, 20)).toHaveLength(20);
  });

  it('lowers the limit for a lower limit-header, and never raises it for a higher one', async () => {
    const clock = createVirtualClock();
    const limiter = openLimiter({ limit: TWENTY, clock });
    const reads = [
      { limit: 5, expected: 5 },
      { limit: 0, expected: 5 },
      { limit: 1_000, expected: 20 },
    ];
    for (const { limit, expected } of reads) {
      const [permit] = await take(limiter, 1);
      if (permit !== undefined) await limiter.start(permit);
      if (permit !== undefined) limiter.finish(permit, { limit, remaining: 1_000 });
      await clock.advance(2_000);
      const permits = await take(limiter, 50);
      expect(permits).toHaveLength(expected);
      for (const free of permits) free.release();
    }
  });
});

it('ends the requests that would wait for a long window, and lets them go once it opens', async () => {
  const clock = createVirtualClock();
  const isUsedUp = new Error('used up');
  let untilMs = 0;
  const limiter = openLimiter({
    limit: [
      { requests: 2, perMs: 1_000 },
      { requests: 3, perMs: 86_400_000 },
    ],
    clock,
    tooLong: (holding) => {
      ({ untilMs } = holding);
      return untilMs - clock.now() > 900_000 ? isUsedUp : undefined;
    },
  });
  const startMs = clock.now();
  for (let i = 0; i < 3; i += 1) {
    const waiting = limiter.reserve('submit', 1);
    if (i === 2) await clock.advance(1_000);
    const [permit] = await waiting;
    await request(limiter, permit);
  }
  await expect(limiter.reserve('submit', 1)).rejects.toBe(isUsedUp);
  await expect(limiter.reserve('poll', 1)).rejects.toBe(isUsedUp);
  expect(untilMs - startMs).toBeGreaterThanOrEqual(86_400_000);
  expect(untilMs - startMs).toBeLessThanOrEqual(86_400_000 + 900_000);
  await clock.advance(untilMs - clock.now());
  expect(await limiter.reserve('poll', 1)).toHaveLength(1);
});
