import { openLeadReader } from '../../input/open-lead-reader.js';
import type { ReadOptions } from '../../input/read-options.js';
import {
  type DateOrder,
  findInvoiceColumns,
  INVOICE_PARTS,
  type InvoiceColumns,
  type InvoicePart,
  type InvoiceRow,
  type InvoiceWish,
  isTotalLine,
  orderOf,
  readInvoiceRow,
} from '../../model/audit/invoice.js';
import { sumCredits } from '../../model/credits.js';
import { SluiceError } from '../../model/errors.js';
import { tellColumns } from '../../model/mapping/tell-columns.js';
import { BadLineCounter, type BadLines } from '../../model/report/bad-lines.js';
import { exactText } from '../../model/text/json.js';
import type { RecordBatch } from '../../ports/lead-reader.js';
import type { Span } from '../../ports/store/charges.js';

export interface InvoiceSource {
  /** The table, or a pattern for several; `-` is standard input. */
  readonly file: string;
  readonly map: InvoiceWish;
  /** Absent if a day above 12 is to decide. */
  readonly dates?: DateOrder | undefined;
  readonly options: ReadOptions;
}

export interface InvoiceFacts {
  readonly columns: Readonly<Partial<Record<InvoicePart, string>>>;
  readonly rows: number;
  readonly credits: number;
  readonly unreadable: BadLines;
  /** The line of totals; null without one. */
  readonly totalLine: number | null;
  /** The span of all dates; null without dates. */
  readonly dates: Span | null;
}

/**
 * Reads the list, and gives each row to `take`. If several columns may hold tickets, the one whose values `countKnown`
 * knows best does.
 * @throws SluiceError `input` for a table that cannot be read, `usage` for one without tickets
 */
export async function readInvoice(
  { dates: stated, file, map, options }: InvoiceSource,
  countKnown: (tickets: readonly string[]) => Promise<number>,
  take: (row: InvoiceRow) => void,
): Promise<InvoiceFacts> {
  const reader = await openLeadReader([file], options);
  let places: InvoiceColumns | undefined;
  let columns: InvoiceFacts['columns'] = {};
  let [rows, credits] = [0, 0];
  const unreadable = new BadLineCounter();
  let totalLine: number | null = null;
  let dates: Span | null = null;
  let order = stated;
  for await (const batch of reader.batches()) {
    if (batch.columns.length === 0) continue;
    places ??= await chooseColumns(batch, map, countKnown);
    columns = namesOf(places, batch);
    const at = places;
    order ??= batch.records
      .map(({ cells }) => orderOf(cells.map(exactText), at))
      .find((one) => one !== undefined);
    for (const { line, reason } of batch.rejects) unreadable.add(`line ${line}`, reason);
    for (const { cells, flaw, line } of batch.records) {
      const texts = cells.map(exactText);
      if (flaw === undefined && isTotalLine(texts, places, credits)) {
        totalLine = line;
        continue;
      }
      const row = flaw ?? readInvoiceRow(texts, places, line, order);
      if (row === null) continue;
      if (typeof row === 'string') {
        unreadable.add(`line ${line}`, row);
        continue;
      }
      rows += 1;
      credits = sumCredits([credits, row.credits ?? 0]);
      if (row.when !== null) dates = widened(dates, row.when);
      take(row);
    }
  }
  const { count, first } = unreadable;
  return { columns, rows, credits, unreadable: { count, first }, totalLine, dates };
}

export function widened(span: Span | null, { from, until }: Span): Span {
  if (span === null) return { from, until };
  return { from: Math.min(span.from, from), until: Math.max(span.until, until) };
}

function namesOf(places: InvoiceColumns, { columns }: RecordBatch): InvoiceFacts['columns'] {
  const names = INVOICE_PARTS.flatMap((part) => {
    const { [part]: at } = places;
    return at === undefined ? [] : [[part, columns[at]?.key]];
  });
  return Object.fromEntries(names);
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
      {},
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
  throw new SluiceError(
    'usage',
    'The invoice has no column of tickets, so it shows no single charges. "sluice audit" needs a list with one row for each charge, with its ticket or the id of its request: ask the platform for it, or name the column with --map ticket=COLUMN.',
    {},
    { aside: tellColumns(columns) },
  );
}
