// Decodes a webhook's body: the enrichment that each of its entries names, and the entry's meaning
// (docs/platform-api.md, Events). It comes from outside and may hold anything, so nothing here throws, and nothing
// grows beyond its bounds.
import type { Dialect } from '../../dialect/dialect.js';
import { resultTypes, wireReader } from '../../dialect/events.js';
import type { Said } from '../../dialect/signal.js';
import { hasBatchTickets } from '../../dialect/wire-calls.js';
import { firstValueAt } from '../../dialect/wire-path.js';
import { readEvent } from '../../model/events/event-record.js';
import { isJsonObject, type JsonValue, parseJson } from '../../model/text/json.js';
import type { DecodeDelivery, DeliveredEntry } from '../../ports/platform.js';
import type { Hidden } from '../redact/find-hidden.js';
import {
  decodeEntry,
  decodeState,
  findEntries,
  hasReason,
  noEntriesIn,
  type Reading,
} from './decode-answer.js';
import { missingEntries, toAnswer } from './odd.js';
import { sealBatchTicket, ticketAt } from './ticket.js';

/**
 * Makes a decoder for the webhooks of one dialect: it reads at most the first 10,000 entries of a body. A body is about
 * enrichments if its type is one of `answer.webhook.types`, or if it has no type. A `failed` reason has no e-mail, no
 * phone number and nothing `hidden` in it, but may name the person whom it is about.
 */
export function createDeliveryDecoder(dialect: Dialect, hidden: Hidden = []): DecodeDelivery {
  const reading: Reading = { dialect, part: 'webhook', hidden };
  return (text) => {
    const body = parseJson(text);
    if (body === undefined) return undefined;
    const said = { text, body };
    const found = findEntries(body, dialect.answer.webhook);
    if (found === undefined) return missingIn(said, reading);
    const entries = found.filter(({ raw }) => isOfEnrichment(raw, body, dialect));
    if (entries.length === 0) return undefined;
    return entries.map(({ raw, key, ticket }): DeliveredEntry => {
      const answer = toAnswer(decodeEntry(raw, said, reading), { ...said, entry: raw }, reading);
      // A ticket that the platform does not know (yet) may still become one.
      const told = answer.kind === 'unknown' ? { kind: 'pending' as const } : answer;
      return { key, ticket: ticketFor(ticket, key, body, dialect), answer: told };
    });
  };
}

/** Reads a body that is meant as a result but has no place for entries: it is one answer, of an unknown enrichment. */
function missingIn(
  said: Said & { body: JsonValue },
  reading: Reading,
): readonly DeliveredEntry[] | undefined {
  const { body } = said;
  const section = reading.dialect.answer.webhook;
  if (noEntriesIn(body, section) !== undefined || hasReason(body, section)) return undefined;
  if (decodeState(said, reading) !== undefined) return undefined;
  const records = Array.isArray(body) ? body : [body];
  if (!records.every((record: JsonValue) => mayBeResult(record, reading.dialect))) return undefined;
  return [{ key: undefined, ticket: undefined, answer: missingEntries(said, reading) }];
}

function mayBeResult(record: JsonValue, dialect: Dialect): boolean {
  const { webhook } = dialect.answer;
  if (!isJsonObject(record) || readEvent(record, wireReader(dialect)).kind !== 'other')
    return false;
  const own = firstValueAt(record, webhook.type);
  return own === undefined || (typeof own === 'string' && resultTypes(dialect).has(own));
}

function isOfEnrichment(raw: JsonValue, body: JsonValue, dialect: Dialect): boolean {
  const { webhook } = dialect.answer;
  const types = [raw, body]
    .map((value) => firstValueAt(value, webhook.type))
    .filter((type) => type !== undefined);
  const known = new Set<JsonValue>(resultTypes(dialect));
  return types.length === 0 || types.some((type) => known.has(type));
}

/**
 * The ticket of an entry. Metadata comes from bulk calls alone: if those have one ticket for all items, it stands in an
 * entry or beside the entries, and the key makes it the item's own. By that ticket a lead can be read again whose
 * submission had no answer.
 */
function ticketFor(
  ticket: string | undefined,
  key: string | undefined,
  body: JsonValue,
  dialect: Dialect,
): string | undefined {
  if (key === undefined || !hasBatchTickets(dialect)) return ticket;
  const shared = ticket ?? ticketAt(body, dialect.answer.webhook.ticket);
  return shared === undefined ? undefined : sealBatchTicket(shared, key);
}
