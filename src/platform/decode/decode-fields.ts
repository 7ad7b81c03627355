// Reading the fields of one object by a table of names and types. Tolerant: what has the wrong type is
// dropped, what is unknown is never looked at, and only the tables' own names are ever written.

import { valueAt } from '../../dialect/wire-path.js';
import type { FieldsOf, FieldTable, FieldType } from '../../model/result.js';
import { isJsonObject, type JsonValue } from '../../model/text/json.js';

/** For each of our names the platform's, as a dialect gives them. */
export type Aliases = Readonly<Record<string, readonly string[]>>;

/** The fields of a table that `source` has; strings to the letter, an empty one absent. */
export function decodeFields<T extends FieldTable>(
  source: JsonValue | undefined,
  table: T,
  aliases: Aliases,
): FieldsOf<T> {
  const fields: Record<string, string | number> = {};
  for (const [name, type] of Object.entries(table)) {
    const value = decodeFirst(source, aliases[name] ?? [], type);
    if (value !== undefined) fields[name] = value;
  }
  return isFieldsOf(fields, table) ? fields : {};
}

/** The first alternative that holds a value of the type. */
export function decodeFirst(
  source: JsonValue | undefined,
  paths: readonly string[],
  type: FieldType,
): string | number | undefined {
  for (const path of paths) {
    const value = decodeField(valueAt(source, path), type);
    if (value !== undefined) return value;
  }
  return undefined;
}

export function decodeField(
  raw: JsonValue | undefined,
  type: FieldType,
): string | number | undefined {
  return type === 'integer' ? decodeInteger(raw) : decodeString(raw);
}

/** A non-empty string; a number is written out. */
function decodeString(raw: JsonValue | undefined): string | undefined {
  if (typeof raw === 'string') return raw === '' ? undefined : raw;
  return typeof raw === 'number' && Number.isFinite(raw) ? String(raw) : undefined;
}

/** A whole number that a double holds exactly; also one written as a string. */
function decodeInteger(raw: JsonValue | undefined): number | undefined {
  const isWritten = typeof raw === 'string' && /^\s*[+-]?\d{1,16}\s*$/.test(raw);
  const value = isWritten ? Number(raw) : raw;
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
}

/** The objects of an array, at most `countMax`; nothing of anything else. */
export function decodeObjects(raw: JsonValue | undefined, countMax: number): JsonValue[] {
  return Array.isArray(raw) ? raw.filter(isJsonObject).slice(0, countMax) : [];
}

function isFieldsOf<T extends FieldTable>(
  fields: Readonly<Record<string, string | number>>,
  table: T,
): fields is FieldsOf<T> & Record<string, string | number> {
  return Object.entries(fields).every(
    ([name, value]) => typeof value === (table[name] === 'integer' ? 'number' : 'string'),
  );
}
