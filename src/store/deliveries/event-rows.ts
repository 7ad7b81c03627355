// Rows of the journal of events, as either store has them.
import type { JsonObject } from '../../model/text/json.js';
import type { ReceivedEvent, StoredEvent } from '../../ports/store/events.js';

export interface EventRow extends Omit<StoredEvent, 'record'> {
  readonly body: string;
}

/** Which events are read, beside the filter. */
export interface EventRange {
  readonly order: 'ASC' | 'DESC';
  /** The number behind which they begin. */
  readonly after: number;
  readonly limit: number;
}

export function toStoredEvent({ body, ...event }: EventRow): StoredEvent {
  return { ...event, record: JSON.parse(body) as JsonObject };
}

/** When it happened: where the platform does not say, when it came. */
export function happenedAt({ event, receivedAt }: ReceivedEvent): number {
  return event.at ?? receivedAt;
}
