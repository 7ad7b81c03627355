// Functions of PostgreSQL that SQLite lacks, for statements that run in both.
import type Database from 'better-sqlite3';

const OPTIONS = { deterministic: true, directOnly: true };

export function addFunctions(db: Database.Database): void {
  db.function('greatest', OPTIONS, (a, b) => pick(a, b, (one, other) => one > other));
  db.function('least', OPTIONS, (a, b) => pick(a, b, (one, other) => one < other));
  db.function('strpos', OPTIONS, (text, part) =>
    text === null || part === null ? null : String(text).indexOf(String(part)) + 1,
  );
  db.function('json_field', OPTIONS, jsonField);
}

/** One of two values; a null is passed over. */
function pick(a: unknown, b: unknown, isFirst: (a: never, b: never) => boolean): unknown {
  if (a === null || b === null) return a ?? b;
  return isFirst(a as never, b as never) ? a : b;
}

/** A field of a JSON object, as text. Null if it is absent, or the text is not JSON. */
function jsonField(body: unknown, name: unknown): string | null {
  try {
    const value = (JSON.parse(String(body)) as Record<string, unknown> | null)?.[String(name)];
    if (value === undefined || value === null) return null;
    return typeof value === 'string' ? value : JSON.stringify(value);
  } catch {
    return null;
  }
}
