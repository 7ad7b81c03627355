// What one free question to the platform shows besides its answer.

import type { SluiceError } from '../errors.js';
import type { CallFinding } from './call-check.js';

export interface PlatformProbe {
  /** Why a run would end at once; null where the address, the credentials and the protocol are right. */
  readonly problem: SluiceError | null;
  /** How far the platform's clock is ahead of ours, in ms; negative where it is behind; null where it tells no time. */
  readonly clockAheadMs: number | null;
  /** What the headers tell of the limit; null where no answer came, or it tells nothing of that. */
  readonly limit: number | null;
  /** How long the platform's window lasts at least, in ms; null as well. */
  readonly windowMsMin: number | null;
  /** Whether the dialect reads those headers as they are meant; null where no answer came. */
  readonly headers: CallFinding | null;
}
