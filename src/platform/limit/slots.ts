// The arithmetic of the sliding window. The platform counts arrivals, and a request arrives somewhere between its start
// and its response: so a slot is taken when a permit is given and comes free `perMs` after the response. Then no window
// of `perMs`, as either end sees it, holds more than `requests`. If other processes send for the account too, this one
// holds only some of the slots (share.ts).
import type { Rate } from '../../model/schedule/rate.js';

export interface RateReading {
  readonly limit?: number | undefined;
  readonly remaining?: number | undefined;
  readonly resetMs?: number | undefined;
}

/** The counts at a request's start, to compare its response's remaining-header with. */
export interface StartNote {
  readonly ours: number;
  readonly starts: number;
  /** The number of slots that other processes of ours may have used. */
  readonly elsewhere: number;
}

export type Slots = ReturnType<typeof createSlots>;

/** Others' use is believed for no longer than this, whatever reset the platform names. */
const FOREIGN_MS_MAX = 300_000;

export interface FirstSlots {
  /** The number of slots that this process holds; all by default. */
  readonly owned?: number;
  /** The times at which the slots of other processes' requests come free. */
  readonly othersUntilMs?: readonly number[];
}

/** Call `expire` and `narrow` first, with one and the same time, before any question. */
export function createSlots(rate: Rate, inFlightMax: number, first: FirstSlots = {}) {
  const { requests, perMs } = rate === 'off' ? { requests: Infinity, perMs: 0 } : rate;
  const capacity = createCapacity(requests, perMs);
  const others = (first.othersUntilMs ?? []).toSorted((a, b) => a - b);
  const trailing: number[] = [];
  let owned = rate === 'off' ? requests : (first.owned ?? requests);
  let share = requests;
  let windowMs = perMs;
  let atOnceMax = inFlightMax;
  let [idle, running, starts] = [0, 0, 0];
  /** Running requests whose slots are not kept any more. At their end `strayed` says when these come free. */
  let stray = 0;
  const strayed: number[] = [];

  /** The number of requests that are on their way, or not a window old. */
  const used = () => running - stray + trailing.length + others.length;
  const elsewhere = () => Math.max(0, requests - owned);
  const spare = (nowMs: number): number => capacity.at(owned, nowMs) - idle - used();

  return {
    expire: (nowMs: number): void => {
      for (const untilMs of [others, trailing]) {
        if (untilMs.length === 0) continue;
        const count = untilMs.findIndex((freeMs) => freeMs > nowMs);
        untilMs.splice(0, count === -1 ? untilMs.length : count);
      }
    },
    /** The number of slots of the window that are free, however many requests may be on their way. */
    spare,
    grantable: (nowMs: number): number =>
      Math.max(0, Math.min(spare(nowMs), atOnceMax - idle - running)),
    /** The least time that this many requests take at the pace that other processes leave. */
    leastMs: (count: number, nowMs: number): number =>
      rate === 'off' ? 0 : (count / Math.max(1, capacity.at(share, nowMs))) * windowMs,
    /** Whether a given permit's request may start: the capacity may have fallen since it was given. */
    canStart: (nowMs: number): boolean => used() < capacity.at(owned, nowMs) && running < atOnceMax,
    /** Allows only one request on its way, or the usual number. */
    narrow: (is: boolean): void => {
      atOnceMax = is ? 1 : inFlightMax;
    },
    take: (): void => {
      idle += 1;
    },
    giveBack: (): void => {
      idle -= 1;
    },
    begin: (): StartNote => {
      idle -= 1;
      running += 1;
      starts += 1;
      return { ours: used(), starts, elsewhere: elsewhere() };
    },
    end: (nowMs: number): void => {
      running -= 1;
      if (perMs > 0) insert(stray > 0 ? strayed : trailing, nowMs + windowMs);
      stray = Math.max(0, stray - 1);
    },
    /** Learns from the headers about what remains, which lower the pace and never raise it. */
    learn: (reading: RateReading, note: StartNote, nowMs: number): void => {
      // Requests started since may have arrived before this request: they are ours as well.
      if (rate === 'off') return;
      const ours = note.ours + starts - note.starts;
      capacity.learn(reading, ours + Math.max(note.elsewhere, elsewhere()), nowMs);
    },
    /** How long each slot of our requests stays taken, if their responses came now. */
    heldMs: (nowMs: number): number[] => {
      if (rate === 'off') return [];
      const heldMs = [...trailing, ...strayed]
        .map((freeMs) => freeMs - nowMs)
        .filter((ms) => ms > 0);
      return [...heldMs, ...Array.from({ length: running }, () => windowMs)];
    },
    limit: (): Rate => (rate === 'off' ? 'off' : { requests: capacity.limit(), perMs }),
    owned: (): number => (rate === 'off' ? 0 : owned),
    /** The number of slots given up that requests on their way may still use. */
    stray: (): number => stray,
    wanted: (waiting: number): number =>
      rate === 'off'
        ? 0
        : idle + used() + Math.min(waiting, Math.max(0, atOnceMax - idle - running)),
    returnable: (): number => trailing.length,
    /** Adds slots, and for some of them the times at which they come free. */
    add: (count: number, untilMs: readonly number[]): void => {
      owned += count;
      for (const freeMs of untilMs) insert(others, freeMs);
    },
    /** Gives up slots that were used, and `spare` free ones. Returns the times at which the used ones come free. */
    yieldUp: (count: number, spare: number): number[] => {
      const untilMs = trailing.splice(0, count);
      owned -= untilMs.length + Math.max(0, Math.min(spare, owned - idle - used()));
      return [...untilMs, ...strayed.splice(0)];
    },
    /** Gives up all slots; those of requests on their way as these end. */
    yieldAll: (): number[] => {
      if (rate === 'off') return [];
      owned = 0;
      stray = running;
      return [...trailing.splice(0), ...others.splice(0), ...strayed.splice(0)];
    },
    /** A longer window holds also for slots that were used already. */
    agree: (sharedMs: number, slots: number): void => {
      share = slots;
      const nextMs = Math.max(perMs, sharedMs);
      for (const i of trailing.keys())
        trailing[i] = (trailing[i] as number) + Math.max(0, nextMs - windowMs);
      windowMs = nextMs;
    },
    /** The time at which time alone will next free a slot; undefined if only a response can. */
    nextFreeMs: (nowMs: number): number | undefined => {
      const moments = [trailing[0], others[0], capacity.nextGrowthMs(nowMs)].filter(
        (ms) => ms !== undefined,
      );
      return moments.length === 0 ? undefined : Math.min(...moments);
    },
  };
}

