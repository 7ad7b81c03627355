// A waterfall: platforms that are asked in turn, each only for what is still open for a lead. This file decides what a
// step asks. Every answer so far decides, and nothing else: the same answers give the same question.
import { type LeadAnswer, type LeadStatus, MAY_CHANGE } from '../answer.js';
import type { Ask } from '../ask.js';
import { companyMatches } from '../columns/quality.js';
import { type EnrichmentState, hasEnded, STATES } from '../enrichment/arrows.js';
import { EMAIL_STATUSES } from '../result.js';
import { keptInputs } from '../suppression.js';
import { FORGOTTEN_REASON } from '../tally.js';
import { hitsOf } from '../verdict.js';

export interface WaterfallStep {
  readonly name: string;
  readonly ask: readonly Ask[];
  /** Whether it verifies the address that an earlier step has found, and looks for nothing. */
  readonly verifies: boolean;
  /** The leads that the step is asked for, by an expression over their columns and what was found before it. */
  readonly where?: string;
}

export interface Waterfall {
  readonly steps: readonly WaterfallStep[];
  /** The statuses at which an address ends the search for one; also by the platform's own word. */
  readonly accept: readonly string[];
  /** Whether an address whose answer shows another company than the one asked about is held. */
  readonly companyMatches?: boolean;
  /** The addresses that a verifying step judges: each, or only those that are not accepted yet. */
  readonly verify: 'all' | 'open';
}

export type StepAnswers = NonNullable<LeadAnswer['steps']>;

/** The state of a step's request; the answer may still show that of an earlier one. */
export function stateOf({ askedAgain, status }: LeadAnswer): LeadStatus {
  return askedAgain ?? status;
}

/** The note of a lead that has left a step without being asked for there (`on-unavailable: skip`). */
export const SET_ASIDE = 'unavailable, and not waited for';

/** The note of a lead that a step is not asked for, by its `where`. */
export const NOT_CHOSEN = 'not chosen by where';

/** Whether the lead has left the step without being asked for there. An older answer may still be in view. */
export function isSetAside(answer: LeadAnswer | undefined): boolean {
  return (
    answer?.reason === SET_ASIDE && (answer.status === 'not_asked' || answer.source === 'cache')
  );
}

/** It does not wait for a send that may have been accepted once a later step was asked (`on-uncertain: skip`). */
export function waitsFor(answers: StepAnswers, index: number): boolean {
  const answer = answers[index];
  if (answer === undefined) return false;
  const state = stateOf(answer);
  const hasPassed = answers.slice(index + 1).some((later) => later !== undefined);
  return MAY_CHANGE.has(state) && !(isUnknown(state) && hasPassed);
}

/** Whether it is not known if the platform will answer. */
export function isUnknown(state: LeadStatus): boolean {
  return state === 'uncertain' || state === 'timed_out';
}

export const ENDS: readonly EnrichmentState[] = STATES.filter(hasEnded);
/** Those at which one goes on that does not wait for the answer to a send that may have been accepted. */
export const ENDS_OR_UNKNOWN = STATES.filter((state) => hasEnded(state) || isUnknown(state));

export interface FoundAddress {
  readonly address: string;
  readonly step: number;
  /** The status by the word that counts: that of a verifying step, or else of its finder. Undefined for none. */
  readonly status: string | undefined;
  /** The index of the verifying step whose word counts. */
  readonly verifiedBy: number | undefined;
  readonly stand: 'accepted' | 'held' | 'rejected';
  /** Held, since its answer shows another company. */
  readonly isOfOther?: true;
}

/** The order in which held addresses are preferred; a word that is none of these comes last. */
const HELD: readonly string[] = ['deliverable', 'risky', 'unknown'];

/** The addresses that the steps have found, the best first; of two equal ones the earlier. */
export function foundAddresses(waterfall: Waterfall, answers: StepAnswers): FoundAddress[] {
  const found = answers.flatMap((answer, step): FoundAddress[] => {
    const address = answer?.result?.find_email?.email;
    const isFinder =
      waterfall.steps[step]?.verifies === false && answer?.ask.includes('find_email');
    if (answer === undefined || address === undefined || isFinder !== true) return [];
    const { platformStatus: word, status } = answer.result?.find_email ?? {};
    const isOther = waterfall.companyMatches === true && companyMatches(answer) === false;
    const stand = heldIf(isOther, standOf({ status, word }, false, waterfall.accept));
    const other = isOther && { isOfOther: true as const };
    const own: FoundAddress = { address, step, status, verifiedBy: undefined, stand, ...other };
    const verdict = verdictOn(address, waterfall, answers);
    if (verdict === undefined) return [own];
    const judged: FoundAddress = {
      ...own,
      status: verdict.status,
      verifiedBy: verdict.step,
      stand: heldIf(isOther, standOf(verdict, true, waterfall.accept)),
    };
    return [isOutdone(judged, own) ? own : judged];
  });
  return found.toSorted((a, b) => rankOf(a) - rankOf(b) || a.step - b.step);
}

/** Whether a finder that was asked after the verdict knows the address at a better status. A rejection stands. */
function isOutdone(judged: FoundAddress, own: FoundAddress): boolean {
  const isLater = own.step > (judged.verifiedBy ?? own.step);
  if (!isLater || own.status === undefined || judged.stand === 'rejected') return false;
  return rankOf(own) < rankOf(judged);
}

