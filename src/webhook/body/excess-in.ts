// Whether a JSON text is nested deeper, or holds more values, than anything that reads it later may be asked
// to follow. Looked at before it is parsed, and without recursion: eight million brackets cost a glance.
const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPENING_BRACKET, CLOSING_BRACKET] = [0x5b, 0x5d];
const [OPENING_BRACE, CLOSING_BRACE] = [0x7b, 0x7d];

export interface JsonBounds {
  /** Of arrays and objects inside one another; `[]` is one level. */
  readonly levels: number;
  /** Of members of all arrays and objects together; an empty one counts as if it had one. */
  readonly values: number;
}

/** The bound that is exceeded first. Of UTF-8 that need not be JSON; exact where it is. */
export function excessIn(json: Uint8Array, most: JsonBounds): keyof JsonBounds | undefined {
  let level = 0;
  let values = 0;
  let isInString = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (isInString) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isInString = false;
    } else if (byte === QUOTE) {
      isInString = true;
    } else if (byte === COMMA) {
      values += 1;
    } else if (byte === OPENING_BRACE || byte === OPENING_BRACKET) {
      level += 1;
      values += 1;
      if (level > most.levels) return 'levels';
    } else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) {
      level -= 1;
    }
    if (values > most.values) return 'values';
  }
  return undefined;
}
