// The answer of one lead at this moment: everything of which an output row is made.
import type { Ask, Inputs } from './ask.js';
import type { EnrichmentState } from './enrichment/arrows.js';
import type { Result } from './result.js';
import type { JsonValue } from './text/json.js';
import type { Provenance } from './waterfall/provenance.js';

/**
 * `skipped`: nothing could be asked for this lead. `not_asked`: the user chose other leads. All others are the states
 * of its enrichment.
 */
export type LeadStatus = 'skipped' | 'not_asked' | EnrichmentState;

/** Whether it was asked for: a lead that is only to be sent was not. */
export function isAsked(status: LeadStatus): boolean {
  return status !== 'queued' && status !== 'skipped' && status !== 'not_asked';
}

export const MAY_CHANGE: ReadonlySet<LeadStatus> = new Set([
  'queued',
  'submitting',
  'awaiting',
  'timed_out',
  'uncertain',
]);

/** The beginning of a row's reason while it shows an older answer, or what others have answered of some asks. */
export const SHOWN_FOR_NOW = [
  'an older answer; asked again',
  'known in part; asked for the rest',
] as const;

/**
 * `api`: this lead made the run pay for the enrichment. `cache`: another line, or an earlier run, had already asked for
 * the same. `import`: it was bought elsewhere, and taken from a table.
 */
export type AnswerSource = 'api' | 'cache' | 'import';

export interface LeadAnswer {
  /** 1-based, over all sources, in input order. */
  readonly position: number;
  /** The index of its file among the run's sources; `line` is the line there on which it begins. */
  readonly file: number;
  readonly line: number;
  readonly cells: readonly JsonValue[];
  readonly status: LeadStatus;
  /**
   * The reason why it was skipped, not asked, failed, or is not known; or the asks for which its inputs did not
   * suffice.
   */
  readonly reason: string | null;
  readonly ticket: string | null;
  /** Null for a lead that is skipped or not asked, and for one that was not asked for yet. */
  readonly source: AnswerSource | null;
  /** The run that last sent its enrichment; null while nothing is paid for. */
  readonly paidBy: number | null;
  /** Credits this run paid for this lead; 0 for `cache`, so that the column adds up to the bill. */
  readonly credits: number;
  /** The time of the answer, in milliseconds since the Unix epoch; null while there is none. */
  readonly enrichedAt: number | null;
  /** The asks for this lead, which may be fewer than the run's; empty for a lead that is skipped or not asked. */
  readonly ask: readonly Ask[];
  /**
   * The inputs of the request; `companyDomain` is compared with the e-mail that was found. Empty for a lead that is
   * skipped or not asked.
   */
  readonly inputs: Inputs;
  readonly result: Result | null;
  /** The state of the newer request, if all of this is an older answer. */
  readonly askedAgain?: EnrichmentState;
  /** The part of each step of a waterfall in it; absent for a job without one. */
  readonly provenance?: Provenance;
  /**
   * The answer of each step of a waterfall, in their order; undefined for a step that the lead has not reached. Absent as
   * `provenance` is.
   */
  readonly steps?: readonly (LeadAnswer | undefined)[];
}
