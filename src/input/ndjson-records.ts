// NDJSON records: one JSON object a line, each new key a new column at the end.
import {
  exactNumber,
  isDeeperThan,
  isJsonObject,
  JSON_LEVELS_MAX,
  type JsonValue,
} from '../model/text/json.js';
import { rewriteNumbers } from '../model/text/json-numbers.js';
import type { ColumnTable } from './column-table.js';
import { REPEATED_HEADER } from './place-cells.js';
import {
  cutRaw,
  INVALID_BYTES,
  type ParsedPiece,
  RECORD_CHARS_MAX,
  type RecordParser,
} from './record-parser.js';
import type { TextChunk } from './stream-decoder.js';

/** If an object has a key twice, the last value counts, as in JSON.parse. */
export class NdjsonRecords implements RecordParser {
  readonly #lines = new LineScanner(RECORD_CHARS_MAX);
  readonly #source: number;
  readonly #columns: ColumnTable;
  #hasInvalidBytes = false;

  constructor(source: number, columns: ColumnTable) {
    this.#source = source;
    this.#columns = columns;
  }

  push(chunk: TextChunk): void {
    const isStillOpen = this.#hasInvalidBytes && this.#lines.hasRemainder;
    this.#hasInvalidBytes = isStillOpen || chunk.hasInvalidBytes;
    this.#lines.push(chunk.text);
  }

  end(): void {
    this.#lines.end();
  }

  next(): ParsedPiece | null {
    const scanned = this.#lines.next();
    if (scanned === null) return null;
    if (scanned.isTooLong) {
      return this.#reject(scanned, `record_too_long: more than ${RECORD_CHARS_MAX} characters`);
    }
    const parsed = parseObject(scanned.text);
    if (typeof parsed === 'string') return this.#reject(scanned, parsed);
    const cells = this.#align(parsed);
    const isInvalid = this.#hasInvalidBytes && scanned.text.includes('\uFFFD');
    const flaw = isInvalid ? INVALID_BYTES : isHeader(parsed) ? REPEATED_HEADER : undefined;
    const record = { source: this.#source, line: scanned.line, cells, ...(flaw && { flaw }) };
    return { record, chars: scanned.text.length };
  }

  #align(entries: [string, JsonValue][]): JsonValue[] {
    const positions = entries.map(([key]) => this.#columns.positionOf(key));
    const cells = Array<JsonValue>(this.#columns.count).fill(null);
    for (const [index, position] of positions.entries())
      cells[position] = entries[index]?.[1] ?? null;
    return cells;
  }

  #reject({ line, text }: ScannedLine, reason: string): ParsedPiece {
    return {
      reject: { source: this.#source, line, reason, raw: cutRaw(text) },
      chars: text.length,
    };
  }
}

/** Whether a line of CSV that repeats its header was made into an object. */
function isHeader(entries: readonly [string, JsonValue][]): boolean {
  return entries.length > 0 && entries.every(([key, value]) => value === key);
}

/** The entries of the object, or the reason why there is none. */
function parseObject(text: string): [string, JsonValue][] | string {
  try {
    const value: unknown = JSON.parse(keepNumbers(text));
    if (!isJsonObject(value)) return NO_OBJECT;
    // The limit is that of cells; the line itself is one level more.
    return isDeeperThan(value, JSON_LEVELS_MAX + 1) ? TOO_DEEP : Object.entries(value);
  } catch (cause) {
    // The parser's own message would quote the text, which is a person's.
    return cause instanceof SyntaxError ? NOT_JSON : TOO_DEEP;
  }
}

const NOT_JSON = 'broken_json: the line is not JSON; each line must be one complete object';
const TOO_DEEP = `broken_json: the line is nested too deeply; a cell may have ${JSON_LEVELS_MAX} levels`;
const NO_OBJECT = 'broken_json: the line is JSON but no object; each line must be one {…}';

interface ScannedLine {
  readonly line: number;
  readonly text: string;
  /** True if the line is longer than the limit; `text` is then its beginning. */
  readonly isTooLong: boolean;
}

/**
 * Cuts text into physical lines of bounded length. `push` text, take lines with `next` until it says null, and at last
 * `end` and take the rest.
 */
export class LineScanner {
  readonly #lineCharsMax: number;
  #text = '';
  #at = 0;
  #searchFrom = 0;
  #line = 1;
  #isSkipping = false;
  #isEnd = false;

  constructor(lineCharsMax: number) {
    this.#lineCharsMax = lineCharsMax;
  }

  /** Whether text of earlier chunks waits for its line to end. */
  get hasRemainder(): boolean {
    return this.#at < this.#text.length;
  }

  push(text: string): void {
    const remainder = this.#text.slice(this.#at);
    this.#text = remainder + text;
    this.#searchFrom = remainder.length;
    this.#at = 0;
  }

  end(): void {
    this.#isEnd = true;
  }

  next(): ScannedLine | null {
    while (this.hasRemainder) {
      const found = this.#text.indexOf('\n', Math.max(this.#at, this.#searchFrom));
      const stop = found === -1 ? this.#text.length : found;
      const isTooLong = stop - this.#at > this.#lineCharsMax;
      const isWhole = found !== -1 || this.#isEnd;
      if (!isWhole && !isTooLong && !this.#isSkipping) return null;
      const text = this.#isSkipping ? '' : this.#text.slice(this.#at, stop);
      const line = this.#line;
      this.#at = isWhole ? stop + 1 : stop;
      this.#line += isWhole ? 1 : 0;
      this.#isSkipping = !isWhole;
      if (isTooLong && text !== '') return { line, text: cutRaw(text), isTooLong };
      if (text.trim() !== '') return { line, text: text.trimEnd(), isTooLong };
    }
    return null;
  }
}

/** The beginning of such a number, after a character that may precede one; it is also found within texts. */
const MAY_CHANGE = /[[:,\s](?:-0|-?\d+[.eE]|-?\d{16})/;

/** The same JSON text with every number that would change in quotes, after the mark that `exactNumber` sets. */
export function keepNumbers(json: string): string {
  return MAY_CHANGE.test(json) ? rewriteNumbers(json, keep) : json;
}

function keep(token: string): string {
  const exact = exactNumber(token);
  return exact === undefined ? token : `"${exact}"`;
}
