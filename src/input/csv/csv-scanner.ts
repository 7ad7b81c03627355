// Cuts CSV text into records with their physical lines, and gets over broken quotes: only the line
// on which they begin is lost. Parsing is done here too, so that there is one grammar and not two.

import { cutRaw } from '../cut-raw.js';
import type { CsvDialect } from './csv-dialect.js';
import { parseQuotedRecord } from './parse-quoted-record.js';

export interface ScannedRecord {
  readonly kind: 'record';
  readonly line: number;
  /** On how many physical lines it stands. */
  readonly lineCount: number;
  readonly cells: string[];
  readonly raw: string;
  /** True where this may be the rest of a record whose quotes broke on an earlier line. */
  readonly isSuspect: boolean;
}

export interface BrokenLine {
  readonly kind: 'broken';
  readonly line: number;
  readonly reason: string;
  readonly raw: string;
}

export interface ScanLimits {
  readonly recordCharsMax?: number;
  /** How many cells a record over several lines may have before it counts as an open quote. */
  readonly cellsMax?: number;
}

/** The longest record, in characters. */
export const RECORD_CHARS_MAX = 16 * 1024 * 1024;
const CELLS_MAX = 16_384;
const PATIENCE_CHARS = 1024 * 1024;

/** `push` text, take records with `next` until it says null, and at last `end` and take the rest. */
export class CsvScanner {
  readonly #dialect: CsvDialect;
  readonly #recordCharsMax: number;
  readonly #cellsMax: number;
  #text = '';
  #at = 0;
  #line = 1;
  #nextQuote = -1;
  #suspectUntil = 0;
  #charsAwaited = 0;
  #isSkipping = false;
  #isEnd = false;

  constructor(dialect: CsvDialect, limits: ScanLimits = {}) {
    this.#dialect = dialect;
    this.#recordCharsMax = limits.recordCharsMax ?? RECORD_CHARS_MAX;
    this.#cellsMax = limits.cellsMax ?? CELLS_MAX;
  }

  /** Whether text of earlier chunks waits for its record to end. */
  get hasRemainder(): boolean {
    return this.#at < this.#text.length;
  }

  push(text: string): void {
    this.#text = this.hasRemainder ? this.#text.slice(this.#at) + text : text;
    this.#suspectUntil -= this.#at;
    this.#at = 0;
    this.#nextQuote = -1;
  }

  end(): void {
    this.#isEnd = true;
    this.#nextQuote = -1;
  }

