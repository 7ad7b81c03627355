// The activity record that a webhook brings (docs/platform-api.md, Payload): told apart from a result, and
// checked for what Sluice needs of it.

import { parseDate } from '../text/date.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../text/json.js';
import { groupOfEvent } from './event-catalogue.js';

export interface EventRecord {
  /** `_id`: `act_…`. The same event is always delivered under the same id. */
  readonly id: string;
  /** Our name of it; the catalogue may not have this type (yet). */
  readonly type: string;
  /** When it happened, in ms since the Unix epoch; undefined where the record does not say. */
  readonly at: number | undefined;
}

export type ReadEvent =
  /** An event of an unknown type may still be a result in the words of another platform. */
  | { readonly kind: 'event'; readonly event: EventRecord; readonly isKnown: boolean }
  /** It looks like an event, and cannot be kept as an event. */
  | { readonly kind: 'broken'; readonly problem: string }
  /** A result, or nothing that we know. */
  | { readonly kind: 'other' };

const ID_PREFIX = 'act_';
const LENGTH_MAX = 200;

/**
 * A body is an event where the catalogue has its type, or its `_id` is that of an activity; a result of an
 * enrichment is never an event. Only these two fields are needed: no other field is worth losing an event over.
 * `ourName` is the name here of a type as the platform names it.
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
