// What every format offers to the loop that fills batches: text in, records out, one at a time.
import type { Reject, SourceRecord } from '../model/lead.js';
import type { TextChunk } from './encoding/stream-decoder.js';

export interface ParsedPiece {
  readonly record?: SourceRecord;
  readonly reject?: Reject;
  /** How much text it was, for the bound on a batch. */
  readonly chars: number;
}

export interface RecordParser {
  push(chunk: TextChunk): void;
  /** Says that no more text comes. */
  end(): void;
  /** The next piece; null where more text is needed, or all was read. */
  next(): ParsedPiece | null;
}

/** The flaw of a record with bytes that are not text in the encoding it was read in. */
export const INVALID_BYTES =
  'invalid_bytes: some bytes are not text in this encoding; try --encoding windows-1252';
