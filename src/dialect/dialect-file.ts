// A dialect as a file has it: what `dialectSchema` parses back to the same dialect, whole or as far as it
// differs from another.

import { formatRate } from '../model/schedule/rate.js';
import { isJsonObject, type JsonValue } from '../model/text/json.js';
import type { Dialect } from './dialect.js';

export type DialectFile = Readonly<Record<string, JsonValue>>;

/** Every key, with its value. */
export function wholeFile(dialect: Dialect): DialectFile {
  const { limits } = dialect;
  return { ...dialect, limits: { ...limits, rate: formatRate(limits.rate) } };
}

/** Only what differs from `base`; a list is one value. */
export function changedFile(dialect: Dialect, base: Dialect): DialectFile {
  return changesOf(wholeFile(dialect), wholeFile(base));
}

function changesOf(file: DialectFile, base: DialectFile): DialectFile {
  const changes = Object.entries(file).flatMap(([key, value]) => {
    const before = base[key];
    if (isJsonObject(value) && isJsonObject(before)) {
      const inner = changesOf(value, before);
      return Object.keys(inner).length === 0 ? [] : [[key, inner] as const];
    }
    return JSON.stringify(value) === JSON.stringify(before) ? [] : [[key, value] as const];
  });
  return Object.fromEntries(changes);
}
