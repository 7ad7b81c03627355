// Writes the report of a run: one HTML file, in one step.
import { reportPage } from '../../html/report/report-page.js';
import { SluiceError } from '../../model/errors.js';
import type { RunFigures } from '../../model/report/run-figures.js';
import type { Run } from '../../model/run.js';
import { openTableFile } from '../../output/table-file.js';
import type { Store } from '../../ports/store/store.js';
import { checkWrites } from '../files/check-writes.js';
import { runOf } from '../results/run-of.js';
import { noting } from '../results/write-tables.js';
import { type GatherOptions, gatherFigures } from './gather-figures.js';

export interface ReportWish extends Omit<GatherOptions, 'readsRows'> {
  /** The file to write, whose name ends in .html; without it nothing is written. */
  readonly out?: string | undefined;
  /**
   * Whether to replace a file that Sluice did not write as a report of this job; never an input, a job or a state file.
   * Default: false.
   */
  readonly force?: boolean | undefined;
}

/**
 * The present figures of a run in the store, and the report that shows them. Can be repeated at any time, also while
 * the run goes on.
 * @throws SluiceError `usage` for an unknown run, and if a file must not be replaced; `output`
 */
export async function reportRun(
  store: Store,
  runId: number,
  { force = false, out, ...options }: ReportWish = {},
): Promise<RunFigures> {
  const run = await runOf(store, runId);
  if (out === undefined) return gatherFigures(store, runId, options);
  checkReportName(out);
  const { digests, job, sources } = run;
  const wish = { job, sources, digests, run: runId, isForced: force };
  await checkWrites([{ path: out, purpose: 'report' }], wish, store);
  const figures = await gatherFigures(store, runId, options);
  await writeReport(store, run, figures, out);
  return figures;
}

async function writeReport(
  store: Store,
  run: Run,
  figures: RunFigures,
  out: string,
): Promise<void> {
  const isPrivate = figures.samples !== null;
  const file = await openTableFile(out, noting(store, run, 'report'), isPrivate);
  try {
    await file.write(reportPage(figures).toString());
    await file.commit();
  } finally {
    await file.discard();
  }
}

/** @throws SluiceError `usage` for a name that does not end in .html */
export function checkReportName(out: string): void {
  if (/[^/\\]\.html?$/i.test(out)) return;
  throw new SluiceError(
    'usage',
    `A report is an HTML file, and "${out}" is no name of one: let it end in .html.`,
    { out },
  );
}
