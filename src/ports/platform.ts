// The platform, as the steps of a run see it. Every expected answer is a value; only a wrong configuration throws.
import type { EnrichmentRequest } from '../model/ask.js';
import type { SluiceError } from '../model/errors.js';
import type { PlatformProbe } from '../model/resources/check.js';
import type { ContactList, ListAddition, ListMember } from '../model/resources/contact-list.js';
import type {
  Draft,
  Hook,
  HookListing,
  HookWish,
  PeopleSchema,
} from '../model/resources/resources.js';
import type { Result } from '../model/result.js';
import type { RequestKind } from '../model/schedule/rate.js';

/** The right to start one request now. It counts against the limit from the moment it is given. */
export interface Permit {
  /** Gives back a permit whose request was never started. */
  release(): void;
}

export type SubmitAnswer =
  /**
   * The platform accepted it and handed back the ticket, and perhaps the result at once. `isOwn`: it gave no ticket by
   * which the result could be read, and the ticket is our own.
   */
  | {
      readonly kind: 'accepted';
      readonly ticket: string;
      readonly result?: Extract<ReadAnswer, { kind: 'done' }>;
      readonly isOwn?: true;
    }
  /**
   * The platform will not take this request (400, 422 …). It costs nothing and repeating it is useless. `isAnswer`: it
   * took the request, and answered at once with an error of the lead.
   */
  | { readonly kind: 'refused'; readonly reason: string; readonly isAnswer?: true }
  /**
   * Certainly not accepted, and not this lead's fault: wrong credentials, out of credits, connection refused. `isFinal`
   * says that trying again cannot help.
   */
  | { readonly kind: 'unsent'; readonly problem: SluiceError; readonly isFinal: boolean }
  /** Certainly not accepted: the platform asks for a pause, and no permit is given until it is over. */
  | { readonly kind: 'throttled'; readonly problem: SluiceError }
  /** Sent, with unknown outcome: a dropped connection, a time-out, a 5xx, an answer that cannot be read. */
  | { readonly kind: 'uncertain'; readonly reason: string; readonly problem: SluiceError };

/** The outcome of a bulk call. */
export type BulkAnswer =
  /** One answer for each item, in the order of the items; `unsent` if the account did not cover that item. */
  | {
      readonly kind: 'answered';
      readonly items: readonly Exclude<SubmitAnswer, { kind: 'throttled' }>[];
    }
  /** The platform has no bulk call at the dialect's path; nothing was accepted. */
  | { readonly kind: 'absent'; readonly problem: SluiceError }
  /** `refused`: the call as a whole was refused, for one of its items or for its size; nothing was accepted. */
  | Exclude<SubmitAnswer, { kind: 'accepted' }>;

export interface AskedTicket {
  readonly ticket: string;
  /** In a pause of more than a minute no look is waited for after this time. */
  readonly deadlineAt?: number;
  readonly request?: EnrichmentRequest | undefined;
}

/** One enrichment on its way out, with the key that the platform returns with its answer. */
export interface BulkItem {
  readonly request: EnrichmentRequest;
  /** The correlation key, as text. */
  readonly key: string;
}

/** The outcome of creating a list, in the terms of a submit. */
export type CreateListAnswer =
  | { readonly kind: 'created'; readonly list: ContactList }
  | Exclude<SubmitAnswer, { kind: 'accepted' }>;

/** The values in a success that could not be placed. */
export interface Odd {
  /**
   * The body as it came or, if it has several entries, only ours; at most 256 KiB (UTF-16 units). A longer one is cut,
   * and cannot be read again.
   */
  readonly body: string;
  /**
   * `missing`: the dialect's place for results (entries or blocks) is not there. `unread`: it holds values that no path
   * of the dialect reads.
   */
  readonly lack: 'missing' | 'unread';
  /**
   * The dotted paths of the unread values, below the body's entry; at most 20, each once, in their order, with `[]` for
   * an item of a list. Empty for `missing`.
   */
  readonly unread: readonly string[];
  /** The description of what came, without persons, with the keys of the dialect to check. */
  readonly problem: SluiceError;
}

