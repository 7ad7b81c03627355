// Jobs that are paused: no run of theirs sends anything new, and what is paid for is still collected. It is
// the job and not the run, for a run that was replaced meanwhile would send all the same. A part of the
// store's contract.

export interface PauseStore {
  /** From now on `claim` gives no run of the job anything. False where it was paused already. */
  pauseJob(job: string, at: number): Promise<boolean>;
  /** False where it was not paused. */
  resumeJob(job: string): Promise<boolean>;
  /** Since when the job is paused, or null. */
  pausedSince(job: string): Promise<number | null>;
}
