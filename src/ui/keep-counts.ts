// Counts that need all rows of a run: read in the background when a user asks for them, and kept until others are asked
// for. A page shows the progress.
import { SluiceError } from '../model/errors.js';
import type { Clock } from '../ports/clock.js';

const KEPT_MAX = 8;
/** The time after which a count that no page has looked at is not waited for. */
const LEFT_MS = 60_000;

/** Counts; `onRead` is called with the number of leads as they are read. */
type Count<Wish, Figures> = (wish: Wish, onRead: (leads: number) => void) => Promise<Figures>;

interface Kept<Figures> {
  leads: number;
  figures: Figures | null;
  trouble: string | null;
  /** The time at which it was done, or given up; null while it goes on. */
  endedAt: number | null;
  /** The time at which a page looked at it last. */
  seenAt: number;
  /** Resolves when it is done, or given up. */
  done: Promise<void>;
}

/** The progress of reading the rows, for numbers that need all of them. */
export interface Counting {
  readonly leads: number;
  /** The time at which that ended; null while it goes on. */
  readonly at: number | null;
  /** The reason why it failed. */
  readonly trouble: string | null;
}

/** The result of a count; null if no page asked for it. */
export interface Counted<Figures> {
  readonly counting: Counting;
  /** Null until all rows are read. */
  readonly figures: Figures | null;
}

/** Keeps counts. `failure` stands before an error's message. Wishes with the same JSON are the same. */
export function keepCounts<Wish, Figures>(
  failure: string,
  clock: Clock,
  count: Count<Wish, Figures>,
) {
  const kept = new Map<string, Kept<Figures>>();

  const countAll = async (key: string, wish: Wish, one: Kept<Figures>): Promise<void> => {
    const onRead = (leads: number): void => {
      if (kept.get(key) !== one) throw new Error('It is not asked for any more.');
      one.leads += leads;
    };
    try {
      one.figures = await count(wish, onRead);
    } catch (error) {
      one.trouble = `${failure} ${error instanceof Error ? error.message : ''}`;
    }
    one.endedAt = clock.now();
  };

  const shown = (one: Kept<Figures>): Counted<Figures> => {
    one.seenAt = clock.now();
    const { endedAt, figures, leads, trouble } = one;
    return { figures, counting: { leads, at: endedAt, trouble } };
  };

  /** Makes room for a count. Pages that wait for more than are kept would restart one another's for ever. */
  const makeRoom = (): void => {
    if (kept.size < KEPT_MAX) return;
    const all = [...kept];
    const [key] =
      all.find(([, { endedAt }]) => endedAt !== null) ??
      all.find(([, { seenAt }]) => clock.now() - seenAt > LEFT_MS) ??
      [];
    if (key !== undefined) return void kept.delete(key);
    throw new SluiceError(
      'busy',
      `${KEPT_MAX} other pages have this counted already. Try again when one of them is done.`,
    );
  };

  return {
    of: (wish: Wish): Counted<Figures> | null => {
      const one = kept.get(JSON.stringify(wish));
      return one === undefined ? null : shown(one);
    },
    /**
     * Begins a count. Nothing happens while it is under way, or if it was done after this moment: a page may be loaded
     * again and again.
     * @throws SluiceError `busy` if pages wait for as many others as are kept
     */
    beginAfter: (wish: Wish, moment: number): Counted<Figures> => {
      const key = JSON.stringify(wish);
      const known = kept.get(key);
      if (known !== undefined && (known.endedAt === null || known.endedAt > moment)) {
        return shown(known);
      }
      kept.delete(key);
      makeRoom();
      const nothing = { leads: 0, figures: null, trouble: null, endedAt: null };
      const one: Kept<Figures> = { ...nothing, seenAt: clock.now(), done: Promise.resolve() };
      kept.set(key, one);
      one.done = countAll(key, wish, one);
      return shown(one);
    },
    /** Resolves when a count is done, after this long, or at once if none is under way. */
    waitFor: async (wish: Wish, ms: number): Promise<void> => {
      const over = new AbortController();
      const done = kept.get(JSON.stringify(wish))?.done;
      if (done !== undefined) await Promise.race([done, clock.sleep(ms, over.signal)]);
      over.abort();
    },
  };
}

/** Makes counts follow one another. */
export function oneByOne<Wish, Figures>(count: Count<Wish, Figures>): Count<Wish, Figures> {
  let turn: Promise<unknown> = Promise.resolve();
  return (wish, onRead) => {
    const counted = turn.then(() => count(wish, onRead));
    turn = counted.catch(() => undefined);
    return counted;
  };
}
