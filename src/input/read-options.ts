// The settings of a user about the input; the input itself decides what they leave out.
import type { Delimiter } from '../model/lead.js';

export type InputFormat = 'csv' | 'ndjson';

export interface ReadOptions {
  readonly format?: InputFormat | undefined;
  readonly delimiter?: Delimiter | undefined;
  /** A label that TextDecoder knows. */
  readonly encoding?: string | undefined;
  /** The sheet to read of each workbook; without it the one with usual columns. */
  readonly sheet?: string | undefined;
  /** The line of the header, from 1 on, or `none`; without it the line that looks like a header. */
  readonly headerRow?: number | 'none' | undefined;
  /** Whether rows and columns that a sheet hides are left out. */
  readonly visibleOnly?: boolean | undefined;
  /** The bytes of the pattern `-`, as `process.stdin` hands them over. */
  readonly standardInput: AsyncIterable<Uint8Array>;
  /** The SHA-256, in hex, that a file at a path must have when it is read to its end. */
  readonly digests?: ReadonlyMap<string, string> | undefined;
  /** Whether a person waits for the first records alone: no more is read for them than LOOK says. */
  readonly isLook?: boolean | undefined;
}

/** The limits of a look: half a second of the process, for an input that was made to take long. */
export const LOOK = {
  /** The bytes of a text, unpacked. */
  textBytesMax: 2 * 1024 ** 2,
  /** The bytes of the parts of a workbook, unpacked. */
  sheetBytesMax: 16 * 1024 ** 2,
  /** The characters of the records: the record that passes the limit is the last one. */
  charsMax: 512 * 1024,
} as const;

export const NAMES_CHARS_MAX = 1024 ** 2;
