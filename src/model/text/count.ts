// Numbers in sentences, with their noun.

/** `1234567` → `1,234,567`. */
export function formatNumber(value: number): string {
  return value.toLocaleString('en-US');
}

/** `1 lead`, `1,234 leads`; the verb may be in it: `1 lead is`, `2 leads are`. */
export function formatCount(value: number, noun: string, plural = `${noun}s`): string {
  return `${formatNumber(value)} ${value === 1 ? noun : plural}`;
}

/** `3.4 MB`. */
export function formatBytes(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(bytes) / 3)));
  const value = bytes / 1_000 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[power]}`;
}
