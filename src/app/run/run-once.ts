// One run, from opening the platform to writing the table.
import { tellRefused } from '../../model/report/refused-deliveries.js';
import type { Run } from '../../model/run.js';
import type { LeadReader } from '../../ports/lead-reader.js';
import type { RefusedDeliveries } from '../../ports/store/deliveries.js';
import type { Store } from '../../ports/store/store.js';
import { processRun } from '../../run/process-run.js';
import type { Portion } from '../plan/drop-portions.js';
import { reportAtEnd } from '../report/write-report.js';
import { findRefused } from '../results/look-beside.js';
import { beginRun, goOn } from './begin/begin-run.js';
import { closingAll } from './closing-all.js';
import { watchDrain } from './drain-run.js';
import { watchBalance } from './end/compare-balance.js';
import { concludeRun, fillList } from './end/conclude-run.js';
import { noteEnd } from './end/note-left.js';
import { handOnRows } from './hand-on-rows.js';
import { openContext, openForRun, type RunInProgress } from './open-context.js';
import { readGauges } from './read-gauges.js';
import type { EndedRun, RunReport } from './run-options.js';
import type { RunTask } from './run-task.js';
import { makeWaterfall } from './waterfall/make-waterfall.js';

/**
 * Runs over a portion, or continues an open run, while no other process can work on the job.
 * @throws SluiceError once every answer is saved and the table is written as far as it is known
 */
export async function runOnce(task: RunTask, store: Store, portion: Portion): Promise<RunReport> {
  const report = await runPortion(task, store, portion);
  await task.onEnded(report, task.observe);
  return report;
}

async function runPortion(task: RunTask, store: Store, portion: Portion): Promise<RunReport> {
  const { clock } = task;
  let begunRun: number | undefined;
  try {
    const make = task.waterfall === undefined ? makePortion : makeWaterfall;
    const report = await make(task, store, portion, (id) => {
      begunRun = id;
    });
    const { id } = report.run;
    const run = report.isFinished ? report.run : await noteEnd(store, id, { clock });
    const refused = await warnOfRefused(task, store, run);
    return { ...report, run, refused, reportFile: await reportAtEnd(task, store, id) };
  } catch (error) {
    if (begunRun !== undefined) {
      // If the state is the trouble, the run shows as cut off; the error that stopped it is reported all the same.
      await noteEnd(store, begunRun, { clock, error })
        .then((run) => warnOfRefused(task, store, run))
        .catch(() => undefined);
      await reportAtEnd(task, store, begunRun);
    }
    throw error;
  }
}

/** Tells how many deliveries were refused meanwhile: the run has asked for their answers, or lacks them. */
async function warnOfRefused(
  { clock, observe }: RunTask,
  store: Store,
  run: Run,
): Promise<readonly RefusedDeliveries[]> {
  const refused = await findRefused(store, run, clock);
  for (const one of refused) {
    observe({ kind: 'run.warned', warning: 'deliveries_refused', message: tellRefused(one) });
  }
  return refused;
}

async function makePortion(
  task: RunTask,
  store: Store,
  portion: Portion,
  onBegun: (run: number) => void,
): Promise<EndedRun> {
  return closingAll(async (closing) => {
    const startedAt = task.clock.now();
    const { opened, requests } = await openForRun(task, { closing, store });
    const { terms } = opened;
    const { reader, ...begun } = await (portion.goesOn === undefined
      ? beginRun(task, store, portion, { terms, startedAt })
      : goOn(task, store, portion.goesOn, terms));
    requests.begin(begun.run.id);
    onBegun(begun.run.id);
    return workOff(task, { ...opened, ...begun, startedAt }, reader);
  });
}

/** Works on a run until it ends, or is told to stop. */
async function workOff(
  task: RunTask,
  opened: RunInProgress,
  reader: LeadReader,
): Promise<EndedRun> {
  const { clock, list, measuring, observe, settings } = task;
  const { run, store } = opened;
  const drain = watchDrain(task.drain, run.id, { store, clock, observe });
  const balance = watchBalance(task.dialect, opened);
  const bare = await openContext(task, { ...opened, balance }, drain.signal);
  const { context, end } = handOnRows(bare, settings.positions, task.onRow);
  try {
    const worked = await end(await processRun(context, reader, task.resendUncertain));
    const ending = await fillList(context, list, worked);
    drain.stopWatching();
    const report = await concludeRun(context, settings, task, ending);
    const compared = await balance.end();
    return compared === undefined ? report : { ...report, balance: compared };
  } finally {
    drain.close();
    await measuring.lookLast(() => readGauges(context));
  }
}
