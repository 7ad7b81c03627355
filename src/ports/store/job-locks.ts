// Who works on a job: one process at a time, and anybody may look whether there is one. A part of the store's
// contract.

/** The process that works on a job. */
export interface LockHolder {
  readonly pid: number;
  readonly host: string;
  readonly since: number;
}

export type JobLock =
  | { readonly kind: 'taken' /** Idempotent. */; release(): Promise<void> }
  | { readonly kind: 'busy'; readonly holder: LockHolder | null };

export interface JobLocks {
  /**
   * Takes the job for this process: one run at a time for each job of a state file. Ends with the
   * process, however it dies, so that the next one need not wait.
   */
  lockJob(job: string, holder: LockHolder): Promise<JobLock>;
  /** Whether a process has the job at this moment; hinders nobody who wants it. */
  isLocked(job: string): Promise<boolean>;
}
