// The columns of the whole input, merged by key over its sources in order of first appearance.
import { SluiceError } from '../model/errors.js';
import type { Column } from '../model/lead.js';
import { NAMES_CHARS_MAX } from './read-options.js';

/** As many as a spreadsheet shows. JSON keyed by person would otherwise add columns without end. */
const COLUMNS_MAX = 16_384;

/** The table only grows at the end, so that a position stays valid. */
export class ColumnTable {
  readonly #columns: Column[] = [];
  #handedOut: readonly Column[] = [];
  readonly #positions = new Map<string, number>();
  readonly #jsonPositions = new Map<string, number>();
  readonly #jsonKeys = new Set<string>();
  readonly #nextOfName = new Map<string, number>();
  #nameChars = 0;

  /** Every column so far. A list once handed out never changes. */
  get columns(): readonly Column[] {
    if (this.#handedOut.length < this.#columns.length) this.#handedOut = [...this.#columns];
    return this.#handedOut;
  }

  get count(): number {
    return this.#columns.length;
  }

  /** @throws SluiceError as `positionOf` does */
  addHeader(names: readonly string[]): number[] {
    return headerKeys(names).map((key, index) => this.#place({ key, name: names[index] ?? '' }));
  }

  /**
   * The position for a key of a JSON object; two different keys never share one.
   * @throws SluiceError `input` from 16,384 columns on, and if their names are too long
   */
  positionOf(name: string): number {
    const known = this.#jsonPositions.get(name);
    if (known !== undefined) return known;
    const base = name.trim() === '' ? `column_${this.#columns.length + 1}` : name.trim();
    const key = freeKey(base, 1, [this.#jsonKeys], this.#nextOfName);
    this.#jsonKeys.add(key);
    const position = this.#place({ key, name });
    this.#jsonPositions.set(name, position);
    return position;
  }

  #place(column: Column): number {
    const known = this.#positions.get(column.key);
    if (known !== undefined) return known;
    const position = this.#columns.length;
    if (position === COLUMNS_MAX) throw tooManyColumns();
    this.#nameChars += column.name.length;
    if (this.#nameChars > NAMES_CHARS_MAX) throw tooLongNames();
    this.#positions.set(column.key, position);
    this.#columns.push(column);
    return position;
  }
}

function tooManyColumns(): SluiceError {
  return new SluiceError(
    'input',
    `The input has more than ${COLUMNS_MAX} columns; give each lead the same keys.`,
  );
}

function tooLongNames(): SluiceError {
  return new SluiceError(
    'input',
    `The names of the columns of the input have more than ${NAMES_CHARS_MAX} characters together; give each column a short name.`,
  );
}

/**
 * The unique key of each name of a header: the trimmed name, `name_2` if it comes a second time, `column_3` if it is
 * empty. A key made here never takes the place of a name in the header.
 */
export function headerKeys(names: readonly string[]): string[] {
  const trimmed = names.map((name) => name.trim());
  const real = new Set(trimmed);
  const used = new Set<string>();
  const next = new Map<string, number>();
  return trimmed.map((name, index) => {
    const base = name === '' ? `column_${index + 1}` : name;
    const isOwn = name !== '' && !used.has(name);
    const key = isOwn ? name : freeKey(base, name === '' ? 1 : 2, [real, used], next);
    used.add(key);
    return key;
  });
}

/**
 * `base` itself (from 1) or with the first number at its end that is in none of the sets. `next` remembers for each
 * base where the search continues: the numbers before it are taken, and stay taken.
 */
export function freeKey(
  base: string,
  from: number,
  taken: readonly { has(key: string): boolean }[],
  next: Map<string, number>,
): string {
  for (let count = next.get(base) ?? from; ; count += 1) {
    const key = count === 1 ? base : `${base}_${count}`;
    if (taken.some((set) => set.has(key))) continue;
    next.set(base, count + 1);
    return key;
  }
}
