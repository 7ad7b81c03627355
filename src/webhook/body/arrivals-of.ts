// What one body brings: a delivery that a run settles, or events that are kept.

import type { CorrelationKey } from '../../model/correlation-key.js';
import { readEvent } from '../../model/events/event-record.js';
import type { JsonValue } from '../../model/text/json.js';
import type { Arrival } from '../../ports/store/deliveries.js';
import type { ReceivedEvent } from '../../ports/store/events.js';
import { brokenEvent, REFUSALS, type Refusal } from '../refusals.js';
import type { OpenedBody } from './open-body.js';

/** Events in one body: more than any platform sends at once. */
const EVENTS_MAX = 10_000;

/**
 * Events come from hooks alone: whoever has the key of one lead could make them up. There an event of a known type is
 * one; all else may be a result, and one of an unknown type is kept as both. Several events in an array are kept one by
 * one.
 */
export function arrivalsOf(
  { text: body, value }: OpenedBody,
  { kind, scope, id }: CorrelationKey,
  receivedAt: number,
): readonly Arrival[] | Refusal {
  const delivery = {
    scope,
    receivedAt,
    enrichmentId: kind === 'enrichment' ? id : null,
    callId: kind === 'batch' ? id : null,
    body,
  };
  if (kind !== 'hook') return [delivery];
  const isArray = isJsonArray(value);
  const records = isArray ? value : [value];
  // The first one tells: an array may be large, and is one of results as a rule.
  if (readEvent(records[0] ?? null).kind === 'other') return [delivery];
  if (records.length > EVENTS_MAX) return REFUSALS.tooLarge;
  const events: ReceivedEvent[] = [];
  let areKnown = true;
  for (const record of records) {
    const read = readEvent(record);
    if (read.kind === 'broken') return brokenEvent(read.problem);
    if (read.kind === 'event') {
      const own = isArray ? JSON.stringify(record) : body;
      events.push({ scope, receivedAt, event: read.event, body: own });
    }
    areKnown &&= read.kind === 'event' && read.isKnown;
  }
  return areKnown ? events : [...events, delivery];
}

function isJsonArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
