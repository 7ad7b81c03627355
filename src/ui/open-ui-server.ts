// The server of `sluice ui`: judges who asks, then answers from the table of routes it is given. Everything that a client
// may take its time over has a bound.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostAndPort, type ListenAddress, listenProblem } from '../model/text/address.js';
import type { Clock } from '../ports/clock.js';
import { createGuard } from './guard.js';
import { createReception, type ReceptionOptions } from './reception.js';
import { createSessions } from './sessions.js';

/** How long a request may take to arrive: its headers, and all of it. */
const HEADERS_MS = 10_000;
const REQUEST_MS = 60_000;
/** A connection on which nothing moves. A stream of events has a heartbeat. */
const STILL_MS = 30_000;
const CONNECTIONS_MAX = 64;

export interface UiServerOptions
  extends Omit<ReceptionOptions, 'guard' | 'sessions' | 'signal' | 'onLinkUsed'> {
  /** Port 0 takes any free one. */
  readonly address: ListenAddress;
  /** Where browsers see it, if it is not there: behind a proxy or a tunnel. */
  readonly publicUrl: URL | undefined;
  /** Undefined: the link signs in. */
  readonly password: string | undefined;
  readonly clock: Clock;
  /** After a link was used, which counts once: this is the next. Must not throw. */
  readonly onLinkUsed: (next: string) => void;
}

export interface UiServer {
  readonly port: number;
  /** Where a browser begins; without a password it signs in, once. */
  readonly link: () => string;
  /** Ends every stream and connection. Idempotent. */
  close(): Promise<void>;
}

/**
 * Resolves once it listens.
 * @throws SluiceError `usage` where the address cannot be taken
 */
export async function openUiServer(options: UiServerOptions): Promise<UiServer> {
  const { publicUrl, password, clock, onLinkUsed } = options;
  const { server, port } = await listen(options.address);
  const address = { ...options.address, port };
  const isSecure = publicUrl?.protocol === 'https:';
  const sessions = createSessions({ password, port, isSecure, clock });
  const origin = publicUrl?.origin ?? `http://${hostAndPort(address)}`;
  const link = (): string =>
    password === undefined ? `${origin}/open?key=${sessions.linkKey()}` : `${origin}/`;
  const stop = new AbortController();
  const receive = createReception({
    ...options,
    guard: createGuard({ address, publicUrl }),
    sessions,
    signal: stop.signal,
    onLinkUsed: () => onLinkUsed(link()),
  });
  server.on('request', (request, response) => void receive(request, response));
  let closed: Promise<void> | undefined;
  return {
    port,
    link,
    close: () => {
      closed ??= new Promise((resolve) => {
        stop.abort();
        server.close(() => resolve());
        server.closeAllConnections();
      });
      return closed;
    },
  };
}

function listen(address: ListenAddress): Promise<{ server: Server; port: number }> {
  const server = createServer({
    headersTimeout: HEADERS_MS,
    requestTimeout: REQUEST_MS,
    connectionsCheckingInterval: HEADERS_MS / 4,
  });
  server.maxConnections = CONNECTIONS_MAX;
  server.timeout = STILL_MS;
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      reject(listenProblem(address, cause, { what: 'The pages cannot be served', flag: 'port' }));
    });
    server.listen(address, () => {
      // The address of a listening TCP server is never a string.
      resolve({ server, port: (server.address() as AddressInfo).port });
    });
  });
}
