// Charges: what was sent, answered and paid for, for comparison with a platform's own list. A part of the store's
// contract.
import type { Ask } from '../../model/ask.js';

/** The width in which the times of charges are kept: no time zone begins a day within it. */
export const QUARTER_MS = 900_000;

/** `unanswered`: accepted, and no answer is known. `uncertain`: sent, and neither ticket nor answer is known. */
export type ChargeOutcome = 'found' | 'not_found' | 'failed' | 'unanswered' | 'uncertain';

export interface KnownCharge {
  /** Names it in this store. */
  readonly key: string;
  /** Null if its enrichment is gone: a digest tells it apart, and its ticket cannot be made of that. */
  readonly ticket: string | null;
  readonly ask: readonly Ask[];
  readonly outcome: ChargeOutcome;
  /** Its credits, as they were counted when it was answered. */
  readonly credits: number;
  /** The beginnings of the quarters of an hour in which it was sent and answered; the same without an answer. */
  readonly sentAt: number;
  readonly answeredAt: number;
}

export interface SendCount {
  readonly all: number;
  readonly unnamed: number;
  readonly hasSharedTickets: boolean;
}

/** From `from` until before `until`, in epoch ms. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

/**
 * The sends of an account. Those whose enrichment was pruned, or whose person was forgotten, are known by sums, and by
 * digests of their tickets that only this state can make; so are uncertain sends that were sent again. An enrichment
 * that took the answer of a wider one was not sent.
 */
export interface ChargeRegister {
  /**
   * All that is known under these tickets, which are the platform's. A bulk call may give one ticket to many: without
   * `mayBeShared` enrichments of such calls are not looked for.
   */
  chargesOf(
    account: string,
    tickets: readonly string[],
    mayBeShared: boolean,
  ): Promise<(KnownCharge & { readonly ticket: string })[]>;
  /**
   * The number of sends that were sent before the end of the span, and answered after its beginning: of all, and of those
   * whose ticket is not known. And whether an enrichment of the account, of any time, shares its ticket with others.
   */
  countSends(account: string, span: Span): Promise<SendCount>;
  /**
   * Up to `limit` charges with known tickets and a cost that were sent and answered within the span; `after` is the key
   * of the last one, or null for the first page.
   */
  paidCharges(
    account: string,
    span: Span,
    after: string | null,
    limit: number,
  ): Promise<KnownCharge[]>;
}
