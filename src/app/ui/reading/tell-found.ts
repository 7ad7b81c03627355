// A result as names and texts, each value under its path.
import type { Result } from '../../../model/result.js';
import { exactText, isJsonObject, type JsonValue } from '../../../model/text/json.js';

type Found = readonly [name: string, text: string];

/** The limit of facts: a profile may have hundreds of positions, and the rest is in the table. */
const FACTS_MAX = 80;

export function tellFound(result: Result): readonly Found[] {
  const all = Object.entries(result as Readonly<Record<string, JsonValue>>).flatMap(
    ([block, value]) => valuesIn(value, block),
  );
  const more = all.length - FACTS_MAX;
  if (more <= 0) return all;
  return [...all.slice(0, FACTS_MAX), ['…', `and ${more} more values, which the table has`]];
}

function valuesIn(value: JsonValue | undefined, path: string): Found[] {
  if (value === null || value === undefined || value === '') return [];
  if (Array.isArray(value)) {
    return value.flatMap((one: JsonValue, n) => valuesIn(one, `${path} ${n + 1}`));
  }
  if (isJsonObject(value)) {
    return Object.entries(value).flatMap(([key, one]) => valuesIn(one, `${path} ${key}`));
  }
  return [[path, exactText(value)]];
}
