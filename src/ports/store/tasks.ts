// What a worker on another machine needs to go on with a run. A part of the store's contract.

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
}
