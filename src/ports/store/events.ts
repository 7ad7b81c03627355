// The journal of events: every activity that a webhook reported, kept once, for people to look at. A part of the
// store's contract. Nothing here is settled, and nothing costs anything.
import type { EventRecord } from '../../model/events/event-record.js';
import type { JsonObject } from '../../model/text/json.js';

/** The content of one request. */
export interface ReceivedEvent {
  /** Short name of the account whose hook reported it (`CorrelationKey.scope`). */
  readonly scope: string;
  readonly receivedAt: number;
  readonly event: EventRecord;
  /** The JSON that came, without its secret. */
  readonly body: string;
}

export interface StoredEvent {
  /** The event's number in the journal: it grows in the order in which events were kept. */
  readonly number: number;
  /** Our name of the event; the record has the platform's. */
  readonly type: string;
  readonly happenedAt: number;
  readonly receivedAt: number;
  /** The record without its secret. */
  readonly record: JsonObject;
}

/** The conditions on events, all of which apply; one that is undefined lets every event pass. */
export interface EventFilter {
  /** Our names, or the platform's. */
  readonly types?: readonly string[] | undefined;
  readonly campaignId?: string | undefined;
  /** The lead's id or e-mail address, in upper or lower case. */
  readonly lead?: string | undefined;
  /** Events at this time or later, in ms since the Unix epoch. */
  readonly since?: number | undefined;
  /** Events before this time. */
  readonly until?: number | undefined;
}

/** Up to `limit` events after the one with that number, or the last ones. */
export type EventRange =
  | { readonly after: number; readonly limit: number }
  | { readonly last: number };

/** Events of one account and type that disturb its runs. */
export interface Disturbance {
  readonly scope: string;
  readonly type: string;
  readonly count: number;
  readonly lastAt: number;
}

export interface EventJournal {
  /** The events that pass the filter, in the order in which they were kept. */
  events(filter: EventFilter, range: EventRange): Promise<StoredEvent[]>;
  /**
   * The disturbances of any account from `from` up to `to`: `sendLimitReached` and `connectionIssue`, by the time at
   * which they came.
   */
  disturbances(from: number, to: number): Promise<Disturbance[]>;
}
