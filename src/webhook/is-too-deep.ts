// Whether a JSON text is nested deeper than anything that reads it later may be asked to follow. Looked at
// before it is parsed, and without recursion: eight million brackets cost a glance.
const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPENING_BRACKET, CLOSING_BRACKET] = [0x5b, 0x5d];
const [OPENING_BRACE, CLOSING_BRACE] = [0x7b, 0x7d];

/** Of UTF-8 that need not be JSON; exact where it is. `[]` is one level. */
export function isTooDeep(json: Uint8Array, levelsMax: number): boolean {
  let level = 0;
  let isInString = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (isInString) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isInString = false;
    } else if (byte === QUOTE) {
      isInString = true;
    } else if (byte === OPENING_BRACE || byte === OPENING_BRACKET) {
      level += 1;
      if (level > levelsMax) return true;
    } else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) {
      level -= 1;
    }
  }
  return false;
}
