// Jobs: one process at a time works on each, a paused one sends nothing, and a sample keeps its leads. A part of the
// store's contract.

/** The process that works on a job. */
export interface LockHolder {
  readonly pid: number;
  readonly host: string;
  readonly since: number;
}

export interface JobStore {
  /**
   * Whether a paid request may leave; called directly before. False if the holder's lease is over, or ends so soon that
   * another process could have taken its place when the request arrives; the claimed enrichments are unsent then.
   */
  maySend(): Promise<boolean>;
  /** Whether a process has the job at this moment; keeps no other process from taking it. */
  isLocked(job: string): Promise<boolean>;
  /** The process that has the job; null if none has it, or it has not said yet who it is. */
  holderOf(job: string): Promise<LockHolder | null>;

  /**
   * Pauses the job: from now on `claim` gives no run of the job anything; paid answers are still collected. False if it
   * was paused already. A job is paused, not a run, because a new run in its place would send otherwise.
   */
  pauseJob(job: string, at: number): Promise<boolean>;
  /** Ends the pause; false if the job was not paused. */
  resumeJob(job: string): Promise<boolean>;
  /** The time since which the job is paused, or null. */
  pausedSince(job: string): Promise<number | null>;

  /** The leads that the job's samples with this seed have chosen so far, in the order of their choice. */
  sampleOf(job: string, seed: number): Promise<readonly string[]>;
  /** Keeps the leads that `sampleOf` returns from now on. */
  keepSample(job: string, seed: number, leads: readonly string[]): Promise<void>;
}
