// The rate limit as people write it: `20/2s`, or `off`.

import type { RateLimit } from '../terms.js';
import { formatDuration, parseDuration } from '../text/duration.js';

/** `off`: the platform is trusted to say stop by itself. */
export type Rate = RateLimit | 'off';

/** More in one window than any platform grants: such a number is a slip of the pen. */
const REQUESTS_MAX = 100_000;
/** A longer window would let a whole run through before the first slot came free again. */
const WINDOW_MS_MAX = 86_400_000;

/** Reads `20/2s` (or `20 / 2s`) or `off`; undefined for anything else, a limit of 0 included. */
export function parseRate(text: string): Rate | undefined {
  if (text === 'off') return 'off';
  const match = /^(\d{1,6}) ?\/ ?(\d+[a-z]{1,2})$/.exec(text);
  const requests = Number(match?.[1]);
  const perMs = parseDuration(match?.[2] ?? '');
  if (perMs === undefined || perMs === 0 || perMs > WINDOW_MS_MAX) return undefined;
  return requests >= 1 && requests <= REQUESTS_MAX ? { requests, perMs } : undefined;
}

/** Writes what `parseRate` reads. */
export function formatRate(rate: Rate): string {
  return rate === 'off' ? 'off' : `${rate.requests}/${formatDuration(rate.perMs)}`;
}
