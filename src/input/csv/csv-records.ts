// CSV records under the header of their file, in the order of the columns of the whole input.
import { type Placement, placeRow, raggedRow, withoutEmptyRest } from '../place-cells.js';
import { INVALID_BYTES, type ParsedPiece, type RecordParser } from '../record-parser.js';
import type { TextChunk } from '../stream-decoder.js';
import { type CsvDialect, CsvReader, type CsvRecord } from './csv-reader.js';

// More cells than any honest mistake makes, and still few enough to be noticed soon.
const RUNAWAY_FACTOR = 4;
const RUNAWAY_CELLS = 64;

/**
 * Skips the line of the header and the lines above it. A record with too few cells is kept, filled up with empty ones,
 * and flawed. One with too many is kept too, cut to the header: if one of its surplus cells holds something, it is
 * flawed, and the raw record is a reject as well.
 */
export class CsvRecords implements RecordParser {
  readonly #reader: CsvReader;
  readonly #placement: Placement;
  readonly #headerLine: number;
  #hasInvalidBytes = false;

  constructor(dialect: CsvDialect, placement: Placement, headerLine: number) {
    const cellsMax = RUNAWAY_FACTOR * placement.positions.length + RUNAWAY_CELLS;
    this.#reader = new CsvReader(dialect, { cellsMax });
    this.#placement = placement;
    this.#headerLine = headerLine;
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
    while (found !== null && found.line <= this.#headerLine) found = this.#reader.next();
    if (found === null) return null;
    if (found.kind === 'record') return this.#place(found);
    const { line, reason, raw } = found;
    const reject = { source: this.#placement.source, line, reason, raw };
    return { reject, chars: raw.length };
  }

  #place(found: CsvRecord): ParsedPiece {
    const { line, raw } = found;
    const cells = withoutEmptyRest(found.cells, this.#placement.positions.length);
    const flaw = this.#findFlaw(found, cells.length);
    return placeRow({ line, cells, flaw, raw: () => raw, chars: raw.length }, this.#placement);
  }

  #findFlaw(found: CsvRecord, length: number): string {
    const flaws: string[] = [];
    const width = this.#placement.positions.length;
    if (length !== width) flaws.push(describeRagged(found, width));
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
