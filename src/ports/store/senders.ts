// Who sends for an account, and what each sender leaves of the rate limit's window: the platform's window does not
// end with a process. Every sender has a row of its own, so that the end of one says nothing of another. A part of
// the store's contract.
import type { HeldLimit } from '../../model/schedule/held-limit.js';
import type { Rate } from '../../model/schedule/rate.js';
import type { Moment } from '../clock.js';

export interface OtherSenders {
  /** What they hold at this moment. */
  readonly held: HeldLimit;
  /** Whether one of them sends now, or was killed. */
  readonly isSending: boolean;
}

export interface BegunSending extends OtherSenders {
  readonly sender: number;
}

export interface SenderStore {
  /**
   * A process begins to send for an account. Of each other sender it is told:
   * - one that ended: what it left, less the time since. Where the clock was set back meanwhile nobody knows how
   *   much has passed: then its end counts as at this moment
   * - one that sends now, or was killed: nobody knows what it sent, and the whole window is taken
   * From now on a killed one is as one that ended at this moment with a whole window. One that holds nothing any more
   * is forgotten.
   *
   * Until its end, room is kept for what comes back of its requests, which is paid for and known nowhere else: where
   * the disk is full, `recordSubmits` and `recordList` still do their work, and whatever sends, reads or settles fails.
   * @throws SluiceError `store` where there is no room for that
   */
  beginSending(account: string, limit: Rate, now: Moment): Promise<BegunSending>;
  /** The sender has sent its last request, and leaves this. Where it is nothing, the sender is forgotten. Idempotent. */
  endSending(sender: number, held: HeldLimit, now: Moment): Promise<void>;
}
