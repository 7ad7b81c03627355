// Counts whether the values of a key name the rows: the rows without one, and those whose key an earlier row has.
import type { Column } from '../lead.js';
import { cellAt, type FoundColumn } from '../mapping/find-column.js';
import { exactText, type JsonValue } from '../text/json.js';
import { findKey } from './choose-columns.js';

export interface KeyReport {
  readonly columns: readonly string[];
  /** The number of rows with an empty column of the key. */
  readonly empty: number;
  readonly repeated: number;
}

interface Seen {
  isNew(text: string): boolean;
}

export interface KeyCensus {
  /** @param columns the columns of the input, or of a table that begins with them */
  add(columns: readonly Column[], cells: readonly JsonValue[]): void;
  report(): KeyReport;
}

/** The values of a key as one text; null if one of them is empty. Space around a value does not count. */
export function keyText(
  cells: readonly JsonValue[],
  places: readonly FoundColumn[],
): string | null {
  const values = places.map((place) => exactText(cellAt(place, cells) ?? '').trim());
  if (values.includes('')) return null;
  return values.length === 1 ? (values[0] ?? '') : JSON.stringify(values);
}

export function createKeyCensus(key: readonly string[], seen: Seen): KeyCensus {
  let places: readonly FoundColumn[] = [];
  let looked: readonly Column[] | undefined;
  let [empty, repeated] = [0, 0];
  return {
    add(columns, cells) {
      if (columns !== looked) places = findKey(columns, key);
      looked = columns;
      const value = keyText(cells, places);
      if (value === null) empty += 1;
      else if (!seen.isNew(value)) repeated += 1;
    },
    report: () => ({ columns: key, empty, repeated }),
  };
}
