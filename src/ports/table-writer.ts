// Writing one table, whatever its format.
import type { Ask } from '../model/ask.js';
import type { JsonValue } from '../model/text/json.js';

/** Text that came from the platform may need a guard in a spreadsheet; the user's own cells never do. */
export type OutputKind =
  | 'original'
  | 'text'
  | 'phone'
  /** A whole number. */
  | 'integer'
  | 'number'
  | 'boolean'
  /** ISO 8601, UTC. */
  | 'dateTime'
  | 'json'
  /** Position groups as the platform's answer has them. */
  | 'positions';

/** What the dictionary of a table says of a column. */
export interface TableField {
  /** One of the standard Table Schema. */
  readonly type: string;
  readonly constraints?: Readonly<Record<string, string | readonly string[]>>;
  readonly description: string;
  readonly source: string;
}

export interface OutputColumn {
  /** The header in CSV; may be empty or repeated where the input's header is. */
  readonly name: string;
  /** Unique; the key in NDJSON. */
  readonly key: string;
  readonly kind: OutputKind;
  /** Absent for the input's own columns, whose meaning Sluice does not know. */
  readonly field?: TableField;
  /** The asks of which one fills it; absent where every table has it. */
  readonly asks?: readonly Ask[];
}

/** One output row; `null` is an empty cell. Aligned with the columns; cells missing at the end are empty. */
export type OutputRow = readonly JsonValue[];

/** Cells of a column that a table does not show as they are. */
export interface CellChange {
  /** The column's key. */
  readonly column: string;
  /**
   * `controls`: text of the platform lost controls that could steer a terminal; `characters`: those that the format
   * forbids, and halves of surrogate pairs, became U+FFFD; `length`: the text is cut; `type`: the value is not of the
   * column's type, and left out.
   */
  readonly change: 'controls' | 'characters' | 'length' | 'type';
  readonly cells: number;
}

export interface TableWriter {
  /** Resolves when the rows are handed on, which waits for a slow reader. */
  write(rows: readonly OutputRow[]): Promise<void>;
  /** Writes what comes behind the last row, if `commit` is to do nothing that takes room. Idempotent. */
  end(): Promise<void>;
  /** Ends the table, and makes it visible under its name in one step, and durable. */
  commit(): Promise<void>;
  /** What was changed in the rows so far. */
  changes(): readonly CellChange[];
  /** Removes what was written; the table that stood there before stays. Idempotent, and nothing after commit. */
  discard(): Promise<void>;
}
