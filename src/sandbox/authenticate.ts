// Who may call: HTTP Basic, the one scheme of the platform (docs/platform-api.md, Authentication).
import { SluiceError } from '../model/errors.js';

/** Takes the value of the `Authorization` header. */
export type Authenticator = (header: string | undefined) => boolean;

/**
 * Accepts `Basic base64(username:password)`.
 * @throws SluiceError `usage` for a username with a colon, which Basic cannot carry
 */
export function createAuthenticator(username: string, password: string): Authenticator {
  if (username.includes(':')) {
    throw new SluiceError('usage', 'The sandbox username holds a colon; choose one without.');
  }
  const credentials = `${username}:${password}`;
  const usualHeader = `Basic ${Buffer.from(credentials).toString('base64')}`;
  return (header) => {
    if (header === usualHeader) return true;
    const encoded = /^basic +([\w+/=-]+) *$/i.exec(header ?? '')?.[1];
    return encoded !== undefined && Buffer.from(encoded, 'base64').toString() === credentials;
  };
}
