// The table of claims: a row for each charge that nothing explains, and for each that may belong to an uncertain send.
import type { OutputColumn, OutputKind, OutputRow } from '../../ports/table-writer.js';
import type { JsonValue } from '../text/json.js';
import type { Judged } from './judge-tickets.js';

/** A time is the beginning of its quarter of an hour. */
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
  ['sent_at', 'dateTime', ({ known }) => known && timeOf(known.sentAt)],
  ['answered_at', 'dateTime', ({ known }) => known && timeOf(known.answeredAt)],
];

export const CLAIM_COLUMNS = CLAIMS.map(
  ([name, kind]): OutputColumn => ({ name, key: name, kind }),
);

export function claimRow(judged: Judged): OutputRow {
  return CLAIMS.map(([, , read]) => read(judged) ?? null);
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
