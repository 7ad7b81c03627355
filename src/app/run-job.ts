// A run from beginning to end. This file is the story; every chapter is a step of the pipeline.
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Writable } from 'node:stream';
import { loadDialect } from '../config/load-dialect.js';
import type { Dialect } from '../domain/dialect.js';
import { SluiceError } from '../domain/errors.js';
import { type ColumnRename, columnRenames } from '../domain/output-columns.js';
import { createPollSchedule } from '../domain/poll-schedule.js';
import type { Clock } from '../domain/ports/clock.js';
import type { LeadReader } from '../domain/ports/lead-reader.js';
import type { Platform } from '../domain/ports/platform.js';
import type { Store } from '../domain/ports/store.js';
import type { Run } from '../domain/run.js';
import type { RunObserver } from '../domain/run-event.js';
import { openLeads, type RunTally } from '../domain/tally.js';
import { checkWritable } from '../output/target-file.js';
import { Backlog } from '../pipeline/backlog.js';
import type { RunContext } from '../pipeline/run-context.js';
import { workOff } from '../pipeline/work-off.js';
import { openSqliteStore } from '../store/open-sqlite-store.js';
import { askingTerms, termsDigest } from './asking-terms.js';
import type { Environment } from './environment.js';
import { type ExportReport, exportRun } from './export-run.js';
import { type JobSettings, shapeOf } from './job-settings.js';
import { openPlatform } from './open-platform.js';
import { openRun } from './open-run.js';
import { planRun } from './plan-run.js';
import { readInput } from './read-input.js';
import { refuseOwnFiles } from './refuse-own-files.js';
import { systemClock } from './system-clock.js';

export interface RunOptions {
  readonly environment: Environment;
  readonly standardInput: AsyncIterable<Uint8Array>;
  readonly standardOutput: Writable;
  readonly observe: RunObserver;
  /** Abort it and the run drains: nothing new is sent, what is under way is saved, the table is written. */
  readonly drain: AbortSignal;
  /** Send again what nobody knows the fate of; it may be paid for twice. */
  readonly resendUncertain: boolean;
  readonly clock?: Clock;
}

export interface RunReport {
  readonly run: Run;
  readonly tally: RunTally;
  readonly isFinished: boolean;
  readonly exported: ExportReport | null;
  readonly renames: readonly ColumnRename[];
  readonly startedAt: number;
  readonly endedAt: number;
}

/**
 * Runs a job, or continues it.
 * @throws SluiceError, with everything that came back saved and the table written as far as it is known
 */
export async function runJob(settings: JobSettings, options: RunOptions): Promise<RunReport> {
  const clock = options.clock ?? systemClock;
  const startedAt = clock.now();
  if (settings.out === undefined) throw noOutput();
  await checkWritable(settings.out);
  const dialect = await loadDialect(settings.dialect);
  const reader = await readInput(settings, options.standardInput);
  await refuseOwnFiles(reader.sources, settings.out, settings);
  const store = openSqliteStore(settings.state);
  try {
    const lock = await lockJob(store, settings, clock);
    try {
      return await runLocked(settings, options, { dialect, reader, store, clock, startedAt });
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
  readonly store: Store;
  readonly clock: Clock;
  readonly startedAt: number;
}

/** The run itself, once nobody else can work on its job. */
async function runLocked(
  settings: JobSettings,
  options: RunOptions,
  { dialect, reader, store, clock, startedAt }: Opened,
): Promise<RunReport> {
  const opened = await openPlatform(settings, dialect, options.environment, store, clock);
  try {
    const terms = askingTerms(settings, dialect, opened.account);
    const plan = await planRun(settings, reader, termsDigest(settings, terms), terms.account);
    const { run, isContinued } = await openRun(store, plan, startedAt);
    options.observe({ kind: 'started', run, isContinued });

    const context: RunContext = {
      run,
      terms,
      store,
      platform: opened.platform,
      whenReady: askOnce(opened.platform, options.drain),
      clock,
      observe: options.observe,
      backlog: new Backlog(),
      schedule: createPollSchedule(),
      concurrency: settings.concurrency,
      limit: settings.limit,
      startedAt,
      freshForMs: settings.freshForMs,
      deadlineMs: settings.deadlineMs,
      drain: options.drain,
    };
    const ending = await workOff(context, reader, options.resendUncertain);
    return await conclude(context, settings, options, ending.problem);
  } finally {
    await opened.close();
  }
}

function askOnce(platform: Platform, drain: AbortSignal): () => Promise<void> {
  let asked: Promise<void> | undefined;
  const ask = async (): Promise<void> => {
    try {
      await platform.check(drain);
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

async function lockJob(store: Store, settings: JobSettings, clock: Clock) {
  const lock = await store.lockJob(settings.job, {
    pid: process.pid,
    host: hostname(),
    since: clock.now(),
  });
  if (lock.kind === 'taken') return lock;
  const { holder } = lock;
  const who =
    holder === null
      ? 'Another process'
      : `Process ${holder.pid} on ${holder.host}, since ${new Date(holder.since).toISOString()},`;
  throw new SluiceError(
    'busy',
    `${who} is working on the job ${settings.job} with the state file ${settings.state}. Wait for it to end.`,
    { job: settings.job, pid: holder?.pid ?? null },
  );
}

async function conclude(
  context: RunContext,
  settings: JobSettings,
  options: RunOptions,
  problem: unknown,
): Promise<RunReport> {
  const { clock, run, store } = context;
  const tally = await store.tally(run.id);
  const isFinished = problem === undefined && !options.drain.aborted && openLeads(tally) === 0;
  if (isFinished) await store.finishRun(run.id, clock.now());
  // A run that learnt nothing, or has not read all its leads, leaves the last one's table alone.
  const hasLearnt = problem === undefined || openLeads(tally) < tally.leads;
  const isWhole = (await store.findRun(run.id))?.state !== 'reading';
  const isWorthWriting = hasLearnt && (isWhole || !existsSync(run.output.out));
  let exported: ExportReport | null = null;
  try {
    if (isWorthWriting) {
      exported = await exportRun(store, run.id, run.output, options.standardOutput);
    }
  } catch (failure) {
    // What stopped the run is what the user must hear of, not that nobody reads its table any more.
    throw problem ?? failure;
  }
  if (exported !== null) options.observe({ kind: 'exported', ...exported });
  if (problem !== undefined) throw problem;
  const now = (await store.findRun(run.id)) as Run;
  return {
    run: now,
    tally,
    isFinished,
    exported,
    renames: columnRenames(now.columns, shapeOf(settings.positions)),
    startedAt: context.startedAt,
    endedAt: clock.now(),
  };
}

function noOutput(): SluiceError {
  return new SluiceError(
    'usage',
    'Nothing says where to write: give --out FILE, or out: in the job (- is standard output).',
    { key: 'out' },
  );
}
