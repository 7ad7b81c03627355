// Whether a 2xx says that something was done, where nothing in it has to be read: JSON, or nothing at all.
// A page of HTML is what some platforms answer at a path that they do not know (field-notes.md).

import { parseJson } from '../redact/reason.js';
import type { Answer } from '../wire/exchange.js';

export function isDone({ text, flaw }: Answer): boolean {
  return flaw === undefined && (text.trim() === '' || parseJson(text) !== undefined);
}
