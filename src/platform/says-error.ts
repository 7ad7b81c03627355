// Whether an entry or a body says that something went wrong.
import { isJsonObject, type JsonValue } from '../domain/json.js';
import { firstValueAt } from '../domain/wire-path.js';

/** `false`, 0 and what is empty say nothing. */
export function saysError(value: JsonValue | undefined, paths: readonly string[]): boolean {
  const told = firstValueAt(value, paths);
  if (Array.isArray(told)) return told.length > 0;
  return isJsonObject(told) ? Object.keys(told).length > 0 : Boolean(told);
}
