// The server of `sluice ui`: judges each request, then answers it from the table of routes that it is given. Each step
// that a client can draw out has a bound.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { hostAndPort, type ListenAddress, listenProblem } from '../../model/text/address.js';
import type { Clock } from '../../ports/clock.js';
import { PATHS, pathTo } from '../paths.js';
import { type AppOptions, createApp, STILL_MS } from './create-app.js';
import { createGuard } from './guard.js';
import { createSessions } from './sessions.js';

/** Whole requests may take six times as long. */
const PATIENCE_MS = 10_000;
const CONNECTIONS_MAX = 256;
/**
 * Of connections that have not shown a session; a new one takes the place of the oldest of the address that has most.
 */
const STRANGERS_MAX = 64;

export interface UiServerOptions
  extends Omit<
    AppOptions,
    'guard' | 'sessions' | 'addressOf' | 'signal' | 'onKnown' | 'onLinkUsed'
  > {
  /** Port 0 takes any free one. */
  readonly address: ListenAddress;
  /** The address at which browsers see it, if that is another one: that of a proxy or a tunnel. */
  readonly publicUrl: URL | undefined;
  /** Undefined: the link signs in. */
  readonly password: string | undefined;
  readonly clock: Clock;
  /** After a link was used, which counts once: this is the next. Must not throw. */
  readonly onLinkUsed: (next: string) => void;
  /** How long the headers of a request may take to arrive. Default 10,000 ms. */
  readonly patienceMs?: number;
}

export interface UiServer {
  readonly port: number;
  /** The address at which a browser begins; without a password it signs in, once. */
  readonly link: () => string;
  /** The same for a browser that comes at once: without a password it signs in once, within BRIEF_MS. */
  readonly briefLink: () => string;
  /** Ends every stream and connection. Idempotent. */
  close(): Promise<void>;
}

/**
 * Resolves once it listens.
 * @throws SluiceError `usage` if the address cannot be taken
 */
export async function openUiServer(options: UiServerOptions): Promise<UiServer> {
  const { publicUrl, password, clock, onLinkUsed } = options;
  const { server, port } = await listen(options.address, options.patienceMs ?? PATIENCE_MS);
  const strangers = keepStrangersFew(server);
  const address = { ...options.address, port };
  const isSecure = publicUrl?.protocol === 'https:';
  const sessions = createSessions({ password, port, isSecure, clock });
  const origin = publicUrl?.origin ?? `http://${hostAndPort(address)}`;
  const linkWith = (key: () => string): string =>
    password === undefined ? origin + pathTo(PATHS.open, {}, { key: key() }) : origin + PATHS.runs;
  const link = (): string => linkWith(sessions.linkKey);
  const stop = new AbortController();
  const app = createApp(
    {
      ...options,
      guard: createGuard({ address, publicUrl }),
      sessions,
      addressOf: publicUrl === undefined ? addressOf : addressBehindProxy,
      signal: stop.signal,
      onKnown: (socket) => strangers.delete(socket),
      onLinkUsed: () => onLinkUsed(link()),
    },
    server,
  );
  await app.ready();
  let closed: Promise<void> | undefined;
  return {
    port,
    link,
    briefLink: () => linkWith(sessions.briefKey),
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

function listen(
  address: ListenAddress,
  patienceMs: number,
): Promise<{ server: Server; port: number }> {
  const server = createServer({
    headersTimeout: patienceMs,
    requestTimeout: patienceMs * 6,
    connectionsCheckingInterval: Math.ceil(patienceMs / 4),
  });
  server.maxConnections = CONNECTIONS_MAX;
  server.timeout = STILL_MS;
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown): void => {
      reject(listenProblem(address, cause, { what: 'The pages cannot be served', flag: 'port' }));
    };
    server.on('error', fail);
    try {
      server.listen(address, () => {
        // The address of a listening TCP server is never a string.
        resolve({ server, port: (server.address() as AddressInfo).port });
      });
    } catch (cause) {
      // No port at all.
      fail(cause);
    }
  });
}

/** Keeps a client that only holds connections from shutting the pages. Returns those that have shown no session. */
function keepStrangersFew(server: Server): Set<Socket> {
  const strangers = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    strangers.add(socket);
    socket.once('close', () => strangers.delete(socket));
    if (strangers.size <= STRANGERS_MAX) return;
    const oldest = oldestOfMost(strangers);
    strangers.delete(oldest);
    oldest.destroy();
  });
  return strangers;
}

/** The oldest of the address that has most of them. */
function oldestOfMost(sockets: ReadonlySet<Socket>): Socket {
  const byAddress = new Map<string | undefined, Socket[]>();
  for (const socket of sockets) {
    const { remoteAddress } = socket;
    byAddress.set(remoteAddress, [...(byAddress.get(remoteAddress) ?? []), socket]);
  }
  const [most = []] = [...byAddress.values()].toSorted((a, b) => b.length - a.length);
  return most[0] as Socket;
}

function addressOf({ socket }: IncomingMessage): string {
  return socket.remoteAddress ?? '';
}

/** A proxy adds the address that it sees behind those that it is told. */
function addressBehindProxy(request: IncomingMessage): string {
  const [told = ''] = [request.headers['x-forwarded-for'] ?? ''].flat().slice(-1);
  const [last = ''] = told.split(',').slice(-1);
  return last.trim() || addressOf(request);
}
