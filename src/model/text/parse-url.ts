// A URL, or undefined. Not by URL.canParse: in Node 20 and 22 it denies `https://münchen.de` once it has
// been called some thousand times, when its optimised version takes over.

export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
