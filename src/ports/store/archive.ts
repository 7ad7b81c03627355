// A whole state, for copying it to another place, from any kind of store: its tables in neutral rows, and the marks
// that keep a state from being used in two places. src/store/tables.ts finds the tables.
import type { BusyJob } from './state-checkup.js';

export type ArchiveKind = 'int' | 'bool' | 'text' | 'bytes';

export interface ArchiveTable {
  readonly name: string;
  readonly columns: Readonly<Record<string, ArchiveKind>>;
  /** The columns, of numbers and texts, by which a row is found and rows are ordered; texts by their UTF-8. */
  readonly key: readonly string[];
  /** A column with long texts: fewer rows are read at once. */
  readonly long?: string;
}

/** A value. Texts hold no U+0000, because no database keeps one. */
export type ArchiveValue = string | number | boolean | null | Uint8Array;
export type ArchiveRow = Readonly<Record<string, ArchiveValue>>;

/** The marks of a state: it sends and receives nothing once it was moved, and cannot be opened while it is filled. */
export interface StateMark {
  /** The other state, as it is shown to people. */
  readonly movedTo: string | null;
  readonly filledFrom: string | null;
}

export interface StateArchive {
  /** The place as it is shown to people. */
  readonly place: string;
  /**
   * Performs the work in one transaction. No other process changes the state before it ends, and one that waits for
   * that sees the marks that it sets.
   */
  alone<R>(work: (contents: StateContents) => Promise<R>): Promise<R>;
  close(): Promise<void>;
}

export interface StateContents {
  mark(): Promise<StateMark>;
  setMark(mark: StateMark): Promise<void>;
  busyJobs(): Promise<readonly BusyJob[]>;
  /** The first table that holds a row, or null. */
  holds(): Promise<string | null>;
  /** Up to `limit` rows after that one, in the order of their keys; at least one if there is any. */
  read(table: ArchiveTable, after: ArchiveRow | null, limit: number): Promise<ArchiveRow[]>;
  write(table: ArchiveTable, rows: readonly ArchiveRow[]): Promise<void>;
  /** Called after all rows of the table are written: makes the values that are derived from them. */
  complete(table: ArchiveTable): Promise<void>;
}
