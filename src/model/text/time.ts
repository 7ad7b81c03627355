// Times as text: durations in job and dialect files, waits in HTTP headers.
import { parseDate } from './date.js';

const UNITS_MS: ReadonlyMap<string, number> = new Map([
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
]);

/** Reads `30d`, `2h`, `90m`, `10s` or `500ms` into milliseconds; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d{1,12})([a-z]{1,2})$/.exec(text);
  const durationMs = Number(match?.[1]) * (UNITS_MS.get(match?.[2] ?? '') ?? Number.NaN);
  return Number.isSafeInteger(durationMs) ? durationMs : undefined;
}

/** Writes whole milliseconds in the largest unit that divides them, as `parseDuration` reads them. */
export function formatDuration(durationMs: number): string {
  for (const [unit, unitMs] of UNITS_MS) {
    if (durationMs >= unitMs && durationMs % unitMs === 0) return `${durationMs / unitMs}${unit}`;
  }
  return `${durationMs}ms`;
}

/** `auto` decides by size, `epoch` is in seconds or milliseconds; only the sandbox has to tell the dates apart. */
const DATE_FORMATS = ['date', 'iso', 'javascript'] as const;
export const RESET_FORMATS = ['auto', 'seconds', 'epoch', 'epoch-ms', ...DATE_FORMATS] as const;
export type ResetFormat = (typeof RESET_FORMATS)[number];

/** The longest wait that a header may mean; a longer one comes from a wrong clock or a wrong unit. */
export const HEADER_WAIT_MS_MAX = 3_600_000;

/** A bare number from here on (31 years) is not a wait, but a moment since 1970. */
const EPOCH_SECONDS_MIN = 1e9;
const EPOCH_MS_MIN = 1e11;

/**
 * Milliseconds from `nowMs`, 0 to `waitMsMax`, of a header such as `Retry-After`: seconds (also with a fraction), epoch
 * seconds, epoch milliseconds, or a date. Undefined for a text in none of the forms that `format` allows.
 */
export function parseWait(
  text: string,
  format: ResetFormat,
  nowMs: number,
  waitMsMax = HEADER_WAIT_MS_MAX,
): number | undefined {
  const waitMs = rawWait(text.trim(), format, nowMs);
  return waitMs === undefined ? undefined : Math.min(waitMsMax, Math.max(0, waitMs));
}

function rawWait(text: string, format: ResetFormat, nowMs: number): number | undefined {
  if (/^[+-]?\d{1,20}(\.\d{1,9})?$/.test(text)) {
    if (isDate(format)) return undefined;
    const value = Number(text);
    if (format === 'seconds') return Math.ceil(value * 1_000);
    if (format === 'epoch-ms' || value >= EPOCH_MS_MIN) return value - nowMs;
    if (format === 'epoch' || value >= EPOCH_SECONDS_MIN) return value * 1_000 - nowMs;
    return Math.ceil(value * 1_000);
  }
  const instant = format === 'auto' || isDate(format) ? parseDate(text) : undefined;
  return instant === undefined ? undefined : instant - nowMs;
}

function isDate(format: ResetFormat): boolean {
  return DATE_FORMATS.some((one) => one === format);
}
