// What else tells a secret: a platform that quotes a request quotes the header with the credentials as well, decoded,
// encoded or as a part of something longer. Whoever masks a secret masks these.
import type { Hidden } from './find-hidden.js';

/** A shorter piece of base64 stands in many a harmless word. */
const PIECE_LENGTH_MIN = 8;

/** What an error may tell in no form: the password, and the text and the token that Basic authentication sends. */
export function credentialForms(credentials: {
  readonly username: string;
  readonly password: string;
}): Hidden {
  const { username, password } = credentials;
  return [...secretForms(password), ...secretForms(`${username}:${password}`)];
}

/** A secret as it is, in base64, also amid other text, and in hexadecimal; how it may be escaped, find-hidden.ts knows. */
export function secretForms(secret: string): Hidden {
  const bytes = Buffer.from(secret);
  const whole = bytes.toString('base64');
  const base64 = [whole, whole.replace(/={1,2}$/, ''), ...amidOthers(bytes)];
  const hex = bytes.toString('hex');
  return [
    ...new Set([
      secret,
      ...base64.flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]),
      ...(hex.length < PIECE_LENGTH_MIN ? [] : [hex]),
    ]),
  ];
}

/** What is the same in the base64 of every text that holds these bytes, whichever of three places they stand at. */
function amidOthers(bytes: Buffer): string[] {
  return [0, 1, 2]
    .map((offset) => {
      const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
      // Of the first and the last character some bits are others'.
      const last = Math.floor(((offset + bytes.length) * 8) / 6);
      return text.slice(Math.ceil((offset * 8) / 6), last);
    })
    .filter((piece) => piece.length >= PIECE_LENGTH_MIN);
}
