// Who sends a request, and the header that says so.
import type { Auth } from '../../dialect/auth.js';
import { SluiceError } from '../../model/errors.js';

/** What the dialect's `auth` asks for; one of user name and password may be empty. */
export type Credentials =
  | { readonly username: string; readonly password: string }
  | { readonly apiKey: string };

/**
 * The header of every request.
 * @throws SluiceError `usage` where `credentials` are not of the kind that the dialect asks for, or no header can hold them
 */
export function credentialHeader(auth: Auth, credentials: Credentials): Record<string, string> {
  if (auth === 'basic') {
    if (!('username' in credentials)) throw misfit('a user name and a password');
    const { username, password } = credentials;
    const token = Buffer.from(`${username}:${password}`).toString('base64');
    return { authorization: `Basic ${token}` };
  }
  if (!('apiKey' in credentials)) throw misfit('a key');
  const { apiKey } = credentials;
  if (!isHeaderText(apiKey)) throw new SluiceError('usage', KEY_FORM);
  return { [auth.header]: auth.scheme === null ? apiKey : `${auth.scheme} ${apiKey}` };
}

const KEY_FORM = "The platform's key is empty or holds a character that no header can carry.";

/** Visible ASCII, with blanks only inside. */
export function isHeaderText(text: string): boolean {
  return /^[!-~]+(?: +[!-~]+)*$/.test(text);
}

function misfit(what: string): SluiceError {
  return new SluiceError('usage', `The dialect's "auth" asks for ${what}, and none is given.`);
}
