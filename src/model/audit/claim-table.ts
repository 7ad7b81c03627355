// The table of claims: a row for each charge that nothing explains, and for each that may belong to an uncertain send;
// of a list of sums, a row for each day or month that does not agree.
import type { OutputColumn, OutputKind, OutputRow } from '../../ports/table-writer.js';
import type { JsonValue } from '../text/json.js';
import type { Judged } from './judge-tickets.js';
import type { JudgedTotal } from './judge-totals.js';

type Columns<T> = readonly (readonly [
  name: string,
  kind: OutputKind,
  read: (value: T) => JsonValue | undefined,
])[];

/** A time is the beginning of its quarter of an hour. */
const CLAIMS: Columns<Judged> = [
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

const TOTALS: Columns<JudgedTotal> = [
  ['period', 'text', ({ label }) => label],
  ['finding', 'text', ({ finding }) => finding],
  ['invoice_credits', 'number', ({ credits }) => credits],
  ['known_credits_least', 'number', ({ least }) => least],
  ['known_credits_most', 'number', ({ most }) => most],
  ['over', 'number', ({ over }) => over],
  ['sends_without_answer', 'integer', ({ open }) => open],
];

export const CLAIM_TABLE = tableOf(CLAIMS);
export const TOTAL_TABLE = tableOf(TOTALS);

function tableOf<T>(columns: Columns<T>) {
  return {
    columns: columns.map(([name, kind]): OutputColumn => ({ name, key: name, kind })),
    row: (value: T): OutputRow => columns.map(([, , read]) => read(value) ?? null),
  };
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
