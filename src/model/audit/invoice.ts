// A platform's own list of charges: its columns, and what a row says.

import { fromThousandths, toThousandths } from '../credits.js';
import { platformTicket } from '../enrichment/platform-ticket.js';
import type { Column } from '../lead.js';
import { findColumn } from '../mapping/find-column.js';
import { foldHeader } from '../mapping/usual-headers.js';
import { readWhen, type When, type Zone } from './zoned-time.js';

export const INVOICE_PARTS = ['ticket', 'date', 'credits'] as const;
export type InvoicePart = (typeof INVOICE_PARTS)[number];

/** The columns by the names that the user gives them; `''` for none. */
export type InvoiceWish = Readonly<Partial<Record<InvoicePart, string>>>;
export type InvoiceColumns = Readonly<Partial<Record<InvoicePart, number>>>;

/** The usual headers of these columns, the clearest first. */
const HEADERS: Readonly<Record<InvoicePart, readonly string[]>> = {
  ticket: folded(`
    Ticket, Ticket id, Enrichment id, Enrichment, Request id, Request, Job id, Task id, Lookup id, Operation id,
    External id, Reference, Reference id, Ref, Object id, Id, Vorgang, Referenz, Référence, Referencia`),
  date: folded(`
    Charged at, Charge date, Date, Day, Month, Period, Billing period, Timestamp, Time, Created at, Created, Date (UTC),
    Usage date, Transaction date, Used at, Completed at, Datum, Tag, Monat, Jour, Mois, Fecha, Día, Mes, Data, Giorno`),
  credits: folded(`
    Credits, Credits charged, Charged credits, Credits used, Used credits, Credits spent, Credit cost, Charged, Cost,
    Total credits, Credit usage, Usage, Spent, Price, Amount, Total, Units, Crédits, Créditos, Crediti, Guthaben, Betrag`),
};

export interface InvoiceRow {
  /** Its line in the file. */
  readonly line: number;
  /** Null if the list has no tickets. */
  readonly ticket: string | null;
  /** Null if the list has no column of credits: each row is a charge of an unknown size. */
  readonly credits: number | null;
  readonly when: When | null;
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
  { line, zone }: { readonly line: number; readonly zone: Zone },
): InvoiceRow | string | null {
  const cell = (part: InvoicePart): string | undefined => {
    const { [part]: index } = columns;
    return index === undefined ? undefined : (cells[index] ?? '').trim();
  };
  const [ticket, date, amount] = INVOICE_PARTS.map(cell);
  if (!ticket && !date && !amount) return null;
  if (ticket === '') return 'it has no ticket';
  if (date === '') return 'it has no date';
  const when = date === undefined ? null : (readWhen(date, zone) ?? undefined);
  if (when === undefined) return `its date cannot be read: write it as 2026-11-21 or 2026-11`;
  const credits = amount === undefined ? null : readCredits(amount);
  if (credits === undefined) return 'its credits are no number with three decimals at most';
  return {
    line,
    ticket: ticket === undefined ? null : (platformTicket(ticket) ?? ticket),
    credits,
    when,
    date: date ?? '',
  };
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

function folded(names: string): readonly string[] {
  return names.split(',').map(foldHeader);
}
