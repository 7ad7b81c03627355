import { tellRefused } from '../../model/report/refused-deliveries.js';
import type { Run } from '../../model/run.js';
import type { LeadReader } from '../../ports/lead-reader.js';
import type { RefusedDeliveries } from '../../ports/store/deliveries.js';
import type { Store } from '../../ports/store/store.js';
import { processRun } from '../../run/process-run.js';
import type { ReadingContext } from '../../run/run-context.js';
import type { Portion } from '../plan/drop-portions.js';
import { changesAtEnd, reportAtEnd } from '../report/write-report.js';
import { findRefused } from '../results/see-run.js';
import { beginRun } from './begin/begin-run.js';
import { endBalances } from './end/compare-balance.js';
import { concludeRun, fillList } from './end/conclude-run.js';
import { noteEnd } from './end/note-left.js';
import { handOnRows } from './hand-on-rows.js';
import { readGauges } from './measure-run.js';
import type { EndedRun, RunReport, RunTask } from './run-options.js';
import { putToWork, type Sender, type SenderAtWork, withSenders } from './senders.js';
import { workSteps } from './waterfall/work-steps.js';

/**
 * Runs over a portion, or continues an open run, while no other process can work on the job.
 * @throws SluiceError once every answer is saved and the table is written as far as it is known
 */
export async function runOnce(task: RunTask, store: Store, portion: Portion): Promise<RunReport> {
  const { stopped, ...report } = await runPortion(task, store, portion);
  if (stopped !== undefined) {
    task.onStopped(report);
    throw stopped;
  }
  await task.onEnded(report, task.observe);
  return report;
}

async function runPortion(task: RunTask, store: Store, portion: Portion) {
  const { clock } = task;
  let begunRun: number | undefined;
  try {
    const report = await makeRun(task, store, portion, (id) => {
      begunRun = id;
    });
    const { run } = report;
    const { id } = run;
    const refused = await warnOfRefused(task, store, run);
    const changes = await changesAtEnd(task, store, id);
    return { ...report, refused, changes, reportFile: await reportAtEnd(task, store, id) };
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

async function makeRun(
  task: RunTask,
  store: Store,
  portion: Portion,
  onBegun: (run: number) => void,
): Promise<EndedRun> {
  const startedAt = task.clock.now();
  return withSenders(task, store, async (senders) => {
    const { context, reader } = await beginRun(task, store, portion, startedAt);
    onBegun(context.run.id);
    return workOff(task, senders, context, reader);
  });
}

/** Works on a run until it ends, or is told to stop. The senders of a waterfall have runs of their own, all at once. */
async function workOff(
  task: RunTask,
  senders: readonly Sender[],
  unwatched: ReadingContext,
  reader: LeadReader,
): Promise<EndedRun> {
  const { list, lookLast, observe, resendUncertain, waterfall } = task;
  const { run, store } = unwatched;
  if (waterfall !== undefined) {
    // Before any step sends: what an earlier process was sending is uncertain, whichever step it was.
    const recovered = await store.recover(run.id);
    if (recovered > 0) observe({ kind: 'run.recovered', uncertain: recovered });
  }
  const drain = watchDrain(task.drain, unwatched);
  const { end, ...watching } = handOnRows(task, store, run, drain.signal);
  const context = { ...unwatched, ...watching };
  try {
    const atWork = await putToWork(task, senders, context);
    const first = atWork[0] as SenderAtWork;
    const worked =
      waterfall === undefined
        ? await processRun(first.context, reader, resendUncertain)
        : await workSteps(task, context, atWork, reader);
    const ending = await fillList({ ...first.context, run }, list, await end(worked));
    drain.stopWatching();
    const report = await concludeRun(task, context, ending);
    const balance = await endBalances(atWork.map((sender) => sender.balance));
    return balance === undefined ? report : { ...report, balance };
  } finally {
    drain.close();
    if (waterfall === undefined) await lookLast?.(() => readGauges(context));
  }
}

/** The interval at which `sluice cancel` of another process is looked for. */
const LOOK_MS = 1_000;

/**
 * Watches for the end of a run before its time: a signal to this process, or `sluice cancel` in another one. Reports
 * once that the run is to end, with the reason.
 */
function watchDrain(asked: AbortSignal, { clock, observe, run: { id }, store }: ReadingContext) {
  const cancelled = new AbortController();
  const stopped = new AbortController();
  const signal = AbortSignal.any([asked, cancelled.signal]);
  const watch = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(LOOK_MS, stopped.signal);
      if (stopped.signal.aborted) return;
      const run = await store.findRun(id);
      if (run?.state !== 'cancelled') continue;
      cancelled.abort();
      return;
    }
  };
  // If the state cannot be read, the steps of the run report it.
  watch().catch(() => undefined);
  const report = (): void =>
    observe({ kind: 'run.draining', by: asked.aborted ? 'signal' : 'cancel' });
  if (signal.aborted) report();
  else signal.addEventListener('abort', report, { once: true });
  return {
    signal,
    stopWatching: (): void => stopped.abort(),
    /** Stops looking and reporting: the signal may outlive the run. */
    close: (): void => {
      stopped.abort();
      signal.removeEventListener('abort', report);
    },
  };
}
