// What a worker on another machine needs to go on with a run, and when workers begin runs by themselves. A part of the
// store's contract.

/** Why no worker goes on with a run for now. */
export interface Parked {
  readonly until: number;
  readonly why: string;
  /** How often in a row. */
  readonly times: number;
}

export interface OpenTask {
  readonly run: number;
  readonly job: string;
  readonly parked: Parked | null;
}

/** When a job's run is begun by itself. */
export interface Schedule {
  readonly job: string;
  /** As in crontab: five fields. */
  readonly pattern: string;
  /** As `Europe/Vienna`. */
  readonly timezone: string;
  /** What becomes of times at which no worker was there: one run for all of them, or none. */
  readonly catchUp: 'one' | 'none';
}

export interface KeptSchedule extends Schedule {
  /** The next time, or one that has come and that nobody has dealt with: nothing but this makes a run due. */
  readonly nextAt: number;
}

export interface TaskStore {
  /** Keeps a JSON text with an open run, in place of the one before; the run is not parked any more. */
  noteTask(runId: number, task: string): Promise<void>;
  /** Null for a run without one, and for one that has ended: it needs none. */
  findTask(
    runId: number,
  ): Promise<{ readonly task: string; readonly parked: Parked | null } | null>;
  /** Null: it goes on. Nothing happens where the run has no task. */
  parkTask(runId: number, parked: Parked | null): Promise<void>;
  /** Of all open runs, by their numbers. */
  openTasks(): Promise<OpenTask[]>;

  /** Of all jobs, by their names. */
  schedules(): Promise<KeptSchedule[]>;
  findSchedule(job: string): Promise<KeptSchedule | null>;
  /** In place of the one before. */
  keepSchedule(schedule: KeptSchedule): Promise<void>;
  /** False where there was none. */
  removeSchedule(job: string): Promise<boolean>;
  /** The time `from` is dealt with: `nextAt` is the next one. Nothing happens where another one is the next already. */
  passTime(job: string, from: number, nextAt: number): Promise<void>;
}
