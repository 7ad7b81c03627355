// Files: those that commands have read and written, so that nothing replaces another job's file; the files of a drop
// folder that are done; and what these looked like. A part of the store's contract. All paths are absolute and real.

import type { FurtherTable } from '../../model/run.js';

export type ReadRole = 'input' | 'job' | 'dialect';
/**
 * `table`: the table of people. `changes`: the people for whom two runs differ. `claims`: charges that nothing
 * explains.
 */
export type WrittenRole =
  | 'table'
  | FurtherTable
  | 'rejects'
  | 'events'
  | 'changes'
  | 'claims'
  | 'report';

export interface FileInUse {
  readonly path: string;
  readonly role: ReadRole;
}

export interface ReadFile extends FileInUse {
  /** The job that read it, and the last of its runs that did. */
  readonly job: string;
  readonly run: number;
}

export interface WrittenFile {
  readonly path: string;
  readonly role: WrittenRole;
  readonly job: string;
  readonly run: number | null;
  /** The file when it was written, and the one that it was about to replace, which a crash leaves there. */
  readonly looks: readonly FileLook[];
}

export interface FileLook {
  readonly size: number;
  readonly modifiedAt: number;
}

export interface KnownFiles {
  /** The path of the store itself, with which the names of its other files begin; null if the store is not a file. */
  readonly state: string | null;
  readonly read: readonly ReadFile[];
  /** The written files: at most one for each path. */
  readonly written: readonly WrittenFile[];
}

/** The look of a file of a drop folder when its bytes were hashed. */
export interface HashedFile {
  readonly path: string;
  /** The facts that the file system gives about it. */
  readonly look: string;
  /** The SHA-256 of its bytes, in hex. */
  readonly digest: string;
}

export interface RunOfTable {
  readonly run: number;
  /** The digests of the files in the table. */
  readonly digests: readonly string[];
}

export interface FileRegister {
  /** All known files. A file is found again if it was moved together with the store. */
  knownFiles(): Promise<KnownFiles>;
  /** Notes that a run reads these files. They are known until it is pruned, or the next run of its job reads them. */
  noteRead(run: number, files: readonly FileInUse[]): Promise<void>;
  /**
   * Notes that the file is about to take this place: it belongs to no other job from now on. Null: the file that was
   * written there is removed.
   */
  noteWritten(path: string, file: Omit<WrittenFile, 'path'> | null): Promise<void>;

  /**
   * The digests among these whose files are done: a run of the job with these terms read the files and finished. They
   * stay done when that run is pruned.
   */
  doneFiles(job: string, termsDigest: string, digests: readonly string[]): Promise<string[]>;
  /** The files of the last `noteHashed`. */
  hashedFiles(job: string): Promise<readonly HashedFile[]>;
  /** Notes these files, in the place of earlier notes on the same paths, and drops the notes on files that are gone. */
  noteHashed(
    job: string,
    files: readonly HashedFile[],
    gone: readonly string[],
    at: number,
  ): Promise<void>;
  /**
   * The run of any job, other than `except`, that has done files of a drop folder and was the last to end with such a
   * table; null if there is none. It stays known when the run is pruned.
   */
  runOfTable(
    isTable: (out: string, run: number) => boolean,
    except: number | null,
  ): Promise<RunOfTable | null>;
}
