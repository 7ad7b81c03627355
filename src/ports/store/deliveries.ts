// The delivery journal: everything that an authenticated webhook brought, kept before it is answered, and settled when
// a run reads it. A part of the store's contract.
import type { EnrichmentState } from '../../model/enrichment/arrows.js';
import type { AwaitedEnrichment, Changed, Postponement, Settlement } from './enrichments.js';
import type { ReceivedEvent } from './events.js';

export interface Delivery {
  /** Short name of the account whose runs settle it (`CorrelationKey.scope`). */
  readonly scope: string;
  /** The enrichment that the key in the path names; null for the keys of a bulk call and of a hook. */
  readonly enrichmentId: number | null;
  /** The bulk call that the key in the path names, by its first enrichment; null for a lead's key and for a hook. */
  readonly callId: number | null;
  readonly receivedAt: number;
  /** The JSON that came, without its secret. */
  readonly body: string;
}

/** Things that the listener hands on: a result to settle, or an event to keep. */
export type Arrival = Delivery | ReceivedEvent;

export interface PendingDelivery extends Delivery {
  readonly id: number;
}

export interface ArrivalCount {
  readonly kept: number;
  /** Deliveries that repeat a body under its key, and events that are known already. */
  readonly repeated: number;
  /** Deliveries that were not kept because their lead has its answer. */
  readonly alreadyAnswered: number;
  /** Deliveries that were not kept because their key has used up its limit. */
  readonly overLimit: number;
}

/** Deliveries of an account that the listener refused for one reason, though their key was genuine. */
export interface RefusedDeliveries {
  readonly scope: string;
  /** One of `REFUSED_FOR` (src/model/report/refused-deliveries.ts). */
  readonly reason: string;
  /** The `Content-Encoding` that they stated; empty for none. */
  readonly encoding: string;
  readonly count: number;
  readonly firstAt: number;
  readonly lastAt: number;
}

/** An entry of the journal, with what became of the delivery's entries; all null while it is pending. */
export interface JournalEntry {
  readonly id: number;
  readonly scope: string;
  readonly receivedAt: number;
  readonly handledAt: number | null;
  /** Entries that ended an enrichment, or brought its ticket to light. */
  readonly settled: number | null;
  /** Entries for enrichments that had ended before, and entries without content. */
  readonly unchanged: number | null;
  /**
   * Entries for tickets for which no answer is awaited here, which count again once such a ticket is saved; and entries
   * that name one enrichment by their key and another by their ticket.
   */
  readonly unknown: number | null;
  /** The size of the body; null once the body was removed. */
  readonly bytes: number | null;
  /** How often it came: the same body under the same key. */
  readonly times: number;
}

/** The enrichment in deliveries: by the key in their path, or by a mark as a value anywhere in their bodies. */
export interface EnrichmentMarks {
  readonly id: number;
  /** Its ticket, and its key. */
  readonly marks: readonly string[];
}

/**
 * The reference by which an entry names its enrichment; by its id if a genuine key gives it, and then its ticket has to
 * fit.
 */
export interface DeliveryReference {
  readonly enrichmentId: number | null;
  readonly ticket: string | null;
  /** The bulk call at whose address it came: it names no enrichment of another call. */
  readonly callId: number | null;
}

/**
 * An enrichment that a delivery names, in any state in which its answer may still be taken. Its ticket is null if none is
 * known yet: queued again, submitting, or uncertain. Of one that has ended without a value, that of an earlier send may.
 */
export interface AddressedEnrichment extends AwaitedEnrichment<string | null> {
  readonly state: Exclude<EnrichmentState, 'found'>;
  readonly runId: number;
}

/**
 * The enrichment that a reference names; null if none takes an answer any more, `stray` if the reference contradicts
 * itself.
 */
export type Addressed = AddressedEnrichment | 'stray' | null;

