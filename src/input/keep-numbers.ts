// Keeps numbers of JSON that JSON.parse would change, or write otherwise. Ids of social networks are such numbers, and
// a cell must come out as it went in.
import { exactNumber } from '../model/text/json.js';
import { rewriteNumbers } from '../model/text/json-numbers.js';

/** The beginning of such a number, after a character that may precede one; it is also found within texts. */
const MAY_CHANGE = /[[:,\s](?:-0|-?\d+[.eE]|-?\d{16})/;

/** The same JSON text with every number that would change in quotes, after the mark that `exactNumber` sets. */
export function keepNumbers(json: string): string {
  return MAY_CHANGE.test(json) ? rewriteNumbers(json, keep) : json;
}

function keep(token: string): string {
  const exact = exactNumber(token);
  return exact === undefined ? token : `"${exact}"`;
}
