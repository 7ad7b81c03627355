// Counts what a listener without a run receives, and serves it. prom-client is loaded only then.

import type { RunObserver } from '../../model/telemetry/run-event.js';
import type { ListenAddress } from '../../model/text/address.js';
import type { Store } from '../../ports/store/store.js';
import { readPending } from '../run/read-gauges.js';

export interface MeasuredListening {
  readonly observe: RunObserver;
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/** @throws SluiceError `usage` where the address cannot be taken */
export async function measureListening(
  store: Pick<Store, 'countPending'>,
  address: ListenAddress | undefined,
): Promise<MeasuredListening | undefined> {
  if (address === undefined) return undefined;
  const { openMetrics } = await import('../../telemetry/open-metrics.js');
  const { serveMetrics } = await import('../../telemetry/serve-metrics.js');
  const metrics = openMetrics();
  const server = await serveMetrics(address, {
    contentType: metrics.contentType,
    text: async () => {
      metrics.note(await readPending(store));
      return metrics.text();
    },
  });
  const { url, port } = server;
  return { observe: (event) => metrics.observe(event), url, port, close: () => server.close() };
}
