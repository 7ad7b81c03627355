// The numbers of a waterfall: those of its leads, and what each step had to do with them.
import { isAsked, type LeadAnswer } from '../answer.js';
import type { Ask } from '../ask.js';
import { type Money, sumCredits } from '../credits.js';
import type { EnrichmentState } from '../enrichment/arrows.js';
import { emptyByStatus, type RunTally, type StatusReason } from '../tally.js';
import { hitsOf } from '../verdict.js';
import type { StepTally } from './provenance.js';
import {
  foundAddresses,
  standOf,
  stateOf,
  type Waterfall,
  waitingStep,
  waitsFor,
} from './waterfall.js';

const REASONS_MAX = 20;

type Counts = { -readonly [K in keyof Omit<StepTally, 'asks'>]: StepTally[K] } & {
  readonly asks: { readonly ask: Ask; asked: number; found: number }[];
};

function addAsked(counts: Counts, answer: LeadAnswer): void {
  const { ask: asked, result, source } = answer;
  if (source !== null && !isOwn(answer)) {
    counts.known += 1;
    return;
  }
  const hits = result === null ? [] : hitsOf(answer, result);
  for (const of of counts.asks) {
    if (asked.includes(of.ask)) of.asked += 1;
    if (hits.includes(of.ask)) of.found += 1;
  }
}

/** `credits`: the price of a credit of each step, where it is stated. */
export function countWaterfall(waterfall: Waterfall, credits: readonly (Money | undefined)[] = []) {
  const byStatus = emptyByStatus();
  const askedAgain: Partial<Record<EnrichmentState, number>> = {};
  const reasons = new Map<
    string,
    { status: LeadAnswer['status']; reason: string; leads: number }
  >();
  const steps = waterfall.steps.map(
    ({ ask: asks, name: step }, index): Counts => ({
      step,
      reached: 0,
      known: 0,
      asks: asks.map((ask) => ({ ask, asked: 0, found: 0 })),
      found: 0,
      accepted: 0,
      bought: 0,
      held: 0,
      rejected: 0,
      waiting: 0,
      credits: 0,
      credit: credits[index] ?? null,
    }),
  );
  let [leads, fromCache, paid] = [0, 0, 0];

  /** The addresses that a verifying step accepts, leaves open or rejects. */
  const addVerdict = (counts: Counts, { result }: LeadAnswer): void => {
    const { platformStatus: word, status } = result?.find_email ?? {};
    if (status === undefined) return;
    counts[standOf({ status, word }, true, waterfall.accept)] += 1;
  };

  const addSteps = (merged: LeadAnswer, wanted: readonly Ask[]): void => {
    const { steps: answers = [] } = merged;
    const { email, phone, profile } = merged.provenance ?? {};
    const shown = new Set([phone?.step, profile?.step]);
    const addresses = foundAddresses(waterfall, answers);
    const isHeld = merged.status !== 'skipped' && merged.status !== 'not_asked';
    const next = isHeld ? waitingStep(waterfall, answers, wanted) : -1;
    // It has not reached that step yet.
    if (answers[next] === undefined && steps[next] !== undefined) steps[next].waiting += 1;
    for (const [index, counts] of steps.entries()) {
      const answer = answers[index];
      if (answer === undefined) continue;
      counts.credits = sumCredits([counts.credits, answer.credits]);
      if (waitsFor(answers, index)) counts.waiting += 1;
      if (!isAsked(answer.status)) continue;
      counts.reached += 1;
      if (answer.status === 'found') counts.found += 1;
      const { accepted } = counts;
      if (waterfall.steps[index]?.verifies === true) {
        addVerdict(counts, answer);
      } else {
        const own = addresses.find(({ step }) => step === index);
        const showsIt = email?.step === counts.step;
        if (shown.has(counts.step) || (showsIt && own?.stand === 'accepted')) counts.accepted += 1;
        else if (showsIt) counts.held += 1;
        if (own?.stand === 'rejected') counts.rejected += 1;
      }
      addAsked(counts, answer);
      if (isOwn(answer)) counts.bought += counts.accepted - accepted;
    }
  };

  return {
    add(merged: LeadAnswer, wanted: readonly Ask[]): void {
      leads += 1;
      byStatus[merged.status] += 1;
      paid = sumCredits([paid, merged.credits]);
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
      addSteps(merged, wanted);
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
        credits: paid,
        steps,
      };
    },
  };
}

/** Whether this run has asked for it. */
function isOwn({ askedAgain, source }: LeadAnswer): boolean {
  return source === 'api' || (askedAgain !== undefined && askedAgain !== 'queued');
}
