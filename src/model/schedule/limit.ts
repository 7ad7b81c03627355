// One rate limit for all processes that send for an account: what each has under way, and what ended within a window.
// A process takes the right to start requests by the handful, and tells what became of those before. This file makes the
// whole decision; a store keeps the state, and changes it in one step for each question.
//
// An owner holds its rights by a lease. It starts no request once that is over, counted from before it asked; a while
// after that they count as used to the very end, and go to others a window later.
import type { Moment } from '../../ports/clock.js';
import { measure, wholeMs } from './account-clock.js';
import { QUARTER_MS } from './caps.js';
import type { AskedPause, LimitAsk, LimitGrant, LimitWord, Origin } from './limit-words.js';
import type { Rate, RateLimit, RequestKind } from './rate.js';

/** The time after its last word at which an owner loses its rights. */
const LEASE_MS = 10_000;
/** Before the end of its lease an owner starts nothing: clocks do not run alike, and requests leave late. */
const LEASE_MARGIN_MS = 2_000;
/** The time after its last word for which an owner's wish counts. */
const WANTS_MS_MAX = 2_000;
/** A longer pause is tried by one request after each such time, for all processes together. */
export const TRY_EVERY_MS = 60_000;
const REQUEST_KINDS: readonly RequestKind[] = ['submit', 'poll'];
/** No more rights than this are taken at once. */
const HANDFUL_MAX = 1_000;
/** A window that is longer counts by the quarter of an hour. */
const EXACT_MS_MAX = 3_600_000;
/** An end counts as later by up to this part of a window, so that few numbers say it. */
const EXACTNESS = 1_000;

interface Owner {
  readonly id: string;
  readonly origin: Origin | null;
  readonly rate: Rate;
  /** The number of its last question. One that comes twice, or late, changes nothing. */
  readonly seq: number;
  readonly heardMs: number;
  /** Its requests under way, and its rights to start one. */
  readonly taken: number;
  readonly wants: number;
  /** When it last got a right: who waits longest comes first. */
  readonly gotMs: number;
}

/** When, by the account's clock, and how many requests ended. */
type Ended = readonly [ms: number, count: number];

interface Pause {
  readonly untilMs: number;
  /** The kinds of request that it holds back. */
  readonly kinds: readonly RequestKind[];
  /** When one request asks again; null for a short pause, which ends by itself. */
  readonly tryMs: number | null;
  /** The word of the platform, as `Retry-After: 60`. */
  readonly by: string;
}

/** The state of an account in a store, as JSON. */
export interface LimitState {
  readonly asOf: Moment;
  /** The account's clock at that moment, in whole ms. It never goes back, whatever clocks are set. */
  readonly ms: number;
  readonly ended: readonly Ended[];
  /** The same by the quarter of an hour, for the windows that are longer than one. */
  readonly quarters: readonly Ended[];
  /** How long each of the two lists is kept: the longest window that counts by it. */
  readonly keptMs: readonly [number, number];
  readonly owners: readonly Owner[];
  readonly pause: Pause | null;
}

export interface Speaker {
  readonly id: string;
  readonly origin: Origin | null;
  readonly now: Moment;
  /** Whether an owner of this origin cannot exist any more. */
  readonly isDead: (origin: Origin | null) => boolean;
}

export function joinOwners(state: LimitState | null, rate: Rate, speaker: Speaker): LimitState {
  const before = upToDate(state, speaker);
  return withOwner(before, { ...newOwner(speaker, rate, before.ms) });
}

/**
 * Answers an owner's question; the grant is null if the question came twice or was overtaken by a later one. An owner
 * that is not known (any more) begins anew, and keeps no rights: others may have them by now.
 */
export function askLimit(
  state: LimitState | null,
  ask: LimitAsk,
  speaker: Speaker,
): { readonly state: LimitState; readonly grant: LimitGrant | null } {
  const before = upToDate(state, speaker);
  const known = before.owners.find(({ id }) => id === speaker.id);
  if (known !== undefined && ask.seq <= known.seq) return { state: before, grant: null };
  const { keeps: taken, rate, seq, wants } = ask;
  const gotMs = known?.gotMs ?? 0;
  const mine: Owner = { ...newOwner(speaker, rate, before.ms), seq, taken, wants, gotMs };
  return grantTo(withOwner(hear(before, ask, rate), mine), mine, ask, known !== undefined);
}

