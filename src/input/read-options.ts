// What a user may set about the input; the input itself decides what is left out.
import type { Delimiter } from '../model/lead.js';

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';
export type InputFormat = 'csv' | 'ndjson';

export interface ReadOptions {
  readonly format?: InputFormat | undefined;
  readonly delimiter?: Delimiter | undefined;
  readonly encoding?: Encoding | undefined;
  /** The sheet to read of each workbook; without it the first that is not hidden. */
  readonly sheet?: string | undefined;
  /** The bytes behind the pattern `-`, as `process.stdin` hands them over. */
  readonly standardInput: AsyncIterable<Uint8Array>;
  /** SHA-256 that a path must have when it is read to its end, in hex. */
  readonly digests?: ReadonlyMap<string, string> | undefined;
}
