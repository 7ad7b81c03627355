// Judges one exchange of a transcript: what our own client sends, how that differs from the recorded request, and
// whether it reads what was expected.
import type { Dialect } from '../../dialect/dialect.js';
import type { Exchange, Expectation, TranscriptPart } from '../../dialect/transcript/recorded.js';
import type { CallName } from '../../dialect/wire-calls.js';
import { SluiceError } from '../../model/errors.js';
import type { ExchangeCheck } from '../../model/resources/transcript-check.js';
import { compareQuestion } from './compare-question.js';
import { findCall, noCall } from './find-call.js';
import { checkProofs, meaningsOfWebhook } from './judge-webhook.js';
import { describe, type Meaning, mismatch } from './meaning.js';
import { playBulk, playRead, playSingle } from './play-enrichments.js';
import {
  playAccount,
  playAddition,
  playDraft,
  playHookListing,
  playHookRemoval,
  playNewHook,
  playNewList,
  playPeopleSchema,
  playUpsert,
} from './play-other-calls.js';
import type { Play, Replay } from './replay.js';
import { NOWHERE } from './stage.js';

const PLAYS: Readonly<Record<CallName, Play>> = {
  enrich: playSingle,
  bulk: playBulk,
  result: playRead,
  batch: playRead,
  account: playAccount,
  peopleSchema: playPeopleSchema,
  listHooks: playHookListing,
  addHook: playNewHook,
  removeHook: playHookRemoval,
  createList: playNewList,
  addToList: playAddition,
  upsertContact: playUpsert,
  draft: playDraft,
};

export async function judgePart(part: TranscriptPart, replay: Replay): Promise<ExchangeCheck> {
  if (part.kind === 'exchange') return judgeExchange(part, replay);
  const { problems, notes } = checkProofs(part, replay);
  const read = { call: 'webhook', meanings: meaningsOfWebhook(part, replay) };
  const check = checkOf(part, read, replay.dialect);
  return withProblems({ ...check, notes }, problems);
}

async function judgeExchange(part: Exchange, replay: Replay): Promise<ExchangeCheck> {
  const found = findCall(part, replay.dialect);
  if (found === undefined) {
    const check = checkOf({ ...part, expected: [] }, { call: null, meanings: [] }, replay.dialect);
    return withProblems(check, [noCall(part, replay.dialect)]);
  }
  try {
    const { sent, ...outcome } = await PLAYS[found.name](part, replay, found.values);
    const check = checkOf(part, outcome, replay.dialect);
    if (sent === undefined) return withProblems(check, ['nothing would be sent']);
    const differences = compareQuestion(sent, part.question);
    const verdict = differences.length > 0 ? 'wrong' : check.verdict;
    const compared = { ...check, sends: `${sent.method} ${sent.path}`, differences, verdict };
    return withProblems(compared, found.isMeant === true ? [noCall(part, replay.dialect)] : []);
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error;
    const read = { call: found.name, meanings: [] };
    const check = checkOf({ ...part, expected: [] }, read, replay.dialect);
    return withProblems(check, [sentenceOf(error)]);
  }
}

interface Read {
  readonly call: string | null;
  readonly meanings: readonly Meaning[];
}

/** Checks whether each entry was read as expected, or can be read at all if nothing was expected. */
function checkOf(part: TranscriptPart, { call, meanings }: Read, dialect: Dialect): ExchangeCheck {
  const { line } = part;
  const expected = ordered(part.expected, meanings, dialect);
  const isSuccess = part.kind === 'webhook' || part.answer.status < 300;
  const count = Math.max(meanings.length, expected.length);
  const problems = Array.from({ length: count }, (_, i): readonly string[] => {
    const meaning = meanings[i];
    // One line may stand for all entries of an answer.
    const wanted = expected.length === 1 ? expected[0] : expected[i];
    if (meaning === undefined) return [`the answer has no entry ${i + 1}, and one is expected`];
    const told = wanted === undefined ? undefined : mismatch(meaning, wanted);
    const isLost = ['uncertain', 'unreadable'].includes(meaning.kind);
    const isWrong = told !== undefined || (wanted === undefined && isLost && isSuccess);
    if (!isWrong) return [];
    const why = meaning.problem === undefined ? [] : [sentenceOf(meaning.problem)];
    return [...(told === undefined ? [] : [told]), ...why];
  }).flat();
  return {
    line,
    call,
    verdict: problems.length === 0 ? 'ok' : 'wrong',
    sends: null,
    differences: [],
    reads: meanings.map(describe),
    unread: [...new Set(meanings.flatMap(({ unread = [] }) => unread))],
    problems,
    notes: [],
  };
}

/**
 * The expectation for each entry. If entries are told apart by their content, the lines may follow the answer as well
 * as the leads.
 */
function ordered(
  expected: readonly Expectation[],
  meanings: readonly Meaning[],
  { bulk }: Dialect,
): readonly (Expectation | undefined)[] {
  if (expected.length < 2 || bulk.match === 'order') return expected;
  const rest = [...expected];
  const own = meanings.map((meaning, i) => {
    const inPlace = rest.filter((one) => one === expected[i]);
    const one = [...inPlace, ...rest].find((wanted) => mismatch(meaning, wanted) === undefined);
    if (one !== undefined) rest.splice(rest.indexOf(one), 1);
    return one;
  });
  return rest.length === 0 && !own.includes(undefined) ? own : expected;
}

function withProblems(check: ExchangeCheck, problems: readonly string[]): ExchangeCheck {
  if (problems.length === 0) return check;
  return { ...check, verdict: 'wrong', problems: [...check.problems, ...problems] };
}

/** The message without the address, which is an invented one. */
function sentenceOf({ message }: SluiceError): string {
  return message.replaceAll(NOWHERE, '').replace(/\.$/, '');
}