/** Removes an owner. Null if nothing is left to remember. */
export function leaveOwners(
  state: LimitState | null,
  { keeps, ...word }: LimitWord,
  speaker: Speaker,
): LimitState | null {
  const before = upToDate(state, speaker);
  const known = before.owners.find(({ id }) => id === speaker.id);
  const endedAgoMs = [...word.endedAgoMs, ...Array<number>(keeps).fill(0)];
  const heard = hear(before, { ...word, keeps, endedAgoMs }, known?.rate ?? []);
  const owners = heard.owners.filter(({ id }) => id !== speaker.id);
  const isEmpty =
    owners.length + heard.ended.length + heard.quarters.length === 0 && heard.pause === null;
  return isEmpty ? null : { ...heard, owners };
}

/** The state for another clock, of which only the time on the wall is known. */
export function movedTo(state: LimitState, aheadMs: number): LimitState {
  return { ...state, asOf: { at: state.asOf.at + aheadMs, steady: null } };
}

/** The state without owners, and whether there is one. */
export function seenFrom(
  state: LimitState | null,
  now: Moment,
): { readonly state: LimitState; readonly isSending: boolean } {
  const current = upToDate(state, { id: '', now, isDead: () => false });
  const left = current.owners.reduce((all, one) => note(all, one.taken, current.ms), current);
  return { state: { ...left, owners: [] }, isSending: current.owners.length > 0 };
}

/** How long until this many requests may have started, by the windows alone; Infinity if a response has to come first. */
export function opensInMs(state: LimitState, rate: Rate, count = 1): number {
  const opens = (nth: number) =>
    Math.max(0, ...rate.map((window) => opensAt(state, window, nth) - state.ms));
  return opens(count - 1);
}

/** How long silent owners are still waited for; 0 if there is none. */
export function ownersLeftMs(state: LimitState | null, now: Moment): number {
  const { ms, owners } = upToDate(state, { id: '', now, isDead: () => false });
  return Math.max(0, ...owners.map(({ heardMs }) => heardMs + LEASE_MS - ms));
}

/** A state in which every window is full of requests that have just ended. */
export function fullState(rate: Rate, now: Moment): LimitState {
  const most = Math.max(0, ...rate.map(({ requests }) => requests));
  const empty = upToDate(null, { id: '', now, isDead: () => false });
  return note({ ...empty, keptMs: spans(rate, [0, 0]) }, most, 0);
}

function newOwner({ id, origin }: Speaker, rate: Rate, heardMs: number): Owner {
  return { id, origin, rate, seq: 0, heardMs, taken: 0, wants: 0, gotMs: 0 };
}

function withOwner(state: LimitState, owner: Owner): LimitState {
  const others = state.owners.filter(({ id }) => id !== owner.id);
  return { ...state, keptMs: spans(owner.rate, state.keptMs), owners: [...others, owner] };
}

function spans(rate: Rate, kept: LimitState['keptMs']): LimitState['keptMs'] {
  const longest = (isLong: boolean, ms: number) =>
    Math.max(ms, ...rate.filter((one) => isLongWindow(one) === isLong).map(({ perMs }) => perMs));
  return [longest(false, kept[0]), longest(true, kept[1])];
}

export function isLongWindow({ perMs }: RateLimit): boolean {
  return perMs > EXACT_MS_MAX;
}

