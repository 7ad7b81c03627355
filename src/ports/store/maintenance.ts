// Keeping the store itself in order: whether it can be written, copies of it, people who want to be forgotten, and runs
// that are not needed any more. A part of the store's contract.
import type { PersonMatch } from '../../model/person-match.js';

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
  /** Runs and registered files whose columns or paths are named for them: those names stay. */
  readonly names: number;
  /** The runs of those leads: their tables were written before. */
  readonly runs: readonly number[];
  /** Runs that still work on such leads. Where there are any, nothing was removed. */
  readonly openRuns: readonly number[];
  /** Deliveries about them that no run has settled. Where there are any, nothing was removed. */
  readonly pendingDeliveries: number;
  /** Whether nothing of it is left in free space; false where only counted. */
  readonly isErased: boolean;
  /** Why something of what was removed may be left in free space; null where nothing is, or nothing was removed. */
  readonly left: 'readers' | 'tables of another user' | 'large tables' | null;
}

export interface PruneTimes {
  readonly at: number;
  /** Runs that ended, and deliveries and events that came, before this go. */
  readonly before: number;
  /** What was settled at or after this is fresh, and stays. */
  readonly freshSince: number;
}

/** What was removed, or would be. */
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
  /** Null where it was only counted. */
  readonly bytesAfter: number | null;
}

/** `known`: the job that was told it; empty where nothing ran. `unknown`: no run of this job says. */
export type FreshForKnown =
  | { readonly kind: 'known'; readonly freshForMs: number; readonly job: string }
  | { readonly kind: 'unknown'; readonly job: string };

/** What the state takes on the disk. */
export interface StateSize {
  readonly bytes: number;
  /** How many of them hold nothing: new rows go there first. In a database an estimate, of rows not yet cleared away. */
  readonly unusedBytes: number;
  /** Of what is written beside it and not yet in its place; 0 in a database, whose log is not the state's alone. */
  readonly logBytes: number;
  /**
   * How many more bytes hold something, for each day of the last weeks; less than 0 where more has gone than come. Null
   * where it is not known over a day.
   */
  readonly bytesADay: number | null;
}

export interface Maintenance {
  /**
   * Writes as durably as any other verb, and changes nothing.
   * @throws SluiceError `store` where nothing can be written at this moment
   */
  checkWriting(): Promise<void>;
  /**
   * Writes everything that is committed at this moment to a file of its own, checked and durable,
   * which appears whole or not at all. Other processes read and write meanwhile. Returns its size in bytes.
   * @throws SluiceError `usage` where there is something at `path`, or the state is in a database, with the command that
   * copies it; `output` where it cannot be written
   */
  backup(path: string): Promise<number>;
  /**
   * Removes everything about the person whom `match` describes: cells, inputs, results, bodies, events, and the text of
   * rejects, in the store and on its disk. Their enrichments end as failed, with the cost and the fingerprint
   * that they had: what was accepted is not asked for again while its answer would be fresh, no answer is
   * taken for it any more, and no retry sends it. With `isForReal` false it only counts.
   */
  forget(match: PersonMatch, at: number, isForReal: boolean): Promise<ForgetReport>;
  /**
   * The longest time for which any run of any job ever counted results as fresh, also of runs that are gone; 0 where
   * nothing ran.
   */
  longestFreshFor(): Promise<FreshForKnown>;
  /**
   * Ended runs go, with their leads, rejects and lists; no verb finds them any more. Their enrichments go where no
   * lead of another run refers to them and asking again costs no more for it: they are stale, or certainly never
   * were accepted. Deliveries that are settled and events go by their age. The newest of each
   * stays, so that no number is given twice. The space is given back. With `isForReal` false it only counts.
   */
  prune(times: PruneTimes, isForReal: boolean): Promise<PruneReport>;
  /**
   * A piece of what `prune` removes: about `rowsMax` rows' work at most, in one short step. After a kill, or with other
   * verbs in between, it goes on where it was. What was deleted is overwritten, but for copies in space that the store
   * does not use, which `prune` removes; the space is there for new rows. An enrichment waits for the runs of all leads that may refer to it, of which some may
   * not; and the rows of the runs stay. `isDone`: nothing was left that can go now.
   */
  pruneSome(times: PruneTimes, rowsMax: number): Promise<{ readonly isDone: boolean }>;
  /** Remembers the size of this moment, unless one of the last day is remembered: its growth is counted from there. */
  noteSize(at: number): Promise<void>;
  size(at: number): Promise<StateSize>;
  /**
   * The state that this one was moved to, or is being moved to, as people name it; null for one that is in use. A state
   * with such a mark answers what changes nothing, and refuses everything else.
   */
  movedTo(): Promise<string | null>;
}
