// The files of drop folders: each is done once, by its content. A part of the store's contract.

export interface DoneFiles {
  /**
   * Those of the digests whose files are done: a run of the job with these terms read them and finished. They
   * stay done when that run is pruned.
   */
  doneFiles(job: string, terms: string, digests: readonly string[]): Promise<string[]>;
  /**
   * The run of any job, other than `except`, that has done files of a drop folder and was the last to end with such
   * a table; null where there is none. It is known for good, also when the run is pruned.
   */
  runOfTable(
    isTable: (out: string, run: number) => boolean,
    except: number | null,
  ): Promise<RunOfTable | null>;
}

export interface RunOfTable {
  readonly run: number;
  /** Of the files in the table. */
  readonly digests: readonly string[];
}
