// `GET /metrics` on its own address: the listener of webhooks is open to the internet, and the metrics must not be.
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { hostAndPort, type ListenAddress, listenProblem } from '../model/text/address.js';

export interface MetricsServer {
  readonly url: string;
  readonly port: number;
  /** Idempotent. */
  close(): Promise<void>;
}

export interface MetricsSource {
  readonly contentType: string;
  text(): Promise<string>;
  /** Of a process that also says at `/readyz` whether it can work: rejects if it cannot. */
  isReady?(): Promise<void>;
}

/**
 * Resolves once it listens. Answers `GET /metrics` with the current `text`, and any other request with 404. With
 * `isReady` it also answers `GET /healthz` while the process lives, and `GET /readyz`.
 * @throws SluiceError `usage` if the address cannot be taken
 */
export async function serveMetrics(
  address: ListenAddress,
  source: MetricsSource,
): Promise<MetricsServer> {
  const app = Fastify({ forceCloseConnections: true });
  app.get('/metrics', async (_request, reply) => {
    return reply.type(source.contentType).send(await source.text());
  });
  if (source.isReady !== undefined) {
    app.get('/healthz', async () => 'ok\n');
    app.get('/readyz', async () => {
      await source.isReady?.();
      return 'ok\n';
    });
  }
  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).send({ error: 'Metrics are at /metrics.' }),
  );
  app.setErrorHandler((_error, _request, reply) =>
    reply.code(503).send({ error: 'This cannot be answered at the moment.' }),
  );
  try {
    await app.listen(address);
  } catch (cause) {
    const what = 'Metrics cannot be served';
    throw listenProblem(address, cause, { what, flag: 'metrics-listen' });
  }
  // The address of a listening TCP server is never a string.
  const { port } = app.server.address() as AddressInfo;
  let closed: Promise<void> | undefined;
  return {
    url: `http://${hostAndPort({ ...address, port })}/metrics`,
    port,
    close: () => (closed ??= app.close()),
  };
}
