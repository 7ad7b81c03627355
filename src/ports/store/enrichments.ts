// Enrichments: what leads ask for, the sends, and their outcomes. A part of the store's contract.
import type { Ask, EnrichmentRequest, Inputs, Prices } from '../../model/ask.js';
import type { EnrichmentState, Outcome } from '../../model/enrichment/arrows.js';
import type { TicketHolder } from '../../model/enrichment/shared-ticket.js';
import type { Definitions } from '../../model/fingerprint.js';
import type { Column, Reject } from '../../model/lead.js';
import type { MappedInput } from '../../model/mapping/mapping.js';
import type { Result } from '../../model/result.js';
import type { Caps } from '../../model/schedule/caps.js';
import type { FirstAnswers } from '../../model/schedule/hit-rate.js';
import type { JsonValue } from '../../model/text/json.js';

export interface Wanted {
  readonly request: EnrichmentRequest;
  /** The digest of the canonical text; at most 32 bytes. */
  readonly fingerprint: Uint8Array;
  /** The definitions of its custom asks; absent if it has none. */
  readonly definitions?: Definitions;
  /** Whether only what has the same inputs is about the same person (the job's `same-person`). */
  readonly isExact?: boolean;
}

export type LeadEntry = {
  readonly position: number;
  readonly source: number;
  readonly line: number;
  readonly cells: readonly JsonValue[];
  /**
   * The reason why it is skipped or not asked, the asks for which its inputs did not suffice, or the input that was
   * left out; null if there is nothing to say.
   */
  readonly note: string | null;
} & (
  | { readonly kind: 'skipped' }
  /** The user chose other leads, or an earlier step of a waterfall has what this one would ask for. */
  | { readonly kind: 'not_asked' }
  /** The steps of a waterfall ask for it: this run holds it for them. */
  | { readonly kind: 'held' }
  | (Wanted & {
      readonly kind: 'asked';
      /** All inputs of the lead, if they are more than those of the request: someone suppressed is known by any. */
      readonly known?: Inputs;
      /** The answer that was bought elsewhere: nothing is sent. */
      readonly bought?: BoughtAnswer;
      /** The asks that the user wants for this lead, if that is not all that the job asks. */
      readonly wanted?: readonly Ask[] | undefined;
    })
);

export interface BoughtAnswer {
  /** It has a value for each ask. */
  readonly result: Result;
  /** When it was answered. */
  readonly at: number;
}

export type AskedLead = LeadEntry & { kind: 'asked' };

export interface IngestBatch {
  readonly columns: readonly Column[];
  readonly leads: readonly LeadEntry[];
  readonly rejects: readonly Reject[];
  /** The column that feeds each input; kept with the run. */
  readonly mapping?: readonly MappedInput[];
}

export interface IngestCount {
  /** Enrichments that this run now has to submit because of this batch; or those whose answers it has brought. */
  readonly queued: number;
  /** Enrichments whose ticket is known and whose answer this run now waits for, without paying again. */
  readonly awaiting: number;
  /** Leads that a fresh enrichment answers already. */
  readonly cached: number;
  /** Leads that share an enrichment which is open already, or may have been accepted. */
  readonly shared: number;
  readonly skipped: number;
  /** Leads that were not chosen. */
  readonly notAsked: number;
}

/** An enrichment that is now `submitting`: durably, before its request leaves. */
export interface ClaimedEnrichment {
  readonly id: number;
  /** How often it was claimed so far: a record of another send does not count for this send. */
  readonly send: number;
  readonly request: EnrichmentRequest;
}

/** What became of the queued enrichments that a claim looked at. */
export interface Claim {
  readonly claimed: readonly ClaimedEnrichment[];
  /** Those that are not sent, because all that they ask is known, or in doubt, by others. */
  readonly known: readonly {
    readonly id: number;
    readonly outcome: Extract<Outcome, 'found' | 'not_found' | 'failed' | 'uncertain'>;
  }[];
  /** How many enrichments of others the run awaits from now on, because some of its own wait for them. */
  readonly awaiting: number;
  /** How many of the run stay queued for now, because others are on their way that may answer them. */
  readonly waiting: number;
}

