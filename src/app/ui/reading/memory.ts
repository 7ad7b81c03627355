// What is remembered from one look at a state to the next, for as long as its pages are served: how fast runs go, and
// what was counted of them.
import type { Readable } from 'node:stream';
import { isOpen, type Run } from '../../../model/run.js';
import { createPace, type Pace } from '../../../model/schedule/pace.js';
import type { RunTally } from '../../../model/tally.js';
import type { Clock } from '../../../ports/clock.js';
import type { Store } from '../../../ports/store/store.js';
import { compareRuns } from '../../report/compare-runs.js';
import { gatherFigures } from '../../report/gather-figures.js';
import { tallyOf } from '../../results/see-run.js';
import { keepCounts, oneByOne } from './keep-counts.js';
import { patientStore } from './patient-store.js';

/** What a run shows is kept as long as so many counts of its leads take: a database counts them anew each time. */
const COUNTS_KEPT = 20;
/** Of a run that has ended it is kept for so long at least. */
const TALLY_KEPT_MS = 30_000;
const KEPT_MAX = 1_000;

type Memory = ReturnType<typeof createMemory>;
const MEMORIES = new WeakMap<Store, Memory>();

export interface Looker {
  readonly store: Store;
  readonly clock: Clock;
}

/** Two runs, and the columns that name a lead in both; none: leads with the same inputs are the same. */
export interface ComparisonWish {
  readonly before: number;
  readonly after: number;
  readonly key: readonly string[];
}

/** One for each state. */
export function memoryOf({ clock, store }: Looker): Memory {
  const known = MEMORIES.get(store) ?? createMemory(store, clock);
  MEMORIES.set(store, known);
  return known;
}

interface CountedTally {
  readonly tally: RunTally;
  /** How the run stood. */
  readonly standing: string;
  readonly keptUntil: number;
}

function createMemory(store: Store, clock: Clock) {
  const paces = new Map<number, Pace>();
  const tallies = new Map<number, CountedTally>();

  return {
    rows: keepCounts('The rows could not be read.', clock, (run: number, onRead) =>
      gatherFigures(patientStore(store, onRead), run, { clock }),
    ),

    /** One at a time: each remembers the leads of a run in a database of its own. */
    comparisons: keepCounts(
      'The runs could not be compared.',
      clock,
      oneByOne(async ({ after, before, key }: ComparisonWish, onRead) => {
        const { figures } = await compareRuns(patientStore(store, onRead), before, after, { key });
        return figures;
      }),
    ),

    /** Files that are being made for browsers. */
    files: new Set<Readable>(),

    /** What the looks at a run before this one tell. */
    paceOf: (run: number): Pace => {
      const pace = paces.get(run) ?? createPace();
      keep(paces, run, pace);
      return pace;
    },

    /** It may be a moment old, of a million leads in a database a minute. */
    tallyOf: async (run: Run): Promise<RunTally> => {
      const { id, state } = run;
      const standing = standingOf(run);
      const known = tallies.get(id);
      if (known?.standing === standing && clock.now() < known.keptUntil) return known.tally;
      const askedAt = clock.now();
      const tally = await tallyOf(store, run);
      const at = clock.now();
      const keptMs = Math.max((at - askedAt) * COUNTS_KEPT, isOpen(state) ? 0 : TALLY_KEPT_MS);
      keep(tallies, id, { tally, standing, keptUntil: at + keptMs });
      return tally;
    },
  };
}

/** What of a run changes when it ends or is opened again. */
function standingOf({ endedAt, state }: Run): string {
  return `${state} ${endedAt}`;
}

/** The oldest one leaves where there are too many. */
function keep<V>(map: Map<number, V>, key: number, value: V): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > KEPT_MAX && oldest !== undefined) map.delete(oldest);
}
