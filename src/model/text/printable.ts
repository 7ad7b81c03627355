// Text of others, on its way to a terminal: reasons may quote the platform, cells hold what people wrote, and a
// path is anything.

/** One line, without characters that could steer a terminal or begin another line. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');
}

/** The same of several lines: their ends and tabs stay. */
export function printableLines(text: string): string {
  return text.replace(/(?!\r\n|[\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');
}

/** The same JSON, with those characters escaped that JSON lets stand as they are. */
export function printableJson(json: string): string {
  return json.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (letter) =>
    Array.from({ length: letter.length }, (_, i) => escapeUnit(letter.charCodeAt(i))).join(''),
  );
}

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