export interface ClaimTerms {
  /** How it looks at what is known of those with the same keys; absent: not at all. */
  readonly look?: Pick<IngestTimes, 'deadlineAt' | 'freshSince'> & Pick<Wanted, 'isExact'>;
  /** Claims only enrichments that ask for the same as the oldest of them. */
  readonly isAlike?: boolean;
  /** The prices by which each is reserved until it is answered; nothing is reserved without. */
  readonly prices?: Prices | undefined;
  /** The caps that the job states, beside those of its account. */
  readonly caps?: Caps | undefined;
}

export type SubmitRecord = {
  readonly id: number;
  readonly send: number;
  readonly at: number;
} & (
  | {
      readonly kind: 'accepted';
      readonly ticket: string;
      /** The first enrichment of the bulk call; undefined if it was sent alone. */
      readonly callId?: number | undefined;
      /** The time of the first poll, and the time at which polling stops. */
      readonly pollAt: number;
      readonly deadlineAt: number;
      /** The answer to the submission had the result already: it is settled, or kept, in the same step. */
      readonly atOnce?: Settlement | UnreadAnswer | undefined;
    }
  | { readonly kind: 'unsent' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'lost'; readonly reason: string }
);

export interface AwaitedEnrichment<Ticket extends string | null = string> {
  readonly id: number;
  readonly ticket: Ticket;
  readonly request: EnrichmentRequest;
  readonly submittedAt: number;
  readonly pollAt: number;
  readonly deadlineAt: number;
  /** Polls that found it still pending. */
  readonly pollCount: number;
  /** Whether an empty success was read before. */
  readonly wasEmpty: boolean;
  /** An answer that came and could not be read then; null if there is none. */
  readonly unread: string | null;
}

export interface Postponement {
  readonly id: number;
  readonly pollAt: number;
  readonly wasEmpty: boolean;
}

export type Settlement = {
  readonly id: number;
  readonly at: number;
} & (
  | {
      readonly outcome: Extract<Outcome, 'found' | 'not_found'>;
      readonly result: Result;
      readonly credits: number;
    }
  | {
      readonly outcome: Extract<Outcome, 'failed' | 'timed_out'>;
      readonly reason: string;
      /** An answer that no row shows, since it may be another's. It is charged all the same. */
      readonly withheld?: { readonly result: Result; readonly credits: number };
    }
);

/** The outcome of a look at a ticket. */
export type Look = Settlement | Postponement | UnreadAnswer;

export interface Changed {
  readonly id: number;
  readonly state: EnrichmentState;
}

export interface RunWork {
  readonly queued: number;
  readonly submitting: number;
  readonly awaiting: number;
  /** Awaited enrichments whose answer came and cannot be read; not among `awaiting`. */
  readonly unread: number;
  /** Enrichments of the run's leads that another run is submitting at this moment. */
  readonly elsewhere: number;
  /** Enrichments of the run's leads that this call made uncertain. */
  readonly givenUp: number;
}

export interface Commitment {
  /** The credits of the enrichments that this run paid for. */
  readonly spent: number;
  /**
   * The enrichments that it sent and that have no price yet, by kind of request. Uncertain enrichments count, and so do
   * sends that stayed uncertain when they were sent again.
   */
  readonly open: readonly { readonly ask: readonly Ask[]; readonly count: number }[];
}

export type RetriedOutcome = Exclude<Outcome, 'found'>;

export interface RetriedWork {
  /** Enrichments to be sent anew, or being sent by another run at this moment. */
  readonly queued: number;
  /** Enrichments that are awaited again, for nothing. */
  readonly awaiting: number;
  /** Leads that share an enrichment that another run has sent meanwhile and that has an answer. */
  readonly answered: number;
}

export interface RetryTimes {
  readonly at: number;
  readonly deadlineAt: number;
  /** Asks anew, for a price, although a ticket could be read again for nothing. */
  readonly askAnew?: boolean;
  /** The only leads whose enrichments are tried, by their positions. Default: all leads of the run. */
  readonly positions?: readonly number[];
}

