// The sender of a request, and the header that names it.
import type { Auth } from '../../dialect/auth.js';
import { SluiceError } from '../../model/errors.js';

/** The credentials that the dialect's `auth` asks for; either user name or password may be empty. */
export type Credentials =
  | { readonly username: string; readonly password: string }
  | { readonly apiKey: string };

/**
 * @throws SluiceError `usage` if `credentials` are not of the kind that the dialect asks for, or no header can hold
 * them, such as a user name with a colon
 */
export function credentialHeader(auth: Auth, credentials: Credentials): Record<string, string> {
  if (auth === 'basic') {
    if (!('username' in credentials)) throw misfit('a user name and a password');
    const { username, password } = credentials;
    refuseColon(username);
    const token = Buffer.from(`${username}:${password}`).toString('base64');
    return { authorization: `Basic ${token}` };
  }
  if (!('apiKey' in credentials)) throw misfit('a key');
  const { apiKey } = credentials;
  if (!isHeaderText(apiKey)) throw new SluiceError('usage', KEY_FORM);
  return { [auth.header]: auth.scheme === null ? apiKey : `${auth.scheme} ${apiKey}` };
}

/** The rest would be taken for the password (RFC 7617, section 2). Throws `usage`; `variable` is the name's source. */
export function refuseColon(username: string, variable?: string): void {
  if (!username.includes(':')) return;
  const which = variable === undefined ? 'The user name' : `The user name that ${variable} gives`;
  throw new SluiceError(
    'usage',
    `${which} has a colon, which HTTP Basic does not allow (RFC 7617, section 2). Check it; a password may have one.`,
  );
}

const KEY_FORM = "The platform's key is empty or holds a character that no header can carry.";

export function isHeaderText(text: string): boolean {
  return /^[!-~]+(?: +[!-~]+)*$/.test(text);
}

function misfit(what: string): SluiceError {
  return new SluiceError('usage', `The dialect's "auth" asks for ${what}, and none is given.`);
}
