// The permits that are out: each is given, and then released, or started and finished. Requests that wait to start do
// so in the order in which they came.
import { onAbort } from '../../model/schedule/on-abort.js';
import type { RequestKind } from '../../model/schedule/rate.js';
import type { Permit } from '../../ports/platform.js';
import type { RateReading } from './rate-headers.js';
import type { Rights, StartNote } from './rights.js';

/** `must_wait`: it would have to wait, and may not. `stopped`: the signal aborted, or the limiter closed, first. */
export type Start = 'started' | 'must_wait' | 'stopped';

interface Starter {
  readonly permit: Permit;
  readonly resolve: (start: Start) => void;
}

function createStarters() {
  let waiting: Starter[] = [];

  return {
    /** Takes the first one for which this holds. */
    next: (mayGo: (permit: Permit) => boolean): Starter | undefined => {
      const i = waiting.findIndex(({ permit }) => mayGo(permit));
      return i === -1 ? undefined : waiting.splice(i, 1)[0];
    },
    count: (): number => waiting.length,
    has: (is: (permit: Permit) => boolean): boolean => waiting.some(({ permit }) => is(permit)),
    wait: (permit: Permit, signal: AbortSignal | undefined): Promise<Start> =>
      new Promise((settle) => {
        const giveUp = () => {
          waiting = waiting.filter((other) => other.permit !== permit);
          resolve('stopped');
        };
        const resolve = (start: Start) => {
          stopListening();
          if (start !== 'started') permit.release();
          settle(start);
        };
        const stopListening = onAbort(signal, giveUp);
        waiting.push({ permit, resolve });
      }),
    stop: (): void => waiting.splice(0).forEach(({ resolve }) => resolve('stopped')),
  };
}

/** `onChange`: called if a slot may have come free, or a request waits for one. */
export function createPermits(rights: Rights, onChange: () => void) {
  /** The notes of started requests; null for a permit that is not used yet. */
  const notes = new Map<Permit, StartNote | null>();
  const kinds = new WeakMap<Permit, RequestKind>();
  const starters = createStarters();
  const kindOf = (permit: Permit): RequestKind => kinds.get(permit) ?? 'poll';

  return {
    kindOf,
    give: (kind: RequestKind): Permit => {
      const permit: Permit = {
        release: () => {
          // A started request has used its permit up: only its response frees the slot.
          if (notes.get(permit) !== null) return;
          notes.delete(permit);
          rights.give(-1);
          onChange();
        },
      };
      notes.set(permit, null);
      kinds.set(permit, kind);
      rights.give(1);
      return permit;
    },
    /** @throws Error for a permit that was used or released before */
    checkUnused: (permit: Permit): void => {
      if (notes.get(permit) === null) return;
      throw new Error('This permit was used or released before: every request needs its own.');
    },
    start: (permit: Permit, signal: AbortSignal | undefined): Promise<Start> => {
      const start = starters.wait(permit, signal);
      onChange();
      return start;
    },
    waiting: starters.count,
    waitingKinds: (): RequestKind[] =>
      (['submit', 'poll'] as const).filter((kind) => starters.has((one) => kindOf(one) === kind)),
    startWaiting: (nowMs: number): void => {
      while (rights.canStart(nowMs)) {
        const next = starters.next((permit) => rights.passes(kindOf(permit), nowMs) > 0);
        if (next === undefined) return;
        notes.set(next.permit, rights.begin(kindOf(next.permit)));
        next.resolve('started');
      }
    },
    isTrial: (permit: Permit): boolean => notes.get(permit)?.isTrial === true,
    stopWaiting: starters.stop,
    /** Idempotent. */
    finish: (permit: Permit, nowMs: number, reading?: RateReading): void => {
      const note = notes.get(permit);
      if (note === null) permit.release();
      if (note === null || note === undefined) return;
      notes.delete(permit);
      rights.end(nowMs);
      if (reading !== undefined) rights.learn(reading, note, nowMs);
      onChange();
    },
  };
}
