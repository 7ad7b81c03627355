// Judges a bulk call, item by item. An item without a readable ticket and without an error may have been paid for all
// the same: it is uncertain, as a single request would be.
import { saysOne } from '../../dialect/signal.js';
import { hasBatchTickets } from '../../dialect/wire-calls.js';
import { firstValueAt } from '../../dialect/wire-path.js';
import type { SluiceError } from '../../model/errors.js';
import { type JsonValue, parseJson } from '../../model/text/json.js';
import type { BulkAnswer, BulkItem, SubmitAnswer } from '../../ports/platform.js';
import { NO_REASON, reasonIn, saysError } from '../redact/reason.js';
import type { Answer } from '../wire/exchange.js';
import type { Sent } from '../wire/sender.js';
import { isEmpty } from './decode-answer.js';
import { judgeAtOnce } from './judge-at-once.js';
import { judgePaid, judgeUnreadable } from './judge-submit.js';
import { type Asked, answerProblem, unreadableProblem } from './problems.js';
import { statusKind } from './status-kind.js';
import { sealBatchTicket, sealPlaceTicket, ticketAt, ticketIn } from './ticket.js';

type ItemAnswer = Extract<BulkAnswer, { kind: 'answered' }>['items'][number];

const NO_ENTRIES = 'without a list of enrichments';
const NO_BATCH_TICKET = 'without an enrichment id for the whole call';
const NO_TICKET = 'without an enrichment id for every item';

interface BulkCall {
  readonly items: readonly BulkItem[];
  readonly asked: Asked;
  /** The question, as far as the reason of one item may know it. */
  readonly askedOf: (item: BulkItem) => Asked;
}

/** In the order of the items; undefined if none belongs to it. */
type Matched = readonly (JsonValue | undefined)[];

export function judgeBulk(sent: Sent, call: BulkCall): BulkAnswer {
  const { items, asked } = call;
  const whole = judgePaid<BulkAnswer>(sent, asked, asked.dialect.bulk.notAccepted, (answer) => {
    const entries = entriesIn(answer, asked);
    const shared = batchTicketIn(answer, asked);
    if (shared === undefined && entries === undefined) {
      const lack = hasBatchTickets(asked.dialect) ? NO_BATCH_TICKET : NO_ENTRIES;
      return judgeUnreadable(answer, asked, lack);
    }
    const keys = items.map(({ key }) => key);
    const { answer: places, match } = asked.dialect.bulk;
    const matched =
      match === 'order'
        ? inOrder(entries ?? [], keys.length)
        : matchEntries(entries ?? [], keys, places.metadata);
    const judged =
      shared === undefined
        ? judgeEntries(matched, answer, call)
        : judgeShared(shared, matched, answer, call);
    return { kind: 'answered', items: judged };
  });
  return whole.kind === 'unsent' && isAbsent(sent, asked)
    ? { kind: 'absent', problem: whole.problem }
    : whole;
}

function isAbsent(sent: Sent, { dialect }: Asked): boolean {
  const kind = sent.kind === 'answered' ? statusKind(sent, dialect) : undefined;
  return kind === 'missing' || kind === 'misplaced';
}

/** Whether a 2xx may have accepted anything, whatever words are in it; false if all its entries are errors. */
export function isBulkAnswer(answer: Answer, asked: Asked): boolean {
  if (batchTicketIn(answer, asked) !== undefined) return true;
  const entries = entriesIn(answer, asked) ?? [];
  return entries.some((entry) => ticketOf(entry, asked) !== undefined || !isError(entry, asked));
}

function entriesIn({ text }: Answer, { dialect }: Asked): readonly JsonValue[] | undefined {
  const entries = firstValueAt(parseJson(text), dialect.bulk.answer.entries);
  return Array.isArray(entries) ? entries : undefined;
}

/** Nothing comes back by which an entry could name its item: only the number of entries says that none is missing. */
function inOrder(entries: readonly JsonValue[], count: number): Matched {
  return entries.length === count ? entries : Array.from({ length: count }, () => undefined);
}

/**
 * Matches entries to the keys of items: the entry of a key is the one that came back with it, else the one in the same
 * place if there are as many entries as items (docs/platform-api.md, POST /enrich/bulk), else undefined. A ticket on
 * the wrong item would bring one person's data to another, so an entry that names one item is never given to another
 * item.
 */
