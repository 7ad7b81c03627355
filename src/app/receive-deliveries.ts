// The place where deliveries arrive: a listener in this process, or the `sluice listen` that has the port
// already and writes into the same state file.
import { request } from 'undici';
import type { Keyring } from '../domain/correlation-key.js';
import { SluiceError } from '../domain/errors.js';
import type { ListenAddress } from '../domain/listen-address.js';
import type { Clock } from '../domain/ports/clock.js';
import type { Delivery } from '../domain/ports/deliveries.js';
import type { Store } from '../domain/ports/store.js';
import { digestHex } from '../identity/digest.js';
import { openListener } from '../webhook/open-listener.js';

export interface ReceptionOptions {
  readonly address: ListenAddress;
  readonly keyring: Keyring;
  readonly secret: string | undefined;
  readonly store: Store;
  readonly clock: Clock;
  readonly onKept?: (count: number) => void;
  /** Called for deliveries that could not be kept: the platform is asked to repeat them. */
  readonly onTrouble: (error: unknown) => void;
}

export interface Reception {
  /** Of the listener, without a slash at its end. */
  readonly url: string;
  /** Whether the listener is another process'. */
  readonly isShared: boolean;
  close(): Promise<void>;
}

const HEALTH_TIMEOUT_MS = 2_000;

/** @throws SluiceError `usage` where the port is taken by something else, or cannot be taken */
export async function receiveDeliveries(options: ReceptionOptions): Promise<Reception> {
  const { address, clock, keyring, onKept, onTrouble, secret, store } = options;
  const keep = async (deliveries: readonly Delivery[]): Promise<void> => {
    try {
      await store.keepDeliveries(deliveries);
    } catch (error) {
      onTrouble(error);
      throw error;
    }
  };
  const instance = await instanceOf(store);
  try {
    const listener = await openListener({
      ...address,
      keyring,
      secret,
      instance,
      now: () => clock.now(),
      keep,
      ...(onKept === undefined ? {} : { onKept }),
    });
    return { url: listener.url, isShared: false, close: () => listener.close() };
  } catch (error) {
    const isTaken = error instanceof SluiceError && error.facts['code'] === 'EADDRINUSE';
    if (!isTaken) throw error;
    const host = address.host.includes(':') ? `[${address.host}]` : address.host;
    const url = `http://${host}:${address.port}`;
    if ((await instanceAt(url)) !== instance) throw error;
    return { url, isShared: true, close: () => Promise.resolve() };
  }
}

/** Tells one state file from another, and nothing about its keys. */
async function instanceOf(store: Store): Promise<string> {
  return digestHex(Buffer.from(await store.signingKey()).toString('hex')).slice(0, 16);
}

async function instanceAt(url: string): Promise<string | undefined> {
  try {
    const { body } = await request(`${url}/healthz`, {
      headersTimeout: HEALTH_TIMEOUT_MS,
      bodyTimeout: HEALTH_TIMEOUT_MS,
    });
    return ((await body.json()) as { instance?: string }).instance;
  } catch {
    // Whatever has the port, it is no listener of ours: the caller says that it is taken.
    return undefined;
  }
}
