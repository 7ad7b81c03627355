// CSV records under the header of their file, put in the order of the columns of the whole input.

import type { Reject, SourceRecord } from '../../model/lead.js';
import { formatCount } from '../../model/text/count.js';
import { cutRaw, INVALID_BYTES, type ParsedPiece, type RecordParser } from '../record-parser.js';
import type { TextChunk } from '../stream-decoder.js';
import { type CsvDialect, CsvReader, type CsvRecord } from './csv-reader.js';

/** Where the cells of one file belong among the columns of all files. */
export interface CsvPlacement {
  readonly source: number;
  /** For each cell under the file's own header: the position of its column in the input. */
  readonly positions: readonly number[];
  readonly columnCount: number;
}

// Far more cells than any honest mistake makes, and still few enough to notice soon.
const RUNAWAY_FACTOR = 4;
const RUNAWAY_CELLS = 64;

/**
 * Skips the header, which is the first record. A record with too few cells is kept, filled up with
 * empty ones, and flawed. One with too many is kept too, cut to the header: where one of its surplus
 * cells holds something, it is flawed, and the raw record is a reject as well.
 */
export class CsvRecords implements RecordParser {
  readonly #reader: CsvReader;
  readonly #placement: CsvPlacement;
  readonly #isInPlace: boolean;
  #isHeaderRead = false;
  #hasInvalidBytes = false;

  constructor(dialect: CsvDialect, placement: CsvPlacement) {
    const cellsMax = RUNAWAY_FACTOR * placement.positions.length + RUNAWAY_CELLS;
    this.#reader = new CsvReader(dialect, { cellsMax });
    this.#placement = placement;
    this.#isInPlace =
      placement.positions.length === placement.columnCount &&
      placement.positions.every((position, index) => position === index);
  }

  push(chunk: TextChunk): void {
    const isStillOpen = this.#hasInvalidBytes && this.#reader.hasRemainder;
    this.#hasInvalidBytes = isStillOpen || chunk.hasInvalidBytes;
    this.#reader.push(chunk.text);
  }

  end(): void {
    this.#reader.end();
  }

  next(): ParsedPiece | null {
    if (!this.#isHeaderRead) this.#isHeaderRead = this.#reader.next() !== null;
    const found = this.#isHeaderRead ? this.#reader.next() : null;
    if (found === null) return null;
    const chars = found.raw.length;
    if (found.kind === 'record') return this.#place(found, chars);
    const { line, reason, raw } = found;
    return { reject: { source: this.#placement.source, line, reason, raw }, chars };
  }

  #place(found: CsvRecord, chars: number): ParsedPiece {
    const { source, positions } = this.#placement;
    const { line } = found;
    const cells = withoutEmptyRest(found.cells, positions.length);
    const flaw = this.#findFlaw(found, cells.length);
    const placed = this.#align(cells);
    if (flaw === '') return { record: { source, line, cells: placed }, chars };
    const record: SourceRecord = { source, line, cells: placed, flaw };
    if (cells.length <= positions.length) return { record, chars };
    const reason = `${flaw}; the surplus cells stand only here`;
    const reject: Reject = { source, line, reason, raw: cutRaw(found.raw) };
    return { record, reject, chars };
  }

  #findFlaw(found: CsvRecord, length: number): string {
    const flaws: string[] = [];
    const width = this.#placement.positions.length;
    if (length !== width) flaws.push(describeRagged(found, width));
    if (found.isSuspect) flaws.push(REST_OF_BROKEN);
    if (this.#hasInvalidBytes && found.raw.includes('\uFFFD')) flaws.push(INVALID_BYTES);
    return flaws.join('; ');
  }

  #align(cells: string[]): string[] {
    const { positions, columnCount } = this.#placement;
    if (this.#isInPlace && cells.length === columnCount) return cells;
    const placed = Array<string>(columnCount).fill('');
    for (const [index, position] of positions.entries()) placed[position] = cells[index] ?? '';
    return placed;
  }
}

/** Spreadsheets write delimiters behind the last cell now and then: as much as nothing. */
function withoutEmptyRest(cells: string[], width: number): string[] {
  const isEmpty = cells.length > width && cells.every((cell, n) => n < width || cell.trim() === '');
  return isEmpty ? cells.slice(0, width) : cells;
}

const REST_OF_BROKEN =
  'stray_quote: it may be the rest of a record whose quotes broke on an earlier line';

function describeRagged({ cells, line, lineCount }: CsvRecord, width: number): string {
  const counted = `ragged_row: ${formatCount(cells.length, 'cell')} under ${formatCount(width, 'column')}`;
  if (lineCount === 1) return counted;
  return `${counted}, on lines ${line} to ${line + lineCount - 1} (is a quote left open there?)`;
}
