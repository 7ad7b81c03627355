// The account that pays: its name, and the digest of it under which the store keeps payments.
import type { Dialect } from '../../dialect/dialect.js';
import { digestHex } from '../../identity/digest.js';
import { nameOfKey } from '../../identity/name-key.js';
import { isLoopback } from '../../model/text/address.js';
import type { Credentials } from '../../platform/wire/credentials.js';
import { parseBaseUrl } from '../../platform/wire/request.js';
import { type Environment, SANDBOX_URL } from '../settings/environment.js';
import type { JobSettings } from '../settings/job-settings.js';

interface SigningKeys {
  signingKey(): Promise<Uint8Array>;
}

export interface AccountSource {
  readonly settings: Pick<JobSettings, 'url' | 'account'>;
  readonly dialect: Dialect;
  readonly environment: Environment;
}

/** The account of every run in the embedded sandbox, which makes all answers up. */
export const SANDBOX_ACCOUNT = digestHex(SANDBOX_URL);

const ID = /^id-([0-9a-f]{32})$/;

/**
 * The account as the store knows it: a digest of its address and its name. The name is the one that the job or the
 * environment gives it; `id-` and the digest itself name an account whose name is not known any more. Without such a
 * name it is the user name, never the password; if there is only a key, a digest of the key that only this state file
 * can make.
 * @throws SluiceError `usage` for an invalid address or missing credentials
 */
export async function accountOf(source: AccountSource, store: SigningKeys): Promise<string> {
  const { url, account } = source.settings;
  if (url === SANDBOX_URL) return SANDBOX_ACCOUNT;
  const [, id] = ID.exec(account ?? '') ?? [];
  if (id !== undefined) return id;
  const address = addressOf(url);
  const name = account ?? (await nameOf(source, address, store));
  return digestHex(`${address}\n${name}`);
}

/** The digest of the address alone: accounts of one address have one platform. */
export function addressDigest(url: string): string {
  return digestHex(url === SANDBOX_URL ? url : addressOf(url));
}

async function nameOf(
  { dialect, environment }: AccountSource,
  address: string,
  store: SigningKeys,
): Promise<string> {
  const { username, key } = environment.payer(dialect.auth);
  return username ?? nameOfKey(key, address, await store.signingKey());
}

/** @throws SluiceError `usage`, as `accountOf`, before a state file is made */
export function checkPayer({ settings, dialect, environment }: AccountSource): void {
  if (settings.url === SANDBOX_URL) return;
  addressOf(settings.url);
  if (settings.account === undefined) environment.payer(dialect.auth);
}

/** @throws SluiceError `usage` for an invalid address or missing credentials, before a state file is made */
export function checkAccount(source: AccountSource): void {
  checkPayer(source);
  if (source.settings.url !== SANDBOX_URL) source.environment.credentials(source.dialect.auth);
}

/** In one form: upper case, the default port, a slash at the end, and this machine's several names make no other. */
function addressOf(url: string): string {
  const base = parseBaseUrl(url);
  if (isLoopback(url)) base.hostname = 'localhost';
  return (base.origin + base.pathname).replace(/(?<!\/)\/+$/, '');
}

/** The secret that pays for the account: the key, or the password, or the user name if it stands alone. */
export function keyOf(credentials: Credentials): string {
  if ('apiKey' in credentials) return credentials.apiKey;
  return credentials.password === '' ? credentials.username : credentials.password;
}
