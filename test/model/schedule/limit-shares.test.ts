// One limit for many senders. The world outside is played here: senders with clocks of their own, answers that are lost,
// questions that come twice or late, deaths; and the platform counts what arrives.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  dealSlots,
  joinSenders,
  leaveSenders,
  type SlotGrant,
  type SlotRequest,
  usedBySenders,
} from '../../../src/model/schedule/limit-shares.js';
import type { LimitState } from '../../../src/model/schedule/limit-state.js';
import type { RateLimit } from '../../../src/model/schedule/rate.js';
import { tries } from '../../helpers/long.js';

const T0 = 1_700_000_000_000;

/** A store of one account: its time passes by what the test says. */
function createStore(kind: 'steady' | 'wall') {
  let [ms, aheadMs] = [0, 0];
  let state: LimitState | null = null;
  const dead = new Set<string>();
  const speaker = (id: string, waitedMs = 0) => ({
    id,
    origin: { pid: 1, host: id, realm: null },
    now: {
      at: T0 + ms + aheadMs - waitedMs,
      steady: kind === 'steady' ? { boot: 'a', ms: 50_000.5 + ms - waitedMs } : null,
    },
    isDead: (origin: { host: string } | null) => dead.has(origin?.host ?? ''),
  });
  const keep = (next: LimitState | null): void => {
    state = next === null ? null : (JSON.parse(JSON.stringify(next)) as LimitState);
  };
  return {
    now: () => ms,
    state: () => state,
    pass: (byMs: number) => {
      ms += byMs;
    },
    /** The clock on the wall is set; by which it goes where it has no other, it is only set back. */
    setClock: (byMs: number) => {
      aheadMs += kind === 'wall' ? -Math.abs(byMs) : byMs;
    },
    join: (id: string, limit: RateLimit) => keep(joinSenders(state, limit, speaker(id))),
    ask: (id: string, request: SlotRequest, waitedMs = 0): SlotGrant | null => {
      const dealt = dealSlots(state, request, speaker(id, waitedMs));
      keep(dealt.state);
      return dealt.grant;
    },
    leave: (id: string, seen: number, returnedMs: readonly number[]) =>
      keep(leaveSenders(state, { seen, returnedMs, pauseMs: 0 }, speaker(id))),
    die: (id: string) => void dead.add(id),
    held: () => usedBySenders(state, { requests: 1, perMs: 1 }, speaker('').now),
  };
}

type TestStore = ReturnType<typeof createStore>;

/** What a sender does with its slots, by a clock that runs at `rate` of the true time. */
function createTestSender(store: TestStore, id: string, limit: RateLimit, rate: number) {
  let [seq, seen, held, running, owes, validUntil] = [0, 0, 0, 0, 0, -1];
  /** Of the running ones: without a slot that is held, because the lease was over meanwhile. */
  let stray = 0;
  let trailing: number[] = [];
  /** Given by the store before they were free: not used here yet, and so not owed. */
  let unripe: number[] = [];
  let onTheWay: number[] = [];
  let isShared = false;
  let windowMs = limit.perMs;
  const now = () => store.now() * rate;
  const left = (until: readonly number[]) => until.map((at) => at - now()).filter((ms) => ms > 0);
  const busy = () => running - stray + [...trailing, ...unripe].filter((at) => at > now()).length;
  store.join(id, limit);

  return {
    id,
    held: () => held,
    running: () => running,
    busy,
    /** Whether a request left. */
    start: (): boolean => {
      if (now() >= validUntil || busy() >= held) return false;
      running += 1;
      return true;
    },
    finish: () => {
      if (running === 0) return;
      running -= 1;
      (stray > 0 ? onTheWay : trailing).push(now() + windowMs);
      stray = Math.max(0, stray - 1);
    },
    compose: (waiting: number): SlotRequest => {
      trailing = trailing.filter((at) => at > now());
      unripe = unripe.filter((at) => at > now());
      const isOver = now() >= validUntil;
      const back = trailing.splice(0, isOver ? trailing.length : owes);
      if (isOver) back.push(...unripe.splice(0));
      held -= back.length;
      if (isOver) [held, stray] = [0, running];
      else if (isShared) held = Math.max(busy(), held - Math.max(0, held - busy() - waiting));
      onTheWay = [...onTheWay, ...back].filter((at) => at > now());
      seq += 1;
      const wants = busy() + stray + waiting;
      return {
        seq,
        seen,
        limit,
        keeps: held + stray,
        returnedMs: left(onTheWay),
        wants,
        pauseMs: 0,
      };
    },
    take: (grant: SlotGrant, request: SlotRequest, askedAt: number) => {
      seen = request.seq;
      held += grant.slots;
      unripe.push(...grant.takenMs.map((ms) => now() + ms));
      onTheWay = [];
      ({ owes, isShared } = grant);
      if (grant.limit !== 'off') windowMs = Math.max(limit.perMs, grant.limit.perMs);
      validUntil = askedAt + grant.validMs;
    },
    now,
    leave: () => {
      const rest = Array.from({ length: running }, () => windowMs);
      store.leave(id, seen, [...left([...trailing, ...unripe, ...onTheWay]), ...rest]);
    },
  };
}

