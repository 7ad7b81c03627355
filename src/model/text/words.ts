/** The words of a text, also of a long list that is written as one. */
export function wordsOf(text: string): string[] {
  return text.split(/\s+/u).filter((word) => word !== '');
}

export function wordSet(text: string): ReadonlySet<string> {
  return new Set(wordsOf(text));
}
