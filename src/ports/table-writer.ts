import type { Ask } from '../model/ask.js';
import type { JsonValue } from '../model/text/json.js';

/** Text that came from the platform may need a guard in a spreadsheet; the user's own cells never do. */
export type OutputKind =
  | 'original'
  | 'text'
  | 'phone'
  | 'integer'
  | 'number'
  | 'boolean'
  /** ISO 8601, UTC. */
  | 'dateTime'
  | 'json'
  /** Position groups in the form of the platform's answer. */
  | 'positions';

export interface OutputColumn {
  /** The header in CSV; it may be empty or repeated if the input's header is. */
  readonly name: string;
  /** The key in NDJSON; unique. */
  readonly key: string;
  readonly kind: OutputKind;
  /** The asks, each of which fills it; absent if every table has it. */
  readonly asks?: readonly Ask[];
}

/** One output row; `null` is an empty cell. Cells are aligned with the columns; cells missing at the end are empty. */
export type OutputRow = readonly JsonValue[];

export interface CellChange {
  readonly column: string;
  /**
   * `controls`: text of the platform lost controls that could steer a terminal; `characters`: those that the format
   * forbids, and halves of surrogate pairs, became U+FFFD; `length`: the text is cut; `type`: the value is not of the
   * column's type, and is left out; `excel`: it stays as it is, and Excel changes its digits.
   */
  readonly change: 'controls' | 'characters' | 'length' | 'type' | 'excel';
  readonly cells: number;
}

export interface TableWriter {
  /** Writes rows; resolves when they are handed on, which waits for a slow reader. */
  write(rows: readonly OutputRow[]): Promise<void>;
  /** Writes the end of the table after the last row, if `commit` must need no further space. Idempotent. */
  end(): Promise<void>;
  /** Ends the table, and makes it visible under its name in one step, and durable. */
  commit(): Promise<void>;
  changes(): readonly CellChange[];
  /** Removes the written rows; the table that stood there before stays. Idempotent, and does nothing after commit. */
  discard(): Promise<void>;
}
