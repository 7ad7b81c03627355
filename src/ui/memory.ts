// The memory from one look at a state to the next, for as long as its pages are served: the paces of runs, and their
// counts.
import { setImmediate } from 'node:timers/promises';
import { compareRuns } from '../app/report/compare-runs.js';
import { gatherFigures } from '../app/report/gather-figures.js';
import { runOf } from '../app/results/run-of.js';
import { tallyOf } from '../app/results/see-run.js';
import type { LeadAnswer } from '../model/answer.js';
import { isOpen, type Run } from '../model/run.js';
import { createPace, type Pace } from '../model/schedule/pace.js';
import type { Clock } from '../ports/clock.js';
import type { Store } from '../ports/store/store.js';
import { answerPages } from '../run/export.js';
import { keepCounts } from './keep-counts.js';
import { choiceOf } from './leads/choose-leads.js';
import { createLeadIndex } from './leads/lead-index.js';

/** A tally is kept for this many times as long as counting its leads took: a database counts them each time. */
const COUNTS_KEPT = 20;
/** The same of a run that has ended, which changes seldom. */
const ENDED_KEPT = 200;
const KEPT_MAX = 1_000;

export interface Looker {
  readonly store: Store;
  readonly clock: Clock;
}

/** Two runs, and the columns that identify a lead in both; none: leads with the same inputs are the same. */
interface ComparisonWish {
  readonly before: number;
  readonly after: number;
  readonly key: readonly string[];
}

/** What was done, for the page to which that leads. */
export interface Told {
  readonly title: string;
  readonly sentences: readonly string[];
}

interface TextWish {
  readonly run: number;
  readonly text: string;
}

const MEMORIES = new WeakMap<Store, ReturnType<typeof createMemory>>();

/** The memory of a state: one for each. */
export function memoryOf({ clock, store }: Looker): ReturnType<typeof createMemory> {
  const known = MEMORIES.get(store) ?? createMemory(store, clock);
  MEMORIES.set(store, known);
  return known;
}

function createMemory(store: Store, clock: Clock) {
  const paces = new Map<number, Pace>();
  const told = new Map<number, Told>();
  const shown = new Map<number, { readonly tally: string; readonly at: number }>();
  let last = 0;

  /** A count. It may be a moment old; for a million leads a minute, and some minutes once the run has ended. */
  const keptCount = <T>(count: (run: Run) => Promise<T>) => {
    const counts = new Map<number, { value: T; stage: string; keptUntil: number }>();
    return async (run: Run): Promise<T> => {
      // That changes when the run ends or is opened again.
      const stage = `${run.state} ${run.endedAt}`;
      const known = counts.get(run.id);
      const askedAt = clock.now();
      if (known?.stage === stage && askedAt < known.keptUntil) return known.value;
      const value = await count(run);
      const at = clock.now();
      const keptMs = (at - askedAt) * (isOpen(run.state) ? COUNTS_KEPT : ENDED_KEPT);
      keep(counts, run.id, { value, stage, keptUntil: at + keptMs });
      return value;
    };
  };
  const tallyKept = keptCount((run) => tallyOf(store, run));
  const commitmentKept = keptCount((run) => store.commitment(run.id));
  const remembering = (from: Store): Store => ({
    ...from,
    tally: async (id) => tallyKept(await runOf(store, id)),
    commitment: async (id) => {
      // A run that was replaced may be there no more.
      const run = await store.findRun(id);
      return run === null ? store.commitment(id) : commitmentKept(run);
    },
  });

  return {
    /** The figures of a run that need every row, and the values by which its leads are chosen: one look at each row. */
    rows: keepCounts('The rows could not be read.', clock, async (run: number, onRead) => {
      const index = createLeadIndex();
      const reading = patientStore(store, (answers) => {
        index.add(answers);
        onRead(answers.length);
      });
      return { figures: await gatherFigures(remembering(reading), run, { clock }), index };
    }),

    /** The leads of a run with a text: one look at each row. */
    found: keepCounts(
      'The rows could not be read.',
      clock,
      async ({ run, text }: TextWish, onRead) => {
        const index = createLeadIndex();
        const chooses = choiceOf({ text });
        const reading = patientStore(store, (answers) => onRead(answers.length));
        for await (const leads of answerPages(reading, await runOf(store, run))) {
          index.add(leads.filter(chooses));
        }
        return { index };
      },
    ),

    /** The columns of their own that the leads of a job show, until others are chosen. */
    ownColumns: new Map<string, readonly string[]>(),

    comparisons: keepCounts(
      'The runs could not be compared.',
      clock,
      async ({ after, before, key }: ComparisonWish, onRead) => {
        const reading = patientStore(store, (answers) => onRead(answers.length));
        return (await compareRuns(reading, before, after, { key })).figures;
      },
    ),

    /** The pace of a run, from the looks before this one. */
    paceOf: (run: number): Pace => {
      const pace = paces.get(run) ?? createPace();
      keep(paces, run, pace);
      return pace;
    },

    /** Keeps what was done, and returns the number by which a page gets it. */
    tell: (done: Told): number => {
      last += 1;
      keep(told, last, done);
      return last;
    },
    told: (did: number | undefined): Told | undefined => told.get(did ?? 0),

    tallyOf: tallyKept,

    /** The moment since which a run that has ended, or waits, shows what it does: it changes by forgetting, and by late answers. */
    shownSince: async (run: Run): Promise<number> => {
      const tally = JSON.stringify(await tallyKept(run));
      const known = shown.get(run.id);
      const at = known === undefined ? (run.endedAt ?? run.left?.at ?? 0) : clock.now();
      if (known?.tally !== tally) keep(shown, run.id, { tally, at });
      return shown.get(run.id)?.at ?? at;
    },

    store: remembering(store),
  };
}

/** Keeps a value; the oldest one is dropped if there are too many. */
function keep<V>(map: Map<number, V>, key: number, value: V): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > KEPT_MAX && oldest !== undefined) map.delete(oldest);
}

/**
 * A store in a file answers without waiting: here requests come between two portions of the leads. `onRead` is called
 * with each portion, and ends the reading if it throws.
 */
export function patientStore(store: Store, onRead: (leads: readonly LeadAnswer[]) => void): Store {
  return {
    ...store,
    answers: async (...args) => {
      await setImmediate();
      const answers = await store.answers(...args);
      onRead(answers);
      return answers;
    },
  };
}
