// The requests that wait for permits: two queues, first come first served in each. Submits go first, because a
// submitted lead's latency then runs while others are sent; but polls get one permit in twenty, so that answers show
// early and keep being saved while a long file is submitted.
import { onAbort } from '../../model/schedule/on-abort.js';
import type { RequestKind } from '../../model/schedule/rate.js';
import type { Permit } from '../../ports/platform.js';

/** One poll after this many submits, while both wait. */
const SUBMITS_PER_POLL = 19;
/** For so long after a submit the next one is expected: it is being claimed. */
const SUBMIT_GAP_MS = 100;

const KINDS = ['submit', 'poll'] as const;

interface Wish {
  readonly kind: RequestKind;
  readonly permitsMax: number;
  readonly signal?: AbortSignal | undefined;
  /** When it ends with nothing if its kind is held. Default: never. */
  readonly until?: number | undefined;
  /** Called when the wait ends in any way. */
  readonly onEnd?: ((permits: readonly Permit[]) => void) | undefined;
}

interface Room {
  readonly free: number;
  /** The number of slots that the window has left, of which no more than `free` may be on their way at once. */
  readonly spare: number;
  readonly nowMs: number;
  /** How many requests of a kind a pause lets go now. */
  readonly passes: (kind: RequestKind) => number;
}

interface Place extends Wish {
  readonly permits: Permit[];
  readonly take: (permits: Permit[]) => void;
  readonly fail: (error: unknown) => void;
}

/** `onChange`: called if one more request waits, or one fewer. */
export function createWaitQueue(onChange: () => void) {
  const places: Record<RequestKind, Place[]> = { submit: [], poll: [] };
  let submitsInARow = 0;
  let submitExpectedUntilMs = Number.NEGATIVE_INFINITY;

  /** The kind of request whose turn it is; undefined if the `spare` slots are kept for submits. */
  const turn = (
    spare: number,
    nowMs: number,
    mayGo: (kind: RequestKind) => boolean,
  ): RequestKind | undefined => {
    const isSubmitsTurn = submitsInARow < SUBMITS_PER_POLL;
    const waits = (kind: RequestKind) => places[kind].length > 0 && mayGo(kind);
    if (!waits('poll')) return waits('submit') ? 'submit' : undefined;
    if (waits('submit')) return isSubmitsTurn ? 'submit' : 'poll';
    const isKept = isSubmitsTurn && nowMs < submitExpectedUntilMs && spare <= SUBMITS_PER_POLL;
    return isKept ? undefined : 'poll';
  };

  const dismiss = (kind: RequestKind) => {
    const place = places[kind].shift();
    place?.take(place.permits);
  };

  /** Hands over the granted permits: a request is content with fewer permits than it asked for, but not with none. */
  const settle = (): void => {
    for (const kind of KINDS) {
      if ((places[kind][0]?.permits.length ?? 0) > 0) dismiss(kind);
    }
  };

  return {
    kinds: (): RequestKind[] => KINDS.filter((kind) => places[kind].length > 0),
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
    grant: ({ free, spare, nowMs, passes }: Room, give: (kind: RequestKind) => Permit): void => {
      const left = { submit: passes('submit'), poll: passes('poll') };
      for (let given = 0; given < free; given += 1) {
        const kind = turn(spare - given, nowMs, (one) => left[one] > 0);
        const place = kind === undefined ? undefined : places[kind][0];
        if (kind === undefined || place === undefined) break;
        if (kind === 'submit') submitExpectedUntilMs = nowMs + SUBMIT_GAP_MS;
        submitsInARow = kind === 'poll' ? 0 : Math.min(SUBMITS_PER_POLL, submitsInARow + 1);
        left[kind] -= 1;
        place.permits.push(give(kind));
        if (place.permits.length >= place.permitsMax) dismiss(kind);
      }
      settle();
    },
    /** Ends the waits of a kind that is held whose time is over. Returns when the next one ends. */
    endLate: (isHeld: (kind: RequestKind) => boolean, nowMs: number): number | undefined => {
      const held = KINDS.filter(isHeld).flatMap((kind) => places[kind]);
      const isLate = ({ until = Infinity }: Place) => until <= nowMs;
      for (const kind of KINDS.filter(isHeld)) {
        places[kind] = places[kind].filter((place) => !isLate(place));
      }
      for (const place of held.filter(isLate)) place.take([]);
      const ends = held.filter((place) => !isLate(place)).flatMap(({ until }) => until ?? []);
      return ends.length === 0 ? undefined : Math.min(...ends);
    },
    /** The time from which polls wait for no submit that may come; undefined if none waits so. */
    keptUntilMs: (nowMs: number): number | undefined =>
      places.poll.length > 0 && nowMs < submitExpectedUntilMs ? submitExpectedUntilMs : undefined,
    fail: (error: unknown): void => {
      for (const kind of KINDS) {
        for (const place of places[kind].splice(0)) place.fail(error);
      }
    },
    clear: (): void => {
      for (const kind of KINDS) {
        while (places[kind].length > 0) dismiss(kind);
      }
    },
  };
}
