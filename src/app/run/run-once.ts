// One run, from the platform's opening to its table. This file is the story; every chapter is a step of the pipeline.
import type { Dialect } from '../../dialect/dialect.js';
import {
  createDeadlineSchedule,
  createOverdueSchedule,
  createPollSchedule,
} from '../../model/schedule/poll-schedule.js';
import type { RunObserver } from '../../model/telemetry/run-event.js';
import type { Platform } from '../../ports/platform.js';
import type { Store } from '../../ports/store/store.js';
import { Backlog } from '../../run/backlog.js';
import { processRun } from '../../run/process-run.js';
import type { RunContext } from '../../run/run-context.js';
import { openReadings } from '../../run/settle/readings.js';
import type { ListPlan } from '../../run/write/list-leads.js';
import { checkTable, filesRead } from '../files/check-table.js';
import type { Portion } from '../folder/drop-portions.js';
import type { JobSettings } from '../job-settings.js';
import { notKept } from '../listen/not-kept.js';
import { type OpenedCallbacks, openCallbacks } from '../listen/open-callbacks.js';
import { fillList } from '../lists/fill-list.js';
import { planRun } from '../plan/plan-run.js';
import { openPlatform } from '../platform/open-platform.js';
import { askingTerms, readingDigest, termsDigest } from './asking-terms.js';
import { concludeRun, type RunReport } from './conclude-run.js';
import type { Measuring } from './measure-run.js';
import { openRun } from './open-run.js';
import { readAllGauges, readGauges } from './read-gauges.js';
import type { SettledOptions } from './run-options.js';
import { watchRun } from './watch-run.js';

/** What every run of a command shares. */
export interface RunTask extends SettledOptions {
  readonly settings: JobSettings;
  readonly out: string;
  readonly dialect: Dialect;
  /** How many enrichments one request may ask for. */
  readonly bulkMax: number;
  readonly list: ListPlan | null;
  readonly measuring: Measuring;
}

/**
 * Runs over a portion, or continues the run that was at it, once nobody else can work on the job.
 * @throws SluiceError, with everything that came back saved and the table written as far as it is known
 */
export async function runOnce(task: RunTask, store: Store, portion: Portion): Promise<RunReport> {
  const report = await runPortion(task, store, portion);
  await task.onEnded(report, task.observe);
  return report;
}

async function runPortion(task: RunTask, store: Store, portion: Portion): Promise<RunReport> {
  const { clock, dialect, environment, list, measuring, observe, settings } = task;
  const { reader } = portion;
  const startedAt = clock.now();
  const opened = await openPlatform(settings, dialect, environment, store, clock, measuring.watch);
  const { platform, account } = opened;
  try {
    const backlog = new Backlog();
    const reception = await openCallbacks({
      settings,
      dialect,
      environment,
      store,
      clock,
      platform,
      account,
      observe,
      onKept: () => backlog.expectDeliveries(),
      onTrouble: warnOnce(observe),
    });
    try {
      const terms = askingTerms(settings, dialect, account);
      const digest = termsDigest(settings, terms, portion.files !== undefined);
      const plan = await planRun(settings, portion, digest, terms, startedAt);
      const { digests } = plan;
      const asked = { isForced: task.force, digests, ifDone: portion.ifDone };
      const { run, isContinued } = await openRun(store, plan, startedAt, (out, id) =>
        checkTable(settings, out, reader.sources, { ...asked, run: id }, store),
      );
      observe({ kind: 'run.started', run, isContinued });
      await store.noteRead(run.id, filesRead(settings, reader.sources));
      const watched = watchRun(store, run.id, clock);
      const drain = AbortSignal.any([task.drain, watched.cancelled]);
      const untell = tellDraining(observe, task.drain, drain);
      const context: RunContext = {
        run,
        terms,
        store,
        platform,
        whenReady: checkBeforeSending(platform, reception, drain, { clock, observe }),
        clock,
        observe,
        backlog,
        readings: await openReadings(store, account, readingDigest(dialect)),
        schedule: SCHEDULES[settings.collect](),
        callbacks: reception.callbacks,
        bulkMax: task.bulkMax,
        firstBatch: settings.firstBatch,
        budget: settings.budget,
        concurrency: settings.concurrency,
        gatherMs: platform.leastMs(1) > 0 ? 0 : GATHER_MS,
        limit: settings.limit,
        startedAt,
        freshForMs: settings.freshForMs,
        deadlineMs: settings.deadlineMs,
        drain,
      };
      measuring.lookAt(() => readGauges(context));
      try {
        const worked = await processRun(context, reader, task.resendUncertain);
        const ending = await fillList(context, list, worked);
        watched.stop();
        return await concludeRun(context, settings, task, ending);
      } finally {
        untell();
        await measuring.lookLast(() => readAllGauges(context));
      }
    } finally {
      await reception.close();
    }
  } finally {
    await opened.close();
  }
}

/** Tells the first of many like troubles: each of them is repeated by the platform. */
function warnOnce(observe: RunObserver): (error: unknown) => void {
  let isTold = false;
  return (error) => {
    if (isTold) return;
    isTold = true;
    observe(notKept(error));
  };
}

/** How long sends and answers are gathered where no limit keeps them few: gather.ts. */
const GATHER_MS = 4;

/** Tells once that the run shall end, and who wanted it; until it is called off, for the signal may outlive the run. */
function tellDraining(observe: RunObserver, asked: AbortSignal, drain: AbortSignal): () => void {
  const tell = (): void =>
    observe({ kind: 'run.draining', by: asked.aborted ? 'signal' : 'cancel' });
  if (drain.aborted) tell();
  else drain.addEventListener('abort', tell, { once: true });
  return () => drain.removeEventListener('abort', tell);
}

/** When to ask for results, by the way they come. */
const SCHEDULES = {
  poll: createPollSchedule,
  hybrid: createOverdueSchedule,
  webhook: createDeadlineSchedule,
} as const;

function checkBeforeSending(
  platform: Platform,
  reception: OpenedCallbacks,
  drain: AbortSignal,
  { clock, observe }: Pick<RunContext, 'clock' | 'observe'>,
): () => Promise<void> {
  let asked: Promise<void> | undefined;
  const ask = async (): Promise<void> => {
    const since = clock.now();
    try {
      await platform.check(drain);
      await reception.prepare(drain);
      observe({ kind: 'platform.ready', durationMs: clock.now() - since });
    } catch (error) {
      // A question broken off by the drain says nothing about the platform.
      if (!drain.aborted) throw error;
    }
  };
  return () => {
    asked ??= ask();
    return asked;
  };
}
