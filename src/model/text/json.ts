// A JSON value, as a cell of an NDJSON lead or a platform's answer holds it.

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

export type JsonObject = { readonly [key: string]: JsonValue };

/**
 * Nothing reads what is nested deeper than this: a result has 8 levels (docs/platform-api.md, Enrichment result),
 * and a recursive function may overflow the stack on a deeper value.
 */
export const JSON_LEVELS_MAX = 64;

/** Whether arrays and objects stand inside one another more than `levelsMax` times; `[]` is one level. */
export function isDeeperThan(value: unknown, levelsMax: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levelsMax === 0) return true;
  const inner: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return inner.some((one) => isDeeperThan(one, levelsMax - 1));
}

/** True for `{…}`; false for arrays, null and scalars. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
