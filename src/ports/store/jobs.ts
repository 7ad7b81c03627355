// Jobs: one process at a time works on each, a paused one sends nothing, and a sample keeps its leads; the task of a
// run, by which a worker on another machine can go on with it; and the schedules by which workers begin runs. A part of
// the store's contract.
import type { Run } from '../../model/run.js';

export interface LockHolder {
  readonly pid: number;
  readonly host: string;
  readonly since: number;
}

export interface JobNow {
  /** Whether the job has ever run here, by this name. */
  readonly hasRun: boolean;
  readonly openRun: Run | null;
  readonly pausedAt: number | null;
  readonly isLocked: boolean;
  /** The process that has it; null if none has it, or it has not said yet who it is. */
  readonly holder: LockHolder | null;
  /** The task of the open run; null for one without. */
  readonly task: KeptTask | null;
}

export interface JobStore {
  /**
   * Whether a paid request may leave; called directly before. False if the holder's lease is over, or ends so soon that
   * another process could have taken its place when the request arrives; the claimed enrichments are unsent then.
   */
  maySend(): Promise<boolean>;
  /** The job at this moment. Keeps no process from taking it, or from starting a run. */
  jobNow(job: string): Promise<JobNow>;

  /**
   * Pauses the job: from now on `claim` gives no run of the job anything; paid answers are still collected. Null ends
   * the pause. False if it was paused, or not paused, already. A job is paused, not a run, because a new run in its
   * place would send otherwise.
   */
  pauseJob(job: string, at: number | null): Promise<boolean>;

  /** The leads that the job's samples with this seed have chosen so far, in the order of their choice. */
  sampleOf(job: string, seed: number): Promise<readonly string[]>;
  /** Keeps the leads that `sampleOf` returns from now on. */
  keepSample(job: string, seed: number, leads: readonly string[]): Promise<void>;
}

/** The reason why no worker goes on with a run for now. */
export interface Parked {
  readonly until: number;
  readonly why: string;
  /** How often in a row it was parked. */
  readonly times: number;
}

export interface KeptTask {
  /** A JSON text. */
  readonly task: string;
  readonly parked: Parked | null;
}

export interface OpenTask {
  readonly run: number;
  readonly job: string;
  readonly parked: Parked | null;
}

export interface Schedule {
  readonly job: string;
  /** The times in the form of crontab: five fields. */
  readonly pattern: string;
  /** A name such as `Europe/Vienna`. */
  readonly timezone: string;
  /** The treatment of times at which no worker was there: one run for all of them, or none. */
  readonly catchUp: 'one' | 'none';
}

export interface KeptSchedule extends Schedule {
  /** The next time, or one that has come and for which no run was begun: nothing but this makes a run due. */
  readonly nextAt: number;
}

export interface TaskStore {
  /**
   * Keeps a JSON text with an open run, in place of the one before; the run is not parked any more. Or parks a run that
   * has such a text; null makes it go on.
   */
  noteTask(runId: number, change: string | Parked | null): Promise<void>;
  /** The tasks of all open runs, by their numbers. */
  openTasks(): Promise<OpenTask[]>;

  /** The schedules of all jobs, by their names. */
  schedules(): Promise<KeptSchedule[]>;
  /**
   * Keeps a job's schedule in place of the one before; null removes it. With `passed` only the next time changes, and
   * only if that time is still the next one. False if none was there to remove, or to change.
   */
  keepSchedule(
    job: string,
    schedule: Omit<KeptSchedule, 'job'> | null,
    passed?: number,
  ): Promise<boolean>;
}
