// Deliveries that the listener refused although their address was right: the platform sends what nobody here can read.
import type { RefusedDeliveries } from '../../ports/store/deliveries.js';
import { formatCount } from '../text/count.js';
import { formatTime } from '../text/format-time.js';

/** As clauses (docs/webhooks.md). Those that pass, as a closing listener, are not counted: the platform sends again. */
export const REFUSED_FOR = {
  broken_event: 'an event without a usable _id or type',
  broken_off: 'the body broke off',
  not_json: 'not JSON',
  not_text: 'no text in its charset',
  too_deep: 'nested too deeply',
  too_large: 'too large',
  too_many_values: 'too many values',
  unknown_encoding: 'packed in a form that is not known',
  wrong_secret: 'the webhook secret is missing or not right',
  wrong_signature: 'the signature is missing or not right',
} as const;

/** The content encodings that are told by their names: a header may hold anything. */
const ENCODINGS: ReadonlySet<string> = new Set(['br', 'compress', 'deflate', 'gzip', 'zstd']);

/** A `Content-Encoding` as it is counted; empty for none. */
export function encodingOf(header: string | undefined): string {
  const name = header?.trim().toLowerCase().replace(/^x-/, '') ?? '';
  if (name === '' || name === 'identity') return '';
  return ENCODINGS.has(name) ? name : 'other';
}

/** `2 deliveries to this run's address were refused since …: not JSON (Content-Encoding: gzip).` */
export function tellRefused(
  { count, encoding, firstAt, reason }: RefusedDeliveries,
  whose = "to this run's address ",
): string {
  const why = tellReason({ encoding, reason });
  return `${formatCount(count, `delivery ${whose}was`, `deliveries ${whose}were`)} refused since ${formatTime(firstAt)} (UTC): ${why}.`;
}

export function tellReason({
  encoding,
  reason,
}: Pick<RefusedDeliveries, 'encoding' | 'reason'>): string {
  const clause = (REFUSED_FOR as Readonly<Record<string, string>>)[reason] ?? reason;
  return encoding === '' ? clause : `${clause} (Content-Encoding: ${encoding})`;
}

export function refusedData({ count, encoding, firstAt, lastAt, reason }: RefusedDeliveries) {
  return { reason, contentEncoding: encoding === '' ? null : encoding, count, firstAt, lastAt };
}
