// Numbers of JSON that a double cannot hold. Ids of social networks are such numbers, and a cell
// must come out as it went in: they become strings, digit for digit.

const NUMBER = /-?\d[\d.eE+-]*/g;
const LONG_INTEGER = /^-?[1-9]\d{15,}$/;
const HAS_LONG_NUMBER = /\d{16}/;

/** The same JSON text with every integer of 16 or more digits that would change put in quotes. */
export function keepLongNumbers(json: string): string {
  if (!HAS_LONG_NUMBER.test(json)) return json;
  const parts: string[] = [];
  // By hand, since a regular expression over a string of some megabytes overflows its stack.
  for (let at = 0; at < json.length; ) {
    const quote = json.indexOf('"', at);
    const stringStart = quote === -1 ? json.length : quote;
    const stringEnd = findStringEnd(json, stringStart + 1);
    parts.push(json.slice(at, stringStart).replace(NUMBER, keepDigits));
    parts.push(json.slice(stringStart, stringEnd));
    at = stringEnd;
  }
  return parts.join('');
}

function keepDigits(token: string): string {
  return LONG_INTEGER.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token;
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
