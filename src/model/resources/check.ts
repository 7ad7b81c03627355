// The results of a free question to a platform: its clock and limit, and whether the dialect describes its headers.
import type { SluiceError } from '../errors.js';

export interface CallFinding {
  readonly verdict: 'ok' | 'wrong';
  /** A description of the answer; a clause without a full stop. */
  readonly says: string;
  /** Keys of the dialect to check; none if nothing has to be changed. */
  readonly keys: readonly string[];
}

export function right(says: string): CallFinding {
  return { verdict: 'ok', says, keys: [] };
}

export function wrong(says: string, keys: readonly string[]): CallFinding {
  return { verdict: 'wrong', says, keys };
}

export interface PlatformProbe {
  /** The problem; null if the address, the credentials and the protocol are right. */
  readonly problem: SluiceError | null;
  /** Whether the problem may be this question's alone, so that a run would go on. */
  readonly isPassable: boolean;
  /** How far the platform's clock is ahead of ours, in ms; negative if it is behind; null if it gives no time. */
  readonly clockAheadMs: number | null;
  /** The limit by the headers; null if no answer came, or its headers name none. */
  readonly limit: number | null;
  /** The least length of the platform's window, in ms; null in the same cases. */
  readonly windowMsMin: number | null;
  /** Whether the dialect reads those headers as they are meant; null if no answer came. */
  readonly headers: CallFinding | null;
}
