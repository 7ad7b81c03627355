// Reads number formats of a spreadsheet: whether a number is a date, or how its digits are shown. ECMA-376 part 1,
// 18.8.30 and 18.8.31.

/** The places of digits in a text; `whole` and `text` are parts of the text before and after the decimal point. */
export interface DigitMask {
  readonly isPercent: boolean;
  /** The parts before the decimal point, in order: `0` shows a zero for a missing digit, `#` shows nothing. */
  readonly whole: readonly MaskPart[];
  /** The number of decimals that are shown even if they are zero. */
  readonly decimalsMin: number;
  /** The text after the digits. */
  readonly behind: string;
}

export type MaskPart = { readonly digit: '0' | '#' } | { readonly text: string };

export type NumberFormat =
  /**
   * All digits, unchanged: for General, and for formats without an exact text (fractions, exponents, elapsed times).
   */
  | { readonly kind: 'plain' }
  | {
      readonly kind: 'date';
      readonly hasDate: boolean;
      readonly hasTime: boolean;
      /** Whether parts of a second are shown. */
      readonly hasParts: boolean;
    }
  | { readonly kind: 'digits'; readonly sections: readonly Section[] };

interface Section {
  readonly condition: Condition | undefined;
  readonly mask: DigitMask;
}

interface Condition {
  readonly operator: string;
  readonly than: number;
}

export const PLAIN: NumberFormat = { kind: 'plain' };

/** The built-in formats, which no workbook states. Those of East Asia (27 to 36, 50 to 58) are dates and times. */
const BUILT_IN: Readonly<Record<number, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  9: '0%',
  10: '0.00%',
  14: 'm/d/yyyy',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'm/d/yyyy h:mm',
  37: '#,##0',
  38: '#,##0',
  39: '#,##0.00',
  40: '#,##0.00',
  41: '#,##0',
  42: '$#,##0',
  43: '#,##0.00',
  44: '$#,##0.00',
  45: 'mm:ss',
  47: 'mm:ss.0',
};

export function builtInFormat(id: number): NumberFormat {
  const isEastAsianDate = (id >= 27 && id <= 36) || (id >= 50 && id <= 58);
  if (isEastAsianDate) return { kind: 'date', hasDate: true, hasTime: false, hasParts: false };
  const code = BUILT_IN[id];
  return code === undefined ? PLAIN : parseFormat(code);
}

/** The limit for a code: longer than any that a program lets people write. */
export const CODE_CHARS_MAX = 1_000;

/** Reads the code of a format; a code that is not understood shows all digits. */
export function parseFormat(code: string): NumberFormat {
  if (code.length > CODE_CHARS_MAX) return PLAIN;
  const sections = splitSections(code);
  const [first = []] = sections;
  const date = dateOf(first);
  if (date !== undefined) return date;
  const masks = sections.map((tokens): Section | undefined => {
    const mask = maskOf(tokens);
    return mask && { condition: conditionOf(tokens), mask };
  });
  // Without conditions, the further sections are for negative numbers, zero and text.
  const used = masks.some((section) => section?.condition) ? masks : masks.slice(0, 1);
  const known = used.filter((section) => section !== undefined);
  return known.length === used.length ? { kind: 'digits', sections: known } : PLAIN;
}

/** The mask for a number: that of the first section whose condition it meets. */
export function maskFor(sections: readonly Section[], value: number): DigitMask | undefined {
  const met = sections.find(({ condition }) => condition === undefined || meets(value, condition));
  return met?.mask;
}

function meets(value: number, { operator, than }: Condition): boolean {
  switch (operator) {
    case '<':
      return value < than;
    case '<=':
      return value <= than;
    case '>':
      return value > than;
    case '>=':
      return value >= than;
    case '<>':
      return value !== than;
    default:
      return value === than;
  }
}

/** A piece of a format: a bare character, a text that is shown as it is, or a part in square brackets. */
interface Token {
  readonly kind: 'bare' | 'text' | 'bracket';
  readonly text: string;
}

const TOKEN = /"([^"]*)"?|\\(.?)|[_*](?:.?)|\[([^\]]*)\]?|AM\/PM|A\/P|General|E[+-]|./gisu;

