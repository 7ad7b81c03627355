// People who must never be asked for, whatever file they are in; and what is known of a person. A part of the store's
// contract.
import type { Inputs } from '../../model/ask.js';
import type { Identifier, IdentifierKind } from '../../model/suppression.js';
import type { EnrichmentHistory, SharingLead } from './runs.js';

/** One person, or one domain. The store does not know who it is. */
export interface Suppression {
  readonly id: number;
  /** As the user gave it; it may be empty. */
  readonly reason: string;
  readonly at: number;
  /** The number of its identifiers of each kind that it has. */
  readonly identifiers: Readonly<Partial<Record<IdentifierKind, number>>>;
}

/** An enrichment about a person, and the leads that it answers. */
export interface AboutPerson
  extends Pick<
    EnrichmentHistory,
    | 'id'
    | 'request'
    | 'isImported'
    | 'state'
    | 'reason'
    | 'credits'
    | 'submittedAt'
    | 'settledAt'
    | 'result'
  > {
  /** The run that sent it last, or works on it. */
  readonly runId: number;
  /** The first leads by run and position; `leadCount` is the number of all. */
  readonly leads: readonly SharingLead[];
  readonly leadCount: number;
  /** All runs with such leads; of a waterfall that which holds them. */
  readonly runs: readonly number[];
}

export interface SuppressionStore {
  /**
   * Suppresses each person, or domain, under these identifiers. From now on no claim returns an enrichment of theirs,
   * and a lead of theirs is skipped. One whose identifiers were all given before stays as it is, and one without any is
   * passed over. Returns how many were added. `linkSuppressed` comes afterwards.
   */
  suppress(people: readonly (readonly Identifier[])[], reason: string, at: number): Promise<number>;
  /**
   * Goes through the enrichments after the id `after`, at most `most`: those of suppressed people are neither sent nor
   * shown any more, and all that they tell about a person who was given is suppressed as well. Returns the last id, or
   * null at the end, how many identifiers were added, and how many leads were shown until now (for each step of a
   * waterfall).
   */
  linkSuppressed(
    after: number,
    most: number,
  ): Promise<{ readonly last: number | null; readonly linked: number; readonly leads: number }>;
  /** Removes suppressions: what is known of these people is shown again. Returns how many there were. */
  unsuppress(ids: readonly number[]): Promise<number>;
  /** The suppressions after the id, in order. */
  suppressions(after: number, limit: number): Promise<Suppression[]>;
  /**
   * The enrichments of these people among those after the id `after`, at most `most`: by the identifiers in their inputs
   * and answers. Returns the last id that was looked at, or null at the end.
   */
  enrichmentsAbout(
    people: readonly Inputs[],
    after: number,
    most: number,
  ): Promise<{ readonly last: number | null; readonly found: readonly AboutPerson[] }>;
  /** For each of these people, the suppressions that apply, the oldest first. */
  suppressionsOf(people: readonly (readonly Identifier[])[]): Promise<(readonly Suppression[])[]>;
}
