// Tickets. If the platform gives one ticket for a whole bulk call, the ticket of an item is that ticket with a digest
// of the item's key, which finds its entry among those of the call. So every enrichment has a ticket of its own, and no
// answer can be taken for another's. The key itself is secret, and the digest is not. If nothing comes back with an
// entry, it is found by its place. If a platform answers at once and gives no ticket, our own ticket only says so.
import { createHash, randomUUID } from 'node:crypto';
import type { Dialect } from '../../dialect/dialect.js';
import { hasBatchTickets } from '../../dialect/wire-calls.js';
import { firstValueAt, valueAt } from '../../dialect/wire-path.js';
import { type JsonValue, parseJson } from '../../model/text/json.js';
import type { Answer } from '../wire/exchange.js';
import { headerOf } from '../wire/headers.js';

const TICKET_LENGTH_MAX = 200;
const BATCH_TICKET = /^(.+)~([\w-]{16})$/s;
const PLACE_TICKET = /^(.+)~(\d{1,5})of(\d{1,5})$/s;
/** Our own tickets have blanks; a platform's ticket has none. */
const OWN_TICKETS = { call: 'at once ', item: 'at once in bulk ' } as const;
/** The length of a digest: 96 bits. */
const DIGEST_LENGTH = 16;

/**
 * A ticket from the wire, which will be part of a path, of the state file and of log lines: a non-empty string without
 * blanks or controls, at most 200 characters (docs/platform-api.md, Enrichment). A whole number is written out, because
 * the lead behind it is paid for. Undefined for anything else.
 */
export function decodeTicket(raw: JsonValue | undefined): string | undefined {
  if (typeof raw === 'number') return Number.isSafeInteger(raw) ? String(raw) : undefined;
  if (typeof raw !== 'string' || raw.length > TICKET_LENGTH_MAX) return undefined;
  return /^[^\s\p{Cc}\p{Surrogate}]+$/u.test(raw) ? raw : undefined;
}

/** The ticket, or another id of the platform, at the first of the paths that leads to a value. */
export function ticketAt(
  value: JsonValue | undefined,
  paths: readonly string[],
): string | undefined {
  return decodeTicket(firstValueAt(value, paths));
}

/** A path `header:NAME` leads to a header of the answer. */
const HEADER = /^header:(.+)$/i;

/** As `firstValueAt`, for the paths that may lead into headers; of an address (`Location`) the last part counts. */
export function firstValueIn(
  { headers, text }: Answer,
  paths: readonly string[],
): JsonValue | undefined {
  for (const path of paths) {
    const name = HEADER.exec(path)?.[1];
    const value =
      name === undefined ? valueAt(parseJson(text), path) : lastPart(headerOf(headers, name));
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

function lastPart(header: string | undefined): string | undefined {
  return header
    ?.trim()
    .replace(/[?#].*$/, '')
    .replace(/\/$/, '')
    .replace(/^.*\//, '');
}

export function ticketIn(answer: Answer, paths: readonly string[]): string | undefined {
  return decodeTicket(firstValueIn(answer, paths));
}

export interface OpenTicket {
  readonly ticket: string;
  /** The digest of the entry's key; undefined for a ticket of one enrichment. */
  readonly digest: string | undefined;
  /** The number of the entry, from 0, and how many there are; undefined if the entry is known by its metadata. */
  readonly place?: Place;
}

export interface Place {
  readonly index: number;
  readonly count: number;
}

/** `bulk_7` becomes `bulk_7~3of10`, for the third of ten. */
export function sealPlaceTicket(ticket: string, { index, count }: Place): string {
  return `${ticket}~${index + 1}of${count}`;
}

/** Nothing can be read by it. `call` is for a single request, `item` for an item of a bulk call. */
export function ownTicket(kind: keyof typeof OWN_TICKETS, key: string = randomUUID()): string {
  return OWN_TICKETS[kind] + digestOf(key);
}

export function kindOfOwnTicket(ticket: string): keyof typeof OWN_TICKETS | undefined {
  if (ticket.startsWith(OWN_TICKETS.item)) return 'item';
  return ticket.startsWith(OWN_TICKETS.call) ? 'call' : undefined;
}

/** `bulk_7` and a key become `bulk_7~Yp3kQ0aB9xT2-_sd`. */
export function sealBatchTicket(ticket: string, key: string): string {
  return `${ticket}~${digestOf(key)}`;
}

/** Takes apart a ticket of `sealBatchTicket`, if the dialect knows such tickets. */
export function openTicket(ticket: string, dialect: Dialect): OpenTicket {
  if (!hasBatchTickets(dialect)) return { ticket, digest: undefined };
  const [, call, nth, count] = PLACE_TICKET.exec(ticket) ?? [];
  if (call !== undefined) {
    const place = { index: Number(nth) - 1, count: Number(count) };
    return { ticket: call, digest: undefined, place };
  }
  const [, shared, digest] = BATCH_TICKET.exec(ticket) ?? [];
  return shared === undefined ? { ticket, digest: undefined } : { ticket: shared, digest };
}

export function isKeyOf(digest: string, key: string | undefined): boolean {
  return key !== undefined && digestOf(key) === digest;
}

function digestOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, DIGEST_LENGTH);
}