/** The state at this moment, without the owners and the ends that are gone. */
function upToDate(
  state: LimitState | null,
  { id, isDead, now }: Pick<Speaker, 'id' | 'isDead' | 'now'>,
): LimitState {
  if (state === null) {
    const nothing = { ms: 0, ended: [], quarters: [], keptMs: [0, 0], owners: [] } as const;
    return { asOf: wholeMs(now), ...nothing, pause: null };
  }
  const { asOf, passedMs } = measure(state.asOf, now);
  const ms = state.ms + passedMs;
  let current: LimitState = { ...state, asOf, ms };
  for (const owner of state.owners) {
    const silentAt = owner.heardMs + LEASE_MS;
    if (silentAt > ms && (owner.id === id || !isDead(owner.origin))) continue;
    current = {
      ...note(current, owner.taken, Math.min(silentAt, ms)),
      owners: current.owners.filter((one) => one !== owner),
    };
  }
  const { pause } = current;
  const keptMs = current.owners.reduce((kept, { rate }) => spans(rate, kept), [
    current.ended.length === 0 ? 0 : current.keptMs[0],
    current.quarters.length === 0 ? 0 : current.keptMs[1],
  ] as LimitState['keptMs']);
  const within = (list: readonly Ended[], span: number) => list.filter(([at]) => at + span > ms);
  const [ended, quarters] = [within(current.ended, keptMs[0]), within(current.quarters, keptMs[1])];
  const isOver = pause !== null && pause.tryMs === null && pause.untilMs <= ms;
  return { ...current, ended, quarters, keptMs, pause: isOver ? null : pause };
}

/** Counts requests that ended at this time in every window that is kept. */
function note(state: LimitState, count: number, atMs: number): LimitState {
  if (count === 0) return state;
  const [exactMs, longMs] = state.keptMs;
  const shortest = Math.min(
    exactMs,
    ...state.owners.flatMap(({ rate }) => rate.map(({ perMs }) => perMs)),
  );
  const { ended, quarters } = state;
  return {
    ...state,
    ended: exactMs === 0 ? ended : insert(ended, count, atMs, Math.max(1, shortest / EXACTNESS)),
    quarters: longMs === 0 ? quarters : insert(quarters, count, atMs, QUARTER_MS),
  };
}

function insert(list: readonly Ended[], count: number, atMs: number, stepMs: number): Ended[] {
  const at = Math.ceil(Math.ceil(atMs / stepMs) * stepMs);
  const i = list.findIndex(([other]) => other >= at);
  const same = list[i];
  if (same?.[0] === at) return list.toSpliced(i, 1, [at, same[1] + count]);
  return list.toSpliced(i === -1 ? list.length : i, 0, [at, count]);
}

/** Notes what an owner tells. */
function hear(state: LimitState, word: LimitWord, rate: Rate): LimitState {
  let heard = { ...state, keptMs: spans(rate, state.keptMs) };
  for (const agoMs of word.endedAgoMs) heard = note(heard, 1, heard.ms - Math.max(0, agoMs));
  const left = heard.pause?.kinds.filter((kind) => !word.cleared.includes(kind)) ?? [];
  const pause = heard.pause !== null && left.length > 0 ? { ...heard.pause, kinds: left } : null;
  return {
    ...heard,
    pause: word.pause === undefined ? pause : longer(pause, word.pause, heard.ms),
  };
}

/** A long pause holds back each kind until one of its requests was answered; the newest word says for how long. */
function longer(known: Pause | null, { by, kind, ms }: AskedPause, nowMs: number): Pause {
  const untilMs = nowMs + Math.ceil(ms);
  const wasLong = known !== null && known.tryMs !== null;
  if (known !== null && !wasLong && ms <= TRY_EVERY_MS && known.untilMs >= untilMs) return known;
  const kinds = REQUEST_KINDS.filter(
    (one) => !wasLong || one === kind || known.kinds.includes(one),
  );
  const isLong = wasLong || ms > TRY_EVERY_MS;
  return { by, kinds, untilMs, tryMs: isLong ? Math.min(nowMs + TRY_EVERY_MS, untilMs) : null };
}

/**
 * When the nth further request may start (0 for the next) by one window, in the account's time; Infinity while it waits
 * for one that is under way.
 */
function opensAt(state: LimitState, window: RateLimit, nth: number): number {
  const list = endedIn(state, window);
  let over = countOf(list) + takenBy(state) + nth + 1 - window.requests;
  if (over <= 0) return state.ms;
  for (const [at, count] of list) {
    over -= count;
    if (over <= 0) return at + window.perMs;
  }
  return Number.POSITIVE_INFINITY;
}

function endedIn(state: LimitState, window: RateLimit): Ended[] {
  const list = isLongWindow(window) ? state.quarters : state.ended;
  return list.filter(([at]) => at + window.perMs > state.ms);
}