type TestSender = ReturnType<typeof createTestSender>;

function ask(store: TestStore, sender: TestSender, waiting: number): SlotGrant {
  const request = sender.compose(waiting);
  const askedAt = sender.now();
  const grant = store.ask(sender.id, request);
  if (grant === null) throw new Error('it was not answered');
  sender.take(grant, request, askedAt);
  return grant;
}

const ACTIONS = [
  'pass',
  'pass',
  'start',
  'start',
  'start',
  'finish',
  'finish',
  'ask',
  'ask',
  'ask',
] as const;
const RARE = ['join', 'leave', 'die', 'stop', 'clock'] as const;

const step = fc.record({
  action: fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...ACTIONS) },
    { weight: 1, arbitrary: fc.constantFrom(...RARE) },
  ),
  who: fc.nat(5),
  ms: fc.oneof(fc.nat(300), fc.nat(300), fc.nat(3_000), fc.nat(15_000)),
  waiting: fc.nat(8),
  fate: fc.constantFrom(
    'answered',
    'answered',
    'answered',
    'unheard',
    'lost',
    'twice',
    'late',
    'waited',
  ),
});

interface Play {
  readonly limits: readonly RateLimit[];
  readonly rates: readonly number[];
  readonly kind: 'steady' | 'wall';
  readonly steps: readonly (typeof step extends fc.Arbitrary<infer S> ? S : never)[];
}

/** Plays the steps; returns when each request arrived. `check` sees each grant. */
function play(
  { kind, limits, rates, steps }: Play,
  check: (store: TestStore, grant: SlotGrant) => void = () => undefined,
): number[] {
  const store = createStore(kind);
  const senders: TestSender[] = [];
  const arrivals: number[] = [];
  const late: { readonly id: string; readonly request: SlotRequest }[] = [];
  const join = (nth: number) =>
    createTestSender(
      store,
      `s${nth}`,
      limits[nth % limits.length] as RateLimit,
      rates[nth % rates.length] as number,
    );
  let count = 0;
  senders.push(join((count += 1)));
  for (const { action, fate, ms, waiting, who } of steps) {
    const i = who % Math.max(1, senders.length);
    const sender = senders[i];
    if (action === 'pass') store.pass(ms);
    if (action === 'clock') store.setClock((ms - 7_000) * 1_000);
    if (action === 'join' && senders.length < 6) senders.push(join((count += 1)));
    if (sender === undefined) continue;
    if (action === 'start') while (sender.start()) arrivals.push(store.now());
    if (action === 'finish') while (sender.running() > 0) sender.finish();
    if (action === 'leave') sender.leave();
    if (action === 'die') store.die(sender.id);
    if (['leave', 'die', 'stop'].includes(action)) senders.splice(i, 1);
    if (action !== 'ask') continue;
    const request = sender.compose(waiting);
    const askedAt = sender.now();
    store.pass(who);
    if (fate === 'unheard') continue;
    if (fate === 'late') {
      late.push({ id: sender.id, request });
      continue;
    }
    // It waits for another one to be served, and says the time at which it began to wait.
    const waitedMs = kind === 'steady' && fate === 'waited' ? ms : 0;
    store.pass(waitedMs);
    const other = senders[(i + 1) % senders.length];
    if (waitedMs > 0 && other !== undefined && other !== sender) ask(store, other, waiting);
    const grant = store.ask(sender.id, request, waitedMs);
    if (grant !== null) check(store, grant);
    if (fate === 'twice') expect(store.ask(sender.id, request)).toBeNull();
    const overdue = late.shift();
    if (overdue !== undefined) store.ask(overdue.id, overdue.request);
    store.pass(who);
    if (grant !== null && fate !== 'lost') sender.take(grant, request, askedAt);
  }
  return arrivals;
}

