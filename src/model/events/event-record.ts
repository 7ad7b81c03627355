// The activity record in a webhook (docs/platform-api.md, Payload): told apart from a result, and checked for the
// fields that Sluice needs.

import { parseDate } from '../text/date.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../text/json.js';
import { groupOfEvent } from './event-catalogue.js';

export interface EventRecord {
  /** `_id`: `act_…`. The same event is always delivered under the same id. */
  readonly id: string;
  /** Our name of the event; the catalogue may not have this type (yet). */
  readonly type: string;
  /** The time of the event, in ms since the Unix epoch; undefined if the record does not give it. */
  readonly at: number | undefined;
}

export type ReadEvent =
  /** An event; if its type is unknown, it may still be a result in the words of another platform. */
  | { readonly kind: 'event'; readonly event: EventRecord; readonly isKnown: boolean }
  /** The record looks like an event, and cannot be kept as an event. */
  | { readonly kind: 'broken'; readonly problem: string }
  /** A result, or something unknown. */
  | { readonly kind: 'other' };

const ID_PREFIX = 'act_';
const LENGTH_MAX = 200;

/**
 * Reads a body. It is an event if the catalogue has its type, or its `_id` is that of an activity; a result of an
 * enrichment is never an event. Only these two fields are needed: no other field is worth losing an event over.
 * `ourName` gives our name of a type by the platform's.
 */
export function readEvent(
  body: JsonValue,
  ourName: (type: string) => string = (same) => same,
): ReadEvent {
  if (!isJsonObject(body)) return { kind: 'other' };
  const { _id: id, type: named, createdAt } = body;
  const type = isName(named) ? ourName(named) : named;
  const group = typeof type === 'string' ? groupOfEvent(type) : undefined;
  const hasRecordId = typeof id === 'string' && id.startsWith(ID_PREFIX);
  if (group === 'enrichment' || (group === undefined && !hasRecordId)) return { kind: 'other' };
  if (!isName(id)) return broken('_id', 'its id');
  if (!isName(type)) return broken('type', 'its type');
  const at = typeof createdAt === 'string' ? parseDate(createdAt) : undefined;
  return { kind: 'event', event: { id, type, at }, isKnown: group !== undefined };
}

function isName(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value !== '' && value.length <= LENGTH_MAX;
}

function broken(field: keyof JsonObject & string, what: string): ReadEvent {
  const problem = `An event carries ${what} in ${field}, a text of 1 to ${LENGTH_MAX} characters.`;
  return { kind: 'broken', problem };
}
