// The numbers of a waterfall: those of its leads, and what each step had to do with them.
import type { LeadAnswer } from '../answer.js';
import type { Ask } from '../ask.js';
import { sumCredits } from '../credits.js';
import type { EnrichmentState } from '../enrichment/arrows.js';
import { emptyByStatus, type RunTally, type StatusReason } from '../tally.js';
import type { StepTally } from './provenance.js';
import {
  foundAddresses,
  hasNoQuestion,
  type StepAnswers,
  stateOf,
  type Waterfall,
} from './waterfall.js';

const WAITING = new Set(['queued', 'submitting', 'awaiting', 'uncertain', 'timed_out']);
const REASONS_MAX = 20;

type Counts = { -readonly [K in keyof StepTally]: StepTally[K] };

/** The index of the step for which a lead waits without having reached it; -1 for none. */
function nextStep(waterfall: Waterfall, answers: StepAnswers, wanted: readonly Ask[]): number {
  const index = waterfall.steps.findIndex((_, at) => {
    const answer = answers[at];
    if (answer !== undefined) return WAITING.has(stateOf(answer));
    return !hasNoQuestion(waterfall, at, answers, wanted);
  });
  return answers[index] === undefined ? index : -1;
}

/** Counts leads one after the other. */
export function countWaterfall(waterfall: Waterfall) {
  const byStatus = emptyByStatus();
  const askedAgain: Partial<Record<EnrichmentState, number>> = {};
  const reasons = new Map<
    string,
    { status: LeadAnswer['status']; reason: string; leads: number }
  >();
  const steps = waterfall.steps.map(
    ({ name: step }): Counts => ({
      step,
      reached: 0,
      found: 0,
      accepted: 0,
      held: 0,
      rejected: 0,
      waiting: 0,
      credits: 0,
    }),
  );
  let [leads, fromCache, credits] = [0, 0, 0];

  /** The addresses that a verifying step accepts, leaves open or rejects. */
  const addVerdict = (counts: Counts, { result }: LeadAnswer): void => {
    const status = result?.find_email?.status;
    if (status === undefined) return;
    if (waterfall.accept.some((one) => one === status)) counts.accepted += 1;
    else if (status === 'undeliverable') counts.rejected += 1;
    else counts.held += 1;
  };

  const addSteps = (merged: LeadAnswer, answers: StepAnswers, wanted: readonly Ask[]): void => {
    const { email, phone, profile } = merged.provenance ?? {};
    const shown = new Set([phone?.step, profile?.step]);
    const addresses = foundAddresses(waterfall, answers);
    const next = steps[nextStep(waterfall, answers, wanted)];
    if (next !== undefined) next.waiting += 1;
    for (const [index, counts] of steps.entries()) {
      const answer = answers[index];
      if (answer === undefined || answer.status === 'not_asked') continue;
      counts.reached += 1;
      counts.credits = sumCredits([counts.credits, answer.credits]);
      if (answer.status === 'found') counts.found += 1;
      if (WAITING.has(stateOf(answer))) counts.waiting += 1;
      if (waterfall.steps[index]?.verifies === true) {
        addVerdict(counts, answer);
        continue;
      }
      const own = addresses.find(({ step }) => step === index);
      const showsIt = email?.step === counts.step;
      if (shown.has(counts.step) || (showsIt && own?.stand === 'accepted')) counts.accepted += 1;
      else if (showsIt) counts.held += 1;
      if (own?.stand === 'rejected') counts.rejected += 1;
    }
  };

  return {
    /** `wanted` is what is wanted for the lead. */
    add(merged: LeadAnswer, answers: StepAnswers, wanted: readonly Ask[]): void {
      leads += 1;
      byStatus[merged.status] += 1;
      credits = sumCredits([credits, merged.credits]);
      if (merged.source === 'cache') fromCache += 1;
      const again = merged.askedAgain;
      if (again !== undefined) askedAgain[again] = (askedAgain[again] ?? 0) + 1;
      if (merged.reason !== null) {
        const { reason } = merged;
        const status = stateOf(merged);
        const key = `${status} ${reason}`;
        const known = reasons.get(key) ?? { status, reason, leads: 0 };
        known.leads += 1;
        reasons.set(key, known);
      }
      addSteps(merged, answers, wanted);
    },
    tally(rest: Pick<RunTally, 'rejects'>): RunTally {
      return {
        leads,
        ...rest,
        byStatus,
        askedAgain,
        reasons: [...reasons.values()]
          .sort((a: StatusReason, b: StatusReason) => b.leads - a.leads)
          .slice(0, REASONS_MAX),
        inPart: { leads: 0, reasons: [] },
        enrichments: null,
        fromCache,
        credits,
        steps,
      };
    },
  };
}
