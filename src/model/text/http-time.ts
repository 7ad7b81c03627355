// Instants and waits as HTTP headers tell them. Platforms differ, so each form is read: seconds, epoch
// seconds, epoch milliseconds, an HTTP date or an ISO date.

/** How the platform writes the moment at which the limit starts afresh; `auto` tells them apart by size. */
export const RESET_FORMATS = ['auto', 'seconds', 'epoch', 'date'] as const;
export type ResetFormat = (typeof RESET_FORMATS)[number];

/** From here on a bare number is no wait any more (31 years) but a moment since 1970. */
const EPOCH_SECONDS_MIN = 1e9;
const EPOCH_MS_MIN = 1e11;

const HTTP_DATE = /^(mon|tues?|wed(nes)?|thu(rs)?|fri|sat(ur)?|sun)(day)?,? /i;
const ISO_DATE = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?)?/;
const ZONE = /(z|gmt|utc|[+-]\d\d:?\d\d)$/i;

/**
 * Milliseconds from `nowMs` until what `text` tells; never negative, at most `waitMsMax`; undefined
 * when it tells nothing in this format.
 */
export function parseWait(
  text: string,
  format: ResetFormat,
  nowMs: number,
  waitMsMax: number,
): number | undefined {
  const waitMs = rawWait(text.trim(), format, nowMs);
  return waitMs === undefined ? undefined : Math.min(waitMsMax, Math.max(0, waitMs));
}

function rawWait(text: string, format: ResetFormat, nowMs: number): number | undefined {
  if (/^[+-]?\d{1,20}(\.\d{1,9})?$/.test(text)) {
    if (format === 'date') return undefined;
    const value = Number(text);
    if (format === 'seconds') return Math.ceil(value * 1_000);
    if (value >= EPOCH_MS_MIN) return value - nowMs;
    if (format === 'epoch' || value >= EPOCH_SECONDS_MIN) return value * 1_000 - nowMs;
    return Math.ceil(value * 1_000);
  }
  if (format === 'seconds' || format === 'epoch') return undefined;
  const instant = parseHttpDate(text);
  return instant === undefined ? undefined : instant - nowMs;
}

/** Reads an HTTP date (all three forms of RFC 9110) or an ISO date, UTC where no zone is told, into epoch milliseconds. */
export function parseHttpDate(text: string): number | undefined {
  if (!HTTP_DATE.test(text) && !ISO_DATE.test(text)) return undefined;
  // Date.parse would read an ISO time without a zone, and asctime, in the zone of this machine.
  const isDayOnly = /^\d{4}-\d\d-\d\d$/.test(text);
  const zone = HTTP_DATE.test(text) ? ' GMT' : 'Z';
  const instant = Date.parse(isDayOnly || ZONE.test(text) ? text : text + zone);
  return Number.isNaN(instant) ? undefined : instant;
}