  /** The next record or broken line; null where more text is needed, or all was read. */
  next(): ScannedRecord | BrokenLine | null {
    while (this.hasRemainder) {
      const text = this.#text;
      const at = this.#at;
      if (!this.#isEnd && text.length - at < this.#charsAwaited) return null;
      const newlineAt = text.indexOf(this.#dialect.newline, at);
      if (this.#isSkipping) {
        this.#skipLine(newlineAt);
        continue;
      }
      if (newlineAt === -1 && !this.#isEnd) return this.#waitForMore();
      const lineEnd = newlineAt === -1 ? text.length : newlineAt;
      if (lineEnd - at > this.#recordCharsMax)
        return this.#breakLine(tooLong(this.#recordCharsMax));
      const stop = this.#withoutReturn(at, lineEnd);
      if (stop === at) this.#moveTo(lineEnd + 1, 1);
      else if (this.#findQuote(at) < lineEnd) return this.#scanQuoted();
      else return this.#takePlain(stop, lineEnd);
    }
    return null;
  }

  #takePlain(stop: number, lineEnd: number): ScannedRecord {
    const raw = this.#text.slice(this.#at, stop);
    const line = this.#line;
    this.#moveTo(lineEnd + 1, 1);
    const cells = raw.split(this.#dialect.delimiter);
    return { kind: 'record', line, lineCount: 1, cells, raw, isSuspect: false };
  }

  #scanQuoted(): ScannedRecord | BrokenLine | null {
    const at = this.#at;
    const found = parseQuotedRecord(this.#text, at, this.#dialect, {
      isEnd: this.#isEnd,
      cellsMax: this.#cellsMax,
    });
    if (found.kind === 'broken') return this.#breakAt(found.at);
    if (found.kind === 'open') {
      const isFinal = this.#isEnd || this.#text.length - at > this.#recordCharsMax;
      return isFinal ? this.#breakLine(UNCLOSED) : this.#waitForMore();
    }
    if (found.end - at > this.#recordCharsMax) return this.#breakLine(UNCLOSED);
    const raw = this.#text.slice(at, this.#withoutReturn(at, this.#withoutNewline(found.end)));
    const isSuspect = found.hasBareQuote && at < this.#suspectUntil;
    const line = this.#line;
    const lineCount = this.#countLines(at, found.end);
    this.#moveTo(found.end, lineCount);
    return { kind: 'record', line, lineCount, cells: found.cells, raw, isSuspect };
  }

  /** On the same line it is a stray quote; further down the quote was most likely never closed. */
  #breakAt(failedAt: number): BrokenLine {
    const newlineAt = this.#text.indexOf(this.#dialect.newline, this.#at);
    if (newlineAt === -1 || failedAt < newlineAt) return this.#breakLine(STRAY);
    this.#suspectUntil = Math.max(this.#suspectUntil, failedAt);
    return this.#breakLine(UNCLOSED);
  }

  /** Gives up the first physical line of the record at hand; reading goes on after it. */
  #breakLine(reason: string): BrokenLine {
    const newlineAt = this.#text.indexOf(this.#dialect.newline, this.#at);
    const lineEnd = newlineAt === -1 ? this.#text.length : newlineAt;
    const raw = cutRaw(this.#text.slice(this.#at, this.#withoutReturn(this.#at, lineEnd)));
    const line = this.#line;
    this.#isSkipping = newlineAt === -1;
    this.#moveTo(newlineAt === -1 ? lineEnd : lineEnd + 1, newlineAt === -1 ? 0 : 1);
    return { kind: 'broken', line, reason, raw };
  }

  #waitForMore(): BrokenLine | null {
    const chars = this.#text.length - this.#at;
    if (chars > this.#recordCharsMax) return this.#breakLine(tooLong(this.#recordCharsMax));
    // A long record is looked at again only once it has grown well, or the work would be quadratic.
    this.#charsAwaited =
      chars > PATIENCE_CHARS ? Math.min(chars * 1.5, this.#recordCharsMax + 1) : 0;
    return null;
  }

  #skipLine(newlineAt: number): void {
    this.#isSkipping = newlineAt === -1;
    if (newlineAt === -1) this.#moveTo(this.#text.length, 0);
    else this.#moveTo(newlineAt + 1, 1);
  }

  #moveTo(at: number, lineCount: number): void {
    this.#at = at;
    this.#line += lineCount;
    this.#charsAwaited = 0;
  }

  #findQuote(at: number): number {
    if (this.#nextQuote < at) {
      const found = this.#text.indexOf('"', at);
      this.#nextQuote = found === -1 ? Number.POSITIVE_INFINITY : found;
    }
    return this.#nextQuote;
  }

  #countLines(from: number, to: number): number {
    let count = 0;
    let at = from;
    while (at < to) {
      const newlineAt = this.#text.indexOf(this.#dialect.newline, at);
      count += 1;
      at = newlineAt === -1 ? to : newlineAt + 1;
    }
    return count;
  }

  #withoutNewline(end: number): number {
    return this.#text.charAt(end - 1) === this.#dialect.newline ? end - 1 : end;
  }

  #withoutReturn(at: number, lineEnd: number): number {
    const hasReturn = lineEnd > at && this.#text.charCodeAt(lineEnd - 1) === 0x0d;
    return hasReturn && this.#dialect.newline === '\n' ? lineEnd - 1 : lineEnd;
  }
}

const UNCLOSED =
  'unclosed_quote: a quote that opens in the record beginning on this line is not closed properly';
const STRAY = 'stray_quote: text follows a closing quote; quotes inside a cell must be doubled';

function tooLong(charsMax: number): string {
  return `record_too_long: the record has more than ${charsMax} characters`;
}
