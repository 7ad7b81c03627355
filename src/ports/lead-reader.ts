import type { Column, Delimiter, Reject, SourceRecord } from '../model/lead.js';

/** The format of a source, detected from its content; reported once for each value that is not the usual value. */
export interface Detection {
  readonly what: 'encoding' | 'delimiter' | 'sheet' | 'header' | 'short' | 'hidden' | 'merged';
  readonly value: string;
  readonly source: string;
  /** For a sheet: the other headers that could have been meant. */
  readonly others?: readonly SheetHeader[];
}

export interface SheetHeader {
  readonly sheet: string;
  /** The header; empty if there is none. */
  readonly header: readonly string[];
}

export interface RecordBatch {
  /** Every column known so far, over all sources. It only ever grows at the end. */
  readonly columns: readonly Column[];
  readonly records: readonly SourceRecord[];
  readonly rejects: readonly Reject[];
  /** The detections since the batch before. */
  readonly detected?: readonly Detection[];
}

export interface RowsRead {
  readonly rows: number;
  /** Rows that cannot be leads as they are written: rejects and flawed records, without repeated headers. */
  readonly rejected: number;
  /** The most frequent first, a row for each kind. */
  readonly reasons: readonly RejectReason[];
}

export interface RejectReason {
  readonly reason: string;
  readonly line: number;
  readonly rows: number;
}

export interface LeadReader {
  /** The sources in order: paths, or `-` for standard input. */
  readonly sources: readonly string[];
  /** The delimiter of every CSV among them; undefined if they differ, or none is CSV. */
  readonly delimiter?: Delimiter | undefined;
  /** The rows of each source: all those of a file, and those of a pipe as they come. */
  readonly rows?: readonly RowsRead[];
  /**
   * A string that changes when the input changes (path, size and modification time of each file), or null if the input
   * cannot be read a second time.
   */
  signature(): Promise<string | null>;
  /**
   * The records in input order, in batches of bounded size; memory does not grow with the input. The first batch
   * carries the header even if it holds no record. Reading again reads from the start.
   * @throws SluiceError `input` for a missing, empty, unreadable or undecodable source
   */
  batches(): AsyncIterable<RecordBatch>;
}
