// Receives the deliveries of a run: at a listener in this process, or at that of another process which has the port
// already and writes into the same state.

import { type Dialect, NEUTRAL_DIALECT } from '../../dialect/dialect.js';
import { wireReader } from '../../dialect/events.js';
import { needsKey } from '../../dialect/webhooks.js';
import { digestHex } from '../../identity/digest.js';
import type { Keyring } from '../../model/correlation-key.js';
import { SluiceError, wrongUse } from '../../model/errors.js';
import type { RunEvent, RunObserver } from '../../model/telemetry/observe.js';
import { hostAndPort, type ListenAddress } from '../../model/text/address.js';
import { readBody } from '../../platform/wire/read-body.js';
import { type Clock, wallOf } from '../../ports/clock.js';
import type { Arrival } from '../../ports/store/deliveries.js';
import type { Store } from '../../ports/store/store.js';
import type { Listener } from '../../webhook/open-listener.js';
import type { ProofTerms } from '../../webhook/proof.js';
import { keyOf } from '../platform/account.js';
import type { Environment } from '../settings/environment.js';
import { countRefusals } from './count-refusals.js';
import { answererAt } from './instance-at.js';

export interface ReceptionOptions {
  readonly address: ListenAddress;
  readonly keyring: Keyring;
  readonly proof: ProofTerms;
  readonly dialect: Dialect;
  readonly store: Store;
  readonly clock: Clock;
  readonly observe: RunObserver;
  readonly onKept?: (count: number) => void;
  /** Called for deliveries that could not be kept: the platform is asked to repeat them. */
  readonly onTrouble: (error: unknown) => void;
}

export interface Reception {
  /** The listener's address, without a slash at the end. */
  readonly url: string;
  close(): Promise<void>;
}

/** The pause between two attempts to listen where another process of the state does. */
export const TRY_AGAIN_MS = 1_000;

/**
 * Receives for a run. It listens itself, unless another process of its state does; it listens in the place of that
 * process once it has ended.
 * @throws SluiceError `usage` if the port cannot be taken, because another program has it or a listener with another
 * secret
 */
export async function receiveDeliveries(options: ReceptionOptions): Promise<Reception> {
  const { address, observe } = options;
  const stopped = new AbortController();
  const first = await listenUnlessShared(options);
  if (first === undefined) observe({ kind: 'listener.opened', port: address.port, isShared: true });
  const listening = first ?? listenOnceFree(options, stopped.signal);
  return {
    url: first?.url ?? `http://${hostAndPort(address)}`,
    close: async () => {
      stopped.abort();
      const listener = await listening;
      if (listener !== undefined) await closeAs(listener, observe);
    },
  };
}

async function listenOnceFree(
  options: ReceptionOptions,
  stopped: AbortSignal,
): Promise<Listener | undefined> {
  for (;;) {
    await options.clock.sleep(TRY_AGAIN_MS, stopped);
    if (stopped.aborted) return undefined;
    try {
      return await listenAs(options);
    } catch (error) {
      if (!isTaken(error)) options.onTrouble(error);
    }
  }
}

/**
 * Listens; undefined if another process of the state listens there, and takes what is delivered for this one.
 * `isSilentOurs`: so may be one that does not answer, since it stands still or has just ended.
 * @throws SluiceError `usage` if another program has the port, or a listener with another secret
 */
export async function listenUnlessShared(
  options: ReceptionOptions,
  isSilentOurs = false,
): Promise<Listener | undefined> {
  const { address, keyring, proof } = options;
  try {
    return await listenAs(options);
  } catch (error) {
    const instance = instanceOf(keyring, proof.webhooks);
    const url = `http://${hostAndPort(address)}`;
    const there = isTaken(error) ? await answererAt(url) : undefined;
    if (there?.kind === 'silence' && isSilentOurs) return undefined;
    if (there?.kind !== 'listener' || !isSameState(there.instance, instance)) throw error;
    if (!meets(there.instance, instance, proof)) throw otherProof(url);
    return undefined;
  }
}

export function isSameState(there: string, instance: string): boolean {
  return there.split('.')[0] === instance.split('.')[0];
}

/** Whether a listener asks deliveries for the same proof as `instance`, if that asks for any. */
export function meets(there: string, instance: string, proof: ProofTerms): boolean {
  const isProven = proof.secret !== undefined || !isNeutral(proof.webhooks);
  return isSameState(there, instance) && (!isProven || there === instance);
}

export async function closeAs(listener: Listener, observe: RunObserver): Promise<void> {
  await listener.close();
  observe({ kind: 'listener.closed', port: listener.port });
}

async function listenAs(options: ReceptionOptions): Promise<Listener> {
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
  // The server's code is loaded here, because a run that polls has no listener and need not wait for it.
  const { openListener } = await import('../../webhook/open-listener.js');
  const refusals = countRefusals(store, clock, observe);
  const listener = await openListener({
    ...address,
    keyring,
    proof,
    readBody,
    ourEvent: wireReader(dialect),
    instance: instanceOf(keyring, proof.webhooks),
    // Deliveries of other listeners go by the clock on the wall.
    now: () => wallOf(clock),
    keep,
    checkKeeping: () => store.checkWriting(),
    onRefused: (refused) => {
      const { reason, status } = refused;
      observe({ kind: 'deliveries.refused', reason, status });
      refusals.add(refused);
    },
  });
  observe({ kind: 'listener.opened', port: listener.port, isShared: false });
  return { ...listener, close: () => listener.close().then(() => refusals.close()) };
}

/**
 * Identifies the state and the proof that deliveries have to bring (`Dialect.webhooks`, and the secret of hooks)
 * without revealing anything about them.
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

/** @throws SluiceError `usage` if the proof is made with the platform's key and that is missing */
export function proofTerms(
  { webhooks, auth }: Dialect,
  environment: Environment,
  secret: string | undefined,
): ProofTerms {
  if (!needsKey(webhooks)) return { webhooks, secret, key: undefined };
  return { webhooks, secret, key: keyOf(environment.credentials(auth)) };
}

function isTaken(error: unknown): boolean {
  return error instanceof SluiceError && error.facts['code'] === 'EADDRINUSE';
}

export function otherProof(url: string): SluiceError {
  return wrongUse(
    `The listener at ${url} was started with another SLUICE_WEBHOOK_SECRET or --dialect, or without one, and would refuse what is delivered for this one, or not check it. Give both the same.`,
  );
}

/** Nothing is lost, because the platform repeats them, but the disk needs attention. */
export function notKept(error: unknown): RunEvent {
  const what = error instanceof Error ? error.message : String(error);
  return {
    kind: 'run.warned',
    warning: 'deliveries_not_kept',
    message: `A webhook could not be kept, and will come again: ${what}`,
  };
}
