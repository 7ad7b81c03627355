// Whether the values of a key name the rows: how many rows have none, and how many have one that an earlier row has.
import type { Column } from '../lead.js';
import { exactText, type JsonValue } from '../text/json.js';
import { findKey } from './choose-columns.js';

export interface KeyReport {
  readonly columns: readonly string[];
  /** Rows where a column of the key is empty. */
  readonly empty: number;
  /** Rows whose key an earlier row has. */
  readonly repeated: number;
}

interface Seen {
  /** Whether a text comes for the first time. */
  isNew(text: string): boolean;
}

export interface KeyCensus {
  /** @param columns those of the input, or of a table that begins with them */
  add(columns: readonly Column[], cells: readonly JsonValue[]): void;
  report(): KeyReport;
}

/** The values of a key as one text; null where one of them is empty. Space around a value does not count. */
export function keyText(cells: readonly JsonValue[], indexes: readonly number[]): string | null {
  const values = indexes.map((index) => exactText(cells[index] ?? '').trim());
  if (values.includes('')) return null;
  return values.length === 1 ? (values[0] ?? '') : JSON.stringify(values);
}

export function createKeyCensus(key: readonly string[], seen: Seen): KeyCensus {
  let indexes: readonly number[] = [];
  let looked: readonly Column[] | undefined;
  let [empty, repeated] = [0, 0];
  return {
    add(columns, cells) {
      if (columns !== looked) indexes = findKey(columns, key);
      looked = columns;
      const value = keyText(cells, indexes);
      if (value === null) empty += 1;
      else if (!seen.isNew(value)) repeated += 1;
    },
    report: () => ({ columns: key, empty, repeated }),
  };
}
