// The limit of an account over processes: random schedules of several processes, as they are (platform/limit/rights.ts),
// with questions that are lost, late or asked twice, processes that are frozen, killed, or come back late, and clocks
// that are set. The platform counts what arrives. SCHEDULES=10000 plays that many.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  askLimit,
  joinOwners,
  type LimitState,
  leaveOwners,
  seenFrom,
} from '../../../src/model/schedule/limit.js';
import { type LimitAsk, type LimitGrant } from '../../../src/model/schedule/limit-words.js';
import type { Rate } from '../../../src/model/schedule/rate.js';
import { createRights } from '../../../src/platform/limit/rights.js';
import { tries } from '../../helpers/long.js';

const T0 = 1_700_000_000_000;
/** A request arrives at most so long after its process was heard of for the last time and started it. */
const LEAVES_MS_MAX = 2_000;

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
    wall: () => T0 + ms + aheadMs,
    state: () => state,
    pass: (byMs: number) => {
      ms += byMs;
    },
    /** The clock on the wall is set; by which it goes where it has no other, it is only set back. */
    setClock: (byMs: number) => {
      aheadMs += kind === 'wall' ? -Math.abs(byMs) : byMs;
    },
    join: (id: string, rate: Rate) => keep(joinOwners(state, rate, speaker(id))),
    ask: (id: string, ask: LimitAsk, waitedMs = 0): LimitGrant | null => {
      const answer = askLimit(state, ask, speaker(id, waitedMs));
      keep(answer.state);
      return answer.grant;
    },
    leave: (id: string, word: Parameters<typeof leaveOwners>[1]) =>
      keep(leaveOwners(state, word, speaker(id))),
    die: (id: string) => void dead.add(id),
    seen: () => seenFrom(state, speaker('').now),
  };
}

type TestStore = ReturnType<typeof createStore>;
const FATES = ['answered', 'unheard', 'lost', 'twice', 'late'] as const;
type Fate = (typeof FATES)[number];

/** A process, by a clock that runs at `pace` of the true time. Its next question has the fate that the test sets. */
function createProcess(store: TestStore, id: string, rate: Rate, pace: number) {
  let fate: Fate = 'answered';
  let waitedMs = 0;
  const late: LimitAsk[] = [];
  const now = () => store.now() * pace;
  const clock = { now, sleep: () => new Promise<void>(() => {}) };
  const exchange = (ask: LimitAsk): LimitGrant | null => {
    const [mine, waited] = [fate, waitedMs];
    [fate, waitedMs] = ['answered', 0];
    if (mine === 'unheard') return null;
    if (mine === 'late') {
      late.push(ask);
      return null;
    }
    store.pass(waited);
    const grant = store.ask(id, ask, waited);
    const again = mine === 'twice' ? store.ask(id, ask) : null;
    // By then a process that waited for long may be forgotten.
    if (waited === 0) expect(again).toBeNull();
    for (const overdue of late.splice(0)) store.ask(id, overdue);
    store.pass(waited === 0 ? 3 : 0);
    return mine === 'lost' ? null : grant;
  };
  const shared = {
    exchange,
    leave: (word: Parameters<typeof leaveOwners>[1]) => Promise.resolve(store.leave(id, word)),
    wallMs: store.wall,
  };
  const rights = createRights({
    rate,
    inFlightMax: 12,
    shared,
    clock,
    onChange: () => undefined,
    onFailure: (error) => {
      throw error;
    },
  });
  store.join(id, rate);
  let running = 0;
  return {
    id,
    meet: (next: Fate, waits: number) => {
      fate = next;
      waitedMs = waits;
    },
    plan: (waiting: number) => rights.plan(waiting, waiting > 0 ? ['submit'] : []),
    /** Whether a request left. */
    start: (): boolean => {
      if (rights.grantable(now()) < 1) return false;
      rights.give(1);
      if (!rights.canStart(now())) {
        rights.give(-1);
        return false;
      }
      rights.begin('submit');
      running += 1;
      return true;
    },
    finish: () => {
      for (; running > 0; running -= 1) rights.end(now());
    },
    leave: () => void rights.leave(),
  };
}

const ACTIONS = [
  'pass',
  'pass',
  'start',
  'start',
  'start',
  'finish',
  'finish',
  'plan',
  'plan',
  'plan',
  'plan',
] as const;
const RARE = ['join', 'join', 'join', 'leave', 'die', 'vanish', 'clock', 'long'] as const;

const step = fc.record({
  action: fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...ACTIONS) },
    { weight: 1, arbitrary: fc.constantFrom(...RARE) },
  ),
  who: fc.nat(5),
  ms: fc.oneof(
    { weight: 10, arbitrary: fc.nat(200) },
    { weight: 3, arbitrary: fc.nat(2_000) },
    { weight: 1, arbitrary: fc.nat(15_000) },
  ),
  waiting: fc.nat(8),
  fate: fc.oneof(
    { weight: 3, arbitrary: fc.constant('answered' as const) },
    { weight: 1, arbitrary: fc.constantFrom(...FATES) },
  ),
  doesWait: fc.nat(3).map((n) => n === 0),
  arrival: fc.double({ min: 0, max: 1, noNaN: true }),
});

interface Play {
  readonly rate: Rate;
  readonly paces: readonly number[];
  readonly kind: 'steady' | 'wall';
  readonly steps: readonly (typeof step extends fc.Arbitrary<infer S> ? S : never)[];
}

