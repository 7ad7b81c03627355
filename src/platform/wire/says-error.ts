// Whether an entry or a body says that something went wrong.

import { firstValueAt } from '../../dialect/wire-path.js';
import { isJsonObject, type JsonValue } from '../../model/text/json.js';

/** `false`, 0 and what is empty say nothing. */
export function saysError(value: JsonValue | undefined, paths: readonly string[]): boolean {
  const told = firstValueAt(value, paths);
  if (Array.isArray(told)) return told.length > 0;
  return isJsonObject(told) ? Object.keys(told).length > 0 : Boolean(told);
}
