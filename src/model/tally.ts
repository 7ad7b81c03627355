// The numbers of a run: the states of its leads and its cost; and before it starts, the forecast.
import type { LeadStatus } from './answer.js';
import type { KeyReport } from './columns/key-census.js';
import type { EnrichmentState } from './enrichment/arrows.js';
import { isSuppressed } from './suppression.js';
import { formatCount, formatNumber } from './text/count.js';
import { printable } from './text/printable.js';
import type { StepTally } from './waterfall/provenance.js';

/** The reason of a failed enrichment whose person was removed from the state. */
export const FORGOTTEN_REASON =
  'forgotten: the person was removed from the state (sluice state forget)';

export interface ReasonCount {
  readonly reason: string;
  readonly leads: number;
}

export interface StatusReason extends ReasonCount {
  readonly status: LeadStatus;
}

/** Leads that are asked with fewer inputs than given, or for fewer asks. */
export interface InPart {
  readonly leads: number;
  /** Most frequent first, at most 20. */
  readonly reasons: readonly ReasonCount[];
}

export interface RunTally {
  readonly leads: number;
  readonly rejects: number;
  /** The sources without a lead, once all are read; absent if there are none. */
  readonly leadless?: readonly number[];
  readonly byStatus: Readonly<Record<LeadStatus, number>>;
  /** Leads that show an older answer, by the state of the newer request: they are among `found` and `not_found`. */
  readonly askedAgain: Readonly<Partial<Record<EnrichmentState, number>>>;
  /**
   * The reasons why leads are skipped, not asked, failed, timed out or uncertain, most frequent first, at most 20;
   * FORGOTTEN_REASON, and the first of each kind (report/fail-on.ts), in any case.
   */
  readonly reasons: readonly StatusReason[];
  readonly inPart: InPart;
  /** Distinct enrichments this run's leads refer to; null until it is finished. */
  readonly enrichments: number | null;
  /** Leads answered by an enrichment that another line of this input, or an earlier run, asked for. */
  readonly fromCache: number;
  /** Leads that this run asks only for a part, since the rest is known; none of `fromCache`, and absent if there are none. */
  readonly knownInPart?: number;
  /** Credits this run paid. */
  readonly credits: number;
  /** Set if a lead was sent again although its first send may have been charged. */
  readonly hasLostSends?: true;
  /** The part of each step of a waterfall; absent for a run without one. */
  readonly steps?: readonly StepTally[];
}

