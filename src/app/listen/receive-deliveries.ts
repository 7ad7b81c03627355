// Where deliveries arrive: at a listener in this process, or at that of another process which has the port already and
// writes into the same state. If that process ends, this one listens in its place.

import { type Dialect, NEUTRAL_DIALECT } from '../../dialect/dialect.js';
import { wireReader } from '../../dialect/events.js';
import { needsKey } from '../../dialect/webhooks.js';
import { digestHex } from '../../identity/digest.js';
import type { Keyring } from '../../model/correlation-key.js';
import { SluiceError } from '../../model/errors.js';
import type { RunEvent, RunObserver } from '../../model/telemetry/observe.js';
import { hostAndPort, type ListenAddress } from '../../model/text/address.js';
import type { Clock } from '../../ports/clock.js';
import type { Arrival } from '../../ports/store/deliveries.js';
import type { Store } from '../../ports/store/store.js';
import type { Listener } from '../../webhook/open-listener.js';
import type { ProofTerms } from '../../webhook/proof.js';
import { keyOf } from '../platform/account.js';
import { SANDBOX_KEY } from '../platform/open-platform.js';
import { type Environment, SANDBOX_URL } from '../settings/environment.js';
import { instanceAt } from './instance-at.js';

export interface ReceptionOptions {
  readonly address: ListenAddress;
  readonly keyring: Keyring;
  readonly proof: ProofTerms;
  /** Names the platform's events. */
  readonly dialect: Dialect;
  readonly store: Store;
  readonly clock: Clock;
  readonly observe: RunObserver;
  /** Called with the number of new deliveries and events. */
  readonly onKept?: (count: number) => void;
  /** Called for deliveries that could not be kept: the platform is asked to repeat them. */
  readonly onTrouble: (error: unknown) => void;
}

export interface Reception {
  /** The listener's address, without a slash at the end. */
  readonly url: string;
  /** Whether the listener belongs to another process. */
  readonly isShared: boolean;
  close(): Promise<void>;
}

const TRY_AGAIN_MS = 1_000;

/**
 * @throws SluiceError `usage` where the port cannot be taken, since another program has it or a listener with another
 * secret
 */
export async function receiveDeliveries(options: ReceptionOptions): Promise<Reception> {
  const { proof } = options;
  const instance = instanceOf(options.keyring, proof.webhooks);
  try {
    const listener = await listenAs(instance, options);
    return { url: listener.url, isShared: false, close: () => closeAs(listener, options) };
  } catch (error) {
    if (!isTaken(error)) throw error;
    const url = `http://${hostAndPort(options.address)}`;
    const there = (await instanceAt(url))?.split('.') ?? [];
    const [state, hook] = instance.split('.');
    if (there[0] !== state) throw error;
    const isProven = proof.secret !== undefined || !isNeutral(proof.webhooks);
    if (isProven && there[1] !== hook) throw otherProof(url);
    options.observe({ kind: 'listener.opened', port: options.address.port, isShared: true });
    return { url, isShared: true, close: takeItsPlace(instance, options) };
  }
}

/** Listens as soon as the other process has ended. Returns the function that closes the listener. */
function takeItsPlace(instance: string, options: ReceptionOptions): () => Promise<void> {
  const stopped = new AbortController();
  const wait = async (): Promise<Listener | undefined> => {
    for (;;) {
      await options.clock.sleep(TRY_AGAIN_MS, stopped.signal);
      if (stopped.signal.aborted) return undefined;
      try {
        return await listenAs(instance, options);
      } catch (error) {
        if (!isTaken(error)) options.onTrouble(error);
      }
    }
  };
  const listening = wait();
  return async () => {
    stopped.abort();
    const taken = await listening;
    if (taken !== undefined) await closeAs(taken, options);
  };
}

async function closeAs(listener: Listener, { observe }: ReceptionOptions): Promise<void> {
  await listener.close();
  observe({ kind: 'listener.closed', port: listener.port });
}

async function listenAs(instance: string, options: ReceptionOptions): Promise<Listener> {
  const { address, clock, dialect, keyring, observe, onKept, onTrouble, proof, store } = options;
  const keep = async (arrivals: readonly Arrival[]): Promise<void> => {
    try {
      const arrived = await store.keepArrivals(arrivals);
      const { kept, repeated, alreadyAnswered: settled, overLimit: full } = arrived;
      observe({ kind: 'deliveries.kept', count: kept, repeated, settled, full });
      if (kept + repeated > 0) onKept?.(kept + repeated);
    } catch (error) {
      onTrouble(error);
      throw error;
    }
  };
  // Loaded here, since a run that polls has no listener and need not wait for the server's code.
  const { openListener } = await import('../../webhook/open-listener.js');
  const listener = await openListener({
    ...address,
    keyring,
    proof,
    ourEvent: wireReader(dialect),
    instance,
    now: () => clock.now(),
    keep,
    checkKeeping: () => store.checkWriting(),
    onRefused: ({ reason, status }) => observe({ kind: 'deliveries.refused', reason, status }),
    onDropped: (dropped) => observe({ kind: 'connections.dropped', ...dropped }),
  });
  observe({ kind: 'listener.opened', port: listener.port, isShared: false });
  return listener;
}

/**
 * Identifies the state and what deliveries have to show (`Dialect.webhooks`, and the secret of hooks) without
 * revealing anything about them.
 */
export function instanceOf(keyring: Keyring, webhooks: Dialect['webhooks']): string {
  const scope = keyring.scopeOf('');
  // Both depend on the signing key; the key of a hook also depends on the secret.
  const [state = '', hook = ''] = (['batch', 'hook'] as const).map((kind) =>
    keyring.seal({ kind, scope, id: 0 }),
  );
  const proof = isNeutral(webhooks) ? hook : `${hook}\n${JSON.stringify(webhooks)}`;
  return [state, proof].map((text) => digestHex(text).slice(0, 16)).join('.');
}

function isNeutral(webhooks: Dialect['webhooks']): boolean {
  return JSON.stringify(webhooks) === JSON.stringify(NEUTRAL_DIALECT.webhooks);
}

/**
 * What deliveries have to show for a job in this dialect.
 * @throws SluiceError `usage` where it is made with the platform's key and that is missing
 */
export function proofTerms(
  { webhooks, auth }: Dialect,
  environment: Environment,
  { secret, url }: { readonly secret: string | undefined; readonly url?: string },
): ProofTerms {
  if (!needsKey(webhooks)) return { webhooks, secret, key: undefined };
  const key = url === SANDBOX_URL ? SANDBOX_KEY : keyOf(environment.credentials(auth));
  return { webhooks, secret, key };
}

function isTaken(error: unknown): boolean {
  return error instanceof SluiceError && error.facts['code'] === 'EADDRINUSE';
}

function otherProof(url: string): SluiceError {
  return new SluiceError(
    'usage',
    `The listener at ${url} was started with another SLUICE_WEBHOOK_SECRET or --dialect, or without one, and would refuse what is delivered for this one, or not check it. Give both the same.`,
    { url, variable: 'SLUICE_WEBHOOK_SECRET' },
  );
}

/**
 * The warning for deliveries that could not be kept. Nothing is lost, since the platform repeats them, but the disk
 * needs attention.
 */
export function notKept(error: unknown): RunEvent {
  const what = error instanceof Error ? error.message : String(error);
  return {
    kind: 'run.warned',
    warning: 'deliveries_not_kept',
    message: `A webhook could not be kept, and will come again: ${what}`,
  };
}
