import type { Reject, SourceRecord } from '../model/lead.js';
import type { Detection, RecordBatch } from '../ports/lead-reader.js';
import { ColumnTable } from './column-table.js';
import { CsvRecords } from './csv/csv-records.js';
import { NdjsonRecords } from './ndjson-records.js';
import { type Placement, placementOf } from './place-cells.js';
import { LOOK, type ReadOptions } from './read-options.js';
import { type ParsedPiece, parseText } from './record-parser.js';
import { RowCount } from './row-count.js';
import type { Source } from './sources/open-source.js';
import { refuseOddGuess, type SourcePlan } from './sources/probe-source.js';
import { type Guess, readText, type TextChunk } from './stream-decoder.js';
import type { SheetPlan } from './xlsx/read-sheet.js';

export interface PlannedSource {
  readonly source: Source;
  readonly plan: SourcePlan;
  readonly rows: RowCount;
  /** Whether it was read to its end before: its rows are counted, and what is guessed of it is known. */
  readonly isReadThrough?: boolean;
  readonly guess?: Guess | undefined;
}

type BatchOptions = Pick<ReadOptions, 'encoding' | 'delimiter' | 'isLook'> & {
  readonly onGuess?: (guess: Guess) => void;
};

/** Reads from the start, with columns of its own: the headers of all tables, then keys as they come. */
export async function* readBatches(
  planned: readonly PlannedSource[],
  { encoding, delimiter, isLook, onGuess }: BatchOptions,
): AsyncGenerator<RecordBatch> {
  const table = new ColumnTable();
  const placements = placeAll(planned, table);
  const batch = new BatchBuilder(table, isLook === true ? LOOK.charsMax : BATCH_CHARS_MAX);
  for (const [index, { source, plan, rows, guess, isReadThrough }] of planned.entries()) {
    const placement = placements[index];
    if (placement === undefined) continue;
    const detect = (what: Detection['what'], value: string) =>
      batch.detect({ what, value, source: source.path });
    if (plan.format === 'csv' && delimiter === undefined && plan.dialect.delimiter !== ',') {
      detect('delimiter', plan.dialect.delimiter);
    }
    if (plan.format === 'xlsx' && plan.others.length > 0) {
      const { others, sheet } = plan;
      batch.detect({ what: 'sheet', value: sheet, source: source.path, others });
    }
    if (plan.format !== 'ndjson' && plan.isBelowOthers) detect('header', String(plan.headerLine));
    let isTold = false;
    const tell = (found: Guess) => {
      refuseOddGuess(source.path, found);
      onGuess?.(found);
      if (!isTold) detect('encoding', found.said);
      isTold = true;
    };
    if (guess !== undefined) tell(guess);
    const tellRows = () => {
      for (const [what, value] of rows.said) detect(what, value);
    };
    // Of a pipe it is known at its end.
    if (isReadThrough === true) tellRows();
    const counted = isReadThrough === true ? new RowCount() : rows;
    const chunks = () => readText(source.bytes(), encoding, tell);
    const all = readPieces({ source, plan }, { placement, table, chunks, counted });
    for await (const pieces of source.isLive ? withSilences(all) : all) {
      for (const piece of pieces ?? []) {
        counted.add(piece);
        batch.add(piece);
        if (batch.isFull) yield batch.take();
      }
      // The first 500 leads of a pipe are judged together, but those of a slow pipe must not wait for one another.
      const isDue = batch.wasTaken || pieces === SILENCE;
      if (source.isLive && isDue && !batch.isEmpty) yield batch.take();
    }
    if (isReadThrough !== true) tellRows();
  }
  // An input without leads gives one empty batch, which holds its columns.
  if (!batch.isDone) yield batch.take();
}

function placeAll(planned: readonly PlannedSource[], table: ColumnTable): Placement[] {
  const headers = planned.map(({ plan }) => (plan.format === 'ndjson' ? [] : plan.header));
  const places = headers.map((header) => table.addHeader(header));
  const columnCount = table.count;
  return headers.map((header, source) =>
    placementOf(source, header, { positions: places[source] ?? [], columnCount }),
  );
}

