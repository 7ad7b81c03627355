// Receives webhooks while no run is active: keeps the deliveries, and leaves settling to the next run.

import { type Dialect, NEUTRAL_DIALECT } from '../../dialect/dialect.js';
import type { RunObserver } from '../../model/telemetry/observe.js';
import { hostAndPort, type ListenAddress } from '../../model/text/address.js';
import type { Store } from '../../ports/store/store.js';
import { openStore } from '../../store/open-store.js';
import type { Listener } from '../../webhook/open-listener.js';
import type { Environment } from '../settings/environment.js';
import { openKeyring, reportNewState, watchDatabase } from '../state/state-file.js';
import { systemClock } from '../system-clock.js';
import {
  closeAs,
  listenUnlessShared,
  notKept,
  proofTerms,
  type ReceptionOptions,
  TRY_AGAIN_MS,
} from './receive-deliveries.js';

export interface ListenOptions {
  readonly state: string;
  readonly address: ListenAddress;
  /**
   * The address at which metrics are served; undefined if they are not. It is never the address for deliveries, which
   * is open to the internet.
   */
  readonly metricsListen?: ListenAddress | undefined;
  /** The proof that webhooks have to bring, and the names of events. Default: the neutral dialect. */
  readonly dialect?: Dialect | undefined;
  readonly environment: Environment;
  readonly observe?: RunObserver;
  /** Called when this process has kept deliveries. */
  readonly onKept: (count: number) => void;
  /** Called for deliveries that could not be kept: the platform is asked to repeat them. */
  readonly onTrouble: (error: unknown) => void;
  /** Called with a sentence if the port has to be waited for. */
  readonly onWait?: (sentence: string) => void;
}

export interface Listening {
  readonly url: string;
  /** Undefined if no metrics are served. */
  readonly metricsUrl: string | undefined;
  close(): Promise<void>;
}

/**
 * Listens; waits for the end of another process of the same state that listens there.
 * @throws SluiceError `usage` if another program has the port, or a listener with another secret
 */
export async function listen(options: ListenOptions): Promise<Listening> {
  const { state, environment, dialect = NEUTRAL_DIALECT, ...reception } = options;
  const observers = options.observe === undefined ? [] : [options.observe];
  const clock = systemClock;
  const observe: RunObserver = (event) => {
    for (const each of observers) each(event);
  };
  const store = await openStore(state, { onTrouble: watchDatabase(observe, clock) });
  try {
    const secret = environment.webhookSecret();
    const proof = proofTerms(dialect, environment, secret);
    const keyring = await openKeyring(store, secret);
    const measured = await measureListening(store, options.metricsListen);
    if (measured !== undefined) observers.push((event) => measured.metrics.observe(event));
    const onTrouble = (error: unknown): void => {
      observe(notKept(error));
      options.onTrouble(error);
    };
    const watched = { ...reception, dialect, keyring, proof, store, clock, observe, onTrouble };
    const listener = await takePort(watched, options.onWait).catch(async (error: unknown) => {
      await measured?.close();
      throw error;
    });
    await reportNewState(store, state, observe);
    if (measured !== undefined) observe({ kind: 'metrics.served', port: measured.port });
    const close = async (): Promise<void> => {
      await closeAs(listener, observe);
      await measured?.close();
      await store.close();
    };
    return { url: listener.url, metricsUrl: measured?.url, close };
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function takePort(
  options: ReceptionOptions,
  onWait: ListenOptions['onWait'],
): Promise<Listener> {
  const url = `http://${hostAndPort(options.address)}`;
  for (let isTold = false; ; isTold = true) {
    const listener = await listenUnlessShared(options, true);
    if (listener !== undefined) return listener;
    if (!isTold) onWait?.(`Another process listens at ${url}: its end is waited for.`);
    await options.clock.sleep(TRY_AGAIN_MS);
  }
}

/** prom-client is loaded only here. @throws SluiceError `usage` if the address cannot be taken */
async function measureListening(store: Store, address: ListenAddress | undefined) {
  if (address === undefined) return undefined;
  const { openMetrics } = await import('../../telemetry/open-metrics.js');
  const { serveMetrics } = await import('../../telemetry/serve-metrics.js');
  const metrics = openMetrics();
  const server = await serveMetrics(address, {
    contentType: metrics.contentType,
    text: () =>
      metrics.textAfter(async () => metrics.note({ pending: await store.countPending() })),
  });
  return { ...server, metrics };
}
