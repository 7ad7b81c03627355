import { loadDialect } from '../../config/load-dialect.js';
import { type SluiceError, wrongUse } from '../../model/errors.js';
import type { Store } from '../../ports/store/store.js';
import { isStateThere } from '../../store/open-store.js';
import { stateOf } from '../settings/command-settings.js';
import { type Environment, SANDBOX_URL } from '../settings/environment.js';
import { accountOf } from './account.js';
import type { PlatformWish } from './ask-platform.js';
import { dialectAt } from './dialect-at.js';

/**
 * The account that the flags and the environment name, as for a run. If they name no platform, the only account of the
 * state.
 * @throws SluiceError `usage` if no platform is named and the state has several accounts
 */
export async function accountNamed(
  wish: PlatformWish,
  environment: Environment,
  store: Store,
): Promise<string> {
  const url = wish.url ?? environment.url;
  const account = wish.account ?? environment.account;
  if (url !== undefined) {
    const dialect = dialectAt({ url }, await loadDialect(wish.dialect));
    return accountOf({ settings: { url, account }, dialect, environment }, store);
  }
  const accounts = await store.accounts();
  const [only] = accounts;
  const isNamed = account === undefined || account === `id-${only?.account}`;
  if (only !== undefined && accounts.length === 1 && isNamed) return only.account;
  throw unnamed();
}

/** The name that its user gives that account: the one stated, else the user name. Undefined for an id, or a key. */
export async function nameOfAccount(
  wish: PlatformWish,
  environment: Environment,
): Promise<string | undefined> {
  const { account = environment.account, url = environment.url } = wish;
  if (account !== undefined) return account.startsWith('id-') ? undefined : account;
  if (url === undefined || url === SANDBOX_URL) return url;
  return environment.payer((await loadDialect(wish.dialect)).auth).username;
}

/**
 * For a command that makes the state: a new one has no account.
 * @throws SluiceError `usage` if no platform is named, and there is no state
 */
export function demandPlatform(wish: PlatformWish, environment: Environment): void {
  const isNamed = (wish.url ?? environment.url) !== undefined;
  if (!isNamed && !isStateThere(stateOf(wish.state, environment))) throw unnamed();
}

function unnamed(): SluiceError {
  return wrongUse(
    'No platform is named, and an account belongs to one: give --url with the address that the runs use, or set SLUICE_URL.',
  );
}
