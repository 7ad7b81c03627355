// Counts that need all rows of a run: read in the background when a user asks for them, and kept until others are asked
// for. A page shows the progress.
import type { Clock } from '../ports/clock.js';

const KEPT_MAX = 8;
/** The time for which a page waits for the look at every row; for a few thousand leads it suffices. */
const WAIT_MS = 400;

/** The progress of reading the rows, for numbers that need all of them, and its result. */
export interface Counted<Figures> {
  readonly leads: number;
  /** The time at which that ended; null while it goes on. */
  readonly at: number | null;
  readonly trouble: string | null;
  /** Null until all rows are read. */
  readonly figures: Figures | null;
}

export type Counting = Omit<Counted<unknown>, 'figures'>;

/**
 * Keeps counts. `failure` stands before an error's message. `count` calls `onRead` with the number of leads as they are
 * read. Wishes with the same JSON are the same.
 */
export function keepCounts<Wish, Figures>(
  failure: string,
  clock: Clock,
  count: (wish: Wish, onRead: (leads: number) => void) => Promise<Figures>,
) {
  const kept = new Map<string, Counted<Figures> & { readonly done: Promise<void> }>();

  const begin = (key: string, wish: Wish): void => {
    const change = (news: Partial<Counted<Figures>>): void => {
      const one = kept.get(key);
      if (one?.done !== done) throw new Error('It is not asked for any more.');
      kept.set(key, { ...one, ...news });
    };
    const onRead = (leads: number): void => change({ leads: (kept.get(key)?.leads ?? 0) + leads });
    const countAll = async (): Promise<void> => {
      try {
        change({ figures: await count(wish, onRead), at: clock.now() });
      } catch (error) {
        const why = error instanceof Error ? error.message : '';
        if (kept.get(key)?.done === done) change({ trouble: `${failure} ${why}`, at: clock.now() });
      }
    };
    // The count begins once it is kept.
    const done: Promise<void> = Promise.resolve().then(countAll);
    kept.set(key, { leads: 0, at: null, trouble: null, figures: null, done });
  };

  /** As it is now; null if no page asked for it. */
  const of = (wish: Wish): Counted<Figures> | null => kept.get(JSON.stringify(wish)) ?? null;

  /**
   * Begins a count, in place of the oldest one if too many are kept. Nothing happens while it is under way, or if it
   * was done after this moment: a page may be loaded again and again.
   */
  const beginAfter = (wish: Wish, moment: number): void => {
    const key = JSON.stringify(wish);
    const at = kept.get(key)?.at;
    if (at === null || (at !== undefined && at > moment)) return;
    kept.delete(key);
    const [oldest = ''] = kept.keys();
    if (kept.size >= KEPT_MAX) kept.delete(oldest);
    begin(key, wish);
  };

  return {
    of,
    beginAfter,
    /** The same; waits a moment for its end. */
    countAfter: async (wish: Wish, moment: number): Promise<Counted<Figures> | null> => {
      beginAfter(wish, moment);
      const over = new AbortController();
      await Promise.race([kept.get(JSON.stringify(wish))?.done, clock.sleep(WAIT_MS, over.signal)]);
      over.abort();
      return of(wish);
    },
  };
}
