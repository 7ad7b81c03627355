// Numbers in sentences, with their noun.

/** `1234567` → `1,234,567`. */
export function formatNumber(value: number): string {
  return value.toLocaleString('en-US');
}

/** `1 lead`, `1,234 leads`; the verb may be in it: `1 lead is`, `2 leads are`. */
export function formatCount(value: number, noun: string, plural = `${noun}s`): string {
  return `${formatNumber(value)} ${value === 1 ? noun : plural}`;
}
