// A worker: takes runs from the queue and goes on with each, as `run` does with a run that it continues. Several are
// under way side by side, one for each job.
import { hostname } from 'node:os';
import { isAbsolute } from 'node:path';
import { Readable } from 'node:stream';
import { isDropFolder } from '../../input/sources/drop-folder.js';
import { SluiceError } from '../../model/errors.js';
import type { Run } from '../../model/run.js';
import type { Watch } from '../../model/telemetry/observe.js';
import { cutText } from '../../model/text/count.js';
import { formatTime } from '../../model/text/format-time.js';
import type { Clock } from '../../ports/clock.js';
import type { Dispatcher, QueueEntry, Turn } from '../../ports/dispatcher.js';
import type { Store } from '../../ports/store/store.js';
import type { KeptSchedule, Parked } from '../../ports/store/tasks.js';
import { refuseElsewhere } from '../files/stated-files.js';
import { readNothing } from '../plan/drop-portions.js';
import { planList } from '../plan/plan-run.js';
import { bulkMaxOf } from '../run/how-to-ask.js';
import { unmeasured } from '../run/measure-run.js';
import { workOnJob } from '../run/run-job.js';
import { runOnce } from '../run/run-once.js';
import { type RunReport, settleRunOptions } from '../run/run-options.js';
import type { RunTask } from '../run/run-task.js';
import type { JobSettings } from '../settings/job-settings.js';
import type { Accounts } from './accounts.js';
import { findDue, isDue, lookAt, passTime } from './due-times.js';
import { park } from './park.js';
import { type DueTime, readJob } from './read-job.js';
import { refuseUnstated, type Stated } from './stated.js';
import { readTask } from './task.js';

export interface WorkerParts {
  readonly store: Store;
  /** The state as it was named, for messages. */
  readonly state: string;
  readonly dispatcher: Dispatcher;
  readonly accounts: Accounts;
  /** The statements of the worker's flags and environment. */
  readonly stated: Stated;
  /** The jobs whose runs it takes; undefined for all. */
  readonly jobs: readonly string[] | undefined;
  /** Reads the job's file; undefined if it is not on this machine. */
  readonly loadJob: (job: string) => Promise<JobSettings | undefined>;
  readonly writesTables: boolean;
  /** The time at which this worker began to take runs. */
  readonly since: number;
  readonly clock: Clock;
  readonly watch: Watch;
  /** Jobs that were due and whose file is missing here, once that was reported. */
  readonly lacking: Set<string>;
  /** Called if a run has ended, or is parked for the first time in a row, or a job could not be begun. Never throws. */
  readonly onEnd: (job: string, end: WorkEnd) => Promise<void>;
  /** Called with sentences about the worker's actions. */
  readonly tell: (sentence: string) => void;
}

export interface WorkEnd {
  /** Null if the job was not begun. */
  readonly run: number | null;
  /** The report of a run that was finished. */
  readonly report?: RunReport;
  /** The error that stopped it otherwise. */
  readonly error?: unknown;
}

const DONE: Turn = { kind: 'done' };
const BACK: Turn = { kind: 'back' };
/** The turn for a worker that has the account, or the job's file. */
const ELSEWHERE: Turn = { kind: 'elsewhere' };
const BUSY_MS = 5_000;
/** The time after which a run that was not begun is late. */
const LATE_MS = 60_000;
const NAME_CHARS_MAX = 100;
/** The tolerance for different clocks, and for the time before a worker takes an entry. */
const TOLERANCE_MS = 5_000;

const NONE = 'its catch-up is none.';
const LEFT = 'it is left to a worker that has it (--folder).';

/** Does what an entry of the queue asks for, as far as this worker can. Never throws errors that stop a run. */
export async function takeEntry(
  parts: WorkerParts,
  entry: QueueEntry,
  signal: AbortSignal,
): Promise<Turn> {
  const { jobs, onEnd, store, tell } = parts;
  let due: KeptSchedule | undefined;
  try {
    const open = await findWork(store, entry.job);
    due = entry.isFromFile ? await findDue(parts, entry.job) : undefined;
    if (open === null && due === undefined) return entry.isFromFile ? refused(entry.job) : DONE;
    if (jobs !== undefined && !jobs.includes(entry.job)) return ELSEWHERE;
    if (open !== null) {
      // If the last run is under way at a time, that time begins no other.
      if (due !== undefined) await passTime(parts, due);
      return await goOn(parts, open, signal);
    }
    if (due === undefined) return DONE;
    return (await passOver(parts, due)) ?? (await begin(parts, due, signal));
  } catch (error) {
    if (signal.aborted) return BACK;
    if (!(error instanceof SluiceError)) throw error;
    if (error.code === 'busy') return whenFree(error);
    tell(`The job ${entry.job} could not be worked on: ${error.message}`);
    // An error that the user has to fix waits for the next time that the job is due.
    const waits = error.code === 'store' || error.code === 'platform';
    if (waits) return { kind: 'later', ms: 60_000 };
    if (due !== undefined) await passTime(parts, due);
    await onEnd(entry.job, { run: null, error });
    return DONE;
  }
}

