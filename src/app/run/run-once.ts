// One run, from opening the platform to writing the table.
import type { Dialect } from '../../dialect/dialect.js';
import { shapeOf } from '../../model/columns/positions.js';
import type { Run, TableNames } from '../../model/run.js';
import {
  createDeadlineSchedule,
  createOverdueSchedule,
  createPollSchedule,
} from '../../model/schedule/poll-schedule.js';
import type { RunObserver } from '../../model/telemetry/observe.js';
import type { LeadReader } from '../../ports/lead-reader.js';
import type { Platform } from '../../ports/platform.js';
import type { Store } from '../../ports/store/store.js';
import { Backlog } from '../../run/backlog.js';
import { openReadings } from '../../run/collect/readings.js';
import { withSample } from '../../run/lead-batches.js';
import type { ListPlan } from '../../run/list-leads.js';
import { processRun } from '../../run/process-run.js';
import type { AskingTerms, RunContext } from '../../run/run-context.js';
import { countRequests } from '../../telemetry/count-requests.js';
import { checkTable, filesRead } from '../files/check-table.js';
import { type OpenedCallbacks, openCallbacks } from '../listen/open-callbacks.js';
import { notKept } from '../listen/receive-deliveries.js';
import { type Portion, readNothing } from '../plan/drop-portions.js';
import { planRun } from '../plan/plan-run.js';
import { type OpenedPlatform, openPlatform } from '../platform/open-platform.js';
import { reportAtEnd } from '../report/report-at-end.js';
import type { JobSettings } from '../settings/job-settings.js';
import { askingTermsIn, readingDigest, termsDigest } from './asking-terms.js';
import { watchDrain } from './drain-run.js';
import { type BalanceWatch, watchBalance } from './end/compare-balance.js';
import { concludeRun, fillList } from './end/conclude-run.js';
import { noteEnd } from './end/note-left.js';
import { handOnRows } from './hand-on-rows.js';
import { paceOf, takesSingles } from './how-to-ask.js';
import type { Measuring } from './measure-run.js';
import { findContinued, openRun } from './open-run.js';
import { lookElsewhere } from './pay-anew.js';
import { readAllGauges, readGauges } from './read-gauges.js';
import type { EndedRun, RunReport, SettledOptions } from './run-options.js';

/** The parts that every run of a command shares. */
export interface RunTask extends SettledOptions {
  readonly settings: JobSettings;
  /** The names of the tables, with their placeholders. */
  readonly tables: TableNames;
  readonly dialect: Dialect;
  /** The number of enrichments for which one request may ask. */
  readonly bulkMax: number;
  readonly list: ListPlan | null;
  readonly measuring: Measuring;
  /** Whether the tables are written at the end. Default: always. */
  readonly writesTables?: ((isFinished: boolean) => boolean) | undefined;
  /** Whether it may receive webhooks itself. Default: true. */
  readonly listens?: boolean | undefined;
}

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
    const report = await makePortion(task, store, portion, (id) => {
      begunRun = id;
    });
    const { id } = report.run;
    const run = report.isFinished ? report.run : await noteEnd(store, id, { clock });
    return { ...report, run, reportFile: await reportAtEnd(task, store, id) };
  } catch (error) {
    if (begunRun !== undefined) {
      // If the state is the trouble, the run shows as cut off; the error that stopped it is reported all the same.
      await noteEnd(store, begunRun, { clock, error }).catch(() => undefined);
      await reportAtEnd(task, store, begunRun);
    }
    throw error;
  }
}

async function makePortion(
  task: RunTask,
  store: Store,
  portion: Portion,
  onBegun: (run: number) => void,
): Promise<EndedRun> {
  const { carrying, clock, dialect, environment, measuring, settings } = task;
  const startedAt = clock.now();
  const requests = countRequests(measuring.watch, { store, clock, ...paceOf(settings, dialect) });
  const { watch } = requests;
  const opened = await openPlatform(settings, {
    dialect,
    environment,
    store,
    clock,
    watch,
    carrying,
  });
  return closing(requests, () =>
    closing(opened, async () => {
      const backlog = new Backlog();
      const openedCallbacks = await openCallbacksFor(task, store, opened, backlog);
      return closing(openedCallbacks, async () => {
        const terms = await askingTermsIn(store, settings, dialect, opened.account);
        const begun = await (portion.goesOn === undefined
          ? beginRun(task, store, portion, { terms, startedAt })
          : goOn(task, store, portion.goesOn, terms));
        requests.begin(begun.run.id);
        onBegun(begun.run.id);
        const { platform, account } = opened;
        const { reader, ...own } = begun;
        const shared = { platform, account, ...own, store, startedAt, backlog, openedCallbacks };
        return workOff(task, shared, reader);
      });
    }),
  );
}

/** Closes `opened` when the work ends in any way. */
async function closing<R>(opened: { close(): Promise<void> }, work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } finally {
    await opened.close();
  }
}

function openCallbacksFor(
  { clock, dialect, environment, listens = true, observe, settings }: RunTask,
  store: Store,
  { platform, account }: OpenedPlatform,
  backlog: Backlog,
): Promise<OpenedCallbacks> {
  return openCallbacks({
    settings,
    dialect,
    environment,
    store,
    clock,
    platform,
    account,
    observe,
    listens,
    onKept: () => backlog.expectDeliveries(),
    onTrouble: warnOnce(observe),
  });
}

interface Begun extends Pick<RunContext, 'run' | 'terms'> {
  readonly reader: LeadReader;
}

/**
 * Begins a run, or continues an open run, after the checks that its table may be written, and that no known lead is
 * paid for anew.
 */