/** Plays the steps; returns when each request arrived. */
function play({ kind, paces, rate, steps }: Play): number[] {
  const store = createStore(kind);
  const processes: ReturnType<typeof createProcess>[] = [];
  const arrivals: number[] = [];
  /** Requests under way by process: when they left. */
  const underWay = new Map<string, number[]>();
  let count = 0;
  const join = () => {
    count += 1;
    processes.push(createProcess(store, `p${count}`, rate, paces[count % paces.length] as number));
  };
  const arrive = (id: string, share: number) => {
    for (const at of underWay.get(id) ?? []) {
      arrivals.push(at + share * Math.min(LEAVES_MS_MAX, store.now() - at));
    }
    underWay.delete(id);
  };
  join();
  for (const { action, arrival, doesWait, fate, ms, waiting, who } of steps) {
    const i = who % Math.max(1, processes.length);
    const one = processes[i];
    if (action === 'pass') store.pass(ms);
    if (action === 'long') store.pass(ms * ((rate.at(-1)?.perMs ?? 0) > 3_600_000 ? 100 : 5));
    if (action === 'clock') store.setClock((ms - 7_000) * 1_000);
    if (processes.length === 0 || (action === 'join' && processes.length < 6)) join();
    if (one === undefined) continue;
    if (action === 'plan') {
      one.meet(fate, kind === 'steady' && doesWait ? ms : 0);
      one.plan(waiting);
    }
    if (action === 'start') {
      while (one.start()) underWay.set(one.id, [...(underWay.get(one.id) ?? []), store.now()]);
    }
    if (action === 'finish') {
      arrive(one.id, arrival);
      one.finish();
    }
    if (action === 'leave') {
      arrive(one.id, arrival);
      one.leave();
    }
    if (action === 'die') store.die(one.id);
    if (!['leave', 'die', 'vanish'].includes(action)) continue;
    // What a process that is known to be dead has sent has left it before.
    const until = action === 'vanish' ? LEAVES_MS_MAX : 0;
    for (const at of underWay.get(one.id) ?? []) arrivals.push(at + arrival * until);
    underWay.delete(one.id);
    processes.splice(i, 1);
  }
  for (const id of underWay.keys()) arrive(id, 1);
  return arrivals;
}

const window = (requests: number, perMs: readonly [number, number]) =>
  fc.record({
    requests: fc.integer({ min: 1, max: requests }),
    perMs: fc.integer({ min: perMs[0], max: perMs[1] }),
  });
const rates = fc
  .tuple(
    window(6, [100, 6_000]),
    fc.option(window(20, [6_001, 60_000])),
    fc.option(window(40, [3_600_001, 7_200_000])),
  )
  .map((all): Rate => all.flatMap((one) => one ?? []));
const schedules = fc.record({
  rate: rates,
  paces: fc.array(fc.double({ min: 0.85, max: 1, noNaN: true }), { minLength: 1, maxLength: 4 }),
  kind: fc.constantFrom('steady' as const, 'wall' as const),
  steps: fc.array(step, { minLength: 40, maxLength: 400, size: 'max' }),
});

it('gives one that comes back with rights no leave to start a request before it has asked again', () => {
  const store = createStore('steady');
  const rate: Rate = [{ requests: 2, perMs: 60_000 }];
  const ask = (seq: number, keeps: number, wants: number): LimitAsk => {
    return { seq, keeps, wants, rate, endedAgoMs: [], cleared: [], waits: ['submit'], aheadMs: 0 };
  };
  store.join('a', rate);
  expect(store.ask('a', ask(1, 0, 2))).toMatchObject({ startsInMs: [0, 0] });
  store.pass(11_000);
  store.join('b', rate);
  expect(store.ask('b', ask(1, 0, 1))).toMatchObject({ startsInMs: [] });
  // It was silent for longer than its lease: its two rights count as used.
  expect(store.ask('a', ask(2, 2, 0))?.validMs).toBe(0);
  expect(store.ask('a', ask(3, 0, 0))?.validMs).toBeGreaterThan(0);
});

function worstWindow(arrivals: readonly number[], perMs: number): number {
  const sorted = arrivals.toSorted((a, b) => a - b);
  let [first, worst] = [0, 0];
  for (const [i, at] of sorted.entries()) {
    while ((sorted[first] as number) <= at - perMs) first += 1;
    worst = Math.max(worst, i - first + 1);
  }
  return worst;
}

describe('the limit of an account', () => {
  it('holds in every window, whoever dies, whatever is lost, and however clocks are set', () => {
    let [sent, filled] = [0, 0];
    const property = fc.property(schedules, (one) => {
      const arrivals = play(one);
      sent += arrivals.length;
      const worst = one.rate.map(({ perMs }) => worstWindow(arrivals, perMs));
      for (const [i, { requests }] of one.rate.entries()) {
        expect(worst[i]).toBeLessThanOrEqual(requests);
        if (worst[i] === requests) filled += 1;
      }
    });
    const numRuns = Number(process.env['SCHEDULES'] ?? tries(400));
    fc.assert(property, { numRuns });
    expect(sent).toBeGreaterThan(3 * numRuns);
    expect(filled).toBeGreaterThan(0.3 * numRuns);
  });
});
