// Text of others, on its way to a terminal: reasons may quote the platform, cells hold what people wrote, and a
// path is anything.

/** One line, without characters that could steer a terminal. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, ' ');
}

/** The same of several lines: their ends and tabs stay. */
export function printableLines(text: string): string {
  return text.replace(/(?!\r\n|[\t\n])[\p{Cc}\p{Cf}]/gu, ' ');
}
