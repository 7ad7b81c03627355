// Several limiters on one account: a store in memory deals out the slots.
import { describe, expect, it } from 'vitest';
import {
  askLimit,
  joinOwners,
  type LimitState,
  leaveOwners,
} from '../../../src/model/schedule/limit.js';
import type { Rate } from '../../../src/model/schedule/rate.js';
import { openLimiter } from '../../../src/platform/limit/limiter.js';
import type { RateReading } from '../../../src/platform/limit/rate-headers.js';
import type { SharedLimit } from '../../../src/platform/limit/rights.js';
import type { Permit } from '../../../src/ports/platform.js';
import { createVirtualClock, type VirtualClock } from '../virtual-clock.js';

const LIMIT = [{ requests: 4, perMs: 1_000 }];
const WINDOW_MS = 1_000;

function createAccount(clock: VirtualClock) {
  let state: LimitState | null = null;
  let [isDown, wallAheadMs, asked] = [false, 0, 0];
  const silent = new Set<string>();
  const open = (id: string, limit: Rate = LIMIT) => {
    const speaker = () => ({
      id,
      origin: null,
      now: { at: clock.now(), steady: null },
      isDead: () => false,
    });
    state = joinOwners(state, limit, speaker());
    const shared: SharedLimit = {
      exchange: async (ask) => {
        asked += 1;
        await clock.sleep(5);
        if (isDown || silent.has(id)) return null;
        const answer = askLimit(state, ask, speaker());
        ({ state } = answer);
        await clock.sleep(5);
        return answer.grant;
      },
      leave: async (last) => {
        state = leaveOwners(state, last, speaker());
      },
      wallMs: () => clock.now() + wallAheadMs,
    };
    return openLimiter({ limit, clock, shared });
  };
  return {
    open,
    state: () => state,
    asked: () => asked,
    goDown: (is: boolean) => {
      isDown = is;
    },
    /** Nothing that it says is heard any more. */
    silence: (id: string) => void silent.add(id),
    /** The machine slept: the steady clock did not notice. */
    sleepMachine: (ms: number) => {
      wallAheadMs += ms;
    },
  };
}

type Limiter = ReturnType<typeof openLimiter>;

/** Sends as fast as it may, for ever; each request takes 20 ms. */
function sendOn(
  limiter: Limiter,
  clock: VirtualClock,
  note: (at: number) => void,
  reading: () => RateReading | undefined = () => undefined,
): void {
  void (async () => {
    for (;;) {
      const permits = await limiter.reserve('submit', 2);
      if (permits.length === 0) return;
      for (const permit of permits) {
        if ((await limiter.start(permit)) !== 'started') continue;
        note(clock.now());
        await clock.sleep(20);
        limiter.finish(permit, reading());
      }
    }
  })();
}

function worstWindow(at: readonly number[]): number {
  return Math.max(
    0,
    ...at.map((from) => at.filter((one) => one >= from && one < from + WINDOW_MS).length),
  );
}

