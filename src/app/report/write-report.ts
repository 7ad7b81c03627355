import { SluiceError, wrongUse } from '../../model/errors.js';
import type { RunFigures } from '../../model/report/run-figures.js';
import type { RunObserver } from '../../model/telemetry/observe.js';
import { openTableFile } from '../../output/table-file.js';
import type { Clock } from '../../ports/clock.js';
import type { Store } from '../../ports/store/store.js';
import { checkWrites } from '../files/check-writes.js';
import { refuseElsewhere } from '../files/stated-files.js';
import { runOf } from '../results/run-of.js';
import { noting } from '../results/write-tables.js';
import type { Environment } from '../settings/environment.js';
import type { JobSettings } from '../settings/job-settings.js';
import type { WrittenChanges } from './compare-runs.js';
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
  // Loaded only here: few runs have a report, and loading the page takes a twentieth of a run's start.
  const { reportFile } = await import('../../tell/report-file.js');
  const file = await openTableFile(out, noting(store, run, 'report'));
  try {
    await file.write(reportFile(figures).toString());
    await file.commit();
  } finally {
    await file.discard();
  }
  return figures;
}

/** @throws SluiceError `usage` for a name that does not end in .html */
export function checkReportName(out: string): void {
  if (/[^/\\]\.html?$/i.test(out)) return;
  throw wrongUse(`A report is an HTML file, and "${out}" is no name of one: let it end in .html.`);
}

interface ReportTask {
  readonly settings: JobSettings;
  readonly environment: Environment;
  readonly clock: Clock;
  readonly force: boolean;
  readonly observe: RunObserver;
  readonly writesTables?: ((isFinished: boolean) => boolean) | undefined;
}

/**
 * Writes the report that a job wants, at the end of a run. A failure ends no run: it is reported, and "sluice report" makes
 * the report again.
 * @returns the file that was written; null if the job wants none, or it could not be written
 */
export async function reportAtEnd(
  { clock, environment, force, observe, settings, writesTables = () => true }: ReportTask,
  store: Store,
  runId: number,
): Promise<string | null> {
  return orTold(observe, `The report of run ${runId}`, `sluice report ${runId}`, async () => {
    const run = await store.findRun(runId);
    const out = run?.output.report;
    if (run === null || out === undefined || !writesTables(run.state === 'finished')) return null;
    refuseElsewhere({ report: out }, settings);
    const { state } = settings;
    await reportRun(store, runId, { out, force, state, environment, clock, isEnding: true });
    return out;
  });
}

export interface ChangesSince extends WrittenChanges {
  /** The run before. */
  readonly since: number;
}

/** How many runs back the one before is looked for. */
const RUNS_BACK = 200;

/** Writes what differs from the last run of the job that had finished. As `reportAtEnd`; null also if there is none. */
export async function changesAtEnd(
  { force, observe, settings, writesTables = () => true }: ReportTask,
  store: Store,
  runId: number,
): Promise<ChangesSince | null> {
  const again = `sluice report --compare EARLIER ${runId} --changes FILE`;
  return orTold(observe, `The table of changes of run ${runId}`, again, async () => {
    const run = await store.findRun(runId);
    const { changes: out, key } = run?.output ?? {};
    if (run?.state !== 'finished' || out === undefined || !writesTables(true)) return null;
    refuseElsewhere({ changes: out }, settings);
    const all = await store.listRuns(RUNS_BACK, { job: run.job });
    const before = all.find(({ id, state }) => id < runId && state === 'finished');
    if (before === undefined) return null;
    const { compareRuns } = await import('./compare-runs.js');
    const wish = { changes: out, force, isByChange: true, key };
    const { changes } = await compareRuns(store, before.id, runId, wish);
    return changes && { ...changes, since: before.id };
  });
}

async function orTold<R>(
  observe: RunObserver,
  what: string,
  again: string,
  write: () => Promise<R>,
): Promise<R | null> {
  try {
    return await write();
  } catch (error) {
    const why = error instanceof SluiceError ? error.logged : 'This is a bug in Sluice.';
    const message = `${what} was not written: ${why} "${again}" writes it.`;
    observe({ kind: 'run.warned', warning: 'report_not_written', message });
    return null;
  }
}
