// The journal of events: every activity that a webhook reported, kept once, for people to look at. A part of
// the store's contract. Nothing here is settled, and nothing costs.
import type { EventRecord } from '../../model/events/event-record.js';
import type { JsonObject } from '../../model/text/json.js';

/** What came in one request. */
export interface ReceivedEvent {
  /** Short name of the account whose hook reported it (`CorrelationKey.scope`). */
  readonly scope: string;
  readonly receivedAt: number;
  readonly event: EventRecord;
  /** The JSON that came, without its secret. */
  readonly body: string;
}

export interface StoredEvent {
  /** Of the journal: grows in the order in which events were kept. */
  readonly number: number;
  /** Our name of it; the record has the platform's. */
  readonly type: string;
  readonly happenedAt: number;
  readonly receivedAt: number;
  /** Without its secret. */
  readonly record: JsonObject;
}

/** All of them apply; one that is undefined lets everything pass. */
export interface EventFilter {
  /** Our names, or the platform's. */
  readonly types?: readonly string[] | undefined;
  readonly campaignId?: string | undefined;
  /** Id or e-mail address, whatever its case. */
  readonly lead?: string | undefined;
  /** Happened at this time or later, in ms since the Unix epoch. */
  readonly since?: number | undefined;
  /** Happened before this time. */
  readonly until?: number | undefined;
}

/** Events of one account and type that disturb its runs. */
export interface Disturbance {
  readonly scope: string;
  readonly type: string;
  readonly count: number;
  readonly lastAt: number;
}

export interface EventJournal {
  /** Up to `limit` events behind the one of that number, in the order in which they were kept. */
  eventsAfter(number: number, filter: EventFilter, limit: number): Promise<StoredEvent[]>;
  /** The last `limit` events, in the order in which they were kept. */
  lastEvents(filter: EventFilter, limit: number): Promise<StoredEvent[]>;
  /** What disturbed any account from `from` up to `to`: `sendLimitReached` and `connectionIssue`, where they came. */
  disturbances(from: number, to: number): Promise<Disturbance[]>;
}
