// What takes all rows of a run to count: read in the background when a user asks for it, and kept until others are asked
// for. A page shows how far that is.
import type { Counting } from '../../../html/pages/run.js';
import type { Clock } from '../../../ports/clock.js';

const KEPT_MAX = 8;

/** `onRead` is told of the leads as they are read. */
type Count<Wish, Figures> = (wish: Wish, onRead: (leads: number) => void) => Promise<Figures>;

interface Kept<Figures> {
  leads: number;
  figures: Figures | null;
  trouble: string | null;
  /** When it was done, or given up; null while it goes on. */
  endedAt: number | null;
}

/** What was counted; null where no page asked for it. */
export interface Counted<Figures> {
  readonly counting: Counting;
  /** Null until all rows are read. */
  readonly figures: Figures | null;
}

/** `failure` is said before what went wrong. Wishes are the same that are the same as JSON. */
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

  const shown = ({ endedAt, figures, leads, trouble }: Kept<Figures>): Counted<Figures> => ({
    figures,
    counting: { leads, at: endedAt, trouble },
  });

  return {
    of: (wish: Wish): Counted<Figures> | null => {
      const one = kept.get(JSON.stringify(wish));
      return one === undefined ? null : shown(one);
    },
    /** Nothing happens while they are being read, or were read after this moment: a page may be loaded again and again. */
    beginAfter: (wish: Wish, moment: number): Counted<Figures> => {
      const key = JSON.stringify(wish);
      const known = kept.get(key);
      if (known !== undefined && (known.endedAt === null || known.endedAt > moment)) {
        return shown(known);
      }
      const one: Kept<Figures> = { leads: 0, figures: null, trouble: null, endedAt: null };
      kept.delete(key);
      kept.set(key, one);
      const [oldest] = kept.keys();
      if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
      void countAll(key, wish, one);
      return shown(one);
    },
  };
}

/** The next begins when the one before has ended. */
export function oneByOne<Wish, Figures>(count: Count<Wish, Figures>): Count<Wish, Figures> {
  let turn: Promise<unknown> = Promise.resolve();
  return (wish, onRead) => {
    const counted = turn.then(() => count(wish, onRead));
    turn = counted.catch(() => undefined);
    return counted;
  };
}
