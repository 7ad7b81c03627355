// The arithmetic of the sliding window. The platform counts arrivals, and a request arrives somewhere
// between its start and its response: so a slot is taken when a permit is given and comes free `perMs`
// after the response. Then no window of `perMs`, as either end sees it, holds more than `requests`.
import type { Rate } from '../../model/schedule/rate.js';

/** What the headers of a response say about the limit. */
export interface RateReading {
  readonly limit?: number | undefined;
  readonly remaining?: number | undefined;
  /** Milliseconds until the limit starts afresh. */
  readonly resetMs?: number | undefined;
}

/** What we knew at a request's start, to compare its response's remaining-header with. */
export interface StartNote {
  readonly ours: number;
  readonly starts: number;
}

export type Slots = ReturnType<typeof createSlots>;

/** Others' use is believed for no longer than this, whatever reset the platform names. */
const FOREIGN_MS_MAX = 300_000;

/**
 * `othersUntilMs`: slots that requests of other processes still hold, by when each comes free. Call `expire` first,
 * with one and the same time, before anything is asked.
 */
export function createSlots(rate: Rate, inFlightMax: number, othersUntilMs: readonly number[]) {
  const { requests, perMs } = rate === 'off' ? { requests: Infinity, perMs: 0 } : rate;
  const capacity = createCapacity(requests, perMs);
  const others = othersUntilMs.toSorted((a, b) => a - b);
  const trailing: number[] = [];
  let [idle, running, starts] = [0, 0, 0];

  /** Requests that are on their way, or not a window old. */
  const used = () => running + trailing.length + others.length;

  return {
    expire: (nowMs: number): void => {
      for (const untilMs of [others, trailing]) {
        const count = untilMs.findIndex((freeMs) => freeMs > nowMs);
        untilMs.splice(0, count === -1 ? untilMs.length : count);
      }
    },
    grantable: (nowMs: number): number =>
      Math.max(0, Math.min(capacity.at(nowMs) - idle - used(), inFlightMax - idle - running)),
    /** The least time that this many requests take at the pace that other processes leave. */
    leastMs: (count: number, nowMs: number): number =>
      rate === 'off' ? 0 : (count / Math.max(1, capacity.at(nowMs))) * perMs,
    /** Whether a given permit's request may start: the capacity may have fallen since it was given. */
    canStart: (nowMs: number): boolean => used() < capacity.at(nowMs),
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
      return { ours: used(), starts };
    },
    end: (nowMs: number): void => {
      running -= 1;
      if (perMs > 0) trailing.push(nowMs + perMs);
    },
    /** The headers about what remains lower the pace and never raise it. */
    learn: (reading: RateReading, note: StartNote, nowMs: number): void => {
      // Requests started since may have arrived before this request: they are ours as well.
      if (rate !== 'off') capacity.learn(reading, note.ours + starts - note.starts, nowMs);
    },
    /** For how long each slot that our requests have taken stays taken, if their responses came now. */
    heldMs: (nowMs: number): number[] => {
      if (rate === 'off') return [];
      const heldMs = trailing.map((freeMs) => freeMs - nowMs).filter((ms) => ms > 0);
      return [...heldMs, ...Array.from({ length: running }, () => perMs)];
    },
    /** When time alone will next free a slot; undefined when only a response can. */
    nextFreeMs: (nowMs: number): number | undefined => {
      const moments = [trailing[0], others[0], capacity.nextGrowthMs(nowMs)].filter(
        (ms) => ms !== undefined,
      );
      return moments.length === 0 ? undefined : Math.min(...moments);
    },
  };
}

/** How many requests of ours a window holds: the limit, less what others use of it. */
function createCapacity(requests: number, perMs: number) {
  const foreign = createForeignUse();
  let limit = requests;

  return {
    at: (nowMs: number): number => Math.max(0, limit - foreign.count(nowMs)),
    /** Undefined where no other process uses any of it. */
    nextGrowthMs: foreign.nextFallMs,
    /** `ours`: the requests of ours that the reading counts. */
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
 * How much of the limit others use: what remaining-headers showed beyond our own count, until the reset they named.
 * Every note holds to its end, so the largest note that still runs counts.
 */
export function createForeignUse() {
  // Only notes that are larger than every longer note can ever matter: counts fall as ends grow.
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
    /** When the count will next fall; undefined while it is 0. */
    nextFallMs: (nowMs: number): number | undefined => running(nowMs)?.untilMs,
  };
}
