// Receives webhooks while no run is active: keeps what comes, and leaves settling to the next run.
import { SluiceError } from '../domain/errors.js';
import type { ListenAddress } from '../domain/listen-address.js';
import { createKeyring } from '../identity/keyring.js';
import { openSqliteStore } from '../store/open-sqlite-store.js';
import type { Environment } from './environment.js';
import { receiveDeliveries } from './receive-deliveries.js';
import { systemClock } from './system-clock.js';

export interface ListenOptions {
  readonly state: string;
  readonly address: ListenAddress;
  readonly environment: Environment;
  /** Called when this process has kept deliveries. */
  readonly onKept: (count: number) => void;
  /** Called for deliveries that could not be kept: the platform is asked to repeat them. */
  readonly onTrouble: (error: unknown) => void;
}

export interface Listening {
  readonly url: string;
  close(): Promise<void>;
}

/** @throws SluiceError `usage` where the address is taken, also by another listener of the same state file */
export async function listen(options: ListenOptions): Promise<Listening> {
  const { state, environment, ...reception } = options;
  const store = openSqliteStore(state);
  try {
    const secret = environment.webhookSecret();
    const keyring = createKeyring(await store.signingKey(), secret);
    const clock = systemClock;
    const opened = await receiveDeliveries({ ...reception, keyring, secret, store, clock });
    if (opened.isShared) {
      await opened.close();
      throw alreadyListening(opened.url, state);
    }
    const close = async (): Promise<void> => {
      await opened.close();
      await store.close();
    };
    return { url: opened.url, close };
  } catch (error) {
    await store.close();
    throw error;
  }
}

function alreadyListening(url: string, state: string): SluiceError {
  return new SluiceError(
    'busy',
    `Another process listens at ${url} for the state file ${state} already. Nothing is to be done.`,
    { url, state },
  );
}
