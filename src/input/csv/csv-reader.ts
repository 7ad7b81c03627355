// Reads records from CSV text, each with its physical line. csv-parse reads the text piece by piece. If a record is
// broken, only its first line is given up, and the next piece begins after that line.
import type { Options } from 'csv-parse/sync';
import type { Delimiter } from '../../model/lead.js';
import { cutRaw, RECORD_CHARS_MAX } from '../record-parser.js';
import { matchCells, type Piece, parsePiece } from './csv-piece.js';

export interface CsvDialect {
  readonly delimiter: Delimiter;
  /** `\n` means `\r\n` as well; old spreadsheets for the Mac write `\r` alone. */
  readonly newline: '\n' | '\r';
  /** Whether the first line is not a record, and only names the delimiter of the others: `sep=;`. */
  readonly hasSepLine?: boolean;
}

export interface CsvRecord {
  readonly kind: 'record';
  readonly line: number;
  readonly lineCount: number;
  readonly cells: string[];
  readonly raw: string;
  /** True if this may be the rest of a record whose quotes broke on an earlier line. */
  readonly isSuspect: boolean;
  /** Whether the text ends before the line does, as that of a file that is cut off. */
  readonly isUnended: boolean;
}

export interface BrokenLine {
  readonly kind: 'broken';
  readonly line: number;
  readonly reason: string;
  readonly raw: string;
}

export interface CsvLimits {
  readonly recordCharsMax?: number;
  /** The number of cells over several lines after which a quote counts as open. */
  readonly cellsMax?: number;
}

const CELLS_MAX = 16_384;
const PATIENCE_CHARS = 1024 * 1024;
// Parsed text after a broken record is lost, so pieces shrink after a broken record, and grow otherwise.
const PIECE_CHARS_MIN = 256;
const PIECE_CHARS_MAX = 64 * 1024;

/** `push` text, take records with `next` until it says null, and at last `end` and take the rest. */
export class CsvReader {
  readonly #newline: CsvDialect['newline'];
  readonly #options: Options;
  readonly #recordCharsMax: number;
  readonly #cellsMax: number;
  #text = '';
  #at = 0;
  #line = 1;
  #piece: Piece | undefined;
  #pieceEnd = 0;
  #pieceChars = PIECE_CHARS_MIN;
  /** The number of characters of the present record that were parsed in vain, because it continues after them. */
  #openChars = 0;
  #charsAwaited = 0;
  #suspectLine = 0;
  #isSkipping: boolean;
  #isEnd = false;
  #hasAddedEnd = false;

