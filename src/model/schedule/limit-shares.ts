// One rate limit for all processes that send for an account. The limit's slots are dealt out among them: a sender
// manages its own slots (platform/limit/), says now and then how many it could use, and gives back those that others
// lack. This file makes the whole decision. A store keeps the state, and changes it in one step for each question.
//
// A sender holds its slots by a lease. It starts no request once its time is over, counted from before it asked; a
// while after that its slots go to others, as if all had been used to the very end.
import type { Moment } from '../../ports/clock.js';
import {
  enter,
  type LastWord,
  LEASE_MS,
  type LimitState,
  limitOf,
  newSender,
  type Sender,
  type Speaker,
  slotsOf,
  takeBack,
  upToDate,
} from './limit-state.js';
import type { LimitUse, Rate } from './rate.js';

/** Before the end of its lease a sender starts nothing: clocks do not run alike, and requests leave late. */
const LEASE_MARGIN_MS = 2_000;
/** The time after its last word for which a sender's wish counts; after that, the slots that it holds count. */
const WANTS_MS_MAX = 2_000;
/** The indivisible rest goes on after a window, but no sooner: a slot that changes hands idles for up to 300 ms. */
const TURN_MS_MIN = 2_000;

/** The words of a sender. All times are lengths, in ms, at the time of the request. */
export interface SlotRequest extends LastWord {
  /** Starts at 1; one more for each question, also if no answer came to the last one. */
  readonly seq: number;
  readonly limit: Rate;
  readonly keeps: number;
  /** The number of slots that it could use now: those in use, and one for each waiting request. */
  readonly wants: number;
}

export interface SlotGrant {
  readonly slots: number;
  /** How long those of them stay taken that are not free yet. */
  readonly takenMs: readonly number[];
  /** The number of slots that it has to give back, each once it was used. */
  readonly owes: number;
  /** How long it may start requests, from before it asked; 0 if it has to ask again first. */
  readonly validMs: number;
  readonly pauseMs: number;
  /** The smallest number and the longest window of all senders. */
  readonly limit: Rate;
  /** The number of slots that it would have if it could use all. */
  readonly share: number;
  readonly isShared: boolean;
}

export function joinSenders(state: LimitState | null, limit: Rate, speaker: Speaker): LimitState {
  return enter(upToDate(state, speaker), newSender(speaker, limit));
}

/**
 * Answers a sender's question. The grant is null for a question that came twice or was overtaken by a later one: it
 * changes nothing. A sender that is not known (any more) begins anew, with the slots that it says it keeps; if others
 * may have these by now, it starts nothing before its next question, by which it gives them back.
 */
export function dealSlots(
  state: LimitState | null,
  request: SlotRequest,
  speaker: Speaker,
): { readonly state: LimitState; readonly grant: SlotGrant | null } {
  const { id } = speaker;
  const { limit, keeps, wants, seq } = request;
  const before = upToDate(state, speaker);
  const known = before.senders.find((sender) => sender.id === id);
  if (known !== undefined && seq <= known.seq) return { state: before, grant: null };
  const returned = takeBack(before, known, request);
  const mine = { ...newSender(speaker, limit), seq, slots: keeps, wants };
  if (known === undefined) {
    const entered = enter(returned, mine);
    const { state: dealt, grant } = deal(entered, id);
    return {
      state: dealt,
      grant: mayBeElsewhere(entered, keeps) ? { ...grant, validMs: 0 } : grant,
    };
  }
  const others = returned.senders.filter((sender) => sender.id !== id);
  return deal({ ...returned, senders: [...others, mine] }, id);
}

/** Whether others may have slots that a sender keeps: its question may have waited until its lease was over. */
function mayBeElsewhere({ senders, takenMs }: LimitState, keeps: number): boolean {
  const limit = limitOf(senders);
  return keeps > 0 && limit !== null && slotsOf(senders) + takenMs.length > limit.requests;
}

/** Removes a sender. Null if nothing is left to remember. */
export function leaveSenders(
  state: LimitState | null,
  last: LastWord,
  speaker: Speaker,
): LimitState | null {
  const before = upToDate(state, speaker);
  const known = before.senders.find(({ id }) => id === speaker.id);
  const returned = takeBack(before, known, last);
  const senders = returned.senders.filter(({ id }) => id !== speaker.id);
  const isNothingHeld = returned.takenMs.length === 0 && returned.pauseMs === 0;
  return senders.length === 0 && isNothingHeld ? null : { ...returned, senders };
}

