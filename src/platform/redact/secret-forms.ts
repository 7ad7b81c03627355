// The forms of a secret, all of which are masked: a platform that quotes a request quotes the header with the
// credentials as well, decoded, encoded or as a part of something longer.
import type { Credentials } from '../wire/credentials.js';
import type { Hidden } from './find-hidden.js';

/** A shorter piece of base64 is in many a harmless word. */
const PIECE_LENGTH_MIN = 8;

/**
 * The forms of credentials that no error may hold: the key, or the password, and the text and the token that Basic
 * authentication sends. Without a password, the user name is the key.
 */
export function credentialForms(credentials: Credentials): Hidden {
  if ('apiKey' in credentials) return secretForms(credentials.apiKey);
  const { username, password } = credentials;
  const secret = password === '' ? username : password;
  return [...secretForms(secret), ...secretForms(`${username}:${password}`)];
}

/** A secret as it is, in base64, also amid other text, and in hexadecimal. find-hidden.ts knows its escaped forms. */
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

/** The part that is the same in the base64 of every text with these bytes, for each of three offsets. */
function amidOthers(bytes: Buffer): string[] {
  return [0, 1, 2]
    .map((offset) => {
      const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
      // Some bits of the first and the last character belong to the neighbouring bytes.
      const last = Math.floor(((offset + bytes.length) * 8) / 6);
      return text.slice(Math.ceil((offset * 8) / 6), last);
    })
    .filter((piece) => piece.length >= PIECE_LENGTH_MIN);
}

/** A shorter part is a harmless word such as `hooks`, and no key. */
const PART_LENGTH_MIN = 8;

/**
 * The parts of a callback URL that an error text must not repeat: the URL itself, and every part of it that may be a
 * correlation key. A key lets others deliver results to us, so it is as secret as a password; and a platform may quote
 * only its path.
 */
export function callbackWords(url: string | undefined): string[] {
  if (url === undefined) return [];
  return [url, ...url.split(/[/?&=#]+/).filter((part) => part.length >= PART_LENGTH_MIN)];
}
