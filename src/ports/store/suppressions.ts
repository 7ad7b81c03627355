// People who must never be asked for, whatever file they are in. A part of the store's contract.
import type { Inputs } from '../../model/ask.js';
import type { IdentifierKind } from '../../model/suppression.js';

/** One person, or one domain. The store does not know who it is. */
export interface Suppression {
  readonly id: number;
  /** As the user gave it; it may be empty. */
  readonly reason: string;
  readonly at: number;
  /** The number of its identifiers of each kind that it has. */
  readonly identifiers: Readonly<Partial<Record<IdentifierKind, number>>>;
}

export interface SuppressionStore {
  /**
   * Suppresses each person (or, of inputs that name nothing else, the domain) under the identifiers among the inputs.
   * From now on no claim returns an enrichment of theirs, and a lead of theirs is skipped. One whose identifiers were
   * all given before stays as it is. Returns how many were added. `linkSuppressed` comes afterwards.
   */
  suppress(people: readonly Inputs[], reason: string, at: number): Promise<number>;
  /**
   * Goes through the enrichments after the id `after`, at most `most`: those of suppressed people are neither sent nor
   * shown any more, and all that they tell about a person who was given is suppressed as well. Returns the last id, or
   * null at the end, and how many identifiers were added.
   */
  linkSuppressed(
    after: number,
    most: number,
  ): Promise<{ readonly last: number | null; readonly linked: number }>;
  /** Removes suppressions: what is known of these people is shown again. Returns how many there were. */
  unsuppress(ids: readonly number[]): Promise<number>;
  /** The suppressions after the id, in order. */
  suppressions(after: number, limit: number): Promise<Suppression[]>;
  /** For each of these people, the suppressions that apply, the oldest first. */
  suppressionsOf(people: readonly Inputs[]): Promise<(readonly Suppression[])[]>;
}