const rates = fc.array(fc.double({ min: 0.85, max: 1, noNaN: true }), {
  minLength: 1,
  maxLength: 4,
});
const kind = fc.constantFrom('steady' as const, 'wall' as const);
const steps = fc.array(step, { minLength: 40, maxLength: 400, size: 'max' });

function worstWindow(arrivals: readonly number[], perMs: number): number {
  return Math.max(
    0,
    ...arrivals.map((at) => arrivals.filter((other) => other > at - perMs && other <= at).length),
  );
}

describe('the limit of an account', () => {
  it('holds in every window, whoever dies, whatever is lost, and however clocks are set', () => {
    const limits = fc
      .record({
        requests: fc.integer({ min: 1, max: 6 }),
        perMs: fc.integer({ min: 200, max: 12_000 }),
      })
      .map((limit) => [limit]);
    fc.assert(
      fc.property(fc.record({ limits, rates, kind, steps }), (one) => {
        const { perMs, requests } = one.limits[0] as RateLimit;
        expect(worstWindow(play(one), perMs)).toBeLessThanOrEqual(requests);
      }),
      { numRuns: tries(400) },
    );
  });

  it('is the smallest number of all its senders: nothing is given above it', () => {
    const limit = fc.record({
      requests: fc.integer({ min: 1, max: 6 }),
      perMs: fc.constantFrom(500, 2_000),
    });
    const limits = fc.array(limit, { minLength: 2, maxLength: 4 });
    fc.assert(
      fc.property(fc.record({ limits, rates, kind, steps }), (one) => {
        play(one, (store, { limit: told, slots }) => {
          const { senders = [], takenMs = [] } = store.state() ?? {};
          if (slots === 0 || told === 'off') return;
          const held = senders.reduce((sum, sender) => sum + sender.slots, 0);
          expect(held).toBeLessThanOrEqual(told.requests);
          expect(told.requests).toBe(
            Math.min(...senders.map((sender) => (sender.limit as RateLimit).requests)),
          );
          expect(takenMs).toEqual(takenMs.toSorted((a, b) => a - b));
        });
      }),
      { numRuns: tries(200) },
    );
  });
});

