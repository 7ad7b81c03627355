// A ticket as it comes over the wire: it will stand in a path, in the state file and in log lines.
import type { JsonValue } from '../../model/text/json.js';

const TICKET_LENGTH_MAX = 200;

/**
 * A non-empty string without blanks or controls, at most 200 characters (docs/platform-api.md, Enrichment);
 * a whole number is written out, because the lead behind it is paid for. Undefined for anything else.
 */
export function decodeTicket(raw: JsonValue | undefined): string | undefined {
  if (typeof raw === 'number') return Number.isSafeInteger(raw) ? String(raw) : undefined;
  if (typeof raw !== 'string' || raw.length > TICKET_LENGTH_MAX) return undefined;
  return /^[^\s\p{Cc}\p{Surrogate}]+$/u.test(raw) ? raw : undefined;
}
