import { loadDialect } from '../../config/load-dialect.js';
import { SluiceError } from '../../model/errors.js';
import type { Store } from '../../ports/store/store.js';
import type { Environment } from '../settings/environment.js';
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
  throw new SluiceError(
    'usage',
    'No platform is named, by which the account is known: give --url with the address that the runs used, or set SLUICE_URL.',
  );
}
