// Reads a number format of a spreadsheet (ECMA-376 part 1, 18.8.30 and 18.8.31): whether its numbers are
// dates, and with how many digits they are shown at least. Signs, units and percent are no part of the text.

export type NumberFormat =
  | { readonly kind: 'date'; readonly hasDate: boolean; readonly hasTime: boolean }
  /** `digitsMin`: of the digits before the decimal point; `00000` shows 1234 as 01234. */
  | { readonly kind: 'digits'; readonly digitsMin: number };

export const PLAIN: NumberFormat = { kind: 'digits', digitsMin: 1 };

/** The built-in formats of dates and times, which no workbook states. */
const BUILT_IN: Readonly<Record<number, string>> = {
  14: 'm/d/yyyy',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm',
  19: 'h:mm:ss',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'm/d/yyyy h:mm',
  45: 'mm:ss',
  47: 'mm:ss.0',
};

export function builtInFormat(id: number): NumberFormat {
  // Those of East Asia are dates.
  const isEastAsian = (id >= 27 && id <= 36) || (id >= 50 && id <= 58);
  return parseFormat(isEastAsian ? 'yyyy' : (BUILT_IN[id] ?? ''));
}

/** The limit for a code: longer than any that a program lets people write. */
export const CODE_CHARS_MAX = 1_000;

/** Texts in quotes, single characters after a backslash, and blanks of a width: what is shown as it is. */
const LITERAL = /"[^"]*"?|\\.?|[_*].?/gsu;
const BRACKET = /\[[^\]]*\]?/g;

/** Reads the code of a format; its first section decides. */
export function parseFormat(code: string): NumberFormat {
  if (code.length > CODE_CHARS_MAX) return PLAIN;
  const [section = ''] = code.replace(LITERAL, '').toLowerCase().split(';');
  // [h]:mm counts on beyond a day: it is no time of a day, and its number holds everything.
  if (/\[[hms]+\]/.test(section)) return PLAIN;
  const signs = section.replace(BRACKET, '').replace(/general|e[+-]/g, '@');
  if (signs.includes('@')) return PLAIN;
  const hasDate = /[ydgeb]/.test(signs);
  const hasTime = /[hs]|a\/p/.test(signs);
  if (hasDate || hasTime || signs.includes('m')) {
    return { kind: 'date', hasDate: hasDate || !hasTime, hasTime };
  }
  if (/[/%]/.test(signs)) return PLAIN;
  const [whole = ''] = signs.split('.');
  return { kind: 'digits', digitsMin: Math.max(1, whole.replace(/[^0]/g, '').length) };
}
