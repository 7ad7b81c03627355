// The whole story of one line of a run: what it became, what was asked for it, and what came of that. A
// part of the store's contract. Only for people who look: nothing that works on a run reads it.
import type { EnrichmentRequest } from '../../model/ask.js';
import type { EnrichmentState } from '../../model/enrichment.js';
import type { Reject } from '../../model/lead.js';
import type { MappedInput } from '../../model/mapping.js';
import type { Result } from '../../model/result.js';
import type { JsonValue } from '../../model/text/json.js';
import type { JournalEntry } from './deliveries.js';

/** A lead that refers to the same enrichment. */
export interface SharingLead {
  readonly runId: number;
  readonly source: number;
  readonly line: number;
}

export interface EnrichmentHistory {
  readonly id: number;
  readonly fingerprint: Uint8Array;
  /** Whether it is the one that counts for its fingerprint; a newer one has taken its place otherwise. */
  readonly isCurrent: boolean;
  readonly state: EnrichmentState;
  /** Its inputs are empty where the person was forgotten. */
  readonly request: EnrichmentRequest;
  readonly ticket: string | null;
  readonly reason: string | null;
  readonly credits: number;
  /** The run that works on it. */
  readonly runId: number;
  /** The run that sent it last; null where nothing is paid for. */
  readonly paidBy: number | null;
  readonly sendCount: number;
  /** Sends whose fate stayed unknown when it was sent again. */
  readonly lostSends: number;
  readonly submittedAt: number | null;
  /** Polls that found it pending. */
  readonly pollCount: number;
  readonly pollAt: number | null;
  readonly deadlineAt: number | null;
  readonly settledAt: number | null;
  /** When the older answer came that the row shows until this one has an answer; null where it shows this one. */
  readonly standsSince: number | null;
  readonly result: Result | null;
  /** The first other leads that refer to it, by run and position, and how many there are. */
  readonly sharedWith: readonly SharingLead[];
  readonly sharedCount: number;
}

export interface LeadHistory {
  readonly position: number;
  readonly source: number;
  readonly line: number;
  readonly cells: readonly JsonValue[];
  readonly note: string | null;
  /** Whether this is the line of its run that made the run pay. */
  readonly isPayer: boolean;
  /** Null for a skipped lead. */
  readonly enrichment: EnrichmentHistory | null;
}

/** What a line of the input became. Several files have a line of the same number each. */
export interface LineEntries {
  readonly leads: readonly LeadHistory[];
  readonly rejects: readonly Reject[];
  /** Which column fed which input; empty in runs of before this was kept, and until the first lead is in. */
  readonly mapping: readonly MappedInput[];
  /** Where the line is none of both: the line on which the lead before it begins, or null. */
  readonly lineBefore: number | null;
}

export interface LineHistory {
  /** What the physical line became in the run; `source` null for that line of every input file. */
  lineHistory(runId: number, line: number, source: number | null): Promise<LineEntries>;
  /**
   * The first `limit` deliveries that name the enrichment: by the key in their path, or by one of the
   * `marks` (its ticket, its key) as a value anywhere in their bodies.
   */
  deliveriesAbout(
    enrichmentId: number,
    marks: readonly string[],
    limit: number,
  ): Promise<JournalEntry[]>;
}
