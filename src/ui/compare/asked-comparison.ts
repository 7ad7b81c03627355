// The two runs of a job that a page compares, by its address.
import { runOf } from '../../app/results/run-of.js';
import { SluiceError } from '../../model/errors.js';
import type { Run } from '../../model/run.js';
import type { Store } from '../../ports/store/store.js';
import { numberIn, textIn } from '../read-query.js';
import type { Visit } from '../server/routes.js';

/** Two runs, the earlier one first. */
export interface TwoRuns {
  readonly before: Run;
  readonly after: Run;
}

export interface AskedComparison extends TwoRuns {
  /** The key of columns of both inputs; empty: leads with the same inputs are the same. */
  readonly key: readonly string[];
}

/**
 * The comparison; null if the address does not name two runs.
 * @throws SluiceError `usage` if they are one run, or not of the job
 */
export async function askedComparison(store: Store, visit: Visit): Promise<AskedComparison | null> {
  const before = await runIn(store, visit, 'before');
  const after = await runIn(store, visit, 'after');
  if (before === undefined || after === undefined) return null;
  if (before.id === after.id) {
    throw new SluiceError(
      'usage',
      `Run ${before.id} cannot be compared with itself. Choose two runs.`,
      { run: before.id },
    );
  }
  const key = textIn(visit, 'key');
  return { before, after, key: key === undefined ? [] : [columnAsked(after, key)] };
}

function columnAsked({ columns }: Run, asked: string): string {
  const isAsked = columns.some(({ key }) => key === asked);
  if (isAsked) return asked;
  return columns.find(({ key }) => asSent(key) === asSent(asked))?.key ?? asked;
}

/** A name as a browser sends it: each line break of a form as two characters, whichever the header has. */
function asSent(name: string): string {
  return name.replaceAll(/\r\n?|\n/g, '\r\n');
}

/**
 * The comparison of the run that the address names, or of the newest of these runs, with the one before it; the oldest
 * run is compared with the newest. Null if there is only one.
 */
export async function nextComparison(
  store: Store,
  visit: Visit,
  [newest]: readonly Run[],
): Promise<TwoRuns | null> {
  const after = (await runIn(store, visit, 'after')) ?? newest;
  if (after === undefined || newest === undefined) return null;
  const [earlier] = await store.listRuns(1, { job: after.job, before: after.id });
  if (earlier !== undefined) return { before: earlier, after };
  return newest.id === after.id ? null : { before: after, after: newest };
}

async function runIn(
  store: Store,
  visit: Visit,
  name: 'before' | 'after',
): Promise<Run | undefined> {
  const id = numberIn(visit, name);
  if (id === undefined) return undefined;
  const { job = '' } = visit.params;
  const run = await runOf(store, id);
  if (run.job === job) return run;
  throw new SluiceError(
    'usage',
    `Run ${id} is one of ${run.job}, and these are the runs of ${job}. The command line compares runs of two jobs.`,
    { run: id, job },
  );
}
