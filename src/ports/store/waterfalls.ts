// Waterfalls: one run holds the leads, and the run of each step has those that have reached it, at the same positions.
// A part of the store's contract.
import type { LeadAnswer } from '../../model/answer.js';
import type { EnrichmentState } from '../../model/enrichment/arrows.js';
import type { Run } from '../../model/run.js';
import type { StepAnswers } from '../../model/waterfall/waterfall.js';

/** A lead as its run holds it, and the answer of each step in their order. */
export interface HeldLead {
  readonly lead: LeadAnswer;
  readonly answers: StepAnswers;
}

export interface WaterfallStore {
  /** The runs of a waterfall's steps, in the order in which they began; none for any other run. */
  stepRuns(runId: number): Promise<Run[]>;
  /** The leads of a waterfall at these positions, with the answers of its steps. */
  heldAt(runId: number, positions: readonly number[]): Promise<HeldLead[]>;
  /**
   * The leads after one position and up to another that run `held` holds and run `to` has not: the positions of those
   * that have ended in the step before it, in one of these states, and the number of those that have not. A lead of
   * which the step before asked nothing has ended. For the first step, `from` is the run that holds the leads.
   */
  passing(
    runs: { readonly held: number; readonly from: number; readonly to: number },
    range: { readonly after: number; readonly until: number },
    ends: readonly EnrichmentState[],
  ): Promise<{ readonly positions: number[]; readonly waiting: number }>;
}
