// Keeps text that came from the platform from starting a formula in a spreadsheet.

/**
 * The first characters that OWASP lists for CSV injection, the full-width forms among them, and NUL, which a
 * spreadsheet may drop.
 */
const FORMULA_START = /^[=+\-@\t\r\n\0＝＋－＠]/;

/** The text with a `'` in front if a spreadsheet might take it for a formula. */
export function guardFormula(text: string): string {
  return FORMULA_START.test(text) ? `'${text}` : text;
}

const PHONE = /^[+(]*\d[\d ().\-/\u00A0]*$/;

/** Whether the text consists of nothing but a phone number's characters, and so cannot be a formula. */
export function isPhone(text: string): boolean {
  return PHONE.test(text);
}
