// A worker: decides for each entry of the queue whether its run is begun, taken up, or left to another. Several are
// under way side by side, one for each job.
import { isDropFolder } from '../../input/sources/drop-folder.js';
import { SluiceError, unlessRefused } from '../../model/errors.js';
import { observerOfJob } from '../../model/telemetry/observe.js';
import { cutText } from '../../model/text/count.js';
import { formatTime } from '../../model/text/format-time.js';
import type { QueueEntry, Turn } from '../../ports/dispatcher.js';
import type { KeptSchedule } from '../../ports/store/jobs.js';
import type { Store } from '../../ports/store/store.js';
import { findNeeded, type OpenWork, type WorkerParts } from './find-needed.js';
import { type DueParts, findDue, isDue, lookAt, passTime } from './keep-schedules.js';
import { type DueTime, readJob } from './read-job.js';
import { BACK, DONE, ELSEWHERE, takeUp, whenFree } from './take-up.js';

/** The time after which a run that was not begun is late. */
const LATE_MS = 60_000;
const NAME_CHARS_MAX = 100;
/** The tolerance for different clocks, and for the time before a worker takes an entry. */
const TOLERANCE_MS = 5_000;

const NONE = 'its catch-up is none.';
const LEFT = 'it is left to a worker that has it (--folder).';

/** Does what an entry of the queue asks for, as far as this worker can. Never throws errors that stop a run. */
export async function takeEntry(
  worker: WorkerParts,
  entry: QueueEntry,
  signal: AbortSignal,
): Promise<Turn> {
  const { jobs, onEnd, store, warn, watch } = worker;
  const observe = observerOfJob(watch.observe, entry.job);
  const parts = { ...worker, watch: { ...watch, observe } };
  let due: KeptSchedule | undefined;
  try {
    const open = await findWork(store, entry.job);
    due = entry.isFromFile ? await findDue(parts, entry.job) : undefined;
    if (open === null && due === undefined) return entry.isFromFile ? refused(entry.job) : DONE;
    if (jobs !== undefined && !jobs.includes(entry.job)) return ELSEWHERE;
    if (open !== null) {
      // If the last run is under way at a time, that time begins no other.
      if (due !== undefined) await passTime(parts, due);
      return await takeUp(parts, open, signal);
    }
    if (due === undefined) return DONE;
    return (await passOver(parts, due)) ?? (await begin(parts, due, signal));
  } catch (error) {
    if (signal.aborted) return BACK;
    if (!(error instanceof SluiceError)) throw error;
    if (error.code === 'busy') return whenFree(error);
    const failed = `The job ${entry.job} could not be worked on:`;
    warn(`${failed} ${error.message}`, `${failed} ${error.logged}`);
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
  const needed = await unlessRefused(async () => {
    const open = await findWork(store, job);
    if (open !== null) return findNeeded(parts, open);
    const due = isFromFile ? await findDue(parts, job) : undefined;
    return due !== undefined && wasThere(since, due) ? loadJob(job) : undefined;
  });
  return needed !== undefined;
}

async function findWork(store: Store, job: string): Promise<OpenWork | null> {
  const { openRun: run, task } = await store.jobNow(job);
  return run === null || task === null ? null : { run, ...task };
}

/**
 * Passes over a time. If a schedule catches nothing up, a run is begun at its time or not at all, by a worker that was
 * there then. A run that was begun goes on.
 */
async function passOver(parts: WorkerParts, due: KeptSchedule): Promise<Turn | undefined> {
  const { clock, since, store, tell } = parts;
  const { catchUp, job, nextAt } = due;
  if (catchUp === 'one' || (await store.jobNow(job)).openRun !== null) return undefined;
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
    const turn = await takeUp(parts, open, signal);
    // The folder may have more files.
    if (turn.kind !== 'done' || !isFolder) return turn;
  }
}

/** Puts everything that no entry knows into the queue: all open runs that a worker can go on with, and due jobs. */
export async function sweepTasks(parts: DueParts): Promise<void> {
  const { clock, dispatcher, store } = parts;
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
      await passTime(parts, schedule);
    } else {
      await dispatcher.enqueue({ job, isFromFile: true });
    }
  }
}
