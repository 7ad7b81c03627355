// Counts that need all rows of a run: read in the background when a user asks for them, and kept until others are asked
// for. A page shows the progress.
import type { Clock } from '../ports/clock.js';

const KEPT_MAX = 8;
/** Makes a count; `onRead` is called with the number of leads as they are read. */
type Count<Wish, Figures> = (wish: Wish, onRead: (leads: number) => void) => Promise<Figures>;

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
  const kept = new Map<string, ReturnType<typeof begin>>();

  const begin = (key: string, wish: Wish) => {
    const counting = { leads: 0, at: null as number | null, trouble: null as string | null };
    const one = { counting, figures: null as Figures | null, done: Promise.resolve() };
    const onRead = (leads: number): void => {
      if (kept.get(key) !== one) throw new Error('It is not asked for any more.');
      counting.leads += leads;
    };
    const countAll = async (): Promise<void> => {
      try {
        one.figures = await count(wish, onRead);
      } catch (error) {
        counting.trouble = `${failure} ${error instanceof Error ? error.message : ''}`;
      }
      counting.at = clock.now();
    };
    kept.set(key, one);
    one.done = countAll();
    return one;
  };

  /** As it is now: a page must not see it go on. */
  const of = (wish: Wish): Counted<Figures> | null => {
    const one = kept.get(JSON.stringify(wish));
    return one === undefined ? null : { figures: one.figures, counting: { ...one.counting } };
  };

  return {
    of,
    /**
     * Begins a count, in place of the oldest one if too many are kept. Nothing happens while it is under way, or if it
     * was done after this moment: a page may be loaded again and again.
     */
    beginAfter: (wish: Wish, moment: number): Counted<Figures> => {
      const key = JSON.stringify(wish);
      const known = kept.get(key);
      const at = known?.counting.at;
      if (at === undefined || (at !== null && at <= moment)) {
        kept.delete(key);
        const [oldest = ''] = kept.keys();
        if (kept.size >= KEPT_MAX) kept.delete(oldest);
        begin(key, wish);
      }
      return of(wish) as Counted<Figures>;
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
