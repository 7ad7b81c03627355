// The keys that the file of a dialect states: a stated key is no guess, and the dialect is made again from them.

import {
  changedFile,
  type Dialect,
  type DialectFile,
  NEUTRAL_DIALECT,
} from '../dialect/dialect.js';
import { valueAt } from '../dialect/wire-path.js';
import { type Ask, isStandard, type Prices } from '../model/ask.js';
import { isJsonObject, type JsonObject } from '../model/text/json.js';

export function withPrices(dialect: Dialect, prices: Prices): Dialect {
  const file = fileOf(dialect);
  const stated: JsonObject = { ...(isJsonObject(file['prices']) ? file['prices'] : {}), ...prices };
  return statedBy(
    { ...file, prices: stated },
    { ...dialect, prices: { ...dialect.prices, ...prices } },
  );
}

/** Whether no price is stated for one of them; a custom ask always states its own. */
export function arePricesAssumed(dialect: Dialect, ask: readonly Ask[]): boolean {
  return ask.some((one) => isStandard(one) && !isStated(dialect, `prices.${one}`));
}

const FILES = new WeakMap<Dialect, DialectFile>();

/** Notes the content of the file that the dialect was read from. Returns the dialect. */
export function statedBy(file: DialectFile, dialect: Dialect): Dialect {
  FILES.set(dialect, file);
  return dialect;
}

/**
 * Whether the file states the key, or one inside it; `key` is `prices` or `prices.find_email`. A dialect that was made
 * by a program states its differences from the neutral one.
 */
export function isStated(dialect: Dialect, key: string): boolean {
  return valueAt(fileOf(dialect), key) !== undefined;
}

export function fileOf(dialect: Dialect): DialectFile {
  return FILES.get(dialect) ?? changedFile(dialect, NEUTRAL_DIALECT);
}
