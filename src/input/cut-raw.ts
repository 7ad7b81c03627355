// The raw text of a reject, short enough for a table that people open.

const RAW_CHARS_MAX = 2_000;

export function cutRaw(text: string): string {
  return text.slice(0, RAW_CHARS_MAX);
}
