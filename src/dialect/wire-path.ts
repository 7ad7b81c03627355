// Dotted paths into a platform's JSON (`data.enrichment.id`; `.` is the value itself), and lists of alternatives, which
// are tried in order.
import { isJsonObject, type JsonValue } from '../model/text/json.js';

/** The path of the value itself. */
const SELF_PATH = '.';

const KEY = /^[^.\s]+(\.[^.\s]+)*$/;
const PATH_LENGTH_MAX = 200;

/** Whether `text` is `.` or keys joined by dots. */
export function isWirePath(text: string): boolean {
  return text.length <= PATH_LENGTH_MAX && (text === SELF_PATH || KEY.test(text));
}

/** The value at `path`, or undefined. Only own keys count, so `__proto__` and `toString` find nothing. */
export function valueAt(value: JsonValue | undefined, path: string): JsonValue | undefined {
  if (path === SELF_PATH) return value;
  let current = value;
  for (const key of path.split('.')) {
    if (!isJsonObject(current) || !Object.hasOwn(current, key)) return undefined;
    current = current[key];
  }
  return current;
}

/** The first value that is there and not null, over the alternatives in order. */
export function firstValueAt(
  value: JsonValue | undefined,
  paths: readonly string[],
): JsonValue | undefined {
  for (const path of paths) {
    const found = valueAt(value, path);
    if (found !== undefined && found !== null) return found;
  }
  return undefined;
}
