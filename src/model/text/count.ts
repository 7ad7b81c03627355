// Numbers in sentences, with their noun.

export function formatNumber(value: number): string {
  return value.toLocaleString('en-US');
}

/** `1 lead`, `1,234 leads`; the verb may be in it: `1 lead is`, `2 leads are`. */
export function formatCount(value: number, noun: string, plural = `${noun}s`): string {
  return `${formatNumber(value)} ${value === 1 ? noun : plural}`;
}

/** `once`, `3 times`. */
export function formatTimes(value: number): string {
  return value === 1 ? 'once' : formatCount(value, 'time');
}

/** `3.4 MB`. */
export function formatBytes(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(bytes) / 3)));
  const value = bytes / 1_000 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[power]}`;
}

/** `84 %`; only a part of all is `100 %`, and only a part of nothing is `0 %`. */
export function formatShare(part: number, whole: number): string {
  if (!(whole > 0)) return '0 %';
  const percent = (part / whole) * 100;
  if (percent > 0 && percent < 1) return '<1 %';
  if (percent > 99 && percent < 100) return '>99 %';
  return `${Math.round(percent)} %`;
}

/** A text of at most `max` characters; `…` stands for the rest. */
export function cutText(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** The name of a column of a spreadsheet: `A` for 0, `Z` for 25, `AA` for 26. */
export function columnLetters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : columnLetters(Math.floor(index / 26) - 1) + last;
}
