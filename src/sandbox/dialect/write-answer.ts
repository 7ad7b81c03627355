// Writes the answer to a call that succeeded, from the neutral dialect to another.
import { demandCalls } from '../../dialect/calls.js';
import type { Dialect } from '../../dialect/dialect.js';
import { eventOnWire } from '../../dialect/events.js';
import { type CallName, hasBatchTickets } from '../../dialect/wire-calls.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../model/text/json.js';
import type { BulkCalls } from '../ledger/bulk-calls.js';
import type { BulkItemRecord } from '../ledger/ledger-lines.js';
import { hasPlaceForItems } from './extra-routes.js';
import { signalsFor, withSignals } from './say.js';
import { placeAll, placeAt, withMetadata, withPlaced } from './wire-places.js';
import {
  type KnownOf,
  type ResultBody,
  withCallTicket,
  writeItem,
  writeResult,
} from './write-result.js';

export interface Surroundings {
  readonly dialect: Dialect;
  readonly bulkCalls: BulkCalls;
  readonly knownOf: KnownOf;
  /** The result of an enrichment, if the answer to its submission has it. */
  readonly atOnce: (section: 'enrich' | 'bulk', id: string) => ResultBody | undefined;
}

/** `body` is the neutral answer of the call's own route. */
export function writeAnswer(
  name: CallName,
  body: JsonValue,
  surroundings: Surroundings,
): JsonValue {
  const { dialect, knownOf } = surroundings;
  const { enrich } = dialect;
  const told: JsonObject = isJsonObject(body) ? body : {};
  switch (name) {
    case 'enrich': {
      const pending =
        enrich?.result === 'maybe' ? signalsFor(dialect.answer.submit, 'pending', true) : [];
      const body = withPlaced({}, enrich?.ticket ?? [], told['id']);
      return withSignals(body, pending);
    }
    case 'bulk':
      return writeBulk(body as unknown as readonly BulkItemRecord[], surroundings);
    case 'result':
    case 'batch': {
      const result = body as unknown as ResultBody;
      const isOne = name === 'result';
      const written = writeResult(result, { dialect, way: 'read', isOne }, knownOf);
      const ticket = isOne ? undefined : surroundings.bulkCalls.sharedTicket(result.data);
      return withCallTicket(written, ticket, dialect, 'read');
    }
    case 'account':
      return withPlaced({}, demandCalls(dialect, 'account').credits, told['credits']);
    case 'listHooks': {
      const entries = Array.isArray(body) ? body : [];
      const written = entries.map((hook: JsonValue) => writeHook(hook, dialect));
      return withPlaced({}, demandCalls(dialect, 'hooks').entries, written);
    }
    case 'addHook':
    case 'removeHook':
      return writeHook(told, dialect);
    case 'addToList': {
      const { added, alreadyIn } = demandCalls(dialect, 'lists').add;
      return placeAll([
        [added, told['addedCount']],
        [alreadyIn, told['alreadyInList']],
      ]);
    }
    case 'upsertContact':
      return withPlaced({}, demandCalls(dialect, 'lists').upsert.id, told['id']);
    case 'createList':
    case 'draft':
    case 'peopleSchema':
      return told;
  }
}

/**
 * The answer of a bulk call: one ticket for all, and beside it the refused items if there is a place for them; or a
 * ticket for each item.
 */
function writeBulk(
  entries: readonly BulkItemRecord[],
  { dialect, bulkCalls, knownOf, atOnce }: Surroundings,
): JsonValue {
  const { answer, match } = dialect.bulk;
  const write = ({ id, metadata, error }: BulkItemRecord): JsonValue => {
    const told = placeAll([
      [answer.ticket, id],
      [answer.error, error],
    ]);
    const head = withMetadata(told, answer.metadata, metadata, dialect);
    const result = id === undefined ? undefined : atOnce('bulk', id);
    return result === undefined ? head : placeAt(head, '.', writeItem(result, dialect, knownOf));
  };
  const ticket = hasBatchTickets(dialect) ? bulkCalls.sharedTicket(entries) : undefined;
  if (ticket === undefined) return withPlaced({}, answer.entries, entries.map(write));
  const refused = match === 'order' ? entries : entries.filter(({ error }) => error !== undefined);
  const body = withPlaced({}, answer.batchTicket, ticket);
  return hasPlaceForItems(dialect) ? withPlaced(body, answer.entries, refused.map(write)) : body;
}

function writeHook(hook: JsonValue, dialect: Dialect): JsonValue {
  if (!isJsonObject(hook) || typeof hook['type'] !== 'string') return hook;
  return { ...hook, type: eventOnWire(hook['type'], dialect) };
}
