// The row of a lead that several steps were asked about: a pure function of their answers. Values of one block come
// from one step, so that a profile is never put together from two.
import { isAsked, type LeadAnswer, type LeadStatus } from '../answer.js';
import { ASK_RECORDS, type Ask, isStandard } from '../ask.js';
import { sumCredits } from '../credits.js';
import type { Result } from '../result.js';
import { isSuppressed } from '../suppression.js';
import { FORGOTTEN_REASON } from '../tally.js';
import type { Origin, Tried } from './provenance.js';
import {
  type FoundAddress,
  finderOf,
  foundAddresses,
  isForgotten,
  isSetAside,
  isUnknown,
  NOT_CHOSEN,
  type StepAnswers,
  standOf,
  stateOf,
  type Waterfall,
  waitingStep,
} from './waterfall.js';

/** The outcomes of a lead without a value, the one that says most first. */
const WITHOUT_VALUE: readonly LeadStatus[] = ['not_found', 'failed', 'skipped'];

/** `held`: the lead as the waterfall's own run holds it. */
export function mergeAnswers(
  held: LeadAnswer,
  answers: StepAnswers,
  waterfall: Waterfall,
  wanted: readonly Ask[],
): LeadAnswer {
  const { steps } = waterfall;
  const asked = answers.flatMap((answer) =>
    answer && answer.status !== 'not_asked' ? [answer] : [],
  );
  const [best] = foundAddresses(waterfall, answers);
  const address = best?.stand === 'rejected' ? undefined : best;
  const result = mergeResults(answers, address, wanted, steps);
  const outcome = outcomeOf(answers, waterfall, wanted, result);
  const { askedAgain, status } = outcome;
  const hasEnded = status === 'found' && askedAgain === undefined;
  const origin = (index: number | undefined): Origin | undefined => {
    const name = index === undefined ? undefined : steps[index]?.name;
    if (name === undefined || index === undefined) return undefined;
    return { step: name, at: answers[index]?.enrichedAt ?? null };
  };
  const custom = wanted
    .filter((ask) => !isStandard(ask))
    .map((ask) => [ask, origin(finderOf(waterfall, answers, ask))] as const);
  const main = answers[address?.step ?? -1] ?? asked.find(hasValue) ?? asked.at(-1);
  return {
    ...held,
    status,
    reason: hasEnded ? heldReason(address, steps) : outcome.reason,
    ticket: main?.ticket ?? null,
    source: asked.some(({ source }) => source === 'api') ? 'api' : (main?.source ?? null),
    paidBy: main?.paidBy ?? null,
    credits: sumCredits(asked.map(({ credits }) => credits)),
    enrichedAt: latest(asked),
    ask: wanted.filter((one) => asked.some(({ ask }) => ask.includes(one))),
    inputs: asked[0]?.inputs ?? {},
    result,
    ...(askedAgain !== undefined && { askedAgain }),
    provenance: {
      email: origin(address?.step),
      emailVerifiedBy: steps[address?.verifiedBy ?? -1]?.name,
      phone: origin(finderOf(waterfall, answers, 'find_phone')),
      profile: origin(finderOf(waterfall, answers, 'social_enrichment')),
      ...(custom.length > 0 && { custom: Object.fromEntries(custom) }),
      tried: triedOf(answers, waterfall),
    },
    steps: answers,
  };
}

function hasValue({ result, status }: LeadAnswer): boolean {
  return status === 'found' && result !== null;
}

function mergeResults(
  answers: StepAnswers,
  address: FoundAddress | undefined,
  wanted: readonly Ask[],
  steps: Waterfall['steps'],
): Result | null {
  const blocks: Record<string, unknown> = {};
  const custom: Record<string, unknown> = {};
  for (const ask of wanted) {
    if (ask === 'find_email') continue;
    const from = answers[finderOf({ steps }, answers, ask) ?? -1]?.result;
    if (!from) continue;
    if (!isStandard(ask)) custom[ask] = from.custom?.[ask];
    else blocks[ASK_RECORDS[ask].block] = from[ASK_RECORDS[ask].block];
  }
  if (address !== undefined) {
    const { status, verifiedBy, step, address: email } = address;
    const word = answers[verifiedBy ?? step]?.result?.find_email?.platformStatus;
    blocks['find_email'] = {
      email,
      ...(status !== undefined && { status }),
      ...(word !== undefined && { platformStatus: word }),
    };
  }
  if (Object.keys(custom).length > 0) blocks['custom'] = custom;
  return Object.keys(blocks).length === 0 ? null : blocks;
}

