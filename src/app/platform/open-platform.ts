// The platform a job asks: the real one, or the sandbox in this process.
import type { Dialect } from '../../dialect/dialect.js';
import { digestHex } from '../../identity/digest.js';
import { SluiceError } from '../../model/errors.js';
import { UNWATCHED, type Watch } from '../../model/telemetry/observe.js';
import { type HttpPlatformOptions, openHttpPlatform } from '../../platform/http-platform.js';
import type { Hidden } from '../../platform/redact/find-hidden.js';
import { credentialForms } from '../../platform/redact/secret-forms.js';
import { parseBaseUrl } from '../../platform/wire/request.js';
import { type Clock, momentOf } from '../../ports/clock.js';
import type { Platform } from '../../ports/platform.js';
import type { Store } from '../../ports/store/store.js';
import { type Environment, SANDBOX_URL } from '../settings/environment.js';
import type { JobSettings } from '../settings/job-settings.js';
import { sandboxLedgerOf } from '../state/state-file.js';
import { systemClock } from '../system-clock.js';

const SANDBOX_CREDENTIALS = { username: 'sandbox', password: 'sandbox' };
/** Quicker than a real platform, so that a trial takes seconds. */
const SANDBOX_LATENCY = { medianMs: 1_000, sigma: 0.6 };

/** What opening needs of a job. */
export type PlatformSettings = Pick<JobSettings, 'url' | 'rate' | 'concurrency' | 'state'>;

/** Where it is opened. */
interface Surroundings {
  readonly dialect: Dialect;
  readonly environment: Environment;
  readonly store: Store;
  readonly clock: Clock;
  readonly watch?: Watch;
}

export interface OpenedPlatform {
  readonly platform: Platform;
  /** Digest of the account that the platform charges: what is paid for is shared within one account alone. */
  readonly account: string;
  close(): Promise<void>;
}

/**
 * The text that names an account: the address and the user name, never the password.
 * @throws SluiceError `usage` for an address that is none, or missing credentials
 */
export function accountText(settings: Pick<JobSettings, 'url'>, environment: Environment): string {
  if (settings.url === SANDBOX_URL) return SANDBOX_URL;
  // One platform has many spellings: upper case, the usual port, a slash at the end.
  const { origin, pathname } = parseBaseUrl(settings.url);
  return `${(origin + pathname).replace(/(?<!\/)\/+$/, '')}\n${environment.credentials().username}`;
}

/** The limit's windows must not move when someone sets the machine's clock. */
function monotonic(clock: Clock): Clock {
  if (clock !== systemClock) return clock;
  return { ...clock, now: () => performance.timeOrigin + performance.now() };
}

/**
 * @throws SluiceError `usage` for a bad address or missing credentials
 */
export async function openPlatform(
  settings: PlatformSettings,
  { dialect, environment, store, clock, watch = UNWATCHED }: Surroundings,
): Promise<OpenedPlatform> {
  const limit = settings.rate ?? dialect.limits.rate;
  const { concurrency } = settings;
  const shared = { dialect, clock: monotonic(clock), limit, concurrency, watch };
  const account = digestHex(accountText(settings, environment));
  if (settings.url === SANDBOX_URL) return openEmbedded(settings, shared, account);

  const credentials = environment.credentials();
  // What others sent for the account still counts, and what this process sends counts for others.
  const { held, sender } = await store.beginSending(account, limit, momentOf(clock));
  const platform = openHttpPlatform({
    ...shared,
    baseUrl: settings.url,
    credentials,
    heldByOthers: held,
  });
  const close = async (): Promise<void> => {
    await platform.close();
    await store.endSending(sender, platform.held(), momentOf(clock)).catch(passOver);
  };
  return { platform, account, close };
}

/** What the platform may repeat, and we must not pass on. */
export function secretsOf(
  { url }: Pick<PlatformSettings, 'url'>,
  environment: Environment,
): Hidden {
  return url === SANDBOX_URL ? [] : credentialForms(environment.credentials());
}

/** What cannot be written now is as if this process had been killed: the next one waits for a whole window. */
function passOver(error: unknown): void {
  if (!(error instanceof SluiceError)) throw error;
}

async function openEmbedded(
  settings: PlatformSettings,
  shared: Omit<HttpPlatformOptions, 'baseUrl' | 'credentials'>,
  account: string,
): Promise<OpenedPlatform> {
  const { openSandbox } = await import('../../sandbox/open-sandbox.js');
  const sandbox = await openSandbox({
    ...SANDBOX_CREDENTIALS,
    latency: SANDBOX_LATENCY,
    dialect: shared.dialect,
    rate: shared.limit,
    // What it accepted must outlive this process, as it would on a real platform.
    ledgerFile: sandboxLedgerOf(settings.state),
  });
  const platform = openHttpPlatform({
    ...shared,
    baseUrl: sandbox.url,
    credentials: SANDBOX_CREDENTIALS,
  });
  const close = async (): Promise<void> => {
    await platform.close();
    await sandbox.close();
  };
  return { platform, account, close };
}