function countOf(list: readonly Ended[]): number {
  return list.reduce((sum, [, count]) => sum + count, 0);
}

function takenBy({ owners }: LimitState): number {
  return owners.reduce((sum, { taken }) => sum + taken, 0);
}

/** The windows of all owners; of those of one length, the one with the fewest requests. */
function rateOf(owners: readonly Owner[]): Rate {
  const all = owners.flatMap(({ rate }) => rate);
  const least = (perMs: number) =>
    Math.min(...all.filter((one) => one.perMs === perMs).map(({ requests }) => requests));
  const lengths = [...new Set(all.map(({ perMs }) => perMs))].sort((a, b) => a - b);
  return lengths.map((perMs) => ({ requests: least(perMs), perMs }));
}

/** Gives the owner rights: all that open soon if it alone wants some, else its share of them. */
function grantTo(
  state: LimitState,
  mine: Owner,
  ask: LimitAsk,
  isKnown: boolean,
): { state: LimitState; grant: LimitGrant } {
  const { ms, owners, pause } = state;
  const rate = mine.rate.length === 0 ? [] : rateOf(owners);
  const others = owners.filter(({ id, rate: own }) => id !== mine.id && own.length > 0);
  const wanting = others.filter((one) => one.wants > 0 && one.heardMs + WANTS_MS_MAX > ms);
  const sharers = 1 + wanting.length;
  const opens = (nth: number) =>
    rate
      .map((window) => ({ window, ms: opensAt(state, window, nth) }))
      .reduce((a, b) => (b.ms > a.ms ? b : a));
  const starts: number[] = [];
  const isAsking = rate.length > 0 && ask.wants > 0;
  let next = isAsking ? opens(0) : null;
  while (next !== null && next.ms <= ms + ask.aheadMs && starts.length < HANDFUL_MAX) {
    starts.push(next.ms);
    next = opens(starts.length);
  }
  const count = others.length === 0 ? starts.length : shareOf(mine, wanting, starts.length);
  const given = starts.slice(0, count);
  const isTrial = pause !== null && pause.tryMs !== null && pause.tryMs <= ms;
  const kinds = isTrial ? pause.kinds.filter((kind) => ask.waits.includes(kind)) : [];
  // A poll goes first: what it asks for is paid.
  const trial = kinds.includes('poll') ? 'poll' : (kinds[0] ?? null);
  const tried = trial === null ? pause : { ...(pause as Pause), tryMs: ms + TRY_EVERY_MS };
  const gotMs = count > 0 ? ms : mine.gotMs;
  const owner = {
    ...mine,
    taken: mine.taken + count,
    wants: Math.max(0, mine.wants - count),
    gotMs,
  };
  const after = { ...withOwner(state, owner), pause: tried };
  const first = rate[0];
  return {
    state: after,
    grant: {
      startsInMs: given.map((at) => Math.max(0, at - ms)),
      next:
        next === null || next.ms === Number.POSITIVE_INFINITY
          ? null
          : { ms: next.ms - ms, window: next.window },
      validMs: isKnown || mine.taken === 0 ? LEASE_MS - LEASE_MARGIN_MS : 0,
      sharers,
      isShared: others.length > 0,
      rate,
      counted:
        first === undefined || isLongWindow(first)
          ? 0
          : countOf(endedIn(state, first)) + takenBy(after),
      pause: tried && {
        ms: Math.max(0, tried.untilMs - ms),
        kinds: tried.kinds,
        tryInMs: tried.tryMs === null ? null : tried.tryMs - ms,
        by: tried.by,
      },
      trial,
    },
  };
}

/** The smallest share is as great as possible; of the indivisible rest, who has waited longest gets one more. */
function shareOf(mine: Owner, others: readonly Owner[], rights: number): number {
  const all = [mine, ...others].sort((a, b) => a.wants - b.wants);
  let left = rights;
  for (const [i, one] of all.entries()) {
    const each = Math.floor(left / (all.length - i));
    if (one.wants > each) {
      const before = all.slice(i).filter(({ gotMs }) => gotMs < mine.gotMs).length;
      return each + (left - each * (all.length - i) > before ? 1 : 0);
    }
    if (one === mine) break;
    left -= one.wants;
  }
  return mine.wants;
}
