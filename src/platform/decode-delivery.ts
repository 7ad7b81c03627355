// A webhook's body: what each of its entries says, and about what (platform-api.md, Events). It comes
// from outside and may hold anything, so nothing here throws, and nothing grows beyond its bounds.
import type { Dialect } from '../domain/dialect.js';
import type { JsonValue } from '../domain/json.js';
import type { DecodeDelivery } from '../domain/ports/platform.js';
import { firstValueAt } from '../domain/wire-path.js';
import { hasBatchTickets, sealBatchTicket } from './batch-ticket.js';
import { decodeEntry, findEntries } from './decode-answer.js';
import { parseJson } from './reason.js';

/**
 * Reads webhooks of one dialect: at most the first 10,000 entries of a body. The body is told apart by
 * its type: `answer.doneTypes` and `answer.errorTypes` speak of enrichments, and so does one without a
 * type. A `failed` reason has no e-mail and no phone number in it, but may name whom it is about.
 */
export function createDeliveryDecoder(dialect: Dialect): DecodeDelivery {
  return (text) => {
    const body = parseJson(text);
    if (body === undefined) return undefined;
    const entries = (findEntries(body, dialect) ?? []).filter(({ raw }) =>
      isOfEnrichment(raw, body, dialect),
    );
    if (entries.length === 0) return undefined;
    return entries.map(({ raw, key, ticket }) => {
      const own = ticketFor(ticket, key, dialect);
      return { key, ticket: own, answer: decodeEntry(raw, body, dialect) };
    });
  };
}

function isOfEnrichment(raw: JsonValue, body: JsonValue, { answer }: Dialect): boolean {
  const told = [raw, body]
    .map((value) => firstValueAt(value, answer.type))
    .filter((type) => type !== undefined);
  const known = new Set<JsonValue>([...answer.doneTypes, ...answer.errorTypes]);
  return told.length === 0 || told.some((type) => known.has(type));
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
