// A state as a whole, for copying it to another place, whatever store either is kept in: its tables in neutral rows, and
// the marks that keep a state from being used in two places. Which tables there are: src/store/tables.ts.
//
// A source is marked before anything of it is read, and from then on nothing changes it. A target is marked until it is
// whole, and cannot be opened before. Both marks carry the same token, by which a copy that was cut off finds its target
// again; the source is told that the target is whole before the target is opened.

import type { BusyJob } from './state-checkup.js';

/** `json`: a text, equal to any other text that says the same. */
export type ArchiveKind = 'int' | 'bool' | 'text' | 'json' | 'bytes';

export interface ArchiveTable {
  readonly name: string;
  /** In any order. */
  readonly columns: Readonly<Record<string, ArchiveKind>>;
  /** Numbers and texts, by which a row is found and rows are ordered; texts by their UTF-8. */
  readonly key: readonly string[];
  /** A column whose texts may be long: fewer rows are read at once. */
  readonly long?: string;
}

/** Texts hold no U+0000: no database keeps one. */
export type ArchiveValue = string | number | boolean | null | Uint8Array;
export type ArchiveRow = Readonly<Record<string, ArchiveValue>>;

/** What a state is marked as: one that is moved, or one that is being filled. */
export interface CopyMark {
  readonly kind: 'source' | 'target';
  /** The other state, as people name it. */
  readonly place: string;
  readonly token: string;
  /** Of a source: the other one is whole. */
  readonly isWhole: boolean;
}

export interface StateArchive {
  /** As people name it. */
  readonly place: string;
  mark(): Promise<CopyMark | null>;

  /** False where it has a mark already. */
  setMark(mark: Omit<CopyMark, 'isWhole'>): Promise<boolean>;
  /** A source with that token is moved now; false where there is none any more. Idempotent. */
  noteWhole(token: string): Promise<boolean>;
  /** Idempotent: the state can be used again. Never of a source whose target is whole. */
  removeMark(token: string): Promise<void>;
  /** The jobs that processes work on at this moment. */
  busyJobs(): Promise<readonly BusyJob[]>;

  /** The first table that holds anything, or null. */
  holds(): Promise<string | null>;
  count(table: ArchiveTable): Promise<number>;
  /** Up to `limit` rows after that one, in the order of their keys; at least one where there is any. */
  read(table: ArchiveTable, after: ArchiveRow | null, limit: number): Promise<ArchiveRow[]>;
  /** The last row, or null. */
  last(table: ArchiveTable): Promise<ArchiveRow | null>;
  /** Adds rows; those that are there already stay. */
  write(table: ArchiveTable, rows: readonly ArchiveRow[]): Promise<void>;
  clear(table: ArchiveTable): Promise<void>;
  /** After all rows: makes what is derived from them. Idempotent. */
  complete(): Promise<void>;
  close(): Promise<void>;
}
