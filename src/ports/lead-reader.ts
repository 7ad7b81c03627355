// Reading leads, whatever they are written in.
import type { Column, Delimiter, Reject, SourceRecord } from '../model/lead.js';

/** How a source is written, detected from its content; reported once for each value that is not the usual value. */
export interface Detection {
  readonly what: 'encoding' | 'delimiter' | 'sheet' | 'header';
  readonly value: string;
  /** The first source that is written so. */
  readonly source: string;
  /** Of a sheet: those that could have been meant as well. */
  readonly others?: readonly SheetHeader[];
}

export interface SheetHeader {
  readonly sheet: string;
  /** Empty where it has none. */
  readonly header: readonly string[];
}

export interface RecordBatch {
  /** Every column known so far, over all sources. It only ever grows at the end. */
  readonly columns: readonly Column[];
  readonly records: readonly SourceRecord[];
  readonly rejects: readonly Reject[];
  /** What has come to light since the batch before. */
  readonly detected?: readonly Detection[];
}

export interface LeadReader {
  /** What is read, in order: paths, or `-` for standard input. */
  readonly sources: readonly string[];
  /** What stands between the cells of every CSV among them; undefined where they differ, or none is CSV. */
  readonly delimiter?: Delimiter | undefined;
  /**
   * A string that changes when the input changes (path, size and modification time of each file), or
   * null where the input cannot be read a second time.
   */
  signature(): Promise<string | null>;
  /**
   * The records in input order, in batches of bounded size; memory does not grow with the input.
   * The first batch carries the header even where it holds no record. Reading again reads from the start.
   * @throws SluiceError `input` for a missing, empty, unreadable or undecodable source
   */
  batches(): AsyncIterable<RecordBatch>;
}
