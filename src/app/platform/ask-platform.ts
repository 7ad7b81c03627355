// The platform for a single call from the command line: opened, called, closed. It shares the rate limit with the runs
// that use the same account and state file.
import { loadDialect } from '../../config/load-dialect.js';
import type { Dialect } from '../../dialect/dialect.js';
import { wrongUse } from '../../model/errors.js';
import type { RequestKind } from '../../model/schedule/rate.js';
import type { Watch } from '../../model/telemetry/observe.js';
import { whileOpen } from '../../model/while-open.js';
import type { Permit, Platform } from '../../ports/platform.js';
import type { Store } from '../../ports/store/store.js';
import { openStore } from '../../store/open-store.js';
import { rateOf, stateOf } from '../settings/command-settings.js';
import type { Environment } from '../settings/environment.js';
import { systemClock } from '../system-clock.js';
import { dialectAt } from './dialect-at.js';
import { openPlatform } from './open-platform.js';

export interface PlatformWish {
  readonly url?: string | undefined;
  readonly dialect?: string | undefined;
  readonly account?: string | undefined;
  readonly rate?: string | undefined;
  readonly state?: string | undefined;
  /** Told of each wait of more than ten seconds. */
  readonly onWait?: (sentence: string) => void;
}

export interface AskedPlatform {
  readonly platform: Platform;
  readonly dialect: Dialect;
  readonly store: Store;
  readonly account: string;
}

/** @throws SluiceError `usage` if the address is missing or wrong; also any error of `ask` */
export async function askPlatform<R>(
  wish: PlatformWish,
  environment: Environment,
  ask: (asked: AskedPlatform) => Promise<R>,
): Promise<R> {
  const url = wish.url ?? environment.url;
  if (url === undefined) {
    throw wrongUse('No platform is named: give --url with its base address, or set SLUICE_URL.');
  }
  const rate = rateOf(wish.rate);
  const dialect = dialectAt({ url }, await loadDialect(wish.dialect));
  const state = stateOf(wish.state, environment);
  const account = wish.account ?? environment.account;
  const settings = { url, account, rate, concurrency: 1, state };
  const watch: Watch = {
    observesRequests: false,
    observe: (event) => event.kind === 'run.warned' && wish.onWait?.(event.message),
  };
  return whileOpen(await openStore(state), async (store) => {
    const surroundings = { dialect, environment, store, clock: systemClock, watch };
    return whileOpen(await openPlatform(settings, surroundings), (opened) =>
      ask({ ...opened, dialect, store }),
    );
  });
}

export async function takePermit(platform: Platform, kind: RequestKind): Promise<Permit> {
  const [permit] = await platform.reserve(kind, 1);
  if (permit === undefined) throw new Error('a permit without a signal is always given');
  return permit;
}
