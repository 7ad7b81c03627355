// Examines a state without changing it, also if it is damaged, older than this program, or in use. Its conformance
// suite is `test/contract/state-checkup.ts`.
import type { Moment } from '../clock.js';
import type { OtherSenders } from './accounts.js';
import type { LockHolder } from './jobs.js';
import type { StateSize } from './maintenance.js';

/** The place at which the state lies, or would lie. */
export interface StatePlace {
  /** Its folder, or the nearest folder above that exists. */
  readonly folder: string;
  readonly isFolderThere: boolean;
  /** The reason why nothing can be written there, as a clause; null if it can. */
  readonly obstacle: string | null;
  /** Whether other users of the machine may read the state; false if there is none, or if that is unknown. */
  readonly isReadByOthers: boolean;
  readonly freeBytes: number;
  /** Whether another machine keeps it, so that locks and the log cannot be relied on; null if that is unknown. */
  readonly isRemote: boolean | null;
}

export interface BusyJob {
  readonly job: string;
  readonly holder: LockHolder;
  /** How long to wait for a silent process; null if its end is seen at once. */
  readonly leftMs: number | null;
}

export interface StateCheckup {
  /** The version of its schema. */
  readonly version: number;
  /** The newest schema that this program knows, to which a run would bring it. */
  readonly versionKnown: number;
  /** As `Store.size`; the growth of an older state is not known. */
  size(at: number): Promise<StateSize>;
  /** Reads everything, and returns the first few damages; none if it is whole. */
  findDamage(): Promise<readonly string[]>;
  busyJobs(): Promise<readonly BusyJob[]>;
  /** The slots that the senders of an account hold of its limit, without joining them. */
  senders(account: string, now: Moment): Promise<OtherSenders>;
  pausedSince(job: string): Promise<number | null>;
  /** Null if none was needed yet. */
  signingKey(): Promise<Uint8Array | null>;
  /** Idempotent. */
  close(): Promise<void>;
}

export interface StateExaminer {
  lookAtPlace(path: string): Promise<StatePlace>;
  /**
   * Opens a checkup; null if there is nothing at the path, or an empty file.
   * @throws SluiceError `store` if the thing there is no state, is newer than this program, or cannot be read
   */
  openCheckup(path: string): Promise<StateCheckup | null>;
}
