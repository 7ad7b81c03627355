// A run from beginning to end. This file is the story; every chapter is a step of the pipeline.
import { loadDialect } from '../config/load-dialect.js';
import type { Dialect } from '../domain/dialect.js';
import { SluiceError } from '../domain/errors.js';
import {
  createDeadlineSchedule,
  createOverdueSchedule,
  createPollSchedule,
} from '../domain/poll-schedule.js';
import type { Clock } from '../domain/ports/clock.js';
import type { LeadReader } from '../domain/ports/lead-reader.js';
import type { Platform } from '../domain/ports/platform.js';
import type { Store } from '../domain/ports/store.js';
import type { RunObserver } from '../domain/run-event.js';
import { checkWritable } from '../output/target-file.js';
import { Backlog } from '../pipeline/backlog.js';
import type { ListPlan } from '../pipeline/list-leads.js';
import type { RunContext } from '../pipeline/run-context.js';
import { workOff } from '../pipeline/work-off.js';
import { openSqliteStore } from '../store/open-sqlite-store.js';
import { askingTerms, termsDigest } from './asking-terms.js';
import { concludeRun, type RunReport } from './conclude-run.js';
import { fillList } from './fill-list.js';
import { bulkMaxOf } from './how-to-ask.js';
import type { JobSettings } from './job-settings.js';
import { lockJob } from './lock-job.js';
import { type Measuring, measureRun } from './measure-run.js';
import { notKept } from './not-kept.js';
import { type OpenedCallbacks, openCallbacks } from './open-callbacks.js';
import { openPlatform } from './open-platform.js';
import { openRun } from './open-run.js';
import { planList } from './plan-list.js';
import { planRun } from './plan-run.js';
import { readAllGauges, readGauges } from './read-gauges.js';
import { readInput } from './read-input.js';
import { refuseOwnFiles } from './refuse-own-files.js';
import { type RunOptions, type SettledOptions, settleRunOptions } from './run-options.js';
import { watchRun } from './watch-run.js';

/**
 * Runs a job, or continues it.
 * @throws SluiceError, with everything that came back saved and the table written as far as it is known
 */
export async function runJob(settings: JobSettings, wishes: RunOptions = {}): Promise<RunReport> {
  const options = settleRunOptions(settings, wishes);
  const { clock, observe, observesRequests } = options;
  return measureRun(settings, { observe, observesRequests }, clock, (measuring) =>
    runMeasured(settings, options, measuring),
  );
}

async function runMeasured(
  settings: JobSettings,
  options: SettledOptions,
  measuring: Measuring,
): Promise<RunReport> {
  const { clock } = options;
  const startedAt = clock.now();
  if (settings.out === undefined) throw noOutput();
  const list = planList(settings, startedAt);
  await checkWritable(settings.out);
  const dialect = await loadDialect(settings.dialect);
  const reader = await readInput(settings, options.standardInput);
  await refuseOwnFiles(reader.sources, settings.out, settings);
  const store = openSqliteStore(settings.state);
  try {
    const { observe } = measuring.watch;
    const lock = await lockJob(store, settings.job, settings.state, clock, observe);
    try {
      const opened = { dialect, reader, list, store, clock, startedAt, measuring };
      return await runLocked(settings, options, opened);
    } finally {
      await lock.release();
    }
  } finally {
    await store.close();
  }
}

interface Opened {
  readonly dialect: Dialect;
  readonly reader: LeadReader;
  readonly list: ListPlan | null;
  readonly store: Store;
  readonly clock: Clock;
  readonly startedAt: number;
  readonly measuring: Measuring;
}

/** The run itself, once nobody else can work on its job. */
async function runLocked(
  settings: JobSettings,
  options: SettledOptions,
  { dialect, reader, list, store, clock, startedAt, measuring }: Opened,
): Promise<RunReport> {
  const { environment } = options;
  const { watch } = measuring;
  const { observe } = watch;
  const opened = await openPlatform(settings, dialect, environment, store, clock, watch);
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
      const plan = await planRun(settings, reader, termsDigest(settings, terms), account);
      const { run, isContinued } = await openRun(store, plan, startedAt);
      observe({ kind: 'run.started', run, isContinued });
      const watched = watchRun(store, run.id, clock);
      const drain = AbortSignal.any([options.drain, watched.cancelled]);
      tellDraining(observe, options.drain, drain);
      const context: RunContext = {
        run,
        terms,
        store,
        platform,
        whenReady: askOnce(platform, reception, drain, { clock, observe }),
        clock,
        observe,
        backlog,
        schedule: SCHEDULES[settings.collect](),
        callbacks: reception.callbacks,
        bulkMax: bulkMaxOf(settings, dialect),
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
        const worked = await workOff(context, reader, options.resendUncertain);
        const ending = await fillList(context, list, worked);
        watched.stop();
        return await concludeRun(context, settings, options.standardOutput, ending);
      } finally {
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

/** Tells once that the run shall end, and who wanted it. */
function tellDraining(observe: RunObserver, asked: AbortSignal, drain: AbortSignal): void {
  const tell = (): void =>
    observe({ kind: 'run.draining', by: asked.aborted ? 'signal' : 'cancel' });
  if (drain.aborted) tell();
  else drain.addEventListener('abort', tell, { once: true });
}

/** When to ask for results, by the way they come. */
const SCHEDULES = {
  poll: createPollSchedule,
  hybrid: createOverdueSchedule,
  webhook: createDeadlineSchedule,
} as const;

function askOnce(
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

function noOutput(): SluiceError {
  return new SluiceError(
    'usage',
    'Nothing says where to write: give --out FILE, or out: in the job (- is standard output).',
    { key: 'out' },
  );
}
