// The table of claims: a row for each charge that nothing explains, and for each that may belong to an uncertain send.
import { QUARTER_MS } from '../../ports/store/charges.js';
import type { OutputColumn, OutputKind, OutputRow } from '../../ports/table-writer.js';
import type { JsonValue } from '../text/json.js';
import type { Judged } from './judge-tickets.js';

const CLAIMS: readonly (readonly [
  name: string,
  kind: OutputKind,
  read: (judged: Judged) => JsonValue | undefined,
])[] = [
  ['finding', 'text', ({ finding }) => finding],
  // Empty where only the digest of a ticket is known.
  ['ticket', 'text', ({ known, row }) => row?.ticket ?? known?.ticket],
  ['invoice_line', 'integer', ({ row }) => row?.line],
  ['invoice_date', 'text', ({ row }) => row?.date],
  ['invoice_credits', 'number', ({ row }) => row?.credits],
  ['known_credits', 'number', ({ known }) => known?.credits],
  ['over', 'number', ({ over }) => over],
  ['asked', 'text', ({ known }) => known?.ask.join(',')],
  ['outcome', 'text', ({ known }) => known?.outcome],
  ['sent_within', 'text', ({ known }) => known && quarterAt(known.sentAt)],
  ['answered_within', 'text', ({ known }) => known && quarterAt(known.answeredAt)],
];

export const CLAIM_COLUMNS = CLAIMS.map(
  ([name, kind]): OutputColumn => ({ name, key: name, kind }),
);

export function claimRow(judged: Judged): OutputRow {
  return CLAIMS.map(([, , read]) => read(judged) ?? null);
}

/** The quarter of an hour that begins then, as an interval of ISO 8601: `2026-11-21T10:15Z/10:30Z`. */
function quarterAt(ms: number): string {
  const [from, until] = [ms, ms + QUARTER_MS].map((at) => new Date(at).toISOString());
  return `${from?.slice(0, 16)}Z/${until?.slice(11, 16)}Z`;
}
