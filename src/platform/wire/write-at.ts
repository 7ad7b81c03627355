// Writing values where a dialect wants them: at keys joined by dots, an object inside an object.
import { isJsonObject, type JsonObject, type JsonValue } from '../../model/text/json.js';
import { wellFormed } from './address.js';

/** An object that holds each text of ours at its place; what is absent or empty is left out. */
export function bodyOf<Name extends string>(
  values: Readonly<Partial<Record<Name, string | undefined>>>,
  places: Readonly<Record<Name, string>>,
): JsonObject {
  let body: JsonObject = {};
  for (const name in places) {
    const value = values[name];
    if (value === undefined || value === '') continue;
    body = withValueAt(body, places[name].split('.'), wellFormed(value));
  }
  return body;
}

/** A copy with `value` at the place that the keys lead to. */
export function withValueAt(
  object: JsonObject,
  [key = '', ...rest]: readonly string[],
  value: JsonValue,
): JsonObject {
  if (rest.length === 0) return { ...object, [key]: value };
  const inner = object[key];
  return { ...object, [key]: withValueAt(isJsonObject(inner) ? inner : {}, rest, value) };
}