/** The turn for an entry that anybody who may write into the queue could have made: the name is cut. */
function refused(job: string): Turn {
  const why = `An entry of the queue would begin a run of ${cutText(job, NAME_CHARS_MAX)}, which has no schedule that is due: nothing is begun.`;
  return { kind: 'refused', why };
}

/** Whether `takeEntry` would find everything that it needs on this worker. False if that cannot be known now. */
export async function canTake(
  parts: WorkerParts,
  { isFromFile, job }: QueueEntry,
): Promise<boolean> {
  const { jobs, loadJob, since, store } = parts;
  if (jobs !== undefined && !jobs.includes(job)) return false;
  try {
    const open = await findWork(store, job);
    if (open === null) {
      const due = isFromFile ? await findDue(parts, job) : undefined;
      return due !== undefined && wasThere(since, due) && (await loadJob(job)) !== undefined;
    }
    return (await findNeeded(parts, open)) !== undefined;
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error;
    return false;
  }
}

/** The turn at the end of another's lease, if that is near: its holder renews it long before, unless it is gone. */
function whenFree({ facts: { leftMs } }: SluiceError): Turn {
  return { kind: 'later', ms: typeof leftMs === 'number' ? Math.min(leftMs, BUSY_MS) : BUSY_MS };
}

interface OpenWork {
  readonly run: Run;
  readonly task: string;
  readonly parked: Parked | null;
}

async function findWork(store: Store, job: string): Promise<OpenWork | null> {
  const run = await store.findOpenRun(job);
  const found = run === null ? null : await store.findTask(run.id);
  return run === null || found === null ? null : { run, ...found };
}

/**
 * Passes over a time. If a schedule catches nothing up, a run is begun at its time or not at all, by a worker that was
 * there then. A run that was begun goes on.
 */
async function passOver(parts: WorkerParts, due: KeptSchedule): Promise<Turn | undefined> {
  const { clock, since, store, tell } = parts;
  const { catchUp, job, nextAt } = due;
  if (catchUp === 'one' || (await store.findOpenRun(job)) !== null) return undefined;
  if (clock.now() - nextAt > LATE_MS) {
    tell(`The job ${job} was due at ${formatTime(nextAt)} (UTC), and is not run late: ${NONE}`);
    await passTime(parts, due);
    return DONE;
  }
  return wasThere(since, due) ? undefined : ELSEWHERE;
}

function wasThere(since: number, { catchUp, nextAt }: KeptSchedule): boolean {
  return catchUp === 'one' || since - nextAt <= TOLERANCE_MS;
}

/** Begins a run from the job's file or, for a folder, a run for each file. */
async function begin(parts: WorkerParts, due: KeptSchedule, signal: AbortSignal): Promise<Turn> {
  const { accounts, clock, lacking, loadJob, state, store, tell, watch } = parts;
  const { job } = due;
  const loaded = await loadJob(job);
  if (loaded === undefined) {
    if (!lacking.has(job)) tell(`The job ${job} is due, and its file is not here: ${LEFT}`);
    lacking.add(job);
    return ELSEWHERE;
  }
  lacking.delete(job);
  const settings = { ...loaded, state };
  const environment = accounts.ofJob(settings);
  const { observe } = watch;
  const options = { environment, observe, drain: signal, clock };
  const time: DueTime = {
    isDue: async () => (await findDue(parts, job)) !== undefined,
    pass: () => passTime(parts, due),
  };
  const isFolder = await isDropFolder(settings.input);
  for (let isFirst = true; ; isFirst = false) {
    await readJob(settings, options, store, isFirst ? time : undefined);
    if (signal.aborted) return BACK;
    const open = await findWork(store, job);
    if (open === null) return DONE;
    const turn = await goOn(parts, open, signal);
    // The folder may have more files.
    if (turn.kind !== 'done' || !isFolder) return turn;
  }
}

/** Goes on with an open run, and parks it if something stops it. */
async function goOn(parts: WorkerParts, open: OpenWork, signal: AbortSignal): Promise<Turn> {
  const { clock, onEnd, store, tell } = parts;
  const { parked: before, run } = open;
  const since = clock.now();
  try {
    return await makeRun(parts, open, signal);
  } catch (cause) {
    if (signal.aborted) return BACK;
    const error = withFolder(cause);
    if (error instanceof SluiceError && error.code === 'cancelled') {
      await onEnd(run.job, { run: run.id, error });
      return DONE;
    }
    if (error instanceof SluiceError && error.code === 'busy') return whenFree(error);
    if (error instanceof Error && !(error instanceof SluiceError))
      tell(error.stack ?? error.message);
    const at = clock.now();
    // Another machine may state what this one does not.
    const isLeft = error instanceof SluiceError && error.facts['unstated'] !== undefined;
    if (isLeft && before !== null && before.until > at) return ELSEWHERE;
    const parked = park(error, { at, since, before });
    await store.parkTask(run.id, parked);
    const ms = parked.until - at;
    const waits = isLeft ? 'is left to another worker' : `waits for ${Math.round(ms / 1_000)} s`;
    tell(`Run ${run.id} of ${run.job} ${waits}. ${parked.why}`);
    if (parked.times === 1) await onEnd(run.job, { run: run.id, error });
    return isLeft ? ELSEWHERE : { kind: 'later', ms };
  }
}

