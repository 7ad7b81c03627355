// The interfaces between the formats and the loop that fills batches.
import type { Reject, SourceRecord } from '../model/lead.js';
import type { TextChunk } from './stream-decoder.js';

export interface ParsedPiece {
  readonly record?: SourceRecord;
  readonly reject?: Reject;
  /** The size of its text, for the bound on a batch. */
  readonly chars: number;
}

export interface RecordParser {
  push(chunk: TextChunk): void;
  end(): void;
  /** The next piece; null if more text is needed, or all was read. */
  next(): ParsedPiece | null;
}

/** The pieces of each chunk of text, to be taken before the next. */
export async function* parseText(
  chunks: AsyncIterable<TextChunk>,
  parser: RecordParser,
): AsyncGenerator<Iterable<ParsedPiece>> {
  for await (const chunk of chunks) {
    parser.push(chunk);
    yield takeAll(parser);
  }
  parser.end();
  yield takeAll(parser);
}

function* takeAll(parser: RecordParser): Generator<ParsedPiece> {
  for (let piece = parser.next(); piece !== null; piece = parser.next()) yield piece;
}

/** The flaw of a record with bytes that are not text in the encoding it was read in. */
export const INVALID_BYTES =
  'invalid_bytes: some bytes are not text in this encoding; correct the line, or save the file as UTF-8';

export const RECORD_CHARS_MAX = 16 * 1024 * 1024;
const RAW_CHARS_MAX = 2_000;

/** The raw text of a reject, short enough for a table that people open. */
export function cutRaw(text: string): string {
  return text.slice(0, RAW_CHARS_MAX);
}
