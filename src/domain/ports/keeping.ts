// Keeping the store itself in order: copies of it, and people who want to be forgotten. A part of the
// store's contract.
import type { PersonMatch } from '../person-match.js';

/** What was removed, or would be. */
export interface ForgetReport {
  /** Lines of runs that are empty now. */
  readonly leads: number;
  readonly enrichments: number;
  readonly results: number;
  /** Deliveries whose bodies were emptied. */
  readonly deliveries: number;
  readonly events: number;
  readonly rejects: number;
  /** The runs of those leads: their tables were written before. */
  readonly runs: readonly number[];
  /** Runs that still work on such leads. Where there are any, nothing was removed. */
  readonly openRuns: readonly number[];
  /** Deliveries about them that no run has settled. Where there are any, nothing was removed. */
  readonly pendingDeliveries: number;
  /** Whether it is gone from the disk too; false where only counted, or where another process kept the file busy. */
  readonly isErased: boolean;
}

export interface Upkeep {
  /**
   * Writes everything that is committed at this moment to a file of its own, checked and synced, which
   * appears whole or not at all; nobody is held up. Returns its size in bytes.
   * @throws SluiceError `usage` where something stands at `path`, `output` where it cannot be written
   */
  backup(path: string): Promise<number>;
  /**
   * Removes everything about whom `match` knows: cells, inputs, results, bodies, events, and the text of
   * rejects, in the store and on its disk. Their enrichments end as failed, with the cost and the fingerprint
   * that they had: what was accepted is not asked for again while its answer would be fresh, no answer is
   * taken for it any more, and no retry sends it. With `isForReal` false it only counts.
   */
  forget(match: PersonMatch, at: number, isForReal: boolean): Promise<ForgetReport>;
}
