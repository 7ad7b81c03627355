// The files of drop folders: each is done once, by its content. A part of the store's contract.

export interface DoneFiles {
  /**
   * Those of the digests whose files are done: a run of the job with these terms read them and finished. They
   * stay done when that run is pruned.
   */
  doneFiles(job: string, terms: string, digests: readonly string[]): Promise<string[]>;
  /** The newest finished run of the job over a drop folder whose table has this name, or null. */
  runOfTable(job: string, out: string): Promise<number | null>;
}
