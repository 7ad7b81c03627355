// How long a throttled client is told to stay away.
import { parseWait } from '../text/http-time.js';

/** No platform means longer than this; a longer wait is a wrong clock or a wrong unit. */
export const RETRY_AFTER_MS_MAX = 3_600_000;

/**
 * Reads `Retry-After` (seconds, also with a fraction, or a date) into milliseconds from `nowMs`,
 * between 0 and one hour; undefined when it cannot be read.
 */
export function parseRetryAfter(text: string, nowMs: number): number | undefined {
  return parseWait(text, 'auto', nowMs, RETRY_AFTER_MS_MAX);
}
