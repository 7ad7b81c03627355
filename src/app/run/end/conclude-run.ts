// Fills a run's contact list once all leads are answered, then writes the table and reports, however it ended.

import { existsSync } from 'node:fs';
import { isWanted } from '../../../model/columns/choose-columns.js';
import {
  columnRenames,
  columnsOfRun,
  describeColumns,
} from '../../../model/columns/output-columns.js';
import { shapeOf } from '../../../model/columns/positions.js';
import { SluiceError } from '../../../model/errors.js';
import { tellNext } from '../../../model/report/advice.js';
import { type Condition, isAnswered } from '../../../model/report/fail-on.js';
import type { Run } from '../../../model/run.js';
import { leadsIn, openLeads, type RunTally } from '../../../model/tally.js';
import type { RunResult } from '../../../model/telemetry/event-fields.js';
import { formatCount } from '../../../model/text/count.js';
import { ClosedPipe } from '../../../output/standard-output.js';
import { type ListPlan, type ListReport, listLeads } from '../../../run/list-leads.js';
import type { Ending } from '../../../run/process-run.js';
import type { ReadingContext, RunContext } from '../../../run/run-context.js';
import { budgetUseOf, openChargesOf } from '../../../run/send/budget.js';
import { costByAsk } from '../../report/read-rows.js';
import { type ExportReport, exportRun } from '../../results/export-run.js';
import { nameCommands } from '../../results/name-commands.js';
import type { EndedRun, RunTask } from '../run-options.js';
import { noteEnd } from './note-left.js';

export interface ListedEnding extends Ending {
  /** Null if the job wants no list, or some chosen leads are not in it yet. */
  readonly listed: ListReport | null;
}

/** Never throws: a problem ends the run, and the next run continues there. */
export async function fillList(
  context: RunContext,
  list: ListPlan | null,
  { problem }: Ending,
): Promise<ListedEnding> {
  if (list === null || problem !== undefined || context.drain.aborted) {
    return { problem, listed: null };
  }
  try {
    const isAnswered = openLeads(await context.store.tally(context.run.id)) === 0;
    return { problem, listed: isAnswered ? await listLeads(context, list) : null };
  } catch (failure) {
    // A request cancelled by the drain says nothing about the platform.
    const isStop = context.drain.aborted && failure instanceof SluiceError;
    return { problem: isStop && failure.code === 'platform' ? undefined : failure, listed: null };
  }
}

