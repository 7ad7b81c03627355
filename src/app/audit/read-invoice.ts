// Reads a platform's list of charges, row by row.
import { openLeadReader } from '../../input/open-lead-reader.js';
import type { ReadOptions } from '../../input/read-options.js';
import {
  findInvoiceColumns,
  INVOICE_PARTS,
  type InvoiceColumns,
  type InvoicePart,
  type InvoiceRow,
  type InvoiceWish,
  readInvoiceRow,
} from '../../model/audit/invoice.js';
import type { Zone } from '../../model/audit/zoned-time.js';
import { SluiceError } from '../../model/errors.js';
import { tellColumns } from '../../model/mapping/tell-columns.js';
import { exactText } from '../../model/text/json.js';
import type { RecordBatch } from '../../ports/lead-reader.js';

export interface InvoiceSource {
  /** The table, or a pattern for several; `-` is standard input. */
  readonly file: string;
  readonly map: InvoiceWish;
  readonly zone: Zone;
  readonly options: ReadOptions;
}

export interface Unreadable {
  readonly line: number;
  readonly reason: string;
}

/** A part of the list, with the names of its columns. */
export interface InvoicePiece {
  readonly columns: Readonly<Partial<Record<InvoicePart, string>>>;
  readonly rows: readonly InvoiceRow[];
  readonly unreadable: readonly Unreadable[];
}

/**
 * Reads the list. If several columns may hold tickets, the one whose values `countKnown` knows best does.
 * @throws SluiceError `input` for a table that cannot be read, `usage` for one without the columns
 */
export async function* readInvoice(
  { file, map, options, zone }: InvoiceSource,
  countKnown: (tickets: readonly string[]) => Promise<number>,
): AsyncGenerator<InvoicePiece, void> {
  const reader = await openLeadReader([file], options);
  let columns: InvoiceColumns | undefined;
  for await (const batch of reader.batches()) {
    if (batch.columns.length > 0) columns ??= await chooseColumns(batch, map, countKnown);
    const places = columns ?? {};
    const rows: InvoiceRow[] = [];
    const unreadable: Unreadable[] = batch.rejects.map(({ line, reason }) => ({ line, reason }));
    for (const { cells, flaw, line } of batch.records) {
      const row = flaw ?? readInvoiceRow(cells.map(exactText), places, { line, zone });
      if (typeof row === 'string') unreadable.push({ line, reason: row });
      else if (row !== null) rows.push(row);
    }
    const names = INVOICE_PARTS.flatMap((part) => {
      const { [part]: at } = places;
      return at === undefined ? [] : [[part, batch.columns[at]?.key]];
    });
    yield { columns: Object.fromEntries(names), rows, unreadable };
  }
}

async function chooseColumns(
  { columns, records }: RecordBatch,
  map: InvoiceWish,
  countKnown: (tickets: readonly string[]) => Promise<number>,
): Promise<InvoiceColumns> {
  const { found, tickets, unknown } = findInvoiceColumns(columns, map);
  const [part] = unknown;
  if (part !== undefined) {
    throw new SluiceError(
      'usage',
      `${part} is mapped to the column "${map[part]}", which the invoice does not have. Name another with --map ${part}=COLUMN.`,
      { part },
      { aside: tellColumns(columns) },
    );
  }
  const texts = (index: number) =>
    records.map(({ cells }) => exactText(cells[index] ?? '').trim()).filter((text) => text !== '');
  let most = -1;
  let chosen: number | undefined;
  for (const index of tickets) {
    const count = tickets.length === 1 ? 0 : await countKnown(texts(index));
    if (count > most) [chosen, most] = [index, count];
  }
  const places = chosen === undefined ? found : { ...found, ticket: chosen };
  if (places.ticket !== undefined) return places;
  if (places.date !== undefined && places.credits !== undefined) return places;
  throw new SluiceError(
    'usage',
    `The invoice needs a column of tickets, or one of dates and one of credits, and ${missing(places)} not found. Say which is which with --map, of ${INVOICE_PARTS.map((one) => `${one}=COLUMN`).join(', ')}.`,
    {},
    { aside: tellColumns(columns) },
  );
}

function missing(places: InvoiceColumns): string {
  const lacking = INVOICE_PARTS.filter((part) => places[part] === undefined);
  return `${lacking.join(' and ')} ${lacking.length === 1 ? 'was' : 'were'}`;
}