export function emptyByStatus(): Record<LeadStatus, number> {
  return {
    skipped: 0,
    not_asked: 0,
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

/** Leads in a state, including those that show an older answer meanwhile. */
export function leadsIn({ byStatus, askedAgain }: RunTally, state: EnrichmentState): number {
  return byStatus[state] + (askedAgain[state] ?? 0);
}

/** Failed leads of people who were forgotten: their inputs are gone, so nothing can be asked for them again. */
export function forgottenLeads({ reasons }: RunTally): number {
  return reasons.find(({ reason }) => reason === FORGOTTEN_REASON)?.leads ?? 0;
}

/** Leads whose people are suppressed, or were forgotten: no row shows them. */
export function hiddenLeads(tally: RunTally): number {
  return suppressedLeads(tally) + forgottenLeads(tally);
}

export function retriableLeads(tally: RunTally, state: EnrichmentState): number {
  return leadsIn(tally, state) - (state === 'failed' ? forgottenLeads(tally) : 0);
}

/** Leads that the user has not left aside, as by `where`, `sample` or `only-missing`. */
export function askedLeads({ byStatus, leads }: RunTally): number {
  return leads - byStatus.not_asked;
}

export function sentLeads(tally: RunTally): number {
  return sumOf(tally, ['submitting', 'awaiting']);
}

export function openLeads(tally: RunTally): number {
  return sumOf(tally, ['queued', 'submitting', 'awaiting']);
}

/**
 * Leads whose rows show no reliable answer. A lead that shows an older answer has one, whatever the state of the newer
 * request. A skipped lead counts as answered, unless every lead that was to be asked was skipped: then the columns are
 * not what they were, and nothing was asked. One of someone suppressed is as it should be.
 */
export function unansweredLeads(tally: RunTally): number {
  const { failed, skipped, timed_out: late, uncertain } = tally.byStatus;
  if (skipped === askedLeads(tally)) return skipped - suppressedLeads(tally);
  return failed + late + uncertain;
}

/** `2 failed, 1 uncertain`: those without an answer. */
export function tellLacking(leads: Readonly<Partial<Record<LeadStatus, number>>>): string {
  return (['failed', 'timed_out', 'uncertain'] as const)
    .flatMap((state) => (leads[state] ? [`${formatNumber(leads[state])} ${state}`] : []))
    .join(', ');
}

/** Says which leads show what was known before, while what else they were asked may have been paid for; null if none do. */
export function tellDoubtful({ askedAgain }: RunTally): string | null {
  const { timed_out = 0, uncertain = 0 } = askedAgain;
  if (timed_out + uncertain === 0) return null;
  const leads = formatCount(timed_out + uncertain, 'lead shows', 'leads show');
  return `${leads} what was known before, and what was asked now is not certain (${tellLacking({ timed_out, uncertain })})`;
}

/** `no line of a.csv is a lead`; of several sources the first. Undefined if each has leads. */
export function describeLeadless(
  { leadless = [], rejects }: RunTally,
  sources: readonly string[],
): string | undefined {
  const [first] = leadless;
  if (first === undefined) return undefined;
  const more = leadless.length - 1;
  const others = more === 0 ? '' : ` and ${formatCount(more, 'other file')}`;
  const names = `${printable(sources[first] ?? '')}${others}`;
  if (rejects > 0) return `no line of ${names} is a lead`;
  return `${names} ${more === 0 ? 'has' : 'have'} a header and no leads`;
}

function suppressedLeads({ reasons }: RunTally): number {
  return reasons
    .filter(({ reason, status }) => isSuppressed({ reason, status }))
    .reduce((sum, { leads }) => sum + leads, 0);
}

function sumOf(tally: RunTally, states: readonly EnrichmentState[]): number {
  return states.reduce((sum, state) => sum + leadsIn(tally, state), 0);
}

/** Leads that would be paid for again although they are known under another account. */
export interface PaidAnew {
  readonly leads: number;
  /** The newest run with that account. */
  readonly run: number;
  /** The flag with which they cost nothing. */
  readonly keep: string;
}

/** The expected work and cost of a run. */
export interface Forecast {
  readonly leads: number;
  readonly rejects: number;
  /** The reasons why leads would be skipped, most frequent first. */
  readonly skipped: readonly StatusReason[];
  /** The unused columns that look like what most leads lack, with their flags, if most are skipped; else empty. */
  readonly advice: string;
  /** The reasons why leads would not be asked because others are chosen; most frequent first. */
  readonly notAsked: readonly StatusReason[];
  /**
   * The parts without which leads would be asked, most frequent first: a meaningless input, or an ask that lacks an
   * input.
   */
  readonly inPart: readonly ReasonCount[];
  /** Leads whose enrichment another line of the input asks for already. */
  readonly duplicates: number;
  /** Leads that results answer which are paid for and fresh. */
  readonly alreadyKnown: number;
  /** Leads that are asked for a part, since the rest is known; they are among those to pay. */
  readonly knownInPart: number;
  /** Leads among those to pay of which nothing was found by fewer inputs than they have now. */
  readonly missedBefore: number;
  /** Leads whose enrichment is on its way, sent by an earlier run. */
  readonly onTheirWay: number;
  /** The most that these cost in all, beside `creditsMax`: an earlier run sent them. */
  readonly creditsOnTheirWay: number;
  /** Leads whose enrichment was sent and may have been accepted; nothing is sent for them. */
  readonly uncertain: number;
  /** Distinct enrichments to be paid for. */
  readonly toPay: number;
  /** The most enrichments besides, of people whom a line spells otherwise: asked for where the other finds nothing. */
  readonly toPayAfterMisses: number;
  /**
   * Leads among those that are known under another account: a run asks before it pays for them, or needs `pay-anew`.
   */
  readonly paidAnew: readonly PaidAnew[];
  readonly creditsMin: number;
  readonly creditsMax: number;
  /** Whether the price of something that is asked is not stated. */
  readonly arePricesAssumed: boolean;
  /** Null if the job names no key. */
  readonly key: KeyReport | null;
  /** The least time in ms that the rate limit allows; null if there is no limit. */
  readonly timeMsMin: number | null;
}
