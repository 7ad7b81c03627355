// The words between a process and the rate limit of an account: its question, and the answer (limit.ts).
import type { Rate, RateLimit, RequestKind } from './rate.js';

export interface Origin {
  readonly pid: number;
  readonly host: string;
  /** The space in which the pid has a meaning; null if that is unknown. */
  readonly realm: string | null;
}

export interface AskedPause {
  readonly ms: number;
  /** The kind of request that was throttled. */
  readonly kind: RequestKind;
  readonly by: string;
}

/** The last word of an owner, or a part of its question. All times are lengths, in ms, at the time of the question. */
export interface LimitWord {
  /** How long ago requests ended of which it has not told yet. */
  readonly endedAgoMs: readonly number[];
  /** Its requests under way, and the rights that it keeps. */
  readonly keeps: number;
  /** The pause that the platform asked of it, if it is news. */
  readonly pause?: AskedPause | undefined;
  /** The kinds of request of which a trial was answered. */
  readonly cleared: readonly RequestKind[];
}

export interface LimitAsk extends LimitWord {
  /** Starts at 1; one more for each question, also if no answer came to the last one. */
  readonly seq: number;
  readonly rate: Rate;
  /** The number of further rights that it could use now. */
  readonly wants: number;
  readonly waits: readonly RequestKind[];
  /** How far ahead it takes rights, in ms. */
  readonly aheadMs: number;
}

export interface ToldPause {
  readonly ms: number;
  readonly kinds: readonly RequestKind[];
  /** How long until one request may ask again; null for a pause that ends by itself. */
  readonly tryInMs: number | null;
  readonly by: string;
}

export interface LimitGrant {
  /** How long until each of its new rights may be used. */
  readonly startsInMs: readonly number[];
  /** How long until there is more, and the window that it waits for; null if a response has to come first. */
  readonly next: { readonly ms: number; readonly window: RateLimit } | null;
  /** How long it may start requests, from before it asked; 0 if it has to ask again first. */
  readonly validMs: number;
  /** The number of owners that want rights, itself included. */
  readonly sharers: number;
  readonly isShared: boolean;
  /** All windows of all owners. */
  readonly rate: Rate;
  /** The number of requests of the first window that are under way or within it, its own included. */
  readonly counted: number;
  readonly pause: ToldPause | null;
  /** The kind of request of which it may send one to try whether the pause is over. */
  readonly trial: RequestKind | null;
}
