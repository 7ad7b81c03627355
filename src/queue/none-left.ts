// How many connections a worker needs, and that there are fewer.
import { SluiceError } from '../model/errors.js';

const NONE_LEFT = '53300';

/** Of an error of the database, or of one of ours that it caused. */
export function isNoneLeft(error: unknown): boolean {
  const { cause, code } = error as { readonly cause?: unknown; readonly code?: unknown };
  return code === NONE_LEFT || (error instanceof SluiceError && isNoneLeft(cause ?? {}));
}

/** Two of the queue listen, and one asks; with fewer no run is taken. */
export const NEEDED_BY_WORKER =
  'A worker needs four: one for the state, and three for the queue. It waits for them.';
