// A whole state, for copying it to another place, from any kind of store: its tables in neutral rows, and the marks
// that keep a state from being used in two places. src/store/tables.ts lists the tables.
//
// A source is marked before anything of it is read, and from then on nothing changes it. A target is marked until it is
// whole, and cannot be opened before. Both marks carry the same token, by which a copy that was cut off finds its
// target again; the source is told that the target is whole before the target is opened.

import type { BusyJob } from './state-checkup.js';

/** `json` is a text, equal to any other text of the same value. */
export type ArchiveKind = 'int' | 'bool' | 'text' | 'json' | 'bytes';

export interface ArchiveTable {
  readonly name: string;
  /** The columns, in any order. */
  readonly columns: Readonly<Record<string, ArchiveKind>>;
  /** The columns, of numbers and texts, by which a row is found and rows are ordered; texts by their UTF-8. */
  readonly key: readonly string[];
  /** A column with long texts: fewer rows are read at once. */
  readonly long?: string;
}

/** A value. Texts hold no U+0000, because no database keeps one. */
export type ArchiveValue = string | number | boolean | null | Uint8Array;
export type ArchiveRow = Readonly<Record<string, ArchiveValue>>;

/** The mark of a state: one that is moved, or one that is being filled. */
export interface CopyMark {
  readonly kind: 'source' | 'target';
  /** The other state, as it is shown to people. */
  readonly place: string;
  readonly token: string;
  /** Whether the other state is whole; for a source. */
  readonly isWhole: boolean;
}

export interface StateArchive {
  /** The place as it is shown to people. */
  readonly place: string;
  mark(): Promise<CopyMark | null>;

  /** Sets the mark; false if the state has one already. */
  setMark(mark: Omit<CopyMark, 'isWhole'>): Promise<boolean>;
  /** Marks a source with that token as moved; false if no such source is left. Idempotent. */
  noteWhole(token: string): Promise<boolean>;
  /**
   * Removes the mark, so that the state can be used again. Never call it for a source whose target is whole.
   * Idempotent.
   */
  removeMark(token: string): Promise<void>;
  /** The jobs that processes work on at this moment. */
  busyJobs(): Promise<readonly BusyJob[]>;

  /** The first table that holds a row, or null. */
  holds(): Promise<string | null>;
  count(table: ArchiveTable): Promise<number>;
  /** Up to `limit` rows after that one, in the order of their keys; at least one if there is any. */
  read(table: ArchiveTable, after: ArchiveRow | null, limit: number): Promise<ArchiveRow[]>;
  /** The last row, or null. */
  last(table: ArchiveTable): Promise<ArchiveRow | null>;
  /** Adds rows; existing rows stay. */
  write(table: ArchiveTable, rows: readonly ArchiveRow[]): Promise<void>;
  clear(table: ArchiveTable): Promise<void>;
  /** Called after all rows are written: makes the values that are derived from them. Idempotent. */
  complete(): Promise<void>;
  close(): Promise<void>;
}