describe('a shared limit', () => {
  it('is kept to by all together, used to the full, and gives each about the same', async () => {
    const clock = createVirtualClock();
    const account = createAccount(clock);
    const sent: number[][] = [[], [], [], [], [], []];
    for (const [i, own] of sent.entries()) {
      sendOn(account.open(`s${i}`), clock, (at) => own.push(at));
      await clock.advance(700);
    }
    await clock.advance(40_000);
    const all = sent.flat().sort((a, b) => a - b);
    expect(worstWindow(all)).toBe(4);
    // A slot costs a window and a round trip: 4 each 1,020 ms, and a little to change hands.
    expect(all.length).toBeGreaterThan(0.85 * 44 * 4);
    const counts = sent.map(({ length }) => length);
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(0.6 * Math.max(...counts));
    // Six senders and four slots: two turns of three.
    const [latest = 0] = sent.map((own) => own.at(-1) ?? 0).sort((a, b) => a - b);
    expect(latest).toBeGreaterThan(clock.now() - 6_000);
  });

  it('goes on for all where the platform names a lower one than each was told', async () => {
    const clock = createVirtualClock();
    const account = createAccount(clock);
    const sent: number[][] = [[], []];
    for (const [i, own] of sent.entries()) {
      sendOn(
        account.open(`s${i}`),
        clock,
        (at) => own.push(at),
        () => ({ limit: 2 }),
      );
    }
    await clock.advance(20_000);
    const all = sent.flat().filter((at) => at > clock.now() - 15_000);
    expect(worstWindow(all)).toBe(2);
    expect(all.length).toBeGreaterThan(0.8 * 15 * 2);
    for (const own of sent) expect(own.at(-1)).toBeGreaterThan(clock.now() - 3_000);
  });

  it.each([
    ['one sender', 1],
    ['two senders', 2],
  ])('that the platform lowers holds from its first word on: %s', async (_, count) => {
    const clock = createVirtualClock();
    const account = createAccount(clock);
    const limit = [{ requests: 10, perMs: 1_000 }];
    let stated = 10;
    const sent: number[] = [];
    for (let i = 0; i < count; i += 1) {
      const note = (at: number) => void sent.push(at);
      sendOn(account.open(`s${i}`, limit), clock, note, () => ({ limit: stated }));
    }
    await clock.advance(5_150);
    stated = 5;
    const before = sent.length;
    await clock.advance(10_000);
    const over = sent.filter(
      (at, i) => i >= before && sent.filter((one, j) => j < i && one > at - WINDOW_MS).length >= 5,
    );
    // Those that each was sending when it was said.
    expect(over.length).toBeLessThanOrEqual(2 * count);
    expect(sent.length - before).toBeGreaterThan(0.8 * 10 * 5);
  });

  it('is one sender’s alone with its first question, and it does not ask for each request', async () => {
    const clock = createVirtualClock();
    const account = createAccount(clock);
    const at: number[] = [];
    sendOn(account.open('a'), clock, (moment) => at.push(moment));
    await clock.advance(20_000);
    expect(at.length).toBeGreaterThanOrEqual(19 * 4);
    expect(account.asked()).toBeLessThan(30);
  });

  it('lets nothing go once nothing was heard for too long, by either clock, and goes on afterwards', async () => {
    const clock = createVirtualClock();
    const account = createAccount(clock);
    const at: number[] = [];
    sendOn(account.open('a'), clock, (moment) => at.push(moment));
    await clock.advance(3_000);
    account.goDown(true);
    await clock.advance(20_000);
    const [downAt, last] = [clock.now() - 20_000, at.at(-1) ?? 0];
    // What it has the right to is sent; what comes next needs a claim in the same store.
    expect(last - downAt).toBeGreaterThan(0);
    expect(last - downAt).toBeLessThanOrEqual(2_000);
    account.goDown(false);
    await clock.advance(3_000);
    expect(at.at(-1)).toBeGreaterThan(clock.now() - 1_100);
    const before = at.length;
    account.goDown(true);
    account.sleepMachine(9_000);
    await clock.advance(5_000);
    expect(at.length).toBe(before);
    expect(worstWindow(at)).toBe(4);
  });

  it('shares a pause that the platform asked of one', async () => {
    const clock = createVirtualClock();
    const account = createAccount(clock);
    const [one, two] = [account.open('a'), account.open('b')];
    const at: number[] = [];
    await clock.advance(500);
    one.pause(30_000, 'submit', 'Retry-After: 30');
    const from = clock.now();
    await clock.advance(1_200);
    sendOn(two, clock, (moment) => at.push(moment));
    await clock.advance(40_000);
    expect(at[0]).toBeGreaterThanOrEqual(from + 30_000);
    expect(at[0]).toBeLessThan(from + 31_000);
  });

  it('is tried by one request a minute of all processes together during a long pause', async () => {
    const clock = createVirtualClock();
    const account = createAccount(clock);
    const sent: number[] = [];
    let isRefusing = true;
    for (const by of ['a', 'b']) {
      const limiter = account.open(by);
      void (async () => {
        for (;;) {
          for (const permit of await limiter.reserve('submit', 4)) {
            if ((await limiter.start(permit)) !== 'started') continue;
            const at = clock.now();
            sent.push(at);
            await clock.sleep(20);
            if (isRefusing) limiter.pause(3_600_000, 'submit', 'Retry-After: 3600');
            else limiter.answered(permit);
            limiter.finish(permit);
          }
        }
      })();
    }
    await clock.advance(30_000);
    for (let minute = 0; minute < 4; minute += 1) {
      const before = sent.length;
      await clock.advance(61_000);
      expect(sent.length - before).toBeLessThanOrEqual(2);
      expect(sent.length).toBeGreaterThan(before);
    }
    isRefusing = false;
    const before = sent.length;
    await clock.advance(120_000);
    expect(sent.length - before).toBeGreaterThan(100);
  });

  it('fails whoever waits where the store fails for good, and whoever comes later', async () => {
    const clock = createVirtualClock();
    const shared: SharedLimit = {
      exchange: () => Promise.reject(new Error('a bug')),
      leave: () => Promise.resolve(),
      wallMs: () => clock.now(),
    };
    const limiter = openLimiter({ limit: LIMIT, clock, shared });
    const waiting = limiter.reserve('submit', 1);
    await expect(waiting).rejects.toThrow('a bug');
    await expect(limiter.reserve('poll', 1)).rejects.toThrow('a bug');
  });

  it('holds nothing and asks nothing while nothing is to be sent', async () => {
    const clock = createVirtualClock();
    const account = createAccount(clock);
    const limiter = account.open('a');
    const reserved = limiter.reserve('submit', 1);
    await clock.advance(100);
    for (const permit of await reserved) {
      await limiter.start(permit);
      limiter.finish(permit);
    }
    await clock.advance(5_000);
    const asked = account.asked();
    await clock.advance(3_600_000);
    expect(account.asked()).toBe(asked);
    const again = limiter.reserve('submit', 4);
    await clock.advance(100);
    expect(await again).toHaveLength(4);
  });

  it.each<[string, Rate]>([
    ['with a limit', LIMIT],
    ['without one', []],
  ])(
    '%s, goes on after a long rest, also with a permit that was given before',
    async (_, limit) => {
      const clock = createVirtualClock();
      const limiter = createAccount(clock).open('a', limit);
      const first = limiter.reserve('submit', 1);
      await clock.advance(100);
      const [kept] = await first;
      await clock.advance(60_000);
      const started = limiter.start(kept as Permit);
      const second = limiter.reserve('submit', 1);
      await clock.advance(3_000);
      expect(await started).toBe('started');
      expect(await second).toHaveLength(1);
    },
  );

  it('leaves what its requests still hold, and nothing else', async () => {
    const clock = createVirtualClock();
    const account = createAccount(clock);
    const limiter = account.open('a');
    const reserved = limiter.reserve('submit', 1);
    await clock.advance(100);
    const [permit] = await reserved;
    if (permit === undefined) throw new Error('no permit');
    await limiter.start(permit);
    limiter.finish(permit);
    await clock.advance(300);
    limiter.close();
    const left = Promise.all([limiter.leave(), limiter.leave()]);
    await clock.advance(50);
    await left;
    expect(account.state()).toMatchObject({ owners: [] });
    const { ended = [], ms: nowMs = 0 } = account.state() ?? {};
    expect(ended).toHaveLength(1);
    const leftMs = (ended[0]?.[0] ?? 0) + WINDOW_MS - nowMs;
    expect(leftMs).toBeGreaterThan(600);
    expect(leftMs).toBeLessThanOrEqual(700);
  });
});