export type ReadAnswer =
  /** `outOfCredits`: the account has no credits left for it. The result comes when it has some again. */
  | { readonly kind: 'pending'; readonly outOfCredits?: SluiceError }
  /**
   * The blocks may all be absent: the caller judges whether that is `not_found`. `isMiss`: the platform says so itself
   * by a status or a word, and a second look is useless. `odd` is absent if every value at the place for results was
   * read, and if the place is empty.
   */
  | {
      readonly kind: 'done';
      readonly result: Result;
      readonly odd?: Odd;
      readonly isMiss?: true;
    }
  /** The platform says that the enrichment ended in an error. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** The platform does not know the ticket (yet). */
  | { readonly kind: 'unknown' }
  /**
   * The platform gave no answer this time. `isFinal` says that trying again cannot help (credentials), `isThrottled` that
   * it asked to wait.
   */
  | {
      readonly kind: 'unavailable';
      readonly problem: SluiceError;
      readonly isFinal: boolean;
      readonly isThrottled?: boolean;
    };

export interface DeliveredEntry {
  /** The correlation key that came back as metadata; the caller judges whether it is genuine. */
  readonly key: string | undefined;
  readonly ticket: string | undefined;
  readonly answer: Extract<ReadAnswer, { kind: 'pending' | 'done' | 'failed' }>;
}

/**
 * Reads a webhook's body, which is parsed unless its `value` is there; undefined for a body that is about no enrichment.
 * Never throws.
 */
export type DecodeDelivery = (body: string) => readonly DeliveredEntry[] | undefined;

export interface SubmitOptions {
  /** The address to which the platform delivers the result; left out if the dialect has no place for it. */
  readonly callbackUrl?: string | undefined;
  /** Ends the waiting for the limit, never a request. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Called directly before the request leaves: returns why it must not, or null. A request that must not leave is
   * `unsent`, for good.
   */
  readonly obstacle?: (() => Promise<SluiceError | null>) | undefined;
}