type Outcome = Pick<LeadAnswer, 'askedAgain' | 'reason' | 'status'>;

/** The status of the lead: open until every step has ended for it, then by what was found. */
function outcomeOf(
  answers: StepAnswers,
  waterfall: Waterfall,
  wanted: readonly Ask[],
  result: Result | null,
): Outcome {
  const { steps } = waterfall;
  const reasonOf = (index: number) => {
    const [answer, step] = [answers[index], steps[index]];
    return { reason: answer && step ? reasonAt(step.name, answer) : null };
  };
  const index = waitingStep(waterfall, answers, wanted);
  const [step, answer] = [steps[index], answers[index]];
  if (step !== undefined) {
    return answer === undefined
      ? { status: 'queued', reason: null }
      : waitingAt(step.name, answer, result);
  }
  if (answers.some(isForgotten)) return { status: 'failed', reason: FORGOTTEN_REASON };
  if (result !== null) return { status: 'found', reason: null };
  // An outage, or a request that may have been accepted, is no miss.
  const unknown = answers.findIndex((answer) => answer !== undefined && isUnknown(stateOf(answer)));
  const at = answers[unknown];
  if (at !== undefined) return { status: stateOf(at), ...reasonOf(unknown) };
  const aside = answers.findIndex(isSetAside);
  if (aside !== -1) return { status: 'failed', ...reasonOf(aside) };
  for (const status of WITHOUT_VALUE) {
    const index = answers.findIndex((answer) => answer?.status === status);
    if (status === 'not_found' && index !== -1) return { status, reason: null };
    if (index !== -1) return { status, ...reasonOf(index) };
  }
  return { status: 'not_found', reason: null };
}

/** Values of an older answer stay in view while its step is asked again. */
function waitingAt(step: string, answer: LeadAnswer, result: Result | null): Outcome {
  const { askedAgain } = answer;
  const reason = reasonAt(step, answer);
  if (askedAgain === undefined || result === null) return { status: stateOf(answer), reason };
  return { status: 'found', askedAgain, reason };
}

function reasonAt(step: string, answer: LeadAnswer): string | null {
  const { reason } = answer;
  // Of a person who is suppressed or forgotten it says the same at every step.
  if (reason === null || reason === FORGOTTEN_REASON || isSuppressed(answer)) return reason;
  return `${step}: ${reason}`;
}

/** An address that is shown although it is not accepted says so. */
function heldReason(address: FoundAddress | undefined, steps: Waterfall['steps']): string | null {
  if (address?.stand !== 'held') return null;
  const by = steps[address.verifiedBy ?? address.step]?.name ?? '';
  const what = address.isOfOther ? 'of another company' : (address.status ?? 'without a verdict');
  return `${by}: the address is ${what}, and no step found a better one`;
}

function triedOf(answers: StepAnswers, waterfall: Waterfall): Tried[] {
  return waterfall.steps.flatMap(({ name, verifies }, index): Tried[] => {
    const answer = answers[index];
    if (isSetAside(answer)) return [{ step: name, outcome: 'unavailable' }];
    if (answer?.reason === NOT_CHOSEN) return [{ step: name, outcome: 'not_asked' }];
    if (answer === undefined || !isAsked(answer.status)) return [];
    return [{ step: name, outcome: outcomeAt(answer, verifies, waterfall.accept) }];
  });
}

function outcomeAt(answer: LeadAnswer, verifies: boolean, accept: readonly string[]): string {
  const { ask, result, status } = answer;
  const state = stateOf(answer);
  // A value does not hide that something else may come.
  if (isUnknown(state)) return state;
  const { platformStatus, status: its } = result?.find_email ?? {};
  if (status !== 'found' || its === undefined) return status;
  const stand = standOf({ status: its, word: platformStatus }, verifies, accept);
  if (verifies) return stand === 'held' ? its : stand;
  return ask.includes('find_email') && stand !== 'accepted' ? its : status;
}

function latest(asked: readonly LeadAnswer[]): number | null {
  const times = asked.flatMap(({ enrichedAt }) => enrichedAt ?? []);
  return times.length === 0 ? null : Math.max(...times);
}