  constructor({ delimiter, newline, hasSepLine }: CsvDialect, limits: CsvLimits = {}) {
    this.#newline = newline;
    this.#isSkipping = hasSepLine ?? false;
    this.#options = {
      delimiter,
      record_delimiter: newline === '\n' ? ['\r\n', '\n'] : newline,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
    };
    this.#recordCharsMax = limits.recordCharsMax ?? RECORD_CHARS_MAX;
    this.#cellsMax = limits.cellsMax ?? CELLS_MAX;
  }

  /** Whether text of earlier chunks waits for its record to end. */
  get hasRemainder(): boolean {
    return this.#at < this.#text.length;
  }

  push(text: string): void {
    this.#text = this.#text.slice(this.#at) + text;
    this.#pieceEnd -= this.#at;
    this.#at = 0;
  }

  end(): void {
    this.#isEnd = true;
    this.#hasAddedEnd = this.hasRemainder && !this.#text.endsWith(this.#newline);
    if (this.#hasAddedEnd) this.push(this.#newline);
  }

  next(): CsvRecord | BrokenLine | null {
    while (this.hasRemainder) {
      if (!this.#isEnd && this.#text.length - this.#at < this.#charsAwaited) return null;
      const lineEnd = this.#text.indexOf(this.#newline, this.#at);
      if (this.#isSkipping) {
        this.#isSkipping = lineEnd === -1;
        this.#skipLine(lineEnd);
      } else if (lineEnd === -1) {
        return this.#waitForMore(tooLong(this.#recordCharsMax));
      } else if (lineEnd - this.#at > this.#recordCharsMax) {
        return this.#breakLine(tooLong(this.#recordCharsMax));
      } else if (this.#withoutReturn(lineEnd) === this.#at) {
        this.#skipLine(lineEnd);
      } else if (this.#piece !== undefined) {
        const found = this.#take(this.#piece, lineEnd);
        if (found !== null) return found;
      } else {
        const end = this.#findPieceEnd(lineEnd);
        if (end === -1) return this.#waitForMore(UNCLOSED);
        this.#piece = parsePiece(this.#text.slice(this.#at, end), this.#options);
        this.#pieceEnd = end;
        this.#pieceChars = Math.min(this.#pieceChars * 2, PIECE_CHARS_MAX);
      }
    }
    return null;
  }

  /** The position after whole lines; -1 if an open record needs more text, or is too long. */
  #findPieceEnd(lineEnd: number): number {
    const chars = Math.min(this.#pieceChars, this.#recordCharsMax);
    const last = Math.max(lineEnd, this.#text.lastIndexOf(this.#newline, this.#at + chars));
    if (this.#openChars === 0) return last + 1;
    // The record cannot end before the next quote.
    const quoteAt = this.#text.indexOf('"', this.#at + this.#openChars);
    const quoteLineEnd = quoteAt === -1 ? -1 : this.#text.indexOf(this.#newline, quoteAt);
    if (quoteLineEnd === -1 || quoteLineEnd - this.#at > this.#recordCharsMax) return -1;
    return Math.max(last, quoteLineEnd) + 1;
  }

  /** The next record of the piece; null if its quotes are open at the end of the piece. */
  #take(piece: Piece, firstLineEnd: number): CsvRecord | BrokenLine | null {
    const cells = piece.records.shift() ?? [];
    const isLast = piece.records.length === 0;
    if (isLast) this.#piece = undefined;
    if (!piece.hasQuotes) return this.#takeLines(cells, 1, firstLineEnd);
    const isOpen = isLast && piece.isOpen;
    const place = { text: this.#text, at: this.#at, newline: this.#newline };
    const match = matchCells(cells, place, { isOpen, cellsMax: this.#cellsMax });
    if (match.kind === 'broken') return this.#breakRecord(match.linesDown);
    if (match.kind === 'open') {
      this.#openChars = this.#pieceEnd - this.#at;
      this.#pieceChars = Math.max(this.#pieceChars, 2 * this.#openChars);
      return null;
    }
    const lineEnd = this.#text.indexOf(this.#newline, match.end);
    const isSuspect = match.hasBareQuote && this.#line <= this.#suspectLine;
    return this.#takeLines(cells, match.linesDown + 1, lineEnd, isSuspect);
  }

  #takeLines(cells: string[], lineCount: number, lineEnd: number, isSuspect = false): CsvRecord {
    const raw = this.#text.slice(this.#at, this.#withoutReturn(lineEnd));
    const line = this.#line;
    this.#moveTo(lineEnd + 1, lineCount);
    const isUnended = this.#hasAddedEnd && !this.hasRemainder;
    return { kind: 'record', line, lineCount, cells, raw, isSuspect, isUnended };
  }

  /** Breaks the record. On the same line it is a stray quote; further down the quote was most likely never closed. */
  #breakRecord(linesDown: number): BrokenLine {
    if (linesDown === 0) return this.#breakLine(STRAY);
    this.#suspectLine = Math.max(this.#suspectLine, this.#line + linesDown);
    return this.#breakLine(UNCLOSED);
  }

  /** Gives up the first physical line of the present record; reading goes on after it. */
  #breakLine(reason: string): BrokenLine {
    this.#piece = undefined;
    this.#pieceChars = Math.max(Math.min(this.#pieceChars, PIECE_CHARS_MAX) / 4, PIECE_CHARS_MIN);
    const newlineAt = this.#text.indexOf(this.#newline, this.#at);
    const lineEnd = newlineAt === -1 ? this.#text.length : newlineAt;
    const raw = cutRaw(this.#text.slice(this.#at, this.#withoutReturn(lineEnd)));
    const line = this.#line;
    this.#isSkipping = newlineAt === -1;
    this.#skipLine(newlineAt);
    return { kind: 'broken', line, reason, raw };
  }

  #waitForMore(reason: string): BrokenLine | null {
    const chars = this.#text.length - this.#at;
    if (this.#isEnd || chars > this.#recordCharsMax) return this.#breakLine(reason);
    // A long record is parsed again only once it is much longer, or the work would be quadratic.
    this.#charsAwaited =
      chars > PATIENCE_CHARS ? Math.min(chars * 1.5, this.#recordCharsMax + 1) : 0;
    return null;
  }

  /** Skips to the line's end, or to the end of the text if the line has not ended yet. */
  #skipLine(lineEnd: number): void {
    if (lineEnd === -1) this.#moveTo(this.#text.length, 0);
    else this.#moveTo(lineEnd + 1, 1);
  }

  #moveTo(at: number, lineCount: number): void {
    this.#at = at;
    this.#line += lineCount;
    this.#charsAwaited = 0;
    this.#openChars = 0;
  }

  #withoutReturn(lineEnd: number): number {
    const hasReturn = lineEnd > this.#at && this.#text.charCodeAt(lineEnd - 1) === 0x0d;
    return hasReturn && this.#newline === '\n' ? lineEnd - 1 : lineEnd;
  }
}

const UNCLOSED =
  'unclosed_quote: a quote that opens in the record beginning on this line is not closed properly';
const STRAY = 'stray_quote: text follows a closing quote; quotes inside a cell must be doubled';

function tooLong(charsMax: number): string {
  return `record_too_long: the record has more than ${charsMax} characters`;
}
