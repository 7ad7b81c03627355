// The delivery journal: everything an authenticated webhook brought, kept before it is answered, and
// settled when a run comes to it. A part of the store's contract.
import type { EnrichmentState } from '../../model/enrichment/arrows.js';
import type { AwaitedEnrichment, Postponement, Settlement } from './enrichments.js';
import type { ReceivedEvent } from './events.js';

/** What came in one request. */
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

/** What the listener hands on: a result to settle, or an event to keep. */
export type Arrival = Delivery | ReceivedEvent;

export interface PendingDelivery extends Delivery {
  readonly id: number;
}

/** What became of arrivals that came together. */
export interface ArrivalCount {
  readonly kept: number;
  /** The same body under the same key, or the same event, was there already. */
  readonly repeated: number;
  /** Not kept: their lead has its answer. */
  readonly alreadyAnswered: number;
  /** Not kept: their key may keep no more than is there. */
  readonly overLimit: number;
}

/** What became of a delivery's entries; all null while it is pending. */
export interface JournalEntry {
  readonly id: number;
  readonly scope: string;
  readonly receivedAt: number;
  readonly handledAt: number | null;
  /** Entries that ended an enrichment, or brought its ticket to light. */
  readonly settled: number | null;
  /** Entries for enrichments that had ended before, and entries that say nothing. */
  readonly unchanged: number | null;
  /**
   * Entries for tickets for which no answer is awaited here; they count again once such a ticket is saved. And entries
   * that name one enrichment by their key and another by their ticket.
   */
  readonly unknown: number | null;
  /** Of its body; null once that has left. */
  readonly bytes: number | null;
  /** How often it came: the same body under the same key. */
  readonly times: number;
}

/** How an entry names its enrichment; by its id where a genuine key says it, and then its ticket has to fit. */
export interface DeliveryReference {
  readonly enrichmentId: number | null;
  readonly ticket: string | null;
  /** The bulk call at whose address it came: it names no enrichment of another call. */
  readonly callId: number | null;
}

/** An enrichment that a delivery names, in any state in which its answer may still be taken. */
export interface AddressedEnrichment extends Omit<AwaitedEnrichment, 'ticket'> {
  /** Null where no ticket is known yet: queued again, submitting, or uncertain. */
  readonly ticket: string | null;
  readonly state: Exclude<EnrichmentState, 'found' | 'not_found' | 'failed'>;
  /** The run that works on it. */
  readonly runId: number;
}

/**
 * What a reference names; null where there is nothing whose answer may still be taken, `stray` where it contradicts
 * itself.
 */
export type Addressed = AddressedEnrichment | 'stray' | null;

export type DeliveryStep =
  /** `ticket` is kept where none was known. */
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
      /** The lead at whose address it came: who else has this ticket does not concern it. */
      readonly enrichmentId: number | null;
    }
  /**
   * It names one enrichment by its key and another by its ticket, and settles neither. The key's enrichment is asked
   * for at once, where it was never asked for.
   */
  | { readonly kind: 'stray'; readonly enrichmentId: number | null }
  | { readonly kind: 'nothing' };

export interface HandledDelivery {
  readonly id: number;
  readonly at: number;
  readonly steps: readonly DeliveryStep[];
  /** The dialect could not read it: `pendUnreadDeliveries` makes it pending again. */
  readonly isUnread?: boolean;
  /** Its body stays, whatever it settles: `replayDeliveries` can take it again. */
  readonly keepsBody?: boolean;
}

/** What can be handled once more, and what cannot: a body that has settled its leads is not kept. */
export interface ReplayCount {
  readonly pending: number;
  readonly withoutBody: number;
}

export interface DeliveryJournal {
  /** 32 random bytes, made when first asked for: what this store's correlation keys are sealed with. */
  signingKey(): Promise<Uint8Array>;
  /**
   * Keeps each body once for its key, and each event once for an account and its `_id`: all of them or none. A delivery
   * under the key of a lead that has its answer, or that was forgotten, is counted and not kept. So is one that comes
   * after 1 MiB under a lead's key, or after 64 MiB under a bulk call's; such a lead's answer is asked for at once. The
   * same body within a day is counted, and not settled again.
   */
  keepArrivals(arrivals: readonly Arrival[]): Promise<ArrivalCount>;
  /** How many deliveries came and were not kept. */
  countUnkept(): Promise<number>;
  /** Up to `limit` deliveries of a scope that no run has handled yet, oldest first; fewer where they are large. */
  pendingDeliveries(scope: string, limit: number): Promise<PendingDelivery[]>;
  /**
   * The account's enrichment of each reference, or null where there is none whose answer may still be taken. Another
   * account may have the same ticket: no platform knows the tickets of another platform. Where a reference has both an
   * id and a ticket, the ticket fits the enrichment that the id names if it is that enrichment's own ticket. It also
   * fits if no other enrichment is known to have it, and the enrichment has no known ticket or was sent more than once.
   * At the address of a bulk call an enrichment is `stray` if another call accepted it, unless its id is given and it
   * was sent more than once.
   */
  addressed(account: string, references: readonly DeliveryReference[]): Promise<Addressed[]>;
  /**
   * Settles, postpones and ticks off, all in one step. An answer that comes before its ticket is known counts for an
   * enrichment that is `queued` (sent once, and thought not accepted), `submitting` or `uncertain`: it proves that the
   * send was accepted. Idempotent, as `settle` is. Returns the ids of the enrichments that changed. The body of a
   * delivery that has settled an enrichment leaves in the same step, unless some of it is unknown or unread. Its row
   * stays, so that the same body is known again.
   */
  handleDeliveries(account: string, handled: readonly HandledDelivery[]): Promise<number[]>;
  /** Deliveries of a scope that could not be read are pending again. Returns how many. */
  pendUnreadDeliveries(scope: string): Promise<number>;
  /** Makes every delivery of a scope pending again whose body is still there. */
  replayDeliveries(scope: string): Promise<ReplayCount>;
  /** Removes the bodies that were kept although they had settled their leads, `before` then. Returns how many. */
  dropBodies(before: number): Promise<number>;
  /** The journal itself, newest first; below `beforeId` where that is given. */
  listDeliveries(limit: number, beforeId?: number): Promise<JournalEntry[]>;
  /** How many deliveries wait to be handled, over all scopes. */
  countPending(): Promise<number>;
}
