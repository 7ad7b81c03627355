// The requests that wait for permits: two queues, first come first served in each. Submits go first, because a
// submitted lead's latency then runs while others are sent; but polls get one permit in ten, so that answers keep being
// saved while a long file is submitted.
import { onAbort } from '../../model/schedule/on-abort.js';
import type { Permit, RequestKind } from '../../ports/platform.js';

/** One poll after this many submits, while both wait. */
const SUBMITS_PER_POLL = 9;

interface Wish {
  readonly kind: RequestKind;
  readonly permitsMax: number;
  /** Ends the waiting with no permit. */
  readonly signal?: AbortSignal | undefined;
  /** Called when the wait ends in any way. */
  readonly onEnd?: ((permits: readonly Permit[]) => void) | undefined;
}

export type WaitQueue = ReturnType<typeof createWaitQueue>;

interface Place extends Wish {
  readonly permits: Permit[];
  readonly take: (permits: Permit[]) => void;
  readonly fail: (error: unknown) => void;
}

/** `onChange`: called if one more request waits, or one fewer. */
export function createWaitQueue(onChange: () => void) {
  const places: Record<RequestKind, Place[]> = { submit: [], poll: [] };
  let submitsInARow = 0;

  const turn = (): RequestKind => {
    if (places.submit.length === 0) return 'poll';
    if (places.poll.length === 0) return 'submit';
    return submitsInARow < SUBMITS_PER_POLL ? 'submit' : 'poll';
  };

  const dismiss = (kind: RequestKind) => {
    const place = places[kind].shift();
    place?.take(place.permits);
  };

  return {
    isWaiting: (): boolean => places.submit.length + places.poll.length > 0,
    /** The number of permits that are waited for. */
    wanted: (): number =>
      [...places.submit, ...places.poll].reduce((sum, { permitsMax }) => sum + permitsMax, 0),
    wait: (wish: Wish): Promise<Permit[]> =>
      new Promise((resolve, reject) => {
        const { kind, signal, onEnd } = wish;
        const giveUp = () => {
          places[kind] = places[kind].filter((other) => other !== place);
          take([]);
          onChange();
        };
        const take = (permits: Permit[]) => {
          stopListening();
          onEnd?.(permits);
          resolve(permits);
        };
        const fail = (error: unknown) => {
          stopListening();
          reject(error);
        };
        const place: Place = { ...wish, permits: [], take, fail };
        const stopListening = onAbort(signal, giveUp);
        places[kind].push(place);
        onChange();
      }),
    /**
     * Gives one permit to the request whose turn it is.
     * @throws Error if none waits
     */
    grant: (permit: Permit): void => {
      const kind = turn();
      const place = places[kind][0];
      if (place === undefined) throw new Error('A permit was granted and no request waits.');
      submitsInARow = kind === 'poll' ? 0 : Math.min(SUBMITS_PER_POLL, submitsInARow + 1);
      place.permits.push(permit);
      if (place.permits.length >= place.permitsMax) dismiss(kind);
    },
    /** Hands over the granted permits: a request is content with fewer permits than it asked for, but not with none. */
    settle: (): void => {
      for (const kind of ['submit', 'poll'] as const) {
        if ((places[kind][0]?.permits.length ?? 0) > 0) dismiss(kind);
      }
    },
    /** Ends every wait with an error. */
    fail: (error: unknown): void => {
      for (const kind of ['submit', 'poll'] as const) {
        for (const place of places[kind].splice(0)) place.fail(error);
      }
    },
    /** Ends every wait with no permit. */
    clear: (): void => {
      for (const kind of ['submit', 'poll'] as const) {
        while (places[kind].length > 0) dismiss(kind);
      }
    },
  };
}
