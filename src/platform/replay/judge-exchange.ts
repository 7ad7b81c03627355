// Judges one exchange of a transcript: what our own client sends, how that differs from the recorded request, and
// whether it reads what was expected.
import type { Exchange, TranscriptPart } from '../../dialect/transcript/recorded.js';
import type { CallName } from '../../dialect/wire-calls.js';
import { SluiceError } from '../../model/errors.js';
import type { ExchangeCheck } from '../../model/resources/transcript-check.js';
import { compareQuestion } from './compare-question.js';
import { findCall, noCall } from './find-call.js';
import { checkProofs, meaningsOfWebhook } from './judge-webhook.js';
import { describe, type Meaning, mismatch } from './meaning.js';
import { playBulk, playRead, playSingle } from './play-enrichments.js';
import { playAccount, playAddition, playNewList, playUpsert } from './play-other-calls.js';
import type { Play, Replay } from './replay.js';
import { NOWHERE } from './stage.js';

const PLAYS: Readonly<Partial<Record<CallName, Play>>> = {
  enrich: playSingle,
  bulk: playBulk,
  result: playRead,
  batch: playRead,
  account: playAccount,
  createList: playNewList,
  addToList: playAddition,
  upsertContact: playUpsert,
};

/** The keys of the dialect that describe the calls of which only the path is compared. */
const NOT_PLAYED: Readonly<Partial<Record<CallName, string>>> = {
  peopleSchema: 'peopleSchema',
  listHooks: 'hooks',
  addHook: 'hooks.add',
  removeHook: 'hooks.remove',
  draft: 'drafts',
};

export async function judgePart(part: TranscriptPart, replay: Replay): Promise<ExchangeCheck> {
  if (part.kind === 'exchange') return judgeExchange(part, replay);
  const { problems, notes } = checkProofs(part, replay);
  const read = { call: 'webhook', meanings: meaningsOfWebhook(part, replay) };
  const check = checkOf(part, read);
  return withProblems({ ...check, notes }, problems);
}

async function judgeExchange(part: Exchange, replay: Replay): Promise<ExchangeCheck> {
  const found = findCall(part, replay.dialect);
  if (found === undefined) {
    const check = checkOf({ ...part, expected: [] }, { call: null, meanings: [] });
    return withProblems(check, [noCall(part, replay.dialect)]);
  }
  const play = PLAYS[found.name];
  if (play === undefined) {
    const read = { call: NOT_PLAYED[found.name] ?? null, meanings: [] };
    const check = checkOf({ ...part, expected: [] }, read);
    return { ...check, notes: ['only its method and path are compared'] };
  }
  try {
    const { sent, ...outcome } = await play(part, replay, found.values);
    const check = checkOf(part, outcome);
    if (sent === undefined) return withProblems(check, ['nothing would be sent']);
    const differences = compareQuestion(sent, part.question);
    const verdict = differences.length > 0 ? 'wrong' : check.verdict;
    const compared = { ...check, sends: `${sent.method} ${sent.path}`, differences, verdict };
    return withProblems(compared, found.isMeant === true ? [noCall(part, replay.dialect)] : []);
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error;
    const read = { call: found.name, meanings: [] };
    const check = checkOf({ ...part, expected: [] }, read);
    return withProblems(check, [sentenceOf(error)]);
  }
}

interface Read {
  readonly call: string | null;
  readonly meanings: readonly Meaning[];
}

function checkOf(part: TranscriptPart, { call, meanings }: Read): ExchangeCheck {
  const { expected, line } = part;
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

function withProblems(check: ExchangeCheck, problems: readonly string[]): ExchangeCheck {
  if (problems.length === 0) return check;
  return { ...check, verdict: 'wrong', problems: [...check.problems, ...problems] };
}

/** The message without the address, which is an invented one. */
function sentenceOf({ message }: SluiceError): string {
  return message.replaceAll(NOWHERE, '').replace(/\.$/, '');
}
