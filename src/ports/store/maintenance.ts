// Maintenance of the store itself: whether it can be written, copies of it, people who want to be forgotten, and runs
// that are not needed any more. A part of the store's contract.
import type { PersonMatch } from '../../model/person-match.js';

/** The counts of what was removed, or would be. */
export interface ForgetReport {
  /** Lines of runs that are empty now. */
  readonly leads: number;
  readonly enrichments: number;
  readonly results: number;
  /** Deliveries whose bodies were emptied. */
  readonly deliveries: number;
  readonly events: number;
  readonly rejects: number;
  /** Runs and registered files with the person's name in their columns or paths: those names stay. */
  readonly names: number;
  /** The runs of those leads: their tables were written before. */
  readonly runs: readonly number[];
  /** Runs that still work on such leads. If there are any, nothing was removed. */
  readonly openRuns: readonly number[];
  /** Deliveries about them that no run has settled. If there are any, nothing was removed. */
  readonly pendingDeliveries: number;
  /** Whether nothing of it is left in free space; false if only counted. */
  readonly isErased: boolean;
}

export interface PruneTimes {
  readonly at: number;
  /** Runs that ended before this time are removed, and deliveries and events that came before it. */
  readonly before: number;
  /** Answers that were settled at or after this time are fresh, and stay. */
  readonly freshSince: number;
}

/** The counts of what was removed, or would be. */
export interface PruneReport {
  readonly runs: number;
  readonly leads: number;
  readonly rejects: number;
  readonly enrichments: number;
  readonly results: number;
  readonly deliveries: number;
  readonly events: number;
  /** Enrichments of pruned runs that stay because they are fresh. */
  readonly keptFresh: number;
  /** Enrichments that stay because they may have been paid for, and have no answer. */
  readonly keptUnsettled: number;
  readonly bytesBefore: number;
  /** Null if it was only counted. */
  readonly bytesAfter: number | null;
}

export interface LongestFreshFor {
  readonly freshForMs: number;
  /** The job that was told so; empty if no run exists. */
  readonly job: string;
}

/** The size of the state on the disk. */
export interface StateSize {
  readonly bytes: number;
  /**
   * The bytes of these that hold nothing: new rows go there first. In a database an estimate, of rows not yet cleared
   * away.
   */
  readonly unusedBytes: number;
  /** The bytes of the log that are not yet in their place; 0 in a database, whose log is not the state's alone. */
  readonly logBytes: number;
  /**
   * The growth of the used bytes, for each day of the last weeks; less than 0 if more was removed than added. Null if
   * it is not known over a day.
   */
  readonly bytesADay: number | null;
}

export interface Maintenance {
  /**
   * Writes as durably as any other verb, and changes nothing.
   * @throws SluiceError `store` if nothing can be written at this moment
   */
  checkWriting(): Promise<void>;
  /**
   * Writes the whole committed state of this moment to a file of its own, checked and durable, which appears whole or
   * not at all. Other processes read and write meanwhile. Returns its size in bytes.
   * @throws SluiceError `usage` if there is something at `path`, or the state is in a database, with the command that
   * copies it; `output` if it cannot be written
   */
  backup(path: string): Promise<number>;
  /**
   * Removes everything about the person whom `match` describes: cells, inputs, results, bodies, events, and the text of
   * rejects, in the store and on its disk. Their enrichments end as failed, with the cost and the fingerprint that they
   * had: an accepted one is not sent again while its answer would be fresh, takes no answer any more, and no retry
   * sends it. With `isForReal` false it only counts.
   */
  forget(match: PersonMatch, at: number, isForReal: boolean): Promise<ForgetReport>;
  /**
   * The longest time for which any run of any job ever counted results as fresh, also of removed runs; 0 if no run
   * exists.
   */
  longestFreshFor(): Promise<LongestFreshFor>;
  /**
   * Removes ended runs, with their leads, rejects and lists; no verb finds them any more. Their enrichments are removed
   * if no lead of another run refers to them and asking again costs no more for it: they are stale, or certainly never
   * were accepted. Settled deliveries and events are removed by their age. The newest of each stays, so that no number
   * is given twice. The space is given back. With `isForReal` false it only counts.
   */
  prune(times: PruneTimes, isForReal: boolean): Promise<PruneReport>;
  /**
   * Removes a part of what `prune` removes: about `rowsMax` rows at most, in one short step. After a kill, or with
   * other verbs in between, it goes on where it was. Removed rows are overwritten, except for copies in space that the
   * store does not use, which `prune` removes; the space is used for new rows. An enrichment waits for the runs of all
   * leads that may refer to it, even if some do not; and the rows of the runs stay. `isDone`: nothing more can be
   * removed now.
   */
  pruneSome(times: PruneTimes, rowsMax: number): Promise<{ readonly isDone: boolean }>;
  /** Remembers the size of this moment, unless one of the last day is remembered: its growth is measured from there. */
  noteSize(at: number): Promise<void>;
  size(at: number): Promise<StateSize>;
}