describe('the shares', () => {
  const LIMIT = { requests: 20, perMs: 2_000 };

  it('of any wishes come out as even as they can', () => {
    const wishes = fc.array(fc.nat(30), { minLength: 1, maxLength: 7 });
    fc.assert(
      fc.property(wishes, fc.integer({ min: 1, max: 40 }), (wants, requests) => {
        const store = createStore('steady');
        const limit = { requests, perMs: 1_000 };
        const senders = wants.map((_, i) => createTestSender(store, `s${i}`, limit, 1));
        for (let round = 0; round < 6; round++) {
          for (const [i, sender] of senders.entries()) {
            // It uses what it has, so that it can give it back.
            while (sender.busy() < Math.min(sender.held(), wants[i] as number) && sender.start());
            while (sender.running() > 0) sender.finish();
            ask(store, sender, Math.max(0, (wants[i] as number) - sender.busy()));
          }
        }
        if (wants.length === 1) return;
        const held = senders.map((sender) => sender.held());
        const lacking = held.filter((count, i) => count < (wants[i] as number));
        const total = held.reduce((sum, count) => sum + count, 0);
        const wanted = wants.reduce((sum, count) => sum + count, 0);
        expect(total).toBeLessThanOrEqual(requests);
        if (requests < wants.length) return;
        expect(total).toBeGreaterThanOrEqual(Math.min(requests, wanted));
        // No sender has more than one above a sender that lacks some.
        const most = Math.max(...held.map((count, i) => Math.min(count, wants[i] as number)));
        expect(most).toBeLessThanOrEqual(Math.min(Number.POSITIVE_INFINITY, ...lacking) + 1);
      }),
      { numRuns: tries(200) },
    );
  });

  it('the indivisible rest goes round', () => {
    const store = createStore('steady');
    const limit = { requests: 1, perMs: 1_000 };
    const senders = ['a', 'b', 'c'].map((id) => createTestSender(store, id, limit, 1));
    const had = new Set<string>();
    for (let i = 0; i < 100; i += 1) {
      for (const sender of senders) {
        ask(store, sender, 2);
        if (sender.start()) had.add(sender.id);
        sender.finish();
      }
      store.pass(300);
    }
    expect(had.size).toBe(3);
  });

  it('of one that is not heard of come free a window after its lease, or a window after it is known to be dead', () => {
    for (const isKnown of [false, true]) {
      const store = createStore('wall');
      ask(store, createTestSender(store, 'a', LIMIT, 1), 30);
      store.pass(1_000);
      const next = createTestSender(store, 'b', LIMIT, 1);
      if (isKnown) store.die('a');
      const first = ask(store, next, 30);
      expect([first.slots, first.takenMs[0]]).toEqual(isKnown ? [20, 2_000] : [0, undefined]);
      store.pass(9_000);
      const { slots, takenMs } = ask(store, next, 30);
      expect([slots, takenMs[0]]).toEqual([20, isKnown ? undefined : 2_000]);
    }
  });

  it('of one whose question waited until its lease was over are never used by two', () => {
    const store = createStore('steady');
    const limit = { requests: 1, perMs: 200 };
    const [late, other] = ['a', 'b'].map((id) => createTestSender(store, id, limit, 1)) as [
      TestSender,
      TestSender,
    ];
    ask(store, late, 1);
    store.pass(2_000);
    const request = late.compose(1);
    const askedAt = late.now();
    store.pass(8_100);
    ask(store, other, 1);
    expect(other.held()).toBe(1);
    const grant = store.ask('a', request, 8_100);
    expect(grant).toMatchObject({ validMs: 0 });
    late.take(grant as SlotGrant, request, askedAt);
    store.pass(300);
    expect([late.start(), other.start()]).toEqual([false, true]);
    // It has given its slot back by its next question.
    expect(late.compose(1)).toMatchObject({ keeps: 0 });
  });

  it('and a pause are known to the next one, as long as they last', () => {
    const store = createStore('wall');
    const one = createTestSender(store, 'a', LIMIT, 1);
    ask(store, one, 3);
    store.ask('a', { ...one.compose(3), pauseMs: 5_000 });
    store.leave('a', 1, [900, 1_500]);
    store.pass(500);
    expect(store.held()).toEqual({
      use: { slotsMs: [400, 1_000], pauseMs: 4_500 },
      isSending: false,
    });
    const two = createTestSender(store, 'b', LIMIT, 1);
    expect(ask(store, two, 3)).toMatchObject({ slots: 20, takenMs: [400, 1_000], pauseMs: 4_500 });
    store.pass(5_000);
    store.leave('b', 1, []);
    expect(store.state()).toBeNull();
  });
});
