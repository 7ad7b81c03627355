// What is remembered of an account: who sends for it and what each sender leaves of the rate limit, and how its
// answers and its fields look. A part of the store's contract.
import type { SeenSchema } from '../../model/resources/schema-drift.js';
import type { SlotGrant, SlotRequest } from '../../model/schedule/limit-shares.js';
import type { LastWord } from '../../model/schedule/limit-state.js';
import type { HeldLimit, Rate } from '../../model/schedule/rate.js';
import type { Moment } from '../clock.js';
import type { LookKind } from './enrichments.js';

export interface OtherSenders {
  /** What they hold at this moment. */
  readonly held: HeldLimit;
  /** Whether one of them sends now, or was killed. */
  readonly isSending: boolean;
}

/** A process that sends for an account. */
export interface LimitSender {
  readonly account: string;
  /** Unique, in hexadecimal digits. */
  readonly id: string;
}

/** In the first looks of one kind at empty successes. */
export interface Trust {
  /** 0 before the first second look; no two trusts of a store have the same. */
  readonly id: number;
  /** How many in a row were still empty at their second look. */
  readonly confirmed: number;
}
export type Trusts = Readonly<Record<LookKind, Trust>>;

/** An account for which a run was made. */
export interface KnownAccount {
  readonly account: string;
  /** Digest of its address; null where its newest run is one of 0.1.0, which did not keep it. */
  readonly address: string | null;
  /** The newest of its runs. */
  readonly run: number;
}

export interface AccountStore {
  /** The account of every run, newest run first; also of pruned runs whose answers are kept. */
  accounts(): Promise<KnownAccount[]>;
  /**
   * A process joins those that send for an account, and share its limit (model/schedule/limit-shares.ts). It holds no
   * slot yet. `now`: a store with a clock of its own goes by that.
   *
   * Until it leaves, disk room is kept for the answers to its requests, which are paid for and known nowhere else: where
   * the store is out of room, `recordSubmits` and `recordList` still do their work, and verbs that send, read or settle
   * fail.
   * @throws SluiceError `store` where there is no room for that
   */
  joinLimit(account: string, limit: Rate, now: Moment): Promise<LimitSender>;
  /**
   * A sender asks for slots and gives some back, as `dealSlots`. What it is given is good for seconds: a state that is away
   * is not waited for.
   * @throws SluiceError `store` where it is away
   */
  exchangeSlots(sender: LimitSender, request: SlotRequest, now: Moment): Promise<SlotGrant | null>;
  /** The sender has sent its last request. */
  leaveLimit(sender: LimitSender, last: LastWord, now: Moment): Promise<void>;

  /** What `noteReadings` has noted. */
  readings(account: string, dialect: string): Promise<string[]>;
  /** For which asks a dialect (a digest of how it reads) has read a value in an account's answers. */
  noteReadings(account: string, dialect: string, asks: readonly string[]): Promise<void>;
  /**
   * What second looks at empty successes have shown, for an account and a dialect. A settlement with such a look counts,
   * whichever process makes it; one that was not empty any more begins another trust.
   */
  trusts(account: string, dialect: string): Promise<Trusts>;
  /** Remembers an account's people database; returns what it remembered before, or null. */
  exchangePeopleSchema(account: string, schema: SeenSchema, at: number): Promise<SeenSchema | null>;
}
