// Jobs: one process at a time works on each, a paused one sends nothing, and a sample keeps its leads. A part of the store's
// contract.

/** The process that works on a job. */
export interface LockHolder {
  readonly pid: number;
  readonly host: string;
  readonly since: number;
}

export interface JobStore {
  /**
   * Directly before a paid request leaves: whether it may. False where the holder's lease is over, or is so soon that
   * another process could have taken its place when the request arrives; what was claimed for it is unsent then.
   */
  maySend(): Promise<boolean>;
  /** Whether a process has the job at this moment; keeps no other process from taking it. */
  isLocked(job: string): Promise<boolean>;
  /** That process; null where none has the job, or it has not said yet who it is. */
  holderOf(job: string): Promise<LockHolder | null>;

  /**
   * From now on `claim` gives no run of the job anything; what is paid for is still collected. False where it was
   * paused already. A pause is of the job and not of a run: a new run in its place would send otherwise.
   */
  pauseJob(job: string, at: number): Promise<boolean>;
  /** False where it was not paused. */
  resumeJob(job: string): Promise<boolean>;
  /** Since when the job is paused, or null. */
  pausedSince(job: string): Promise<number | null>;

  /** Which leads the job's samples with this seed have chosen so far, in the order of their choice. */
  sampleOf(job: string, seed: number): Promise<readonly string[]>;
  /** From now on `sampleOf` gives these. */
  keepSample(job: string, seed: number, leads: readonly string[]): Promise<void>;
}
