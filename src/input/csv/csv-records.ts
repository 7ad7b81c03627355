// CSV records under the header of their file, in the order of the columns of the whole input.
import { type CellKind, fitsColumns } from '../../model/mapping/column-kinds.js';
import { type Placement, placeRow, raggedRow, withoutEmptyRest } from '../place-cells.js';
import { INVALID_BYTES, type ParsedPiece, type RecordParser } from '../record-parser.js';
import type { TextChunk } from '../stream-decoder.js';
import { type BrokenLine, type CsvDialect, CsvReader, type CsvRecord } from './csv-reader.js';

// More cells than any honest mistake makes, and still few enough to be noticed soon.
const RUNAWAY_FACTOR = 4;
const RUNAWAY_CELLS = 64;

export interface CsvHeader {
  /** Its line; it and the lines above it are skipped. */
  readonly headerLine: number;
  /** The kinds of cells that each column may hold. */
  readonly kinds: readonly (readonly CellKind[])[];
}

/**
 * Skips the line of the header and the lines above it. A record with too few cells is filled up with empty ones: it is
 * short where only cells at its end can be missing, and else flawed. One with too many is kept too, cut to the header: if one of its surplus cells holds something, it is
 * flawed, and the raw record is a reject as well.
 */
export class CsvRecords implements RecordParser {
  readonly #reader: CsvReader;
  readonly #placement: Placement;
  readonly #header: CsvHeader;
  /** The number of columns up to the last one with a name. */
  readonly #named: number;
  #hasInvalidBytes = false;

  constructor(dialect: CsvDialect, placement: Placement, header: CsvHeader) {
    const cellsMax = RUNAWAY_FACTOR * placement.positions.length + RUNAWAY_CELLS;
    this.#reader = new CsvReader(dialect, { cellsMax });
    this.#placement = placement;
    this.#header = header;
    this.#named = placement.header.findLastIndex((name) => name.trim() !== '') + 1;
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
    let found = this.#reader.next();
    while (found !== null && this.#isPassed(found)) found = this.#reader.next();
    if (found === null) return null;
    if (found.kind === 'record') return this.#place(found);
    const { line, reason, raw } = found;
    const reject = { source: this.#placement.source, line, reason, raw };
    return { reject, chars: raw.length };
  }

  /** A row of separators alone is empty, as a line without any text is. */
  #isPassed(found: CsvRecord | BrokenLine): boolean {
    if (found.line <= this.#header.headerLine) return true;
    return found.kind === 'record' && found.cells.every((cell) => cell.trim() === '');
  }

  #place(found: CsvRecord): ParsedPiece {
    const { line, raw } = found;
    const cells = withoutEmptyRest(found.cells, this.#placement.positions.length);
    const lacks = cells.length < this.#named;
    const isShort = lacks && this.#lacksOnlyItsEnd(found);
    const isRagged = cells.length > this.#placement.positions.length || (lacks && !isShort);
    const flaw = this.#findFlaw(found, isRagged);
    const row = { line, cells, flaw, raw: () => raw, chars: raw.length, isShort };
    return placeRow(row, this.#placement);
  }

  #lacksOnlyItsEnd({ cells, isUnended, lineCount }: CsvRecord): boolean {
    return lineCount === 1 && !isUnended && fitsColumns(cells, this.#header.kinds);
  }

  #findFlaw(found: CsvRecord, isRagged: boolean): string {
    const flaws: string[] = [];
    if (isRagged) flaws.push(describeRagged(found, this.#placement.positions.length));
    if (found.isSuspect) flaws.push(REST_OF_BROKEN);
    if (this.#hasInvalidBytes && found.raw.includes('\uFFFD')) flaws.push(INVALID_BYTES);
    return flaws.join('; ');
  }
}

const REST_OF_BROKEN =
  'stray_quote: it may be the rest of a record whose quotes broke on an earlier line';

function describeRagged({ cells, line, lineCount }: CsvRecord, width: number): string {
  const counted = raggedRow(cells.length, width);
  if (lineCount === 1) return counted;
  return `${counted}, on lines ${line} to ${line + lineCount - 1} (is a quote left open there?)`;
}