export interface IngestTimes {
  readonly at: number;
  /** The limit of freshness: an enrichment that was settled before this time is not fresh any more. */
  readonly freshSince: number;
  /** The deadline of enrichments that are taken up again. */
  readonly deadlineAt: number;
  /** Whether the user allowed to send uncertain enrichments again, which may be paid for twice. */
  readonly resendUncertain?: boolean;
  /**
   * For a step of a waterfall: a lead that a run begun since then has set aside is set aside here as well. Absent: it is
   * asked for.
   */
  readonly asideSince?: number;
}

/**
 * `new`: it would be paid for. `fresh`: answered. `sending`: on its way to the platform, or uncertain if its process is
 * dead. `open`: not answered yet. `uncertain`: it may have been paid for.
 */
export type PeekedState = 'new' | 'fresh' | 'sending' | 'open' | 'uncertain';

/** A lead's state, and the asks that would be sent for it if that is `new`. */
export interface PeekedLead {
  readonly state: PeekedState;
  readonly asks: readonly Ask[];
  /** Whether nothing was found by fewer inputs than the lead has now. */
  readonly isMissed?: boolean;
}

export interface UnreadAnswer {
  readonly id: number;
  /** The body as it came, so that a corrected dialect reads it without asking again. */
  readonly body: string;
  /** The reason that the row shows meanwhile. */
  readonly reason: string;
}

export interface EnrichmentStore {
  /**
   * Adds leads. For each fingerprint the store holds at most one enrichment that counts:
   * - none: a new enrichment is queued, to be paid by this run
   * - found, not_found or failed with a ticket, and settled at or after `freshSince`: the lead shares it
   * - the same, but older: a new enrichment takes its place, and its rows show the old answer until the new one comes
   * - queued, or failed without a ticket, in the place of an answer that is fresh: nothing was paid, and the lead
   *   shares that answer
   * - otherwise failed without a ticket: a new enrichment takes its place, unless it was this run's
   * - otherwise queued or awaiting: the lead shares it, and this run takes it over, so that it can finish alone
   * - submitting: the lead shares it
   * - timed_out: becomes awaiting again, taken over by this run, until `deadlineAt`
   * - uncertain: the lead shares it, however old, and nothing is sent; with `resendUncertain`, an enrichment that an
   *   earlier run sent is queued again, to be paid by this run
   *
   * If that leaves a lead without an answer that is fresh or on its way, others of the account that share a key and do
   * not contradict it are looked at (model/enrichment/look.ts), ask by ask. What they have answered stands in the lead's
   * own enrichment, for nothing, and follows them; it is sent for the rest, or ends without a send. One that is only
   * queued stands in for none: `claim` looks again.
   *
   * A lead of someone suppressed is skipped, with that reason.
   *
   * Leads at or below the run's `leadCount` are in the store already and are passed over (a resumed reading); those of
   * a waterfall's step come in any order, without their cells. Their
   * sources rise with their positions, and so do the lines in each source: a line is found by that.
   */
  ingest(runId: number, batch: IngestBatch, times: IngestTimes): Promise<IngestCount>;

  /**
   * Called at a run's start, when no other process works for its job: enrichments that any run of the job left
   * `submitting` were cut off between sending and saving, and become `uncertain`. Tickets that earlier runs of the job
   * still await from the same account are paid for: this run takes them over. Returns how many became uncertain.
   *
   * With `reread`, what an earlier dialect could not read is read again: unread answers that the run awaits are due at
   * `at`, and such deliveries of the scope are pending.
   */
  recover(runId: number, reread?: { readonly at: number; readonly scope: string }): Promise<number>;
  /**
   * Called at a run's end: enrichments of its leads that another run has taken over and not ended become this run's
   * again. Those left `submitting` since before `abandonedBefore` cannot be on their way any more and become
   * `uncertain`. Returns the work left.
   */
  adopt(runId: number, abandonedBefore: number): Promise<RunWork>;

