// How others may write a secret that they repeat: a platform that quotes a request quotes the header with the
// credentials as well, decoded, encoded or as a part of something longer. Whoever masks a secret masks these.
import { wellFormed } from '../wire/address.js';
import type { Hidden } from './quote.js';

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

/** A secret as it is, escaped in a page or in JSON, wholly percent-encoded, and in base64, also amid other text. */
export function secretForms(secret: string): Hidden {
  const bytes = Buffer.from(secret);
  const percents = bytes.toString('hex').replaceAll(/../g, '%$&');
  const base64 = [bytes.toString('base64'), ...amidOthers(bytes)];
  const forms = [
    secret,
    encodeURIComponent(wellFormed(secret)).replaceAll(/[!'()*~.-]/g, inUrl),
    percents,
    secret.replaceAll(/[&<>"']/g, (sign) => IN_HTML[sign] ?? sign),
    JSON.stringify(secret)
      .slice(1, -1)
      .replaceAll(/[&<>'+=]/g, inJson),
    ...base64.flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]),
  ];
  const bare = forms.map((form) => form.replace(/={1,2}$/, ''));
  const all = [...forms, ...bare];
  return [...new Set([...all, ...all.map((form) => form.replaceAll('/', String.raw`\/`))])];
}

const IN_HTML: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Of the signs that encodeURIComponent leaves alone. */
function inUrl(sign: string): string {
  return `%${sign.charCodeAt(0).toString(16)}`;
}

function inJson(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
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
