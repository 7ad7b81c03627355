// Whether a 2xx says that something was done, where nothing in it has to be read: JSON, or nothing at all.
// Some platforms answer an unknown path with 200 and a page of HTML.

import { parseJson } from '../../model/text/json.js';
import type { Answer } from '../wire/exchange.js';

export function isDone({ text, flaw }: Answer): boolean {
  return flaw === undefined && (text.trim() === '' || parseJson(text) !== undefined);
}
