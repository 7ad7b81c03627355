// The senders of an account and what each holds of its rate limit, as a store keeps them and as time passes.
import type { Moment } from '../../ports/clock.js';
import type { Rate, RateLimit } from './rate.js';

/** The time after its last word at which a sender loses its slots. */
export const LEASE_MS = 10_000;
/** A time that is earlier by less than this was measured by a process that then waited for its turn. */
const OVERTAKEN_MS_MAX = 60_000;

export interface Origin {
  readonly pid: number;
  readonly host: string;
  /** The space in which the pid has a meaning; null if that is unknown. */
  readonly realm: string | null;
}

export interface LastWord {
  /** The number of the last question of it that was answered; 0 for none. */
  readonly seen: number;
  /** How long each slot that it gives back stays taken; free slots need not be named. */
  readonly returnedMs: readonly number[];
  /** The rest of the pauses that the platform asked of it. */
  readonly pauseMs: number;
}

export interface Sender {
  readonly id: string;
  readonly origin: Origin | null;
  readonly limit: Rate;
  readonly seq: number;
  readonly slots: number;
  readonly wants: number;
  readonly silentMs: number;
  /** How long each of the slots that it got last stays taken. */
  readonly grantedMs: readonly number[];
}

/** The state of an account in a store, as JSON. All lengths are in whole ms. */
export interface LimitState {
  /** The moment at which the lengths were right. */
  readonly asOf: Moment;
  readonly pauseMs: number;
  /** How long each slot without a holder stays taken. */
  readonly takenMs: readonly number[];
  readonly senders: readonly Sender[];
}

export interface Speaker {
  readonly id: string;
  readonly origin: Origin | null;
  readonly now: Moment;
  /** Whether a sender of this origin cannot exist any more. */
  readonly isDead: (origin: Origin | null) => boolean;
}

export function newSender({ id, origin }: Speaker, limit: Rate): Sender {
  const nothing = { seq: 0, slots: 0, wants: 0, silentMs: 0, grantedMs: [] };
  return { id, origin, limit, ...nothing };
}

/** The state at this moment, without the senders that are gone. */
export function upToDate(
  state: LimitState | null,
  { id, isDead, now }: Pick<Speaker, 'id' | 'isDead' | 'now'>,
): LimitState {
  if (state === null) {
    return { asOf: wholeMs(now), pauseMs: 0, takenMs: [], senders: [] };
  }
  const { passedMs, asOf } = measure(state.asOf, now);
  const aged = state.senders.map((sender) => ({
    ...sender,
    silentMs: sender.silentMs + passedMs,
    grantedMs: shorter(sender.grantedMs, passedMs),
  }));
  const windowMs = limitOf(aged)?.perMs ?? 0;
  const isGone = (one: Sender): boolean =>
    one.silentMs >= LEASE_MS || (one.id !== id && isDead(one.origin));
  const left = aged.filter(isGone).flatMap(({ slots, silentMs }) => {
    const takenMs = windowMs - Math.max(0, silentMs - LEASE_MS);
    return Array<number>(takenMs > 0 ? slots : 0).fill(takenMs);
  });
  return {
    asOf,
    pauseMs: Math.max(0, state.pauseMs - passedMs),
    takenMs: ascending([...shorter(state.takenMs, passedMs), ...left]),
    senders: aged.filter((sender) => !isGone(sender)),
  };
}

/**
 * In whole ms, by the clock that cannot be set if both have it; else by the wall clock, and none if that was set back.
 */
function measure(asOf: Moment, now: Moment): { passedMs: number; asOf: Moment } {
  const { steady } = asOf;
  if (steady !== null && now.steady?.boot === steady.boot) {
    const ms = Math.floor(now.steady.ms - steady.ms);
    if (ms >= 0) {
      return {
        passedMs: ms,
        asOf: { at: Math.ceil(now.at), steady: { boot: steady.boot, ms: steady.ms + ms } },
      };
    }
    if (-ms < OVERTAKEN_MS_MAX) return { passedMs: 0, asOf };
  }
  const whole = wholeMs(now);
  const ms = Math.floor(now.at - asOf.at);
  return ms < 0 || now.steady !== null
    ? { passedMs: Math.max(0, ms), asOf: whole }
    : { passedMs: ms, asOf: { at: asOf.at + ms, steady: null } };
}

/** The moment in whole ms, rounded up. */
function wholeMs({ at, steady }: Moment): Moment {
  return {
    at: Math.ceil(at),
    steady: steady === null ? null : { boot: steady.boot, ms: Math.ceil(steady.ms) },
  };
}

function shorter(lengthsMs: readonly number[], byMs: number): number[] {
  return lengthsMs.map((ms) => ms - byMs).filter((ms) => ms > 0);
}

function ascending(lengthsMs: readonly number[]): number[] {
  return lengthsMs.toSorted((a, b) => a - b);
}

/** Takes back the slots that a sender gives back, and those of a grant that it never received. */
export function takeBack(state: LimitState, known: Sender | undefined, said: LastWord): LimitState {
  const lostMs = known === undefined || known.seq === said.seen ? [] : known.grantedMs;
  const returnedMs = said.returnedMs.map(Math.ceil).filter((ms) => ms > 0);
  return {
    ...state,
    takenMs: ascending([...state.takenMs, ...lostMs, ...returnedMs]),
    pauseMs: Math.max(state.pauseMs, Math.ceil(said.pauseMs)),
  };
}

/** If others keep to a shorter window, a slot that is free by theirs may be taken by the newcomer's. */
export function enter(state: LimitState, newcomer: Sender): LimitState {
  const senders = [...state.senders, newcomer];
  const former = limitOf(state.senders);
  const limit = limitOf(senders);
  if (former === null || limit === null || limit.perMs <= former.perMs) {
    return { ...state, senders };
  }
  const byMs = limit.perMs - former.perMs;
  const free = limit.requests - slotsOf(senders) - state.takenMs.length;
  const freeMs = Array<number>(Math.max(0, free)).fill(byMs);
  const takenMs = ascending([...freeMs, ...state.takenMs.map((ms) => ms + byMs)]);
  return { ...state, senders, takenMs };
}

/** The limit of all; null without a limit. */
export function limitOf(senders: readonly Sender[]): RateLimit | null {
  const limits = senders.flatMap(({ limit }) => (limit === 'off' ? [] : limit));
  if (limits.length === 0) return null;
  return {
    requests: Math.min(...limits.map(({ requests }) => requests)),
    perMs: Math.max(...limits.map(({ perMs }) => perMs)),
  };
}

export function slotsOf(senders: readonly Sender[]): number {
  return senders.reduce((sum, { slots }) => sum + slots, 0);
}