/** Returns the error that stopped the run with what it came to. @throws a failure to write the table */
export async function concludeRun(
  { environment, force, settings, standardOutput, writesTables = () => true }: RunTask,
  { clock, drain, observe, run, startedAt, store }: ReadingContext,
  { listed, problem: stop }: ListedEnding,
): Promise<EndedRun> {
  // A signal or `sluice cancel` ended a run that had continued to collect despite its problem.
  const isPassed = drain.aborted && stop instanceof SluiceError && PASSING.has(stop.code);
  const problem = isPassed ? undefined : stop;
  let tally = await store.tally(run.id);
  const isFinished = problem === undefined && !drain.aborted && openLeads(tally) === 0;
  // The table says why leads were not sent.
  if (!isFinished) await noteEnd(store, run.id, { clock, error: problem });
  // A run without an answer, or with leads still to read, or whose input has no leads, leaves the last run's table alone.
  const hasLearnt = problem === undefined || openLeads(tally) < tally.leads;
  const isWhole = (await store.findRun(run.id))?.state !== 'reading';
  const isThere = existsSync(run.output.out);
  const hasRows = tally.leads > 0 || tally.rejects > 0;
  const exportedAt = clock.now();
  const isWorthWriting =
    writesTables(isFinished) && hasLearnt && ((isWhole && hasRows) || !isThere);
  let exported: ExportReport | null = null;
  try {
    if (isWorthWriting) {
      const rejectsAlone = isThere && tally.leads === 0;
      const wish = { standardOutput, force, stated: settings, rejectsAlone };
      exported = await exportRun(store, run.id, wish);
    }
  } catch (failure) {
    // If the reader of the table has gone, the rest is never written.
    if (isFinished && failure instanceof ClosedPipe)
      await store.endRun(run.id, 'finished', clock.now());
    // The error that stopped the run comes first, not that the reader of its table has gone.
    throw problem ?? sinceThen(failure, run.id);
  }
  // The run is finished only now: a run that dies before its table is written is continued, and not replaced by a new
  // run.
  if (isFinished) {
    await store.endRun(run.id, 'finished', clock.now());
    tally = await store.tally(run.id);
  }
  if (exported !== null) {
    const { rows, rejects, changed } = exported;
    const { out } = run.output;
    const durationMs = clock.now() - exportedAt;
    const hasRejects = rejects !== null;
    const changedCells = changed.reduce((sum, { cells }) => sum + cells, 0);
    observe({ kind: 'table.exported', out, rows, hasRejects, changedCells, durationMs });
  }
  const durationMs = clock.now() - startedAt;
  const now = (await store.findRun(run.id)) as Run;
  const stopped = problem ?? (now.state === 'cancelled' ? wasCancelled(run.id, tally) : undefined);
  const result = runResult(stopped, isFinished, { tally, failOn: settings.failOn });
  const advice =
    result === 'unanswered'
      ? tellNext({ run, tally }, nameCommands(run.job, settings.state, environment))
      : '';
  const { byStatus, credits, fromCache, leads, rejects } = tally;
  const counts = { leads, rejects, ...byStatus, fromCache, credits };
  observe({ kind: 'run.ended', run, result, ...counts, durationMs, advice });
  return {
    ...(stopped !== undefined && { stopped }),
    run: now,
    tally,
    isFinished,
    exported,
    listed,
    renames: columnRenames(
      now.columns,
      describeColumns(shapeOf(settings.positions), {
        ...columnsOfRun(now),
        isFilled: settings.fill !== undefined,
        isJoined: run.output.further !== undefined,
      }).filter((one) => isWanted(one, settings)),
    ),
    startedAt,
    endedAt: clock.now(),
    charges: await openChargesOf(store, now),
    byAsk: await costByAsk(store, { run: now, tally }),
    budget: await budgetUseOf(store, now),
  };
}

/** For logs and metrics. `problem` is the error that stopped it; a drained run is not finished. */
export function runResult(
  problem: unknown,
  isFinished: boolean,
  judged?: { readonly tally: RunTally; readonly failOn: readonly Condition[] },
): RunResult {
  // It is not an error if the reader of the table has gone.
  if (problem instanceof ClosedPipe) return 'ok';
  if (problem !== undefined) return problem instanceof SluiceError ? problem.code : 'bug';
  if (!isFinished) return 'stopped';
  return judged === undefined || isAnswered(judged.tally, judged.failOn) ? 'ok' : 'unanswered';
}

/** When the run began the table could be written: the present obstacle is not a mistake in the command. */
function sinceThen(failure: unknown, run: number): unknown {
  if (!(failure instanceof SluiceError) || failure.code !== 'usage') return failure;
  return new SluiceError(
    'output',
    `${failure.message} All results are safe in the state: run the same command again when that is fixed, or write the table elsewhere with "sluice export ${run} --out FILE".`,
    failure.facts,
    { cause: failure },
  );
}

/** Errors that ended only the sending here; the next start reports them again if they persist. */
const PASSING: ReadonlySet<string> = new Set(['platform', 'budget', 'cap', 'hit-rate', 'paused']);

function wasCancelled(run: number, tally: RunTally): SluiceError {
  const queued = leadsIn(tally, 'queued');
  return new SluiceError(
    'cancelled',
    `Run ${run} was cancelled; ${formatCount(queued, 'lead was', 'leads were')} not asked for. What was paid for is saved, and serves the next run of the job.`,
  );
}