function matchEntries(
  entries: readonly JsonValue[],
  keys: readonly string[],
  metadata: readonly string[],
): Matched {
  const named = entries.map((entry) => firstValueAt(entry, metadata));
  const places = new Map<JsonValue | undefined, number[]>(keys.map((key) => [key, []]));
  for (const [i, key] of named.entries()) places.get(key)?.push(i);
  return keys.map((key, i) => {
    const [own, another] = places.get(key) ?? [];
    if (own !== undefined && another === undefined) return entries[own];
    const isOthers = named[i] !== key && places.has(named[i]);
    return entries.length === keys.length && !isOthers ? entries[i] : undefined;
  });
}

function judgeEntries(matched: Matched, answer: Answer, call: BulkCall): ItemAnswer[] {
  const { items, asked, askedOf } = call;
  const { bulk } = asked.dialect;
  const tickets = matched.map((entry) => ticketOf(entry, asked));
  const counts = countEach(tickets);
  let problem: SluiceError | undefined;
  const uncertain = (lack: string): ItemAnswer => {
    // One problem serves all items: its text is the same for each, and quoting a body takes a while.
    problem ??= unreadableProblem(asked, answer, NO_TICKET);
    return { kind: 'uncertain', reason: `the platform answered ${answer.status} ${lack}`, problem };
  };
  return items.map((item, i) => {
    const [entry, ticket] = [matched[i], tickets[i]];
    if (entry === undefined) return uncertain('without an answer for this item');
    const atOnce =
      bulk.result === 'never' ? undefined : resultOf(item, entry, ticket, call, answer);
    if (atOnce !== undefined && atOnce.kind !== 'throttled') return atOnce;
    if (ticket !== undefined) {
      // A result that is fetched by a ticket of several items could be another person's.
      const isShared = (counts.get(ticket) ?? 0) > 1;
      return isShared ? uncertain('with one id for several items') : { kind: 'accepted', ticket };
    }
    if (!isError(entry, asked)) return uncertain('without an enrichment id for this item');
    return refusalIn(entry, answer, askedOf(item));
  });
}

/** Undefined if the entry states none, or an error of the item. */
function resultOf(
  { key }: BulkItem,
  entry: JsonValue,
  own: string | undefined,
  { asked }: BulkCall,
  answer: Answer,
): SubmitAnswer | undefined {
  const ticket = asked.dialect.result === null ? undefined : own;
  const judged = judgeAtOnce({ answer, asked, item: entry, ticket, key });
  // The dialect says where errors stand; a text there is an error unless it is the platform's word for a miss.
  const result = judged?.kind === 'accepted' ? judged.result : undefined;
  if (judged?.kind === 'accepted' && result === undefined) return undefined;
  const isClear = result !== undefined && (result.isMiss === true || !isEmpty(result.result));
  return isClear || !isError(entry, asked) ? judged : undefined;
}

/** Every item was accepted with the one ticket, except those whose entries state an error. */
function judgeShared(
  ticket: string,
  matched: Matched,
  answer: Answer,
  { items, asked, askedOf }: BulkCall,
): ItemAnswer[] {
  return items.map((item, i) => {
    const entry = matched[i];
    const isRefused = entry !== undefined && isError(entry, asked);
    if (isRefused && ticketOf(entry, asked) === undefined) {
      return refusalIn(entry, answer, askedOf(item));
    }
    const { match } = asked.dialect.bulk;
    const place = { index: i, count: items.length };
    const own =
      match === 'order' ? sealPlaceTicket(ticket, place) : sealBatchTicket(ticket, item.key);
    return { kind: 'accepted', ticket: own };
  });
}

function refusalIn(entry: JsonValue, answer: Answer, asked: Asked): ItemAnswer {
  const { dialect, hidden } = asked;
  // The account ran dry in the middle of the call, which is not this lead's fault.
  const said = { status: answer.status, text: JSON.stringify(entry), body: entry };
  if (saysOne(dialect.errors.outOfCredits, said)) {
    const problem = answerProblem('out_of_credits', asked, answer);
    return { kind: 'unsent', problem, isFinal: true };
  }
  const reason = reasonIn(entry, dialect.bulk.answer.error, hidden) ?? NO_REASON;
  return { kind: 'refused', reason };
}

function batchTicketIn(answer: Answer, { dialect }: Asked): string | undefined {
  return ticketIn(answer, dialect.bulk.answer.batchTicket);
}

function ticketOf(entry: JsonValue | undefined, { dialect }: Asked): string | undefined {
  return ticketAt(entry, dialect.bulk.answer.ticket);
}

function isError(entry: JsonValue, { dialect }: Asked): boolean {
  return saysError(entry, dialect.bulk.answer.error);
}

function countEach(tickets: readonly (string | undefined)[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const ticket of tickets) {
    if (ticket !== undefined) counts.set(ticket, (counts.get(ticket) ?? 0) + 1);
  }
  return counts;
}
