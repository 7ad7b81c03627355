// The one place where a cell is changed, before every format: because the format cannot hold it, or because it is text
// from outside with controls, which could steer a terminal. Changes are counted and reported.
import { exactText, type JsonValue } from '../model/text/json.js';
import { withoutControls } from '../model/text/printable.js';
import type { CellChange, OutputColumn, OutputKind, OutputRow } from '../ports/table-writer.js';

export interface CellLimits {
  readonly textLengthMax?: number;
  /** Characters that no text may have; the expression is global. */
  readonly forbidden?: RegExp;
  /** Whether arrays and objects are written as text, and obey its limits. */
  readonly hasJsonAsText?: boolean;
  /** Whether the reader of the table changes a text of the user's. */
  readonly isMisread?: (text: string) => boolean;
  /** Whether a column of the kind can hold the value. */
  readonly fits?: (cell: JsonValue, kind: OutputKind) => boolean;
}

export interface CellCleaner {
  /** The columns, with names that the format can hold. */
  readonly columns: readonly OutputColumn[];
  /** Cleans rows, which keep their length; unchanged rows are returned themselves. */
  clean(rows: readonly OutputRow[]): readonly OutputRow[];
  /** The changes so far, by column, in the columns' order. */
  changes(): CellChange[];
}

/** The character in place of those that cannot be written. */
const REPLACEMENT = '\uFFFD';

export function openCellCleaner(columns: readonly OutputColumn[], limits: CellLimits): CellCleaner {
  const counts = columns.map(() => new Map<CellChange['change'], number>());
  const hasLimits = Object.keys(limits).length > 0;
  const cleanCell = (cell: JsonValue, n: number): JsonValue => {
    const kind = columns[n]?.kind ?? 'text';
    if (!hasLimits && typeof cell === 'string' && cell.isWellFormed() && isCalm(cell, kind))
      return cell;
    const changed = cellFor(cell, kind, limits);
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
  if (limits.fits?.(cell, kind) === false) return { cell: null, changes: ['type'] };
  if (isOwn(kind)) {
    if (limits.isMisread?.(exactText(cell)) === true) return { cell, changes: ['excel'] };
    return fitted(limits, cell);
  }
  const calm = mapTexts(cell, withoutControls);
  const cleaned = fitted(limits, calm);
  return calm === cell
    ? cleaned
    : { ...cleaned, changes: ['controls', ...(cleaned.changes ?? [])] };
}

function isOwn(kind: OutputKind): boolean {
  return kind === 'original';
}

function isCalm(text: string, kind: OutputKind): boolean {
  return isOwn(kind) || withoutControls(text) === text;
}

function fitted(limits: CellLimits, cell: JsonValue): Cleaned {
  if (typeof cell === 'string') return textFor(cell, limits);
  if (typeof cell !== 'object' || cell === null) return { cell };
  const whole = mapTexts(cell, (text) => text.toWellFormed());
  const changes = new Set<CellChange['change']>(whole === cell ? [] : ['characters']);
  if (limits.hasJsonAsText !== true) return { cell: whole, changes: [...changes] };
  const text = textFor(exactText(whole), limits);
  for (const change of text.changes ?? []) changes.add(change);
  return { cell: text.cell, changes: [...changes] };
}

function textFor(text: string, { forbidden, textLengthMax }: CellLimits): Cleaned<string> {
  const isWritable =
    text.isWellFormed() && (forbidden === undefined || text.search(forbidden) === -1);
  const isShort = textLengthMax === undefined || text.length <= textLengthMax;
  if (isWritable && isShort) return { cell: text };
  const changes: CellChange['change'][] = [];
  let cell = text;
  if (!isWritable) {
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

/** The beginning of a text; a surrogate pair is cut off as a whole. */
function cut(text: string, length: number): string {
  const isInPair = (text.codePointAt(length - 1) ?? 0) > 0xffff;
  return text.slice(0, isInPair ? length - 1 : length);
}

/** The value with its texts and names changed; the very same one if none is. */
function mapTexts(value: JsonValue, change: (text: string) => string): JsonValue {
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items: readonly JsonValue[] = value;
    const mapped = items.map((item) => mapTexts(item, change));
    return mapped.every((item, n) => item === items[n]) ? value : mapped;
  }
  const entries = Object.entries(value);
  const mapped = entries.map(([key, inner]) => [change(key), mapTexts(inner, change)] as const);
  const isSame = mapped.every(
    ([key, inner], n) => key === entries[n]?.[0] && inner === entries[n][1],
  );
  return isSame ? value : Object.fromEntries(mapped);
}
