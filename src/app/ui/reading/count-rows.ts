// What takes all rows of a run to count: read in the background when a user asks for it, and kept until others are asked
// for. A page shows how far that is.
import type { Counting } from '../../../html/pages/run.js';
import type { RunFigures } from '../../../model/report/run-figures.js';
import type { Clock } from '../../../ports/clock.js';
import type { Store } from '../../../ports/store/store.js';
import { gatherFigures } from '../../report/gather-figures.js';
import { patientStore } from './patient-store.js';

const KEPT_MAX = 8;

interface Kept {
  leads: number;
  figures: RunFigures | null;
  trouble: string | null;
  /** When it was done, or given up; null while it goes on. */
  endedAt: number | null;
}

/** What was counted of a run; null where no page asked for it. */
export interface Counted {
  readonly counting: Counting;
  /** Null until all rows are read. */
  readonly figures: RunFigures | null;
}

export function createRowCounts(store: Store, clock: Clock) {
  const kept = new Map<number, Kept>();
  const patient = patientStore(store);

  const countAll = async (run: number, one: Kept): Promise<void> => {
    const onProgress = (leads: number): void => {
      one.leads = leads;
    };
    try {
      one.figures = await gatherFigures(patient, run, { clock, onProgress });
    } catch (error) {
      one.trouble = `The rows could not be read. ${error instanceof Error ? error.message : ''}`;
    }
    one.endedAt = clock.now();
  };

  return {
    of: (run: number): Counted | null => {
      const one = kept.get(run);
      if (one === undefined) return null;
      const { endedAt, figures, leads, trouble } = one;
      return { figures, counting: { leads, at: endedAt, trouble } };
    },
    /** Nothing happens while they are being read, or were read after this moment: a page may be loaded again and again. */
    beginAfter: (run: number, moment: number): void => {
      const known = kept.get(run);
      if (known !== undefined && (known.endedAt === null || known.endedAt > moment)) return;
      const one: Kept = { leads: 0, figures: null, trouble: null, endedAt: null };
      kept.delete(run);
      kept.set(run, one);
      const [oldest] = kept.keys();
      if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
      void countAll(run, one);
    },
  };
}
