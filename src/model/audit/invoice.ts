// A platform's own list of charges: its columns, and what a row says.
import type { Span } from '../../ports/store/charges.js';
import { fromThousandths, toThousandths } from '../credits.js';
import { platformTicket } from '../enrichment/shared-ticket.js';
import type { Column } from '../lead.js';
import { findColumn } from '../mapping/find-column.js';
import { foldedHeaders, foldHeader } from '../mapping/usual-headers.js';
import { parseDate } from '../text/date.js';

export const INVOICE_PARTS = ['ticket', 'date', 'credits'] as const;
export type InvoicePart = (typeof INVOICE_PARTS)[number];

/** The columns by the names that the user gives them; `''` for none. */
export type InvoiceWish = Readonly<Partial<Record<InvoicePart, string>>>;
export type InvoiceColumns = Readonly<Partial<Record<InvoicePart, number>>>;

/** The part that comes first in dates such as `11/12/2026`: the day or the month. */
export type DateOrder = 'dmy' | 'mdy';

/** The usual headers of these columns, the clearest first. */
const HEADERS: Readonly<Record<InvoicePart, readonly string[]>> = {
  ticket: foldedHeaders(`
    Ticket, Ticket id, Enrichment id, Enrichment, Request id, Request, Job id, Task id, Lookup id, Operation id,
    External id, Reference, Reference id, Ref, Object id, Id, Vorgang, Referenz, Référence, Referencia`),
  date: foldedHeaders(`
    Charged at, Charge date, Date, Day, Timestamp, Time, Created at, Created, Date (UTC), Usage date, Transaction date,
    Used at, Completed at, Datum, Tag, Jour, Fecha, Día, Data, Giorno`),
  credits: foldedHeaders(`
    Credits, Credits charged, Charged credits, Credits used, Used credits, Credits spent, Credit cost, Charged, Cost,
    Total credits, Credit usage, Usage, Spent, Price, Amount, Total, Units, Crédits, Créditos, Crediti, Guthaben, Betrag`),
};

export interface InvoiceRow {
  readonly line: number;
  readonly ticket: string;
  /** Null if the list has no column of credits: each row is a charge of an unknown size. */
  readonly credits: number | null;
  readonly when: Span | null;
  /** The date as it is written. */
  readonly date: string;
}

/** The places of the columns that the user named, and the candidates for the others. */
export function findInvoiceColumns(
  columns: readonly Column[],
  wish: InvoiceWish,
): {
  readonly found: InvoiceColumns;
  readonly tickets: readonly number[];
  readonly unknown: InvoicePart[];
} {
  const found: Partial<Record<InvoicePart, number>> = {};
  const unknown: InvoicePart[] = [];
  for (const part of INVOICE_PARTS) {
    const wished = wish[part];
    if (wished === undefined || wished === '') continue;
    const place = findColumn(columns, wished);
    if (place === undefined || place.path !== undefined) unknown.push(part);
    else found[part] = place.index;
  }
  const candidates = (part: InvoicePart): number[] => {
    const names = columns.map(({ name }) => foldHeader(name));
    const taken = Object.values(found);
    return HEADERS[part].flatMap((header) =>
      names.flatMap((name, index) => (name === header && !taken.includes(index) ? [index] : [])),
    );
  };
  for (const part of ['date', 'credits'] as const) {
    const [index] = wish[part] === undefined ? candidates(part) : [];
    if (index !== undefined) found[part] = index;
  }
  return { found, tickets: wish.ticket === undefined ? candidates('ticket') : [], unknown };
}

/** Reads a row. A text says why it cannot be read; an empty row is null. */
export function readInvoiceRow(
  cells: readonly string[],
  columns: InvoiceColumns,
  line: number,
  order?: DateOrder,
): InvoiceRow | string | null {
  const { amount, date, ticket } = partsOf(cells, columns);
  if (!ticket && !date && !amount) return null;
  if (isTotal(ticket)) return 'it has no ticket, and its credits are not the sum of those above it';
  if (date === '') return 'it has no date';
  const when = date === undefined ? null : readWhen(date, order);
  if (when === undefined)
    return 'its date cannot be read: write it as 2026-11-21, or say --dates dmy or mdy';
  const credits = amount === undefined ? null : readCredits(amount);
  if (credits === undefined) return 'its credits are no number with three decimals at most';
  return { line, ticket: platformTicket(ticket) ?? ticket, credits, when, date: date ?? '' };
}

/** Whether a row is a line of totals: it has no ticket, and the credits of all rows above it. */
export function isTotalLine(
  cells: readonly string[],
  columns: InvoiceColumns,
  above: number,
): boolean {
  const { amount = '', ticket } = partsOf(cells, columns);
  return isTotal(ticket) && above !== 0 && readCredits(amount) === above;
}

function partsOf(cells: readonly string[], columns: InvoiceColumns) {
  const cell = (index: number | undefined) =>
    index === undefined ? undefined : (cells[index] ?? '').trim();
  const [ticket = '', date, amount] = INVOICE_PARTS.map((part) => cell(columns[part]));
  return { ticket, date, amount };
}

const TOTAL = /^(?:(?:grand )?total|totale|sum|summe|gesamt|gesamtsumme|somme|suma)(?:[ :].*)?$/i;

function isTotal(ticket: string): boolean {
  return ticket === '' || TOTAL.test(ticket);
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** `11/12/2026`, perhaps with a time after it. */
const SLASHED = /^(\d{1,2})\/(\d{1,2})\/(\d{4})\b/;

/** The order of a date that has a number above 12; undefined for any other. */
export function orderOf(cells: readonly string[], columns: InvoiceColumns): DateOrder | undefined {
  const [, first, second] = SLASHED.exec(partsOf(cells, columns).date ?? '') ?? [];
  if (Number(first) > 12) return 'dmy';
  return Number(second) > 12 ? 'mdy' : undefined;
}

/** A day or a minute, in UTC unless it names its zone; undefined for anything else: `11/12/2026` has two meanings. */
function readWhen(text: string, order: DateOrder | undefined): Span | undefined {
  const dotted = text.replace(SLASHED, (date, first: string, second: string, year: string) => {
    if (order === undefined) return date;
    return order === 'dmy' ? `${first}.${second}.${year}` : `${second}.${first}.${year}`;
  });
  const from = parseDate(dotted);
  if (from === undefined) return undefined;
  return { from, until: from + (dotted.includes(':') ? MINUTE_MS : DAY_MS) };
}

/** `5`, `-5`, `1,234.5` and `2,5`; undefined for anything else. */
function readCredits(text: string): number | undefined {
  const isPlain = /^[+-]?\d{1,12}(?:\.\d{1,9})?$/.test(text);
  const isGrouped = /^[+-]?\d{1,3}(?:,\d{3}){1,4}(?:\.\d{1,9})?$/.test(text);
  const isComma = /^[+-]?\d{1,12},\d{1,2}$/.test(text);
  if (!isPlain && !isGrouped && !isComma) return undefined;
  const value = Number(isComma ? text.replace(',', '.') : text.replaceAll(',', ''));
  const credits = fromThousandths(toThousandths(value));
  return credits === value ? credits : undefined;
}
