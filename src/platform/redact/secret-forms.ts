// The forms of a secret, all of which are masked: a platform that quotes a request quotes the header with the
// credentials as well, decoded or encoded.
import type { Credentials } from '../wire/credentials.js';
import type { Hidden } from './find-hidden.js';

/** Also the token that Basic authentication sends. Without a password, the user name is the key. */
export function credentialForms(credentials: Credentials): Hidden {
  if ('apiKey' in credentials) return secretForms(credentials.apiKey);
  const { username, password } = credentials;
  const secret = password === '' ? username : password;
  return [...secretForms(secret), ...secretForms(`${username}:${password}`)];
}

/** A secret as it is and in base64. find-hidden.ts knows its escaped forms. */
export function secretForms(secret: string): Hidden {
  const bytes = Buffer.from(secret);
  return [secret, bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')];
}

/** A shorter part is a harmless word such as `hooks`, and no key. */
const PART_LENGTH_MIN = 8;

/**
 * A key in it lets others deliver results to us, so it is as secret as a password; and a platform may quote only the
 * path.
 */
export function callbackWords(url: string | undefined): string[] {
  if (url === undefined) return [];
  return [url, ...url.split(/[/?&=#]+/).filter((part) => part.length >= PART_LENGTH_MIN)];
}
