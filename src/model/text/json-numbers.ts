// Numbers in the text of JSON, before JSON.parse makes doubles of them.

const NUMBER = /-?\d[\d.eE+-]*/g;

/** The same JSON text with each number as `write` returns it; strings stay as they are. */
export function rewriteNumbers(json: string, write: (number: string) => string): string {
  const parts: string[] = [];
  // This is not a regular expression, because one over a string of some megabytes overflows its stack.
  for (let at = 0; at < json.length; ) {
    const quote = json.indexOf('"', at);
    const stringStart = quote === -1 ? json.length : quote;
    const stringEnd = findStringEnd(json, stringStart + 1);
    parts.push(json.slice(at, stringStart).replace(NUMBER, write));
    parts.push(json.slice(stringStart, stringEnd));
    at = stringEnd;
  }
  return parts.join('');
}

/** The position after the quote that ends the string. */
function findStringEnd(json: string, from: number): number {
  for (let quote = json.indexOf('"', from); quote !== -1; quote = json.indexOf('"', quote + 1)) {
    let slashes = 0;
    while (json[quote - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return quote + 1;
  }
  return json.length;
}
