// The task of a run, by which a worker on another machine can go on with it, and the schedules by which workers begin
// runs. A part of the store's contract.

/** The reason why no worker goes on with a run for now. */
export interface Parked {
  readonly until: number;
  readonly why: string;
  /** How often in a row it was parked. */
  readonly times: number;
}

export interface OpenTask {
  readonly run: number;
  readonly job: string;
  readonly parked: Parked | null;
}

/** The times at which a job's run is begun by itself. */
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
  /** Keeps a JSON text with an open run, in place of the one before; the run is not parked any more. */
  noteTask(runId: number, task: string): Promise<void>;
  /** The task; null for a run without one, and for one that has ended: it needs none. */
  findTask(
    runId: number,
  ): Promise<{ readonly task: string; readonly parked: Parked | null } | null>;
  /** Parks the run; null makes it go on. Nothing happens if the run has no task. */
  parkTask(runId: number, parked: Parked | null): Promise<void>;
  /** The tasks of all open runs, by their numbers. */
  openTasks(): Promise<OpenTask[]>;

  /** The schedules of all jobs, by their names. */
  schedules(): Promise<KeptSchedule[]>;
  findSchedule(job: string): Promise<KeptSchedule | null>;
  /** Keeps a schedule in place of the one before. */
  keepSchedule(schedule: KeptSchedule): Promise<void>;
  /** Removes a schedule; false if there was none. */
  removeSchedule(job: string): Promise<boolean>;
  /**
   * Notes that the time `from` is dealt with: `nextAt` is the next one. Nothing happens if another one is the next
   * already.
   */
  passTime(job: string, from: number, nextAt: number): Promise<void>;
}
