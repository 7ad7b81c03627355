// Looking at a state without changing it, also where it is damaged, older than this program, or in use. Its
// conformance suite is `test/contract/state-checkup.ts`.
import type { Rate } from '../../model/schedule/rate.js';
import type { Moment } from '../clock.js';
import type { OtherSenders } from './accounts.js';
import type { LockHolder } from './jobs.js';
import type { StateSize } from './maintenance.js';

/** Where the state lies, or would lie. */
export interface StatePlace {
  /** Its folder, or the nearest folder above that exists. */
  readonly folder: string;
  readonly isFolderThere: boolean;
  /** Why nothing can be written there, as a clause; null where it can. */
  readonly obstacle: string | null;
  /** Whether other users of the machine may read the state; false where there is none, or where that is unknown. */
  readonly isReadByOthers: boolean;
  readonly freeBytes: number;
  /** Whether another machine keeps it, where locks and the log cannot be relied on; null where that is unknown. */
  readonly isRemote: boolean | null;
}

export interface BusyJob {
  readonly job: string;
  readonly holder: LockHolder;
  /** How long the process is waited for if it is not heard of any more; null where its end is seen at once. */
  readonly leftMs: number | null;
}

export interface StateCheckup {
  /** Of its schema; 0 where nothing was ever written. */
  readonly version: number;
  /** The newest schema that this program knows, to which a run would bring it. */
  readonly versionKnown: number;
  /** As `Store.size`; how fast an older state grows is not known. */
  size(at: number): Promise<StateSize>;
  /** Reads everything: what is broken, the first few of it; nothing where it is whole. */
  findDamage(): Promise<readonly string[]>;
  /** Jobs that a process works on at this moment. */
  busyJobs(): Promise<readonly BusyJob[]>;
  /** What the senders of an account hold of its limit, without joining them. */
  senders(account: string, limit: Rate, now: Moment): Promise<OtherSenders>;
  /** As `Store.pausedSince`. */
  pausedSince(job: string): Promise<number | null>;
  /** Null where none was needed yet. */
  signingKey(): Promise<Uint8Array | null>;
  /** Idempotent. */
  close(): Promise<void>;
}

export interface StateExaminer {
  lookAtPlace(path: string): Promise<StatePlace>;
  /**
   * Null where there is nothing at the path.
   * @throws SluiceError `store` where what is there is no state, is newer than this program, or cannot be read
   */
  openCheckup(path: string): Promise<StateCheckup | null>;
}
