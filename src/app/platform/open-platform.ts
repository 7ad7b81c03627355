import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Dialect } from '../../dialect/dialect.js';
import { SluiceError } from '../../model/errors.js';
import { formatRate, type Rate } from '../../model/schedule/rate.js';
import { type RunEvent, UNWATCHED, type Watch } from '../../model/telemetry/observe.js';
import { type HttpPlatformOptions, openHttpPlatform } from '../../platform/http-platform.js';
import type { SharedLimit } from '../../platform/limit/rights.js';
import type { Hidden } from '../../platform/redact/find-hidden.js';
import { credentialForms } from '../../platform/redact/secret-forms.js';
import { type Clock, momentOf, steadied, wallOf } from '../../ports/clock.js';
import type { Platform } from '../../ports/platform.js';
import type { Store } from '../../ports/store/store.js';
import { type Environment, SANDBOX_URL } from '../settings/environment.js';
import type { JobSettings } from '../settings/job-settings.js';
import { sandboxLedgerOf } from '../state/state-file.js';
import { accountOf } from './account.js';

const SANDBOX_CREDENTIALS = { username: 'sandbox', password: 'sandbox' };
/** Faster than a real platform, so that a trial takes seconds. */
const SANDBOX_LATENCY = { medianMs: 1_000, sigma: 0.6 };

export type PlatformSettings = Pick<
  JobSettings,
  'url' | 'account' | 'rate' | 'concurrency' | 'state'
> &
  Partial<Pick<JobSettings, 'timeoutMs'>>;

interface Surroundings extends Pick<HttpPlatformOptions, 'ca' | 'carrying'> {
  readonly dialect: Dialect;
  readonly environment: Environment;
  readonly store: Store;
  readonly clock: Clock;
  readonly watch?: Watch;
}

export interface OpenedPlatform {
  readonly platform: Platform;
  /** The digest of the account that the platform charges: paid results are shared only within one account. */
  readonly account: string;
  close(): Promise<void>;
}

/** A clock for the limiter, whose windows must not move when the machine's clock is set. Its steps are fine. */
function monotonic(clock: Clock): Clock {
  return steadied(clock, (ms) => ms);
}

/** @throws SluiceError `usage` for a bad address or missing credentials */
export async function openPlatform(
  settings: PlatformSettings,
  { ca, carrying, dialect, environment, store, clock, watch = UNWATCHED }: Surroundings,
): Promise<OpenedPlatform> {
  const limit = settings.rate ?? dialect.limits.rate;
  const { concurrency, timeoutMs } = settings;
  const shared = {
    ca,
    carrying,
    dialect,
    clock: monotonic(clock),
    limit,
    concurrency,
    timeoutMs,
    watch,
  };
  const account = await accountOf({ settings, dialect, environment }, store);
  if (settings.url === SANDBOX_URL) {
    return openEmbedded(settings, shared, { account, webhookSecret: environment.webhookSecret() });
  }

  const credentials = environment.credentials(dialect.auth);
  // All processes that send for the account share one limit.
  const mine = await joinLimit({ account, limit, store, clock, watch });
  const platform = openHttpPlatform({
    ...shared,
    baseUrl: settings.url,
    credentials,
    credentialsPlace: environment.place,
    proxy: environment.proxyFor(settings.url),
    shared: mine,
  });
  return { platform, account, close: () => platform.close() };
}

async function joinLimit({
  account,
  clock,
  limit,
  store,
  watch,
}: Pick<Surroundings, 'clock' | 'store'> & {
  readonly account: string;
  readonly limit: Rate;
  readonly watch: Watch;
}): Promise<SharedLimit> {
  const sender = await store.joinLimit(account, limit, momentOf(clock));
  const steady = monotonic(clock);
  let isSlow = false;
  return {
    exchange: async (ask) => {
      const since = steady.now();
      const asked = store.askLimit(sender, ask, momentOf(clock));
      const grant = (await asked.catch(passOver)) ?? null;
      const tookMs = steady.now() - since;
      if (grant === null) return null;
      // Otherwise a run would stand still without a message.
      // A grant that is good for nothing is soon asked for again.
      const wasSlow = isSlow;
      isSlow = grant.validMs > 0 && tookMs >= grant.validMs;
      if (isSlow && !wasSlow) watch.observe(tooSlow(tookMs, grant.validMs));
      return grant;
    },
    leave: async (last) => {
      await store.leaveLimit(sender, last, momentOf(clock)).catch(passOver);
    },
    wallMs: () => wallOf(clock),
  };
}

function tooSlow(tookMs: number, mostMs: number): RunEvent {
  const [took, most] = [tookMs, mostMs].map((ms) => `${Math.round(ms / 1_000)} s`);
  return {
    kind: 'run.warned',
    warning: 'database_slow',
    message: `Nothing could be sent: the state took ${took} to give a part of the rate limit, which is good for ${most}. It is slow, or did not answer for a while; it is asked again and again, and nothing is lost.`,
  };
}

/** Secrets that the platform's answers may contain, and that must not be passed on. */
export function secretsOf(
  { url }: PlatformSettings,
  environment: Environment,
  dialect: Dialect,
): Hidden {
  return url === SANDBOX_URL ? [] : credentialForms(environment.credentials(dialect.auth));
}

/** A sender that cannot reach the store loses its slots after a while, as if it had been killed. */
function passOver(error: unknown): void {
  if (!(error instanceof SluiceError)) throw error;
}

async function openEmbedded(
  settings: PlatformSettings,
  shared: Omit<HttpPlatformOptions, 'baseUrl' | 'credentials'>,
  { account, webhookSecret }: { account: string; webhookSecret: string | undefined },
): Promise<OpenedPlatform> {
  const { openSandbox } = await import('../../sandbox/open-sandbox.js');
  const ledgerFile = sandboxLedgerOf(settings.state);
  await mkdir(dirname(ledgerFile), { recursive: true });
  const sandbox = await openSandbox({
    ...SANDBOX_CREDENTIALS,
    webhookSecret,
    latency: SANDBOX_LATENCY,
    dialect: shared.dialect,
    rate: formatRate(shared.limit),
    // The accepted enrichments must outlive this process, as on a real platform.
    ledgerFile,
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
