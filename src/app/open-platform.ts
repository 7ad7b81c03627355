// The platform a job asks: the real one, or the sandbox in this process.
import type { Dialect } from '../domain/dialect.js';
import type { Clock } from '../domain/ports/clock.js';
import type { Platform } from '../domain/ports/platform.js';
import { openHttpPlatform } from '../platform/http-platform.js';
import type { Environment } from './environment.js';
import type { JobSettings } from './job-settings.js';
import { systemClock } from './system-clock.js';

/** The word that stands for the embedded sandbox wherever a base address is wanted. */
const SANDBOX_URL = 'sandbox';
const SANDBOX_CREDENTIALS = { username: 'sandbox', password: 'sandbox' };
/** Quicker than a real platform, so that a trial takes seconds. */
const SANDBOX_LATENCY = { medianMs: 1_000, sigma: 0.6 };

export interface OpenedPlatform {
  readonly platform: Platform;
  /** Whom the platform charges: what an enrichment paid for there may be shared with. */
  readonly account: string;
  close(): Promise<void>;
}

/** The text that names an account: the address and the user name, never the password. */
export function accountText(settings: JobSettings, environment: Environment): string {
  if (settings.url === SANDBOX_URL) return SANDBOX_URL;
  return `${settings.url.replace(/\/+$/, '')}\n${environment.credentials().username}`;
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
  settings: JobSettings,
  dialect: Dialect,
  environment: Environment,
  clock: Clock,
): Promise<OpenedPlatform> {
  const account = accountText(settings, environment);
  const limit = settings.rate ?? dialect.limits.rate;
  const { concurrency } = settings;
  const shared = { dialect, clock: monotonic(clock), limit, concurrency };
  if (settings.url !== SANDBOX_URL) {
    const credentials = environment.credentials();
    const platform = openHttpPlatform({ ...shared, baseUrl: settings.url, credentials });
    return { platform, account, close: () => platform.close() };
  }
  const { openSandbox } = await import('../sandbox/open-sandbox.js');
  const sandbox = await openSandbox({
    ...SANDBOX_CREDENTIALS,
    latency: SANDBOX_LATENCY,
    rate: limit,
    // What it accepted must outlive this process, as it would on a real platform.
    ledgerFile: `${settings.state}-sandbox.ndjson`,
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