/** The job's file on this machine; nothing if it is missing, or cannot be read: then it states nothing. */
async function loadOwn({ loadJob }: WorkerParts, job: string): Promise<JobSettings | undefined> {
  try {
    return await loadJob(job);
  } catch (error) {
    if (error instanceof SluiceError) return undefined;
    throw error;
  }
}

const OF_FILES: ReadonlySet<string> = new Set(['usage', 'output']);

/** Adds the folder of the worker to an error: a relative path lies in it, and another worker may not have it. */
function withFolder(error: unknown): unknown {
  if (!(error instanceof SluiceError) || !OF_FILES.has(error.code)) return error;
  const path = error.facts['out'] ?? error.facts['path'];
  if (typeof path !== 'string' || isAbsolute(path)) return error;
  return error.amended(`This worker writes ${path} in ${process.cwd()} on ${hostname()}.`);
}

/**
 * The settings and the account for a run here; undefined if this worker does not hold its account.
 * @throws SluiceError `usage` for contents of the run that this machine does not state
 */
async function findNeeded(parts: WorkerParts, { run, task }: OpenWork) {
  const { accounts, state, stated: worker, store, writesTables } = parts;
  const brought = readTask(task, run.job, state);
  const held = await accounts.find(brought, run.account, store);
  if (held === undefined) return undefined;
  const { environment, stated: account } = held;
  const own = await loadOwn(parts, run.job);
  await refuseUnstated(brought, { worker, account, own });
  // The names of the files come from the state: they are judged by the statements of this machine.
  const files = { out: own?.out, further: own?.further ?? {}, report: own?.report };
  if (writesTables) refuseElsewhere(run.output, files);
  const settings: JobSettings = { ...brought.settings, ...files };
  return { brought, environment, settings };
}

async function makeRun(parts: WorkerParts, open: OpenWork, signal: AbortSignal): Promise<Turn> {
  const { clock, onEnd, store, tell, watch, writesTables } = parts;
  const { run } = open;
  const needed = await findNeeded(parts, open);
  if (needed === undefined) return ELSEWHERE;
  const { brought, environment, settings } = needed;
  const { dialect } = brought;
  const standardInput = Readable.from([]);
  const { observe, observesRequests } = watch;
  const options = { environment, clock, observe, observesRequests, drain: signal, standardInput };
  const task: RunTask = {
    ...settleRunOptions(brought.settings, options),
    measuring: unmeasured(watch),
    settings,
    tables: run.output,
    dialect,
    bulkMax: bulkMaxOf(settings, dialect),
    list: planList(settings, run.startedAt),
    writesTables: (isFinished) => writesTables && isFinished,
    listens: false,
  };
  const [report] = await workOnJob(task, store, async (held) => {
    const now = await held.findOpenRun(run.job);
    if (now?.id !== run.id) return [];
    tell(`Run ${run.id} of ${run.job}: taken up.`);
    return [await runOnce(task, held, { reader: readNothing(now.sources), goesOn: now })];
  });
  if (report === undefined) return DONE;
  if (!report.isFinished) {
    tell(`Run ${run.id} of ${run.job}: given back.`);
    return BACK;
  }
  tell(`Run ${run.id} of ${run.job}: finished.`);
  await onEnd(run.job, { run: run.id, report });
  return DONE;
}

/** Puts everything that no entry knows into the queue: all open runs that a worker can go on with, and due jobs. */
export async function sweepTasks({
  clock,
  dispatcher,
  store,
}: Pick<WorkerParts, 'clock' | 'dispatcher' | 'store'>): Promise<void> {
  const now = clock.now();
  const openJobs = new Set<string>();
  for (const { job, parked } of await store.openTasks()) {
    openJobs.add(job);
    const delayMs = Math.max(0, (parked?.until ?? 0) - now);
    await dispatcher.enqueue({ job, isFromFile: false }, { delayMs });
  }
  for (const schedule of await store.schedules()) {
    const { job, nextAt } = schedule;
    if (!isDue(schedule, now)) {
      await lookAt(dispatcher, nextAt, now);
    } else if (openJobs.has(job)) {
      await passTime({ clock, dispatcher, store }, schedule);
    } else {
      await dispatcher.enqueue({ job, isFromFile: true });
    }
  }
}