function insert(sorted: number[], value: number): void {
  sorted.push(value);
  if ((sorted.at(-2) ?? value) > value) sorted.sort((a, b) => a - b);
}

function createCapacity(requests: number, perMs: number) {
  const foreign = createForeignUse();
  let limit = requests;

  return {
    limit: (): number => limit,
    at: (slots: number, nowMs: number): number =>
      Math.max(0, Math.min(slots, limit) - foreign.count(nowMs)),
    /** The time at which the capacity grows; undefined if no other process uses any of it. */
    nextGrowthMs: foreign.nextFallMs,
    /** `ours`: the number of our requests that the reading may count. */
    learn: (reading: RateReading, ours: number, nowMs: number): void => {
      if (reading.limit !== undefined && reading.limit > 0) {
        limit = Math.min(requests, reading.limit);
      }
      if (reading.remaining === undefined) return;
      const others = Math.min(limit, limit - ours - reading.remaining);
      const resetMs = Math.min(FOREIGN_MS_MAX, reading.resetMs ?? perMs);
      if (others > 0 && resetMs > 0) foreign.note(others, nowMs + resetMs);
    },
  };
}

/**
 * The part of the limit that others use: the requests that remaining-headers showed beyond our own count, until the
 * reset they named. Every note holds to its end, so the largest note that still runs counts.
 */
export function createForeignUse() {
  // Only notes that are larger than every longer note can ever matter, so counts fall as ends grow.
  let notes: { readonly requests: number; readonly untilMs: number }[] = [];

  const running = (nowMs: number) => {
    if (notes[0] !== undefined && notes[0].untilMs <= nowMs) {
      notes = notes.filter(({ untilMs }) => untilMs > nowMs);
    }
    return notes[0];
  };

  return {
    note: (requests: number, untilMs: number): void => {
      if (notes.some((other) => other.requests >= requests && other.untilMs >= untilMs)) return;
      notes = notes
        .filter((other) => other.requests > requests || other.untilMs > untilMs)
        .concat({ requests, untilMs })
        .sort((a, b) => a.untilMs - b.untilMs);
    },
    count: (nowMs: number): number => running(nowMs)?.requests ?? 0,
    /** The time at which the count will next fall; undefined while it is 0. */
    nextFallMs: (nowMs: number): number | undefined => running(nowMs)?.untilMs,
  };
}
