// Every exit code, in one place.
import { type ErrorCode, SluiceError } from '../model/errors.js';

export const EXIT = {
  ok: 0,
  unanswered: 1,
  usage: 2,
  input: 3,
  platform: 4,
  store: 5,
  budget: 6,
  cancelled: 7,
  paused: 8,
  cap: 9,
  bug: 70,
  busy: 75,
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const;

const OF_ERROR: Readonly<Record<ErrorCode, number>> = {
  usage: EXIT.usage,
  input: EXIT.input,
  platform: EXIT.platform,
  store: EXIT.store,
  output: EXIT.store,
  budget: EXIT.budget,
  cap: EXIT.cap,
  cancelled: EXIT.cancelled,
  paused: EXIT.paused,
  busy: EXIT.busy,
};

/** The exit code for the error that ended a command early. */
export function exitCodeOf(error: unknown): number {
  return error instanceof SluiceError ? exitCodeOfError(error.code) : EXIT.bug;
}

export function exitCodeOfError(code: ErrorCode): number {
  return OF_ERROR[code];
}
