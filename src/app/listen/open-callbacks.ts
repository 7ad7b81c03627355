// The way of results back: the key in each request, the address that the platform gets, and the listener behind it.
import type { Dialect } from '../../dialect/dialect.js';
import type { CorrelationKey } from '../../model/correlation-key.js';
import { wrongUse } from '../../model/errors.js';
import type { RunObserver } from '../../model/telemetry/observe.js';
import { hostAndPort, isLoopback } from '../../model/text/address.js';
import { createDeliveryDecoder } from '../../platform/answers/decode-delivery.js';
import { redact } from '../../platform/redact/reason.js';
import { secretForms } from '../../platform/redact/secret-forms.js';
import type { Platform } from '../../ports/platform.js';
import type { Store } from '../../ports/store/store.js';
import type { Callbacks } from '../../run/run-context.js';
import { secretsOf } from '../platform/open-platform.js';
import { carriesKey, refuseNoPlace } from '../run/how-to-ask.js';
import type { RunTask } from '../run/run-options.js';
import { SANDBOX_URL } from '../settings/environment.js';
import type { JobSettings } from '../settings/job-settings.js';
import { openKeyring } from '../state/state-file.js';
import { ensureHooks, hookAddress } from './hooks.js';
import { answererAt } from './instance-at.js';
import {
  instanceOf,
  isSameState,
  meets,
  notKept,
  otherProof,
  proofTerms,
  type Reception,
  type ReceptionOptions,
  receiveDeliveries,
} from './receive-deliveries.js';

export interface OpenedCallbacks {
  readonly callbacks: Callbacks;
  /** Call it before the first paid request: it registers the hook, if the job uses one. */
  prepare(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/**
 * `onKept` is called when this process has kept deliveries. With `--collect poll` there is no listener, and only
 * deliveries to other processes are settled.
 * @throws SluiceError `usage` if the platform could not reach us, or a request has no field for our address
 */
export async function openCallbacks(
  task: RunTask,
  store: Store,
  platform: Platform,
  account: string,
  onKept: () => void,
): Promise<OpenedCallbacks> {
  // The deliveries for the run of a worker come to `sluice listen`.
  const { dialect, environment, listens = true, observe, settings } = task;
  const isDelivered = settings.collect !== 'poll';
  const secret = isDelivered ? environment.webhookSecret() : undefined;
  const keyring = await openKeyring(store, secret);
  const scope = keyring.scopeOf(account);
  const hidden = [
    ...secretsOf(settings, environment, dialect),
    ...(secret === undefined ? [] : secretForms(secret)),
  ];
  const decode = createDeliveryDecoder(dialect, hidden);
  const keepsBodies = settings.keepDeliveriesMs !== undefined;
  const shared = { keyring, scope, decode, redact, keepsBodies };
  if (!isDelivered) {
    const callbacks = { ...shared, urlFor: () => undefined, isDelivered, claimWaitMs: 0 };
    return { callbacks, prepare: () => Promise.resolve(), close: () => Promise.resolve() };
  }
  refuseUnreachable(settings);
  refuseNoSecret(settings, secret);
  refuseNoPlace(settings, dialect);
  const proof = proofTerms(dialect, environment, secret);
  const address = settings.listen;
  const terms = { ...task, store, onKept, address, keyring, proof, onTrouble: warnOnce(observe) };
  const reception = listens
    ? await receiveDeliveries(terms)
    : await receivedElsewhere(settings.publicUrl, terms);
  const publicUrl = settings.publicUrl ?? reception.url;
  const urlOf = (key: CorrelationKey): string => `${publicUrl}/${keyring.seal(key)}`;
  const isHook = settings.callback === 'hook';
  return {
    callbacks: {
      ...shared,
      isDelivered,
      urlFor: (key) => (isHook ? undefined : urlOf(key)),
      claimWaitMs: carriesKey(settings, dialect) ? settings.claimWaitMs : 0,
    },
    prepare: async (signal) => {
      if (!isHook || secret === undefined) return;
      const targetUrl = hookAddress(publicUrl, keyring, account);
      await ensureHooks(platform, dialect, { targetUrl, secret, observe }, signal);
    },
    close: () => reception.close(),
  };
}

/** Reports only the first delivery that could not be kept: the platform repeats each of them. */
function warnOnce(observe: RunObserver): (error: unknown) => void {
  let isTold = false;
  return (error) => {
    if (!isTold) observe(notKept(error));
    isTold = true;
  };
}

/** @throws SluiceError `usage` if the platform could not reach us */
export function refuseUnreachable({ collect, publicUrl, url }: JobSettings): void {
  if (publicUrl !== undefined || url === SANDBOX_URL || isLoopback(url)) return;
  throw wrongUse(
    `--collect ${collect} needs the key public-url: the address under which the platform reaches the listener from outside.`,
  );
}

/** @throws SluiceError `usage` if the platform could not reach `sluice listen`, or a request has no field for it */
export function refuseUndelivered(settings: JobSettings, dialect: Dialect): void {
  const { collect, listen, publicUrl } = settings;
  if (collect === 'poll') return;
  refuseUnreachable(settings);
  refuseNoPlace(settings, dialect);
  if (publicUrl !== undefined || listen.port !== 0) return;
  throw wrongUse(
    'A worker does not listen, so its webhooks need a port that is known: give the job the port of "sluice listen" with listen:, or a public-url.',
  );
}

/** @throws SluiceError `usage` if the hook would have no secret */
export function refuseNoSecret({ callback }: JobSettings, secret: string | undefined): void {
  if (callback === 'hook' && secret === undefined) {
    throw wrongUse(
      'callback: hook needs a secret that the platform sends back: set SLUICE_WEBHOOK_SECRET, or SLUICE_WEBHOOK_SECRET_FILE to a file that holds it.',
    );
  }
}

/**
 * The address for the run of a worker, which never listens itself: it would take the port from the listener between
 * runs. `sluice listen` receives, at the job's `public-url`, or on this machine, where it is looked for.
 * @throws SluiceError `usage` if another program is there, or a listener with another secret
 */
export async function receivedElsewhere(
  publicUrl: string | undefined,
  { address, keyring, observe, proof }: ReceptionOptions,
): Promise<Reception> {
  const url = `http://${hostAndPort(address)}`;
  const reception = { url, close: () => Promise.resolve() };
  if (publicUrl !== undefined) return reception;
  const instance = instanceOf(keyring, proof.webhooks);
  const there = await answererAt(url);
  if (there.kind === 'silence') {
    const message = `No listener answers at ${url}, where the results of this run are delivered, and a worker does not listen: start "sluice listen --listen ${hostAndPort(address)}" on this machine.`;
    observe({ kind: 'run.warned', warning: 'no_deliveries', message });
    return reception;
  }
  if (there.kind === 'other' || !isSameState(there.instance, instance)) {
    throw wrongUse(
      `Another program answers at ${url}, where the results of this run are delivered: start "sluice listen" with this state there, or give the job another address with listen.`,
    );
  }
  if (!meets(there.instance, instance, proof)) throw otherProof(url);
  observe({ kind: 'listener.opened', port: address.port, isShared: true });
  return reception;
}