interface Reading {
  readonly placement: Placement;
  readonly table: ColumnTable;
  readonly chunks: () => AsyncIterable<TextChunk>;
  readonly counted: RowCount;
}

function readPieces(
  { source, plan }: Pick<PlannedSource, 'source' | 'plan'>,
  { placement, table, chunks, counted }: Reading,
): AsyncIterable<Iterable<ParsedPiece>> {
  switch (plan.format) {
    case 'xlsx':
      return readWorkbook(source, plan, placement, counted);
    case 'csv':
      return parseText(chunks(), new CsvRecords(plan.dialect, placement, plan));
    case 'ndjson':
      return parseText(chunks(), new NdjsonRecords(placement.source, table));
  }
}

const SILENCE = null;
const SILENT_AFTER_MS = 1_000;

/** The pieces of a pipe, with a SILENCE whenever none has come for a second. */
async function* withSilences<T>(all: AsyncIterable<T>): AsyncGenerator<T | typeof SILENCE> {
  const iterator = all[Symbol.asyncIterator]();
  let isWaiting = false;
  try {
    for (;;) {
      const next = iterator.next();
      isWaiting = true;
      if (await isSilent(next)) yield SILENCE;
      const { done, value } = await next;
      isWaiting = false;
      if (done === true) return;
      yield value;
    }
  } finally {
    // A silent pipe closes only when something comes.
    const closed = iterator.return?.().catch(() => undefined);
    if (!isWaiting) await closed;
  }
}

function isSilent(next: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, SILENT_AFTER_MS, true);
    const came = () => {
      clearTimeout(timer);
      resolve(false);
    };
    next.then(came, came);
  });
}

async function* readWorkbook(
  source: Source,
  plan: SheetPlan,
  placement: Placement,
  counted: RowCount,
): AsyncGenerator<Iterable<ParsedPiece>> {
  const { readSheet } = await import('./xlsx/read-sheet.js');
  yield* readSheet(source, plan, placement, counted);
}

const BATCH_RECORDS_MAX = 500;
const BATCH_CHARS_MAX = 4 * 1024 * 1024;

class BatchBuilder {
  readonly #table: ColumnTable;
  readonly #charsMax: number;
  #records: SourceRecord[] = [];
  #rejects: Reject[] = [];
  #chars = 0;
  #detected: Detection[] = [];
  readonly #known = new Set<string>();
  #wasTaken = false;

  constructor(table: ColumnTable, charsMax: number) {
    this.#table = table;
    this.#charsMax = charsMax;
  }

  get isEmpty(): boolean {
    return this.#records.length === 0 && this.#rejects.length === 0;
  }

  get isDone(): boolean {
    return this.isEmpty && this.#wasTaken && this.#detected.length === 0;
  }

  get wasTaken(): boolean {
    return this.#wasTaken;
  }

  /** True from 500 records, or 500 rejects, or so many characters of text on. */
  get isFull(): boolean {
    return (
      this.#records.length >= BATCH_RECORDS_MAX ||
      this.#rejects.length >= BATCH_RECORDS_MAX ||
      this.#chars >= this.#charsMax
    );
  }

  add({ record, reject, chars }: ParsedPiece): void {
    if (record !== undefined) this.#records.push(record);
    if (reject !== undefined) this.#rejects.push(reject);
    this.#chars += chars;
  }

  detect(detection: Detection): void {
    const { what, value } = detection;
    if (this.#known.has(`${what} ${value}`)) return;
    this.#known.add(`${what} ${value}`);
    this.#detected.push(detection);
  }

  take(): RecordBatch {
    const batch = {
      columns: this.#table.columns,
      records: this.#records,
      rejects: this.#rejects,
      ...(this.#detected.length > 0 && { detected: this.#detected }),
    };
    this.#wasTaken = true;
    this.#detected = [];
    this.#records = [];
    this.#rejects = [];
    this.#chars = 0;
    return batch;
  }
}
