// Windows-1252 to text. An own table, since the TextDecoder of Node 20.18.3 and many later versions
// reads this encoding as Latin-1 (nodejs/node#56542): the euro sign and curly quotes would be lost.

const HIGH_CONTROLS = /[\u0080-\u009f]/g;
const TABLE = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

export function decodeWindows1252(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replace(HIGH_CONTROLS, (control) => TABLE.charAt(control.charCodeAt(0) - 0x80));
}
