// A webhook's body: what each of its entries says, and about what (docs/platform-api.md, Events). It comes
// from outside and may hold anything, so nothing here throws, and nothing grows beyond its bounds.
import type { Dialect } from '../../dialect/dialect.js';
import { firstValueAt } from '../../dialect/wire-path.js';
import { readEvent } from '../../model/events/event-record.js';
import { isJsonObject, type JsonValue, parseJson } from '../../model/text/json.js';
import type { DecodeDelivery, DeliveredEntry } from '../../ports/platform.js';
import type { Hidden } from '../redact/find-hidden.js';
import { decodeEntry, findEntries, hasReason, isPending, noEntriesIn } from './decode-answer.js';
import { missingEntries, type OddContext, withOdd } from './odd.js';
import { hasBatchTickets, sealBatchTicket } from './ticket.js';

/**
 * Reads webhooks of one dialect: at most the first 10,000 entries of a body. A body is about enrichments
 * where its type is one of `answer.doneTypes` or `answer.errorTypes`, or where it has no
 * type. A `failed` reason has no e-mail, no phone number and nothing `hidden` in it, but may name whom it is about.
 */
export function createDeliveryDecoder(dialect: Dialect, hidden: Hidden = []): DecodeDelivery {
  const context = { dialect, hidden };
  return (text) => {
    const body = parseJson(text);
    if (body === undefined) return undefined;
    const found = findEntries(body, dialect);
    if (found === undefined) return missingIn(body, text, context);
    const entries = found.filter(({ raw }) => isOfEnrichment(raw, body, dialect));
    if (entries.length === 0) return undefined;
    return entries.map(({ raw, key, ticket }) => {
      const own = ticketFor(ticket, key, dialect);
      const answer = decodeEntry(raw, body, dialect, hidden);
      return { key, ticket: own, answer: withOdd(answer, { text, body, entry: raw }, context) };
    });
  };
}

/** A body that is meant as a result, and has no place for entries, is one answer; whose it is stays unknown. */
function missingIn(
  body: JsonValue,
  text: string,
  context: OddContext,
): readonly DeliveredEntry[] | undefined {
  const { dialect } = context;
  const records = Array.isArray(body) ? body : [body];
  const isEmpty = noEntriesIn(body, dialect) !== undefined;
  if (isEmpty || isPending(body, dialect) || hasReason(body, dialect)) return undefined;
  if (!records.every((record: JsonValue) => mayBeResult(record, dialect))) return undefined;
  const answer = missingEntries({ text, body }, context);
  return [{ key: undefined, ticket: undefined, answer }];
}

function mayBeResult(record: JsonValue, { answer }: Dialect): boolean {
  if (!isJsonObject(record) || readEvent(record).kind !== 'other') return false;
  const own = firstValueAt(record, answer.type);
  return own === undefined || answer.doneTypes.some((type) => type === own);
}

function isOfEnrichment(raw: JsonValue, body: JsonValue, { answer }: Dialect): boolean {
  const types = [raw, body]
    .map((value) => firstValueAt(value, answer.type))
    .filter((type) => type !== undefined);
  const known = new Set<JsonValue>([...answer.doneTypes, ...answer.errorTypes]);
  return types.length === 0 || types.some((type) => known.has(type));
}

/** Metadata comes from bulk calls alone: where those have one ticket for all, that is not yet the item's own. */
function ticketFor(
  ticket: string | undefined,
  key: string | undefined,
  dialect: Dialect,
): string | undefined {
  const isShared = key !== undefined && hasBatchTickets(dialect);
  return ticket !== undefined && isShared ? sealBatchTicket(ticket, key) : ticket;
}
