// A result inside the answer to its submission, read by `answer.submit`. If the answer also has a ticket by which the
// result can be read, anything that is not a result yet is awaited by it. Otherwise the answer counts, and is kept like
// any other if it cannot be read.
import { saysOne } from '../../dialect/signal.js';
import { type JsonValue, parseJson } from '../../model/text/json.js';
import type { ReadAnswer, SubmitAnswer } from '../../ports/platform.js';
import type { Answer } from '../wire/exchange.js';
import {
  decodeEntry,
  decodeState,
  type EntryAnswer,
  findEntries,
  hasReason,
  isEmpty,
  noEntriesIn,
} from './decode-answer.js';
import { toAnswer } from './odd.js';
import type { Asked } from './problems.js';
import { saidIn } from './status-kind.js';
import { ownTicket } from './ticket.js';

type Accepted = Extract<SubmitAnswer, { kind: 'accepted' }>;

export interface AtOnce {
  readonly answer: Answer;
  readonly asked: Asked;
  /** The entry of an item of a bulk call, if nothing else in the answer belongs to the item. */
  readonly item?: JsonValue;
  /** The ticket by which the result can be read; undefined if the answer has none, or the dialect reads none. */
  readonly ticket: string | undefined;
  readonly key: string | undefined;
}

/** Undefined if the answer says nothing of the result. */
function decodeAtOnce({ answer, asked, item }: AtOnce): EntryAnswer | undefined {
  const { dialect, hidden } = asked;
  const reading = { dialect, part: 'submit', hidden } as const;
  const said = saidOf(answer, item);
  if (item !== undefined) return decodeEntry(item, said, reading);
  const { body } = said;
  if (body === undefined) return undefined;
  const section = dialect.answer.submit;
  const entries = findEntries(body, section);
  const [first, another] = entries ?? [];
  if (first !== undefined && another === undefined) return decodeEntry(first.raw, said, reading);
  const state = decodeState(said, reading);
  if (state !== undefined) return state;
  const isNone = entries?.length === 0 || noEntriesIn(body, section) !== undefined;
  if (isNone) return { kind: 'done', result: {} };
  // JSON without a place for results is a result in another shape, unless it says what went wrong.
  const isResult = typeof body === 'object' && body !== null && !hasReason(body, section);
  const oddity = { lack: 'missing', at: 'entries' } as const;
  return isResult ? { kind: 'done', result: {}, oddity } : undefined;
}

function saidOf({ status, text }: Answer, item: JsonValue | undefined) {
  // Only the item's own part of a bulk answer is kept.
  return item === undefined
    ? { status, text, body: parseJson(text) }
    : { status, text: JSON.stringify(item), body: item, entry: item };
}

/** Undefined if the answer shows neither its outcome nor a way to read it. */
export function judgeAtOnce(came: AtOnce): SubmitAnswer | undefined {
  const { answer, asked, item, ticket } = came;
  const decoded = decodeAtOnce(came);
  const isClear = decoded?.kind === 'done' && (decoded.isMiss || !isEmpty(decoded.result));
  if (isClear) return acceptedWith(decoded, came);
  const { outOfCredits, refused } = asked.dialect.errors;
  if (item === undefined && saysOne([...outOfCredits, ...refused], saidIn(answer))) {
    return undefined;
  }
  if (decoded?.kind === 'failed') {
    return { kind: 'refused', reason: decoded.reason, isAnswer: true };
  }
  if (ticket !== undefined) return { kind: 'accepted', ticket };
  return decoded?.kind === 'done' ? acceptedWith(decoded, came) : undefined;
}

export function missAtOnce(came: AtOnce): Accepted | undefined {
  const { dialect, hidden } = came.asked;
  const said = saidOf(came.answer, undefined);
  const state = decodeState(
    { ...said, ...(said.body !== undefined && { entry: said.body }) },
    { dialect, part: 'submit', hidden },
  );
  return state?.kind === 'done' && state.isMiss ? acceptedWith(state, came) : undefined;
}

function acceptedWith(decoded: EntryAnswer & { kind: 'done' }, came: AtOnce): Accepted {
  const { answer, asked, item, key, ticket } = came;
  const { dialect, hidden } = asked;
  const context = { dialect, part: 'submit', hidden, asked } as const;
  const result = toAnswer(decoded, saidOf(answer, item), context);
  if (result.kind !== 'done') throw new Error('what is done stays done');
  if (ticket !== undefined) return { kind: 'accepted', ticket, result };
  const own = ownTicket(item === undefined ? 'call' : 'item', key);
  return { kind: 'accepted', ticket: own, result, isOwn: true };
}

/** Judges a kept body again; `kind` is that of its ticket. */
export function rejudgeAtOnce(text: string, kind: 'call' | 'item', asked: Asked): ReadAnswer {
  const answer: Answer = { kind: 'answered', status: 200, headers: {}, text };
  const body = parseJson(text);
  const item = kind === 'item' && body !== undefined ? { item: body } : {};
  const came = { answer, asked, ...item, ticket: undefined, key: undefined };
  const decoded = decodeAtOnce(came);
  const { dialect, hidden } = asked;
  if (decoded === undefined) return { kind: 'unknown' };
  return toAnswer(decoded, saidOf(answer, came.item), { dialect, part: 'submit', hidden, asked });
}
