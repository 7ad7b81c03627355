// A webhook's body: what each of its entries says, and about what (platform-api.md, Events). It comes
// from outside and may hold anything, so nothing here throws, and nothing grows beyond its bounds.
import type { Dialect } from '../domain/dialect.js';
import type { JsonValue } from '../domain/json.js';
import type { DecodeDelivery } from '../domain/ports/platform.js';
import { firstValueAt } from '../domain/wire-path.js';
import { decodeEntry, findEntries } from './decode-answer.js';
import { parseJson } from './reason.js';

/** Our own keys are shorter. */
const KEY_LENGTH_MAX = 100;

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
    return entries.map(({ raw, ticket }) => {
      return { key: keyIn(raw, dialect), ticket, answer: decodeEntry(raw, body, dialect) };
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

function keyIn(raw: JsonValue, { answer }: Dialect): string | undefined {
  const key = firstValueAt(raw, answer.metadata);
  return typeof key === 'string' && key.length <= KEY_LENGTH_MAX ? key : undefined;
}
