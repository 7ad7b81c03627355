// CSV records under the header of their file, put in the order of the columns of the whole input.
import type { Reject, SourceRecord } from '../../model/lead.js';
import { cutRaw } from '../cut-raw.js';
import type { TextChunk } from '../encoding/stream-decoder.js';
import { INVALID_BYTES, type ParsedPiece, type RecordParser } from '../record-parser.js';
import type { CsvDialect } from './csv-dialect.js';
import { CsvScanner, type ScannedRecord } from './csv-scanner.js';

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
 * empty ones, and flawed. One with too many is kept too, cut to the header: since its surplus cells
 * have no column to stand in, the raw record is a reject besides.
 */
export class CsvRecords implements RecordParser {
  readonly #scanner: CsvScanner;
  readonly #placement: CsvPlacement;
  readonly #isInPlace: boolean;
  #isHeaderRead = false;
  #hasInvalidBytes = false;

  constructor(dialect: CsvDialect, placement: CsvPlacement) {
    const cellsMax = RUNAWAY_FACTOR * placement.positions.length + RUNAWAY_CELLS;
    this.#scanner = new CsvScanner(dialect, { cellsMax });
    this.#placement = placement;
    this.#isInPlace =
      placement.positions.length === placement.columnCount &&
      placement.positions.every((position, index) => position === index);
  }

  push(chunk: TextChunk): void {
    const isStillOpen = this.#hasInvalidBytes && this.#scanner.hasRemainder;
    this.#hasInvalidBytes = isStillOpen || chunk.hasInvalidBytes;
    this.#scanner.push(chunk.text);
  }

  end(): void {
    this.#scanner.end();
  }

  next(): ParsedPiece | null {
    if (!this.#isHeaderRead) this.#isHeaderRead = this.#scanner.next() !== null;
    const scanned = this.#isHeaderRead ? this.#scanner.next() : null;
    if (scanned === null) return null;
    const chars = scanned.raw.length;
    if (scanned.kind === 'record') return this.#place(scanned, chars);
    const { line, reason, raw } = scanned;
    return { reject: { source: this.#placement.source, line, reason, raw }, chars };
  }

  #place(scanned: ScannedRecord, chars: number): ParsedPiece {
    const { source } = this.#placement;
    const { line, cells } = scanned;
    const flaw = this.#findFlaw(scanned);
    const placed = this.#align(cells);
    if (flaw === '') return { record: { source, line, cells: placed }, chars };
    const record: SourceRecord = { source, line, cells: placed, flaw };
    if (cells.length <= this.#placement.positions.length) return { record, chars };
    const reason = `${flaw}; the surplus cells stand only here`;
    const reject: Reject = { source, line, reason, raw: cutRaw(scanned.raw) };
    return { record, reject, chars };
  }

  #findFlaw(scanned: ScannedRecord): string {
    const flaws: string[] = [];
    const { length } = scanned.cells;
    const width = this.#placement.positions.length;
    if (length !== width) flaws.push(describeRagged(scanned, width));
    if (scanned.isSuspect) flaws.push(REST_OF_BROKEN);
    if (this.#hasInvalidBytes && scanned.raw.includes('\uFFFD')) flaws.push(INVALID_BYTES);
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

const REST_OF_BROKEN =
  'stray_quote: it may be the rest of a record whose quotes broke on an earlier line';

function describeRagged({ cells, line, lineCount }: ScannedRecord, width: number): string {
  const counted = `ragged_row: ${cells.length} cells under ${width} columns`;
  if (lineCount === 1) return counted;
  return `${counted}, on lines ${line} to ${line + lineCount - 1} (is a quote left open there?)`;
}
