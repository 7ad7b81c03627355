// The facts that the store remembers of an account: its senders and what each leaves of the rate limit, and the form of
// its answers and fields. A part of the store's contract.
import type { SeenSchema } from '../../model/resources/schema-drift.js';
import type { CapState, Caps, ToldCaps } from '../../model/schedule/caps.js';
import type { LimitState } from '../../model/schedule/limit.js';
import type { LimitAsk, LimitGrant, LimitWord } from '../../model/schedule/limit-words.js';
import type { Rate } from '../../model/schedule/rate.js';
import type { Moment } from '../clock.js';

export interface OtherSenders {
  /** The part of the limit that they hold at this moment. */
  readonly state: LimitState;
  /** Whether one of them sends now, or was killed. */
  readonly isSending: boolean;
}

export interface LimitSender {
  readonly account: string;
  /** Unique, in hexadecimal digits. */
  readonly id: string;
}

export interface KnownAccount {
  readonly account: string;
  /** The digest of the account's address. */
  readonly address: string | null;
  /** Its newest run; 0 if its runs are gone, and its caps are left. */
  readonly run: number;
  readonly caps: Caps | null;
  readonly told: ToldCaps;
}

export interface AccountStore {
  /** Keeps the caps of an account, for all jobs, in place of those before; null removes them. False if none were there. */
  setCaps(account: string, caps: Caps | null, told?: ToldCaps): Promise<boolean>;
  /**
   * The caps of an account, and those that a job states, each in the period of this moment, by the state's clock: a
   * store without one takes `at`. What is spent and reserved is that of all jobs.
   */
  caps(account: string, at: number, job?: Caps): Promise<CapState[]>;

  /** The accounts of all runs, newest run first, and those with caps; also of pruned runs whose answers are kept. */
  accounts(): Promise<KnownAccount[]>;
  /**
   * Adds a process to those that send for an account and share its limit (model/schedule/limit.ts). It has no
   * right to start a request yet. A store with a clock of its own ignores `now`.
   *
   * Until it leaves, disk space is kept for the answers to its requests, which are paid for and known nowhere else: if
   * the store is out of space, `recordSubmits` and `recordList` still do their work, and verbs that send, read or
   * settle fail.
   * @throws SluiceError `store` if there is no space for that
   */
  joinLimit(account: string, limit: Rate, now: Moment): Promise<LimitSender>;
  /**
   * Lets a sender ask for rights and tell what became of those before, as `askLimit` says. They are good for seconds: a
   * state that is away is not waited for.
   * @throws SluiceError `store` if it is away
   */
  askLimit(sender: LimitSender, ask: LimitAsk, now: Moment): Promise<LimitGrant | null>;
  /** Notes that the sender has sent its last request. */
  leaveLimit(sender: LimitSender, last: LimitWord, now: Moment): Promise<void>;

  /** Notes whether the last request that was to be paid for by the account was neither accepted nor refused. */
  noteOutage(account: string, is: boolean): Promise<void>;
  isOut(account: string): Promise<boolean>;
  /** The asks that `noteReadings` has noted. */
  readings(account: string, dialect: string): Promise<string[]>;
  /** Notes the asks for which a dialect (a digest of how it reads) has read a value in an account's answers. */
  noteReadings(account: string, dialect: string, asks: readonly string[]): Promise<void>;
  /** Remembers an account's people database; returns the one that it remembered before, or null. */
  exchangePeopleSchema(account: string, schema: SeenSchema, at: number): Promise<SeenSchema | null>;
}
