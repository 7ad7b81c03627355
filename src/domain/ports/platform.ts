// The platform, as the pipeline sees it. Every expected answer is a value; only a wrong configuration throws.
import type { EnrichmentRequest, Inputs } from '../ask.js';
import type { SluiceError } from '../errors.js';
import type { Result } from '../result.js';

/** What a request is for; the limiter weighs the two against each other. */
export type RequestKind = 'submit' | 'poll';

/** The right to start one request now. It counts against the limit from the moment it is given. */
export interface Permit {
  /** Gives back a permit whose request was never started. */
  release(): void;
}

export type SubmitAnswer =
  /** The platform took it and handed back the ticket. */
  | { readonly kind: 'accepted'; readonly ticket: string }
  /** The platform will not take this request (400, 422 …). It costs nothing and repeating it is useless. */
  | { readonly kind: 'refused'; readonly reason: string }
  /**
   * Certainly not accepted, and not this lead's fault: wrong credentials, out of credits, connection
   * refused, throttled again and again. `isFinal` says that trying again cannot help.
   */
  | { readonly kind: 'unsent'; readonly problem: SluiceError; readonly isFinal: boolean }
  /** Sent, and nobody knows: a dropped connection, a time-out, a 5xx, an answer that cannot be read. */
  | { readonly kind: 'uncertain'; readonly reason: string; readonly problem: SluiceError };

export type ReadAnswer =
  | { readonly kind: 'pending' }
  /** The blocks may all be absent: whether that is `not_found` is the pipeline's to judge. */
  | { readonly kind: 'done'; readonly result: Result }
  /** The platform says that the enrichment ended in an error. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** The platform does not know the ticket (yet). */
  | { readonly kind: 'unknown' }
  /** No answer this time. `isFinal` says that trying again cannot help (credentials). */
  | { readonly kind: 'unavailable'; readonly problem: SluiceError; readonly isFinal: boolean };

export interface Platform {
  /**
   * Asks one question that costs nothing (GET /schema/people) to learn, before anything is paid for,
   * that the address, the credentials and the protocol are right.
   * @throws SluiceError `platform`
   */
  check(signal?: AbortSignal): Promise<void>;
  /**
   * Waits until at least one request may start, and gives permits for up to `max` of them.
   * Gives none when the signal aborts first.
   */
  reserve(kind: RequestKind, max: number, signal?: AbortSignal): Promise<Permit[]>;
  /**
   * POST /enrich. Uses up the permit. Never sends the same request twice unless it certainly was not
   * accepted. The signal ends the waiting that a 429 asks for, never a request.
   */
  submit(request: EnrichmentRequest, permit: Permit, signal?: AbortSignal): Promise<SubmitAnswer>;
  /**
   * The result by ticket. Uses up the permit; repeats a 429 by itself, leaves every other repeat to the
   * caller. `inputs` are what was asked about: no reason that comes back repeats them.
   */
  read(ticket: string, permit: Permit, signal?: AbortSignal, inputs?: Inputs): Promise<ReadAnswer>;
  /** True while requests wait for the limit: every poll then takes a submit's place. */
  isScarce(): boolean;
  /**
   * When each slot of the rate limit that is taken now comes free, in ms since the Unix epoch: what the
   * process that comes next must know, for the platform's window does not end with this one.
   */
  takenUntilMs(): readonly number[];
  /** Idempotent. */
  close(): Promise<void>;
}