function splitSections(code: string): Token[][] {
  const sections: Token[][] = [[]];
  for (const [whole, quoted, escaped, bracket] of code.matchAll(TOKEN)) {
    if (whole === ';') sections.push([]);
    else if (bracket !== undefined) sections.at(-1)?.push({ kind: 'bracket', text: bracket });
    else if (quoted !== undefined || escaped !== undefined) {
      sections.at(-1)?.push({ kind: 'text', text: quoted ?? escaped ?? '' });
    } else if (!/^[_*]/.test(whole)) sections.at(-1)?.push({ kind: 'bare', text: whole });
  }
  return sections;
}

function dateOf(tokens: readonly Token[]): NumberFormat | undefined {
  const bare = tokens.filter(({ kind }) => kind === 'bare').map(({ text }) => text.toLowerCase());
  if (bare.some((text) => text === 'general' || text === '@')) return undefined;
  // [h]:mm counts on beyond a day: it is not a time of a day, and its number holds everything.
  const isElapsed = tokens.some(({ kind, text }) => kind === 'bracket' && /^[hms]+$/i.test(text));
  if (isElapsed) return PLAIN;
  const hasDate = bare.some((text) => /^[ydgeb]$/.test(text));
  const hasTime = bare.some((text) => /^(?:h|s|am\/pm|a\/p)$/.test(text));
  if (!hasDate && !hasTime && !bare.includes('m')) return undefined;
  const hasParts = hasTime && /s\.0/.test(bare.join(''));
  return { kind: 'date', hasDate: hasDate || !hasTime, hasTime, hasParts };
}

function conditionOf(tokens: readonly Token[]): Condition | undefined {
  for (const { kind, text } of tokens) {
    const found = kind === 'bracket' ? /^(<=|>=|<>|<|>|=)(-?[\d.]{1,20})$/.exec(text) : null;
    if (found !== null) return { operator: found[1] ?? '=', than: Number(found[2]) };
  }
  return undefined;
}

/** The mask; undefined if the digits are not simply shown one after another. */
function maskOf(tokens: readonly Token[]): DigitMask | undefined {
  const whole: MaskPart[] = [];
  let [behind, decimalsMin] = ['', 0];
  let [hasPoint, hasDigit, isPercent] = [false, false, false];
  for (const token of tokens) {
    const { text } = token;
    if (token.kind === 'bare' && /^[0#?]$/.test(text)) {
      // Digits after a text after the decimals cannot be made a text.
      if (behind !== '') return undefined;
      hasDigit = true;
      if (!hasPoint) whole.push({ digit: text === '0' ? '0' : '#' });
      else if (text === '0') decimalsMin += 1;
    } else if (token.kind === 'bare' && text === '.' && !hasPoint) hasPoint = true;
    else if (!(token.kind === 'bare' && text === ',')) {
      const shown = shownText(token);
      if (shown === undefined) return undefined;
      isPercent ||= token.kind === 'bare' && text === '%';
      if (hasPoint) behind += shown;
      else if (shown !== '') whole.push({ text: shown });
    }
  }
  if (!hasDigit || isScaled(tokens)) return undefined;
  return { isPercent, whole, decimalsMin, behind };
}

/** Whether a comma after the last digit divides by a thousand. */
function isScaled(tokens: readonly Token[]): boolean {
  const bare = tokens.filter(({ kind }) => kind === 'bare').map(({ text }) => text);
  return /[0#?],+(?![,0#?])/.test(bare.join(''));
}

/** The text of a token; undefined for more than text: a fraction, an exponent, a letter with a meaning. */
function shownText({ kind, text }: Token): string | undefined {
  if (kind === 'text') return text;
  // The currency in [$€-407] is shown; a colour, a condition or a language shows nothing.
  if (kind === 'bracket') return text.startsWith('$') ? text.slice(1).replace(/-[^-]*$/, '') : '';
  return /^[-+$%(): !^&'~{}<>=\p{Sc}\u00a0]$/u.test(text) ? text : undefined;
}
