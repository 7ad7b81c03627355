// Numbers of JSON that JSON.parse would change, or write otherwise. Ids of social networks are such numbers, and a cell
// must come out as it went in.
import { exactNumber } from '../model/text/json.js';
import { rewriteNumbers } from '../model/text/json-numbers.js';

/** What such a number begins with, behind what a number can stand behind; also found within texts. */
const MAY_CHANGE = /[[:,\s](?:-0|-?\d+[.eE]|-?\d{16})/;

/** The same JSON text with every number that would change in quotes, behind the mark that `exactNumber` sets. */
export function keepNumbers(json: string): string {
  return MAY_CHANGE.test(json) ? rewriteNumbers(json, keep) : json;
}

function keep(token: string): string {
  const exact = exactNumber(token);
  return exact === undefined ? token : `"${exact}"`;
}
