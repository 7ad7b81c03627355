// Rows of the journal of events, in both stores.
import type { JsonObject } from '../../model/text/json.js';
import type { ReceivedEvent, StoredEvent } from '../../ports/store/events.js';

export interface EventRow extends Omit<StoredEvent, 'record'> {
  readonly body: string;
}

export interface EventRange {
  readonly order: 'ASC' | 'DESC';
  readonly after: number;
  readonly limit: number;
}

export function toStoredEvent({ body, ...event }: EventRow): StoredEvent {
  return { ...event, record: JSON.parse(body) as JsonObject };
}

/** The time of the event; if the platform gives none, the time of its arrival. */
export function happenedAt({ event, receivedAt }: ReceivedEvent): number {
  return event.at ?? receivedAt;
}
