// The one place where a cell is changed because a format cannot hold it, in front of every format; and the count of what
// was changed, which is told. What every format can hold passes as it is.
import { exactText, type JsonValue } from '../model/text/json.js';
import type { CellChange, OutputColumn, OutputKind, OutputRow } from '../ports/table-writer.js';

/** What a format cannot hold, besides the halves of surrogate pairs, which none can. */
export interface CellLimits {
  /** In UTF-16 units. */
  readonly textLengthMax?: number;
  /** Characters that no text may have; the expression is global. */
  readonly forbidden?: RegExp;
  /** Arrays and objects are written as text, and obey its limits. */
  readonly hasJsonAsText?: boolean;
  /** Whether a column of the kind can hold the value. */
  readonly isHeld?: (cell: JsonValue, kind: OutputKind) => boolean;
}

export interface CellCleaner {
  /** The columns, with names that the format can hold. */
  readonly columns: readonly OutputColumn[];
  /** Rows as long as they were; the same ones where nothing is changed. */
  clean(rows: readonly OutputRow[]): readonly OutputRow[];
  /** What was changed so far, by column, in their order. */
  changes(): CellChange[];
}

/** Takes the place of what cannot be held. */
const REPLACEMENT = '\uFFFD';

export function openCellCleaner(columns: readonly OutputColumn[], limits: CellLimits): CellCleaner {
  const counts = columns.map(() => new Map<CellChange['change'], number>());
  const hasLimits = Object.keys(limits).length > 0;
  const cleanCell = (cell: JsonValue, n: number): JsonValue => {
    if (!hasLimits && typeof cell === 'string' && cell.isWellFormed()) return cell;
    const changed = cellFor(cell, columns[n]?.kind ?? 'text', limits);
    if (changed.changes !== undefined) {
      const count = counts[n];
      for (const change of changed.changes) count?.set(change, (count.get(change) ?? 0) + 1);
    }
    return changed.cell;
  };
  return {
    columns: columns.map((column) => ({
      ...column,
      name: textFor(column.name, limits).cell,
      key: textFor(column.key, limits).cell,
    })),
    clean: (rows) => rows.map((row) => cleanRow(row, cleanCell)),
    changes: () =>
      columns.flatMap(({ key: column }, n) =>
        [...(counts[n] ?? [])].map(([change, cells]) => ({ column, change, cells })),
      ),
  };
}

/** Most rows need no change, and no copy. */
function cleanRow(row: OutputRow, clean: (cell: JsonValue, n: number) => JsonValue): OutputRow {
  let copy: JsonValue[] | undefined;
  for (const [n, cell] of row.entries()) {
    if (cell === null) continue;
    const cleaned = clean(cell, n);
    if (cleaned === cell) continue;
    copy ??= [...row];
    copy[n] = cleaned;
  }
  return copy ?? row;
}

interface Cleaned<T extends JsonValue = JsonValue> {
  readonly cell: T;
  readonly changes?: readonly CellChange['change'][];
}

function cellFor(cell: JsonValue, kind: OutputKind, limits: CellLimits): Cleaned {
  if (limits.isHeld?.(cell, kind) === false) return { cell: null, changes: ['type'] };
  if (typeof cell === 'string') return textFor(cell, limits);
  if (typeof cell !== 'object' || cell === null) return { cell };
  const cleaned = isWellFormed(cell)
    ? { cell }
    : { cell: wellFormed(cell), changes: ['characters'] as const };
  if (limits.hasJsonAsText !== true) return cleaned;
  const text = textFor(exactText(cleaned.cell), limits);
  const changes = new Set([...(cleaned.changes ?? []), ...(text.changes ?? [])]);
  return { cell: text.cell, changes: [...changes] };
}

function textFor(text: string, { forbidden, textLengthMax }: CellLimits): Cleaned<string> {
  const isHeld = text.isWellFormed() && (forbidden === undefined || text.search(forbidden) === -1);
  const isShort = textLengthMax === undefined || text.length <= textLengthMax;
  if (isHeld && isShort) return { cell: text };
  const changes: CellChange['change'][] = [];
  let cell = text;
  if (!isHeld) {
    cell = cell.toWellFormed();
    if (forbidden !== undefined) cell = cell.replace(forbidden, REPLACEMENT);
    changes.push('characters');
  }
  if (!isShort) {
    cell = cut(cell, textLengthMax);
    changes.push('length');
  }
  return { cell, changes };
}

/** A surrogate pair is cut off as a whole. */
function cut(text: string, length: number): string {
  const isInPair = (text.codePointAt(length - 1) ?? 0) > 0xffff;
  return text.slice(0, isInPair ? length - 1 : length);
}

function isWellFormed(value: JsonValue): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isWellFormed);
  return Object.entries(value).every(([key, inner]) => key.isWellFormed() && isWellFormed(inner));
}

function wellFormed(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(wellFormed);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key.toWellFormed(), wellFormed(inner)]),
  );
}