export interface Platform {
  /** Whether the dialect has a question that costs nothing and is there for every account. */
  readonly hasFreeQuestion: boolean;
  /**
   * Asks that question (the account, or GET /schema/people) to learn, before anything is paid for, that the address,
   * the credentials and the protocol are right. Asks nothing if there is no such question.
   * @throws SluiceError `platform`
   */
  check(signal?: AbortSignal): Promise<boolean>;
  /**
   * Asks the same question once, and reports what is wrong, how far the clocks are apart, and what the platform says of
   * its limit. Null if there is no such question.
   */
  probe(signal?: AbortSignal): Promise<PlatformProbe | null>;
  /**
   * The credits that are left, by thousandths.
   * @throws SluiceError `usage` if the dialect has no balance; `platform`
   */
  readBalance(signal?: AbortSignal): Promise<number>;
  /**
   * Waits until at least one request may start, and gives permits for up to `max` of them.
   * Gives none when the signal aborts first, or in a pause of more than a minute after `until`.
   */
  reserve(kind: RequestKind, max: number, signal?: AbortSignal, until?: number): Promise<Permit[]>;
  /**
   * Sends one enrichment, once: it is paid for (docs/platform-api.md, POST /enrich). Uses up the permit. `key` is the
   * correlation key, as text; it goes along if the dialect has a place for it.
   */
  submit(
    request: EnrichmentRequest,
    permit: Permit,
    options?: SubmitOptions & { readonly key?: string | undefined },
  ): Promise<SubmitAnswer>;
  /**
   * Sends at most `bulkMax` enrichments in one call, once (docs/platform-api.md, POST /enrich/bulk). Uses up the
   * permit. Each item gets its own ticket, even if the platform gives one for the whole call: `read` finds the item's
   * entry by it.
   */
  submitMany(
    items: readonly BulkItem[],
    permit: Permit,
    options?: SubmitOptions,
  ): Promise<BulkAnswer>;
  /** The number of items that a bulk call takes; 0 if the dialect has none. */
  readonly bulkMax: number;
  /** Whether all items of a bulk call have to ask for the same. */
  readonly asksAlike: boolean;
  /** Whether enrichments can be asked for one by one. */
  readonly takesSingle: boolean;
  /** Whether a single request, and a bulk call, can carry a callback URL. */
  readonly takesCallback: { readonly single: boolean; readonly bulk: boolean };
  /** Whether the dialect has a call that reads a result by its ticket. */
  readonly readsTickets: boolean;
  /**
   * Reads the result by ticket. Uses up the permit; repeats a 429 by itself, and leaves every other repeat to the
   * caller. `request` is the enrichment's request, whose inputs no reason repeats.
   */
  read(
    ticket: string,
    permit: Permit,
    signal?: AbortSignal,
    request?: EnrichmentRequest,
  ): Promise<ReadAnswer>;
  /** Enrichments with the same key are read by one request: items of a bulk call, if they share a ticket. */
  readKey(asked: AskedTicket): string;
  /** As `read`, for enrichments with one `readKey`: one answer for each, in their order. */
  readAll(
    asked: readonly AskedTicket[],
    permit: Permit,
    signal?: AbortSignal,
  ): Promise<readonly ReadAnswer[]>;
  /** Whether items of a bulk call share a ticket. */
  readonly readsTogether: boolean;
  /**
   * The least time between two reads of one ticket, in ms. A read that comes sooner is answered from the last read, so
   * that items of one bulk call share it.
   */
  readonly readEveryMs: number;
  /** Judges a body that was kept (`Odd`) by the current dialect. Sends nothing. */
  reread(ticket: string, body: string, request?: EnrichmentRequest): ReadAnswer;
  /**
   * GET /hooks: every registered hook, without its secret (docs/platform-api.md, Webhook secret).
   * @throws SluiceError `platform`
   */
  listHooks(signal?: AbortSignal): Promise<HookListing>;
  /**
   * Registers a hook (docs/platform-api.md, POST /hooks): the targetUrl, and optionally type, secret, campaignId,
   * isFirst and zapId. Costs nothing; sent once.
   * @throws SluiceError `platform`, with the fact `uncertain` if the hook may have been registered
   */
  addHook(wish: HookWish, signal?: AbortSignal): Promise<Hook>;
  /**
   * DELETE /hooks/{id}. False if there is no such hook.
   * @throws SluiceError `platform`, with the fact `uncertain` if the hook may have been removed
   */
  removeHook(id: string, signal?: AbortSignal): Promise<boolean>;
  /**
   * One sample record, its field names in order, and the version (docs/platform-api.md, GET /schema/people).
   * @throws SluiceError `platform`
   */
  readPeopleSchema(signal?: AbortSignal): Promise<PeopleSchema>;
  /**
   * Creates a list, once, because this is not repeatable (docs/platform-api.md, POST /contacts/lists). The caller makes
   * sure that the name has at most 200 UTF-16 units. Uses up the permit.
   */
  createList(
    name: string,
    permit: Permit,
    options?: Pick<SubmitOptions, 'signal' | 'obstacle'>,
  ): Promise<CreateListAnswer>;
  /**
   * Adds members to a static list, at most `listAddMax` at once (docs/platform-api.md, POST
   * /contacts/lists/{listId}/entities). Repeatable: members already in it are not added twice. A member that the
   * platform's form cannot express (a member without an e-mail address, if lists take e-mails) is left out and counted
   * as neither.
   * @throws SluiceError `platform`
   */
  addToList(
    listId: string,
    members: readonly ListMember[],
    signal?: AbortSignal,
  ): Promise<ListAddition>;
  /** The number of members that one call takes; 0 if the dialect has no lists. */
  readonly listAddMax: number;
  /**
   * Reads a draft (docs/platform-api.md, GET /inbox/{contactId}/drafts/{draftId}). `owner`, its draftOwner, is a user
   * id (`usr_…`) or a login e-mail of the account's team.
   * @throws SluiceError `platform` if the contact, the draft or the owner does not exist
   */
  readDraft(
    contactId: string,
    draftId: string,
    owner: string,
    signal?: AbortSignal,
  ): Promise<Draft>;
  /** The least time in ms that this many requests take under the limit; 0 without a limit. */
  leastMs(requests: number): number;
  /** How long the requests of this process, and a pause, will count. */
  heldMs(): number;
  /** Idempotent. */
  close(): Promise<void>;
}