  /**
   * Makes up to `limit` queued enrichments of the run `submitting`, durably before this resolves. One of someone
   * suppressed is never among them: it stays queued, its rows say so, and no work counts it.
   *
   * Each is reserved at its highest price in what its account spends, and none is claimed that would exceed a cap (`caps`),
   * whoever else claims at the same time. It counts to this moment by the state's clock: a store without one takes `at`.
   *
   * It looks once more at what is known (`look`), while no other claim of the account does, each enrichment after those
   * before it. One of which all is known ends. One that shares a key with others on their way waits for them, and the
   * run awaits those. Their places go to the next ones. What the user has sent again (`retry`, `resendUncertain`) is sent
   * unless others have answered it, or are on their way.
   */
  claim(runId: number, limit: number, at: number, terms?: ClaimTerms): Promise<Claim>;
  /**
   * Looks as `claim` does at the next queued enrichments of the run with ids above `after`, and claims none: those of
   * which all is known end, whatever the others may cost. `last` is the id to go on after; null if there was none.
   */
  answerKnown(
    runId: number,
    at: number,
    look: NonNullable<ClaimTerms['look']>,
    after: number,
  ): Promise<Pick<Claim, 'known' | 'awaiting'> & { readonly last: number | null }>;
  /**
   * Records the outcomes of claimed enrichments. A record of an earlier send, or for an enrichment in another state,
   * changes nothing. A result that came at once is settled, or kept, in the same step. Returns those that changed.
   * Deliveries that waited for a ticket that is now known are pending again.
   */
  recordSubmits(records: readonly SubmitRecord[]): Promise<Changed[]>;

  /** All who have one of these tickets of the run's account, by those tickets that more than one has. */
  ticketHolders(runId: number, tickets: readonly string[]): Promise<TicketHolder[]>;
  /**
   * Up to `limit` awaited enrichments of the run, earliest due first. With `until`, none after the first that
   * is due later than that; those with the ids in `except` are left out.
   */
  awaited(
    runId: number,
    limit: number,
    until?: number,
    except?: readonly number[],
  ): Promise<AwaitedEnrichment[]>;
  /**
   * Makes enrichments due at `pollAt` that the run awaits: those with unread answers, or those that it would poll only
   * after `later`, for an earlier process may have counted on webhooks, and this process may not. None is awaited beyond
   * `deadlineAt` any more. Returns how many became due.
   */
  pollSooner(
    runId: number,
    pollAt: number,
    which: 'unread' | { readonly later: number; readonly deadlineAt?: number },
  ): Promise<number>;
  /**
   * Ends enrichments, and notes looks that end nothing. Idempotent: a settled enrichment stays as it is, and a late answer
   * to a timed-out enrichment is taken. One that was found pending is polled next at `pollAt`. The body of an answer that
   * could not be read is kept; its enrichment stays awaited, and is due at no time by itself. Returns those that changed.
   *
   * An answer to a ticket that the account got for different people goes to the one that it names. The others fail, and
   * are charged: also those that were settled before the ticket was known to be shared.
   */
  settle(looks: readonly Look[]): Promise<Changed[]>;

  /** The credits that the run has committed itself to pay, for its budget. */
  commitment(runId: number): Promise<Commitment>;
  /** Of the first `count` enrichments that the run has sent, in that order; those that are uncertain are left out. */
  firstAnswers(runId: number, count: number): Promise<FirstAnswers>;
  /**
   * Puts enrichments without a result back to work, at the user's wish: of the run's leads' enrichments in one of
   * these states, the timed_out ones are awaited again until `deadlineAt`, the not_found and failed ones with a
   * ticket for one more look. The other failed ones (with `askAnew` all of them) are queued anew, the uncertain ones
   * are queued again. If another enrichment counts meanwhile, it is shared instead. An answer that is read again stands
   * until a newer answer comes. The run becomes `working` if any enrichment was put back to work. Returns the counts of
   * these. Leads that have left the step of a waterfall unasked leave its run, so that they come to it again: those that
   * were set aside count as queued.
   */
  retry(
    runId: number,
    outcomes: readonly RetriedOutcome[],
    times: RetryTimes,
  ): Promise<RetriedWork>;
  /** The work that the run owns; `elsewhere` and `givenUp` are counted by `adopt` alone. */
  work(runId: number): Promise<RunWork>;
  /** Where these leads stand in the store under an account, in the same order: for a plan, which changes nothing. */
  peek(account: string, leads: readonly Wanted[], freshSince: number): Promise<PeekedLead[]>;
}
