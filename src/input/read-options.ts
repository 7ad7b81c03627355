// What a user may set about the input; the input itself decides what is left out.
import type { Delimiter } from '../model/lead.js';

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';
export type InputFormat = 'csv' | 'ndjson';

export interface ReadOptions {
  readonly format?: InputFormat | undefined;
  readonly delimiter?: Delimiter | undefined;
  readonly encoding?: Encoding | undefined;
  /** The sheet to read of each workbook; without it the one whose columns are usual. */
  readonly sheet?: string | undefined;
  /** The line of the header, from 1 on; without it the one that looks like it. */
  readonly headerRow?: number | undefined;
  /** The bytes behind the pattern `-`, as `process.stdin` hands them over. */
  readonly standardInput: AsyncIterable<Uint8Array>;
  /** SHA-256 that a path must have when it is read to its end, in hex. */
  readonly digests?: ReadonlyMap<string, string> | undefined;
  /** Whether a person waits for the first records alone: no more than LOOK says is read for them. */
  readonly isLook?: boolean | undefined;
}

/** What a look takes at most, in half a second of the process, of an input that was made to take long. */
export const LOOK = {
  /** Of a text, unpacked. */
  textBytesMax: 2 * 1024 ** 2,
  /** Of the parts of a workbook, unpacked. */
  sheetBytesMax: 16 * 1024 ** 2,
  /** Of the records: those that are looked at end with the one that has more. */
  charsMax: 512 * 1024,
} as const;

/** More characters in the names of all columns are a mistake, or meant to do harm. */
export const NAMES_CHARS_MAX = 1024 ** 2;
