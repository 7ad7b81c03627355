// Text from outside, on its way to a terminal: a reason may quote the platform, and a cell or a path may hold anything.

/** One line, without characters that could steer a terminal or begin another line. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');
}

/** As `printable` for several lines: their ends and tabs stay. */
export function printableLines(text: string): string {
  return text.replace(/(?!\r\n|[\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');
}

const CONTROL = /[\p{Cc}\p{Bidi_Control}]/u;
const CONTROLS = /(?!\r\n|[\t\n])[\p{Cc}\p{Bidi_Control}]/gu;

/** For a table: no controls but tabs and line ends, no marks of direction. Names have invisible letters, which stay. */
export function withoutControls(text: string): string {
  // The test first takes a third of the time for most texts.
  return CONTROL.test(text) ? text.replace(CONTROLS, '') : text;
}

/** The same JSON, with escapes for all such characters, also those that JSON allows unescaped. */
export function printableJson(json: string): string {
  return json.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (letter) =>
    Array.from({ length: letter.length }, (_, i) => escapeUnit(letter.charCodeAt(i))).join(''),
  );
}

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}

const PLAIN_WORD = /^[\w./:@%+,-]+$/;

/** A text as one word of a command line that the user is to type. */
export function shellWord(text: string): string {
  return PLAIN_WORD.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