export type DeliveryStep =
  /** `ticket` is kept if none was known. */
  | { readonly kind: 'settle'; readonly ticket: string | null; readonly settlement: Settlement }
  /** The answer is to be read again: its ticket is known now. */
  | {
      readonly kind: 'postpone';
      readonly ticket: string;
      readonly postponement: Postponement;
      readonly deadlineAt: number;
    }
  /** The ticket is not known here yet; the delivery is pending again once it is. */
  | {
      readonly kind: 'unknown';
      readonly ticket: string;
      /** The lead at whose address it came: other leads with this ticket do not matter. */
      readonly enrichmentId: number | null;
    }
  /**
   * The entry names one enrichment by its key and another by its ticket, and settles neither. The key's enrichment is
   * polled at once, if it was never polled.
   */
  | { readonly kind: 'stray'; readonly enrichmentId: number | null }
  | { readonly kind: 'nothing' };

export interface HandledDelivery {
  readonly id: number;
  readonly at: number;
  readonly steps: readonly DeliveryStep[];
  /** Whether the dialect could not read it: `recover` makes it pending again. */
  readonly isUnread?: boolean;
  /** Whether its body stays, whatever it settles: `replayDeliveries` can take it again. */
  readonly keepsBody?: boolean;
}

/**
 * The number of deliveries that can be handled once more, and of those that cannot, because a body that has settled its
 * leads is not kept.
 */
export interface ReplayCount {
  readonly pending: number;
  readonly withoutBody: number;
}

export interface DeliveryJournal {
  /** The 32 random bytes that seal this store's correlation keys, made at the first call. */
  signingKey(): Promise<Uint8Array>;
  /**
   * Keeps each body once for its key, and each event once for an account and its `_id`: all of them or none. A delivery
   * under the key of a lead that has its answer, or that was forgotten, is counted and not kept. So is one that comes
   * after 1 MiB under a lead's key, or after 64 MiB under a bulk call's; such a lead is polled at once. The same body
   * within a day is counted, and not settled again.
   */
  keepArrivals(arrivals: readonly Arrival[]): Promise<ArrivalCount>;
  /** The number of deliveries that came and were not kept. */
  countUnkept(): Promise<number>;
  /**
   * Adds to the counts of refused deliveries: each scope, reason and encoding once. A count begins anew if the last
   * delivery of the earlier one came more than an hour before.
   */
  addRefused(refused: readonly RefusedDeliveries[]): Promise<void>;
  /** The counts of refused deliveries, in the order of scope, reason and encoding. */
  refusedDeliveries(): Promise<RefusedDeliveries[]>;
  /** Up to `limit` deliveries of a scope that no run has handled yet, oldest first; fewer if they are large. */
  pendingDeliveries(scope: string, limit: number): Promise<PendingDelivery[]>;
  /**
   * The account's enrichment of each reference, or null if none takes an answer any more. Another account may have the
   * same ticket: no platform knows the tickets of another platform. If a reference has both an id and a ticket, the
   * ticket fits the enrichment that the id names if it is that enrichment's own ticket. It also fits if no other
   * enrichment is known to have it, and the enrichment has no known ticket or was sent more than once. At the address
   * of a bulk call an enrichment is `stray` if another call accepted it, unless its id is given and it was sent more
   * than once.
   */
  addressed(account: string, references: readonly DeliveryReference[]): Promise<Addressed[]>;
  /**
   * Settles, postpones and ticks off, all in one step. An answer that comes before its ticket is known counts for an
   * enrichment that is `queued` (sent once, and thought not accepted), `submitting` or `uncertain`: it proves that the
   * send was accepted. Idempotent, as `settle` is, and judges shared tickets as it does. Returns the enrichments that changed. The body of a
   * delivery that has settled an enrichment is removed in the same step, unless some of it is unknown or unread. Its
   * row stays, so that the same body is recognised.
   */
  handleDeliveries(account: string, handled: readonly HandledDelivery[]): Promise<Changed[]>;
  /** Makes every delivery of a scope that still has its body pending again. */
  replayDeliveries(scope: string): Promise<ReplayCount>;
  /** Removes the bodies that were kept although they had settled their leads before `before`. Returns how many. */
  dropBodies(before: number): Promise<number>;
  /** The journal itself, newest first; with `about` the first `limit` deliveries that name the enrichment. */
  listDeliveries(limit: number, about?: EnrichmentMarks): Promise<JournalEntry[]>;
  /** The number of deliveries that wait to be handled, over all scopes. */
  countPending(): Promise<number>;
}