/** The verdict of the last verifying step that has one on the address. */
function verdictOn(
  address: string,
  { steps }: Waterfall,
  answers: StepAnswers,
): (Judged & { readonly step: number }) | undefined {
  for (let step = answers.length - 1; step >= 0; step -= 1) {
    const answer = answers[step];
    const { platformStatus: word, status } = answer?.result?.find_email ?? {};
    if (steps[step]?.verifies !== true || status === undefined) continue;
    // It was asked about as an input: in lower case, and a domain of other letters in ASCII.
    if (answer?.inputs.email === keptInputs({ email: address }).email)
      return { step, status, word };
  }
  return undefined;
}

/** `word` is the platform's own for the status. */
interface Judged {
  readonly status: string | undefined;
  readonly word?: string | undefined;
}

function heldIf(isHeld: boolean, stand: FoundAddress['stand']): FoundAddress['stand'] {
  return isHeld && stand === 'accepted' ? 'held' : stand;
}

/** An address of a platform that has no statuses is accepted, unless a verifying step says otherwise. */
export function standOf(
  { status, word = '' }: Judged,
  isVerified: boolean,
  accept: readonly string[],
): FoundAddress['stand'] {
  // A platform may use one of the four words for something else.
  const isOwnWord = !EMAIL_STATUSES.some((one) => one === word);
  if (isOwnWord && accept.includes(word)) return 'accepted';
  if (status === undefined) return isVerified ? 'held' : 'accepted';
  if (accept.includes(status)) return 'accepted';
  return status === 'undeliverable' ? 'rejected' : 'held';
}

function rankOf({ stand, status = '' }: FoundAddress): number {
  if (stand === 'accepted') return -1;
  if (stand === 'rejected') return HELD.length + 1;
  const rank = HELD.indexOf(status);
  return rank === -1 ? HELD.length : rank;
}

function openAsks(
  waterfall: Waterfall,
  answers: StepAnswers,
  wanted: readonly Ask[],
): readonly Ask[] {
  return wanted.filter((ask) => {
    if (ask === 'find_email') return foundAddresses(waterfall, answers)[0]?.stand !== 'accepted';
    return finderOf(waterfall, answers, ask) === undefined;
  });
}

/** The index of the first step that has found a value for an ask other than that for an address. */
export function finderOf(
  { steps }: Pick<Waterfall, 'steps'>,
  answers: StepAnswers,
  ask: Ask,
): number | undefined {
  const index = answers.findIndex((answer, step) => {
    const result = answer?.result;
    if (!result || steps[step]?.verifies !== false || !answer?.ask.includes(ask)) return false;
    return hitsOf({ ask: [ask], inputs: answer.inputs }, result).length > 0;
  });
  return index === -1 ? undefined : index;
}

export type StepQuestion =
  | { readonly kind: 'find'; readonly ask: readonly Ask[] }
  | { readonly kind: 'verify'; readonly address: string }
  | { readonly kind: 'none'; readonly why: string };

export const NOT_NEEDED = 'an earlier step has found it';
const NOTHING_TO_VERIFY = 'no address to verify';

/** `answers`: those of the steps before this one, and undefined for all others. */
export function questionOf(
  waterfall: Waterfall,
  index: number,
  answers: StepAnswers,
  wanted: readonly Ask[],
): StepQuestion {
  // The platforms after it are not asked either.
  if (answers.some(isForgotten)) return { kind: 'none', why: FORGOTTEN_REASON };
  const step = waterfall.steps[index];
  if (step?.verifies === true) return toVerify(waterfall, answers, wanted);
  const open = openAsks(waterfall, answers, wanted);
  const ask = (step?.ask ?? []).filter((one) => open.includes(one));
  return ask.length === 0 ? { kind: 'none', why: NOT_NEEDED } : { kind: 'find', ask };
}

/** The step whose answer may still change, or whose question was not asked yet; -1 if every step has ended for it. */
export function waitingStep(
  waterfall: Waterfall,
  answers: StepAnswers,
  wanted: readonly Ask[],
): number {
  return waterfall.steps.findIndex((_, index) => {
    if (answers[index] !== undefined) return waitsFor(answers, index);
    return questionOf(waterfall, index, answers.slice(0, index), wanted).kind !== 'none';
  });
}

/** Whether the person was removed from the state after this step had been asked. */
export function isForgotten(answer: LeadAnswer | undefined): boolean {
  return answer?.status === 'failed' && answer.reason === FORGOTTEN_REASON;
}

function toVerify(
  waterfall: Waterfall,
  answers: StepAnswers,
  wanted: readonly Ask[],
): StepQuestion {
  const [best] = wanted.includes('find_email') ? foundAddresses(waterfall, answers) : [];
  if (best === undefined || best.stand === 'rejected') {
    return { kind: 'none', why: NOTHING_TO_VERIFY };
  }
  const isDone = verdictOn(best.address, waterfall, answers) !== undefined;
  if (isDone || (best.stand === 'accepted' && waterfall.verify === 'open')) {
    return { kind: 'none', why: NOT_NEEDED };
  }
  return { kind: 'verify', address: best.address };
}
