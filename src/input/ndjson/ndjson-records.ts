// NDJSON records: one JSON object a line, each new key a new column at the end.
import {
  isDeeperThan,
  isJsonObject,
  JSON_LEVELS_MAX,
  type JsonValue,
} from '../../model/text/json.js';
import type { ColumnTable } from '../column-table.js';
import { RECORD_CHARS_MAX } from '../csv/csv-reader.js';
import { cutRaw } from '../cut-raw.js';
import type { TextChunk } from '../encoding/stream-decoder.js';
import { INVALID_BYTES, type ParsedPiece, type RecordParser } from '../record-parser.js';
import { keepNumbers } from './keep-numbers.js';
import { LineScanner, type ScannedLine } from './line-scanner.js';

/** Of a key that stands twice in an object the last value counts, as JSON.parse has it. */
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
    const flaw = isInvalid ? { flaw: INVALID_BYTES } : {};
    const record = { source: this.#source, line: scanned.line, cells, ...flaw };
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

/** The entries of the object, or the reason why there is none. */
function parseObject(text: string): [string, JsonValue][] | string {
  try {
    const value: unknown = JSON.parse(keepNumbers(text));
    if (!isJsonObject(value)) return NO_OBJECT;
    // The cells; the line is one level more.
    return isDeeperThan(value, JSON_LEVELS_MAX + 1) ? TOO_DEEP : Object.entries(value);
  } catch (cause) {
    // The parser's own message quotes the text, which is a person's.
    return cause instanceof SyntaxError ? NOT_JSON : TOO_DEEP;
  }
}

const NOT_JSON = 'broken_json: the line is not JSON; each line must be one whole object';
const TOO_DEEP = `broken_json: the line is nested too deeply; a cell may have ${JSON_LEVELS_MAX} levels`;
const NO_OBJECT = 'broken_json: the line is JSON but no object; each line must be one {…}';
