// Where a registered hook delivers to a listener of ours: the address from outside, and the key of the account.
import type { Keyring } from '../../model/correlation-key.js';

/** `publicUrl` is where the platform reaches the listener, without a slash at its end. */
export function hookAddress(publicUrl: string, keyring: Keyring, account: string): string {
  return `${publicUrl}/${hookKey(keyring, account)}`;
}

/**
 * The address for a hook that is to have the keyring's secret: a key hangs on the secret, so one of ours
 * (told by the account in it) is made anew. Somebody else's address stays as it is.
 */
export function renewedAddress(targetUrl: string, keyring: Keyring, account: string): string {
  const key = hookKey(keyring, account);
  const start = targetUrl.lastIndexOf('/') + 1;
  const isOurs = targetUrl.startsWith(key.slice(0, key.lastIndexOf('.') + 1), start);
  return isOurs ? targetUrl.slice(0, start) + key : targetUrl;
}

function hookKey(keyring: Keyring, account: string): string {
  return keyring.seal({ kind: 'hook', scope: keyring.scopeOf(account), id: 0 });
}