/** All slots of the limit while one of the senders sends, because its use is unknown. */
export function usedBySenders(
  state: LimitState | null,
  limit: Rate,
  now: Moment,
): { readonly use: LimitUse; readonly isSending: boolean } {
  const { senders, takenMs, pauseMs } = upToDate(state, { id: '', now, isDead: () => false });
  const isSending = senders.length > 0;
  if (!isSending || limit === 'off') return { use: { slotsMs: takenMs, pauseMs }, isSending };
  const windowMs = Math.max(limit.perMs, limitOf(senders)?.perMs ?? 0);
  return { use: { slotsMs: Array<number>(limit.requests).fill(windowMs), pauseMs }, isSending };
}

/** How long silent senders are still waited for; 0 if there is none. */
export function sendersLeftMs(state: LimitState | null, now: Moment): number {
  const { senders } = upToDate(state, { id: '', now, isDead: () => false });
  return Math.max(0, ...senders.map(({ silentMs }) => LEASE_MS - silentMs));
}

/** Gives the sender the slots that it lacks of its share, and says how many it has to give back. */
function deal(state: LimitState, id: string): { state: LimitState; grant: SlotGrant } {
  const { pauseMs, senders, takenMs } = state;
  const mine = senders.find((one) => one.id === id) as Sender;
  const validMs = LEASE_MS - LEASE_MARGIN_MS;
  const limit = limitOf(senders);
  if (limit === null || mine.limit === 'off') {
    const nothing = { slots: 0, takenMs: [], owes: 0, share: 0, isShared: senders.length > 1 };
    return { state, grant: { ...nothing, pauseMs, limit: 'off', validMs } };
  }
  const others = senders.filter((one) => one.id !== id && one.limit !== 'off');
  const isShared = others.length > 0;
  const line = lineOf([...others, mine], state.asOf.at, limit.perMs);
  const shareIf = (wants: number) =>
    shareOut(
      line.map((one) => (one.id === id ? { ...mine, wants } : one)),
      limit.requests,
    );
  // A single sender that sends nothing leaves all slots: the next sender need not wait for it.
  const shares = shareIf(isShared || mine.wants === 0 ? mine.wants : limit.requests);
  const share = shares.get(id) ?? 0;

  const open = Math.max(0, limit.requests - slotsOf(senders));
  // If more slots are taken than the limit allows, the first to come free stay without a holder.
  const from = Math.max(0, takenMs.length - open);
  const free = Math.max(0, open - takenMs.length);
  const lacks = (one: Sender) => Math.max(0, (shares.get(one.id) ?? 0) - one.slots);
  // Senders before it in the line get what they lack first: else what it gives back for them would return to it.
  const theirs = sumOf(line.slice(0, line.indexOf(mine)).map(lacks));
  const slots = Math.max(0, Math.min(share - mine.slots, open - theirs));
  const given = takenMs.slice(from, from + Math.max(0, slots - free));

  const total = mine.slots + slots;
  const lacking = sumOf(others.map(lacks)) - (open - slots);
  const excess = slotsOf(senders) + slots - limit.requests;
  const owes = Math.max(0, Math.min(total - share, Math.max(lacking, excess)));
  const granted = { ...mine, slots: total, grantedMs: given };
  return {
    state: {
      ...state,
      takenMs: takenMs.toSpliced(from, given.length),
      senders: senders.map((one) => (one.id === id ? granted : one)),
    },
    grant: {
      slots,
      takenMs: given,
      owes,
      validMs,
      pauseMs,
      limit,
      share: shareIf(limit.requests).get(id) ?? 0,
      isShared,
    },
  };
}

/** The senders in the order in which they come for the indivisible rest. It goes round as time passes. */
function lineOf(senders: readonly Sender[], at: number, perMs: number): readonly Sender[] {
  const sorted = senders.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const first = Math.floor(at / Math.max(perMs, TURN_MS_MIN)) % sorted.length;
  return [...sorted.slice(first), ...sorted.slice(0, first)];
}

/** The smallest share is as great as possible. Of the indivisible rest, the first in the line get one more. */
function shareOut(line: readonly Sender[], slots: number): ReadonlyMap<string, number> {
  const wishes = line
    .map((one, place) => ({
      id: one.id,
      place,
      wants: one.silentMs > WANTS_MS_MAX ? Math.min(one.wants, one.slots) : one.wants,
    }))
    .sort((a, b) => a.wants - b.wants);
  const shares = new Map<string, number>();
  let left = slots;
  for (const [i, { id, wants }] of wishes.entries()) {
    const rest = wishes.slice(i);
    const each = Math.floor(left / rest.length);
    if (wants > each) {
      const more = left - each * rest.length;
      for (const [k, one] of rest.sort((a, b) => a.place - b.place).entries())
        shares.set(one.id, each + (k < more ? 1 : 0));
      return shares;
    }
    shares.set(id, wants);
    left -= wants;
  }
  return shares;
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
