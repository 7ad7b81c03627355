// Which entry of a bulk answer belongs to which item. A ticket on the wrong item would bring one person's
// data to another, so an entry that names one item is never given to another one.

import { firstValueAt } from '../../dialect/wire-path.js';
import type { JsonValue } from '../../model/text/json.js';

/**
 * For each key of an item its entry, or undefined: the one entry that came back with that key, else the
 * one in the same place, where there are as many entries as items (docs/platform-api.md, POST /enrich/bulk).
 */
export function matchEntries(
  entries: readonly JsonValue[],
  keys: readonly string[],
  metadata: readonly string[],
): (JsonValue | undefined)[] {
  const told = entries.map((entry) => firstValueAt(entry, metadata));
  const places = new Map<JsonValue | undefined, number[]>(keys.map((key) => [key, []]));
  for (const [i, key] of told.entries()) places.get(key)?.push(i);
  return keys.map((key, i) => {
    const [own, another] = places.get(key) ?? [];
    if (own !== undefined && another === undefined) return entries[own];
    const isOthers = told[i] !== key && places.has(told[i]);
    return entries.length === keys.length && !isOthers ? entries[i] : undefined;
  });
}
