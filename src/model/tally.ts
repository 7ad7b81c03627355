// The numbers of a run: what happened to its leads, and what it cost.
import type { LeadStatus } from './answer.js';
import type { EnrichmentState } from './enrichment.js';

export interface StatusReason {
  readonly status: LeadStatus;
  readonly reason: string;
  readonly leads: number;
}

export interface RunTally {
  readonly leads: number;
  readonly rejects: number;
  readonly byStatus: Readonly<Record<LeadStatus, number>>;
  /** Leads that show an older answer, by the state of the newer request: they are among `found` and `not_found`. */
  readonly askedAgain: Readonly<Partial<Record<EnrichmentState, number>>>;
  /** Why leads are skipped, failed, timed_out or uncertain, most frequent first, at most 20. */
  readonly reasons: readonly StatusReason[];
  /** Distinct enrichments this run's leads refer to. */
  readonly enrichments: number;
  /** Leads answered by an enrichment that another line of this input, or an earlier run, asked for. */
  readonly fromCache: number;
  /** Credits this run paid. */
  readonly credits: number;
}

/** Every status at zero. */
export function emptyByStatus(): Record<LeadStatus, number> {
  return {
    skipped: 0,
    queued: 0,
    submitting: 0,
    awaiting: 0,
    found: 0,
    not_found: 0,
    failed: 0,
    timed_out: 0,
    uncertain: 0,
  };
}

/** Leads in a state, also those that show an older answer meanwhile. */
export function leadsIn({ byStatus, askedAgain }: RunTally, state: EnrichmentState): number {
  return byStatus[state] + (askedAgain[state] ?? 0);
}

/** Leads that wait for an answer. */
export function openLeads(tally: RunTally): number {
  return sumOf(tally, ['queued', 'submitting', 'awaiting']);
}

/**
 * Leads that ended without an answer one can rely on. To skip a lead answers it; where that befell every single one,
 * the columns are not what they were, and nobody has been asked.
 */
export function unansweredLeads(tally: RunTally): number {
  if (tally.byStatus.skipped === tally.leads) return tally.leads;
  return sumOf(tally, ['failed', 'timed_out', 'uncertain']);
}

function sumOf(tally: RunTally, states: readonly EnrichmentState[]): number {
  return states.reduce((sum, state) => sum + leadsIn(tally, state), 0);
}