export async function beginRun(
  { dialect, drain, force, mayPayAnew, observe, settings }: RunTask,
  store: Store,
  portion: Portion,
  { terms: stated, startedAt }: Pick<RunContext, 'terms' | 'startedAt'>,
): Promise<Begun> {
  const { sources } = portion.reader;
  const digest = termsDigest(settings, stated, portion.files !== undefined);
  const plan = await planRun(settings, portion, { terms: stated, digest, startedAt, dialect });
  const asked = { sources, isForced: force, digests: plan.digests, ifDone: portion.ifDone };
  const open = await findContinued(store, plan);
  // All its leads are in the store.
  const isRead = open?.state === 'working';
  const sampling = { limit: settings.limit, signal: drain };
  const terms = isRead ? stated : await withSample(stated, portion.reader, sampling);
  const beginning = { settings, plan, terms, open, startedAt, drain, mayPayAnew };
  const { reader, paysAnew } = await lookElsewhere(store, { ...beginning, reader: portion.reader });
  const agreed = paysAnew ? { ...plan, paysAnew } : plan;
  const { run, isContinued } = await openRun(store, agreed, startedAt, (names, id) =>
    checkTable(settings, names, { ...asked, run: id }, store),
  );
  observe({ kind: 'run.started', run, isContinued });
  await store.noteRead(run.id, filesRead(settings, sources));
  await keepSample(store, settings.job, terms);
  return { run, reader, terms };
}

/** Keeps the sample before any of its leads is asked for. */
async function keepSample(store: Store, job: string, { choice, sampled = [] }: AskingTerms) {
  const sample = choice?.sample;
  if (sample?.positions !== undefined) await store.keepSample(job, sample.seed, sampled);
}

/** Continues a run whose leads are all in the store: only the places of the tables have to be checked. */
async function goOn(
  { force, observe, settings, writesTables }: RunTask,
  store: Store,
  run: Run,
  terms: RunContext['terms'],
): Promise<Begun> {
  const { digests, id, output, sources } = run;
  if (writesTables?.(true) !== false) {
    await checkTable(settings, output, { sources, isForced: force, digests, run: id }, store);
  }
  await store.noteLeft(id, null);
  observe({ kind: 'run.started', run, isContinued: true });
  return { run, reader: readNothing(sources), terms };
}

/** The open parts of a run. */
interface RunInProgress
  extends Pick<RunContext, 'backlog' | 'platform' | 'run' | 'startedAt' | 'store' | 'terms'> {
  readonly account: string;
  readonly openedCallbacks: OpenedCallbacks;
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
  const { context, end } = handOnRows(bare, shapeOf(settings.positions), task.onRow);
  measuring.lookAt(() => readGauges(context));
  try {
    const worked = await end(await processRun(context, reader, task.resendUncertain));
    const ending = await fillList(context, list, worked);
    drain.stopWatching();
    const report = await concludeRun(context, settings, task, ending);
    const compared = await balance.end();
    return compared === undefined ? report : { ...report, balance: compared };
  } finally {
    drain.close();
    await measuring.lookLast(() => readAllGauges(context));
  }
}

async function openContext(
  { bulkMax, clock, dialect, observe, settings }: RunTask,
  { account, balance, openedCallbacks, ...opened }: RunInProgress & { balance: BalanceWatch },
  drain: AbortSignal,
): Promise<RunContext> {
  const { platform, run, store } = opened;
  // "sluice enqueue" changes the budget of a run of the queue, whichever process works on it.
  const isQueued = (await store.findTask(run.id)) !== null;
  const prepare = async (signal: AbortSignal): Promise<void> => {
    await openedCallbacks.prepare(signal);
    await balance.begin(signal);
  };
  return {
    ...opened,
    whenReady: checkBeforeSending(platform, prepare, drain, { clock, observe }),
    clock,
    observe,
    readings: await openReadings(store, account, readingDigest(dialect), dialect['second-look']),
    schedule: SCHEDULES[settings.collect](),
    callbacks: openedCallbacks.callbacks,
    bulkMax,
    takesSingles: takesSingles(settings, dialect),
    firstBatch: settings.firstBatch,
    budget: settings.budget,
    budgetNow: isQueued ? async () => (await store.findRun(run.id))?.budget : undefined,
    concurrency: settings.concurrency,
    gatherMs: platform.leastMs(1) > 0 ? 0 : GATHER_MS,
    limit: settings.limit,
    freshForMs: settings.freshForMs,
    deadlineMs: settings.deadlineMs,
    drain,
  };
}

/** Reports only the first delivery that could not be kept: the platform repeats each of them. */
function warnOnce(observe: RunObserver): (error: unknown) => void {
  let isTold = false;
  return (error) => {
    if (isTold) return;
    isTold = true;
    observe(notKept(error));
  };
}

/** How long sends and answers are gathered if no rate limit keeps them few (`gatherMs`). */
const GATHER_MS = 4;

/** The schedules of polls, by the way in which results come. */
export const SCHEDULES = {
  poll: createPollSchedule,
  hybrid: createOverdueSchedule,
  webhook: createDeadlineSchedule,
} as const;

function checkBeforeSending(
  platform: Platform,
  prepare: (signal: AbortSignal) => Promise<void>,
  drain: AbortSignal,
  { clock, observe }: Pick<RunContext, 'clock' | 'observe'>,
): () => Promise<boolean> {
  let asked: Promise<boolean> | undefined;
  const ask = async (): Promise<boolean> => {
    const since = clock.now();
    try {
      const isShown = await platform.check(drain);
      await prepare(drain);
      observe({ kind: 'platform.ready', durationMs: clock.now() - since });
      return isShown;
    } catch (error) {
      // A request cancelled by the drain says nothing about the platform.
      if (!drain.aborted) throw error;
      return false;
    }
  };
  return () => {
    asked ??= ask();
    return asked;
  };
}
