// What became of a bulk call, item by item. An item without a readable ticket and without an error may
// have been paid for all the same: it is uncertain, as a single request would be.

import { firstValueAt } from '../../dialect/wire-path.js';
import type { SluiceError } from '../../model/errors.js';
import { type JsonValue, parseJson } from '../../model/text/json.js';
import type { BulkAnswer, BulkItem } from '../../ports/platform.js';
import { type Asked, creditsProblem, unreadableProblem } from '../asked.js';
import { NO_REASON, reasonIn } from '../redact/reason.js';
import type { Answer } from '../wire/exchange.js';
import { saysError } from '../wire/says-error.js';
import type { Sent } from '../wire/sender.js';
import { isSignal } from '../wire/wire-signal.js';
import { hasBatchTickets, sealBatchTicket } from './batch-ticket.js';
import { judgePaid, judgeUnreadable } from './judge-submit.js';
import { matchEntries } from './match-entries.js';
import { decodeTicket } from './ticket.js';

type ItemAnswer = Extract<BulkAnswer, { kind: 'answered' }>['items'][number];

const NO_ENTRIES = 'without a list of enrichments';
const NO_BATCH_TICKET = 'without an enrichment id for the whole call';
const NO_TICKET = 'without an enrichment id for every item';

interface BulkCall {
  readonly items: readonly BulkItem[];
  readonly asked: Asked;
  /** The question as the reason of one item may know it. */
  readonly askedOf: (item: BulkItem) => Asked;
}

/** Judges what was sent to the bulk call; `askedOf` is the question as the reason of one item may know it. */
export function judgeBulk(
  sent: Sent,
  items: readonly BulkItem[],
  asked: Asked,
  askedOf: (item: BulkItem) => Asked,
): BulkAnswer {
  const call = { items, asked, askedOf };
  return judgePaid<BulkAnswer>(sent, asked, (answer) => {
    const entries = entriesIn(answer, asked);
    const shared = batchTicketIn(answer, asked);
    if (shared !== undefined) {
      return { kind: 'answered', items: judgeShared(shared, entries ?? [], answer, call) };
    }
    if (entries === undefined) {
      const lack = hasBatchTickets(asked.dialect) ? NO_BATCH_TICKET : NO_ENTRIES;
      return judgeUnreadable(answer, asked, lack);
    }
    return { kind: 'answered', items: judgeEntries(entries, answer, call) };
  });
}

/** Whether a 2xx may have accepted anything, whatever words stand in it: not where all of it are errors. */
export function isBulkAnswer(answer: Answer, asked: Asked): boolean {
  const entries = entriesIn(answer, asked) ?? [];
  if (batchTicketIn(answer, asked) !== undefined) return true;
  return entries.some((entry) => ticketOf(entry, asked) !== undefined || !isError(entry, asked));
}

function entriesIn({ text }: Answer, { dialect }: Asked): readonly JsonValue[] | undefined {
  const entries = firstValueAt(parseJson(text), dialect.bulk.answer.entries);
  return Array.isArray(entries) ? entries : undefined;
}

function judgeEntries(
  entries: readonly JsonValue[],
  answer: Answer,
  { items, asked, askedOf }: BulkCall,
): ItemAnswer[] {
  const keys = items.map(({ key }) => key);
  const matched = matchEntries(entries, keys, asked.dialect.bulk.answer.metadata);
  const tickets = matched.map((entry) => ticketOf(entry, asked));
  const counts = countEach(tickets);
  let problem: SluiceError | undefined;
  const uncertain = (lack: string): ItemAnswer => {
    // One for all items: its text is the same for each, and quoting a body takes a while.
    problem ??= unreadableProblem(asked, answer, NO_TICKET);
    return { kind: 'uncertain', reason: `the platform answered ${answer.status} ${lack}`, problem };
  };
  return items.map((item, i) => {
    const [entry, ticket] = [matched[i], tickets[i]];
    if (entry === undefined) return uncertain('without an answer for this item');
    if (ticket !== undefined) {
      // A result that is fetched by it could be anybody's.
      const isShared = (counts.get(ticket) ?? 0) > 1;
      return isShared ? uncertain('with one id for several items') : { kind: 'accepted', ticket };
    }
    if (!isError(entry, asked)) return uncertain('without an enrichment id for this item');
    return refusalIn(entry, answer, askedOf(item));
  });
}

/** One ticket for all: every item was accepted with it, but for those that an entry says an error of. */
function judgeShared(
  ticket: string,
  entries: readonly JsonValue[],
  answer: Answer,
  { items, asked, askedOf }: BulkCall,
): ItemAnswer[] {
  const keys = items.map(({ key }) => key);
  const matched = matchEntries(entries, keys, asked.dialect.bulk.answer.metadata);
  return items.map((item, i) => {
    const entry = matched[i];
    const isRefused = entry !== undefined && isError(entry, asked);
    if (isRefused && ticketOf(entry, asked) === undefined) {
      return refusalIn(entry, answer, askedOf(item));
    }
    return { kind: 'accepted', ticket: sealBatchTicket(ticket, item.key) };
  });
}

function refusalIn(entry: JsonValue, answer: Answer, asked: Asked): ItemAnswer {
  const { dialect, hidden } = asked;
  // The account ran dry in the middle of the call: no fault of this lead.
  if (isSignal(dialect.errors.outOfCredits, answer.status, JSON.stringify(entry))) {
    return { kind: 'unsent', problem: creditsProblem(asked, answer), isFinal: true };
  }
  const reason = reasonIn(entry, dialect.bulk.answer.error, hidden) ?? NO_REASON;
  return { kind: 'refused', reason };
}

function batchTicketIn({ text }: Answer, { dialect }: Asked): string | undefined {
  return decodeTicket(firstValueAt(parseJson(text), dialect.bulk.answer.batchTicket));
}

function ticketOf(entry: JsonValue | undefined, { dialect }: Asked): string | undefined {
  return decodeTicket(firstValueAt(entry, dialect.bulk.answer.ticket));
}

/** Whether an entry says why it was refused. */
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
