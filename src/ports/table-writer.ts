// Writing one table, whatever its format.
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

export interface OutputColumn {
  /** The header in CSV; may be empty or repeated where the input's header is. */
  readonly name: string;
  /** Unique; the key in NDJSON. */
  readonly key: string;
  readonly kind: OutputKind;
}

/** One output row; `null` is an empty cell. Aligned with the columns; cells missing at the end are empty. */
export type OutputRow = readonly JsonValue[];

export interface TableWriter {
  /** Resolves when the rows are handed on, which waits for a slow reader. */
  write(rows: readonly OutputRow[]): Promise<void>;
  /** Makes the table visible under its name in one step, and durable. */
  commit(): Promise<void>;
  /** Removes what was written; the table that stood there before stays. Idempotent, and nothing after commit. */
  discard(): Promise<void>;
}
