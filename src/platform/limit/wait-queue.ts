// Who waits for permits: two queues, first come first served in each. Submits go first, because a
// submitted lead's latency then runs while others are sent; but polls get one permit in ten, so that
// answers keep being saved while a long file is submitted.
import type { Permit, RequestKind } from '../../ports/platform.js';

/** One poll after so many submits, while both wait. */
const SUBMITS_PER_POLL = 9;

export interface Waiter {
  readonly kind: RequestKind;
  readonly permitsMax: number;
  readonly take: (permits: Permit[]) => void;
}

export interface WaitQueue {
  isWaiting(): boolean;
  add(waiter: Waiter): void;
  /** Takes out a waiter who gave up, whatever it was given since the last `settle` included. */
  remove(waiter: Waiter): void;
  /** Gives one permit to whoever's turn it is. Somebody must be waiting. */
  grant(permit: Permit): void;
  /** Hands over what was granted: a waiter is content with fewer than it asked for, not with none. */
  settle(): void;
  /** Sends everybody away with nothing. */
  clear(): void;
}

interface Place {
  readonly waiter: Waiter;
  readonly permits: Permit[];
}

export function createWaitQueue(): WaitQueue {
  const places: Record<RequestKind, Place[]> = { submit: [], poll: [] };
  let submitsInARow = 0;

  const turn = (): RequestKind => {
    if (places.submit.length === 0) return 'poll';
    if (places.poll.length === 0) return 'submit';
    return submitsInARow < SUBMITS_PER_POLL ? 'submit' : 'poll';
  };

  const dismiss = (kind: RequestKind) => {
    const place = places[kind].shift();
    place?.waiter.take(place.permits);
  };

  return {
    isWaiting: () => places.submit.length + places.poll.length > 0,
    add: (waiter) => {
      places[waiter.kind].push({ waiter, permits: [] });
    },
    remove: ({ kind, take }) => {
      places[kind] = places[kind].filter(({ waiter }) => waiter.take !== take);
    },
    grant: (permit) => {
      const kind = turn();
      const place = places[kind][0];
      if (place === undefined) throw new Error('A permit was granted and nobody waits.');
      submitsInARow = kind === 'poll' ? 0 : Math.min(SUBMITS_PER_POLL, submitsInARow + 1);
      place.permits.push(permit);
      if (place.permits.length >= place.waiter.permitsMax) dismiss(kind);
    },
    settle: () => {
      for (const kind of ['submit', 'poll'] as const) {
        if ((places[kind][0]?.permits.length ?? 0) > 0) dismiss(kind);
      }
    },
    clear: () => {
      for (const kind of ['submit', 'poll'] as const) {
        while (places[kind].length > 0) dismiss(kind);
      }
    },
  };
}
