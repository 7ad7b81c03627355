// Numbers of JSON that JSON.parse would change, or write otherwise. Ids of social networks are such numbers, and a cell
// must come out as it went in.
import { exactNumber } from '../model/text/json.js';

const NUMBER = /-?\d[\d.eE+-]*/g;
/** What such a number begins with, behind what a number can stand behind; also found within texts. */
const MAY_CHANGE = /[[:,\s](?:-0|-?\d+[.eE]|-?\d{16})/;

/** The same JSON text with every number that would change in quotes, behind the mark that `exactNumber` sets. */
export function keepNumbers(json: string): string {
  if (!MAY_CHANGE.test(json)) return json;
  const parts: string[] = [];
  // By hand, since a regular expression over a string of some megabytes overflows its stack.
  for (let at = 0; at < json.length; ) {
    const quote = json.indexOf('"', at);
    const stringStart = quote === -1 ? json.length : quote;
    const stringEnd = findStringEnd(json, stringStart + 1);
    parts.push(json.slice(at, stringStart).replace(NUMBER, keep));
    parts.push(json.slice(stringStart, stringEnd));
    at = stringEnd;
  }
  return parts.join('');
}

function keep(token: string): string {
  const exact = exactNumber(token);
  return exact === undefined ? token : `"${exact}"`;
}

/** Where the text goes on after the quote that ends the string. */
function findStringEnd(json: string, from: number): number {
  for (let quote = json.indexOf('"', from); quote !== -1; quote = json.indexOf('"', quote + 1)) {
    let slashes = 0;
    while (json[quote - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return quote + 1;
  }
  return json.length;
}
