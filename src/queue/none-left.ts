// The number of connections that a worker needs, and the error that there are fewer.
import { SluiceError } from '../model/errors.js';

const NONE_LEFT = '53300';

/** Whether an error of the database, or one of ours that it caused, says that no connection is left. */
export function isNoneLeft(error: unknown): boolean {
  const { cause, code } = error as { readonly cause?: unknown; readonly code?: unknown };
  return code === NONE_LEFT || (error instanceof SluiceError && isNoneLeft(cause ?? {}));
}

/** Two connections of the queue listen, and one asks; with fewer no run is taken. */
export const NEEDED_BY_WORKER =
  'A worker needs four: one for the state, and three for the queue. It waits for them.';
