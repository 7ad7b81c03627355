// Judges a request by its headers alone: a foreign page must not read through a name that it points at this machine (DNS
// rebinding), nor send requests in the name of the user (CSRF); and only a browser that has signed in sees the pages.
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import type { FastifyRequest } from 'fastify';
import { hostAndPort, isLoopbackHost, type ListenAddress } from '../../model/text/address.js';
import {
  FOREIGN_PAGE,
  foreignHost,
  NO_SESSION,
  OLD_PAGE,
  READ_ONLY,
  TWO_HOSTS,
} from './refusals.js';
import { isSame, type Session, type Sessions } from './sessions.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether it is answered without a session. */
    isOpen?: boolean;
    /** Whether it takes a file, whose request has the token in the header TOKEN_HEADER. */
    takesFile?: boolean;
  }
  interface FastifyRequest {
    /** Undefined at a route that is open. */
    session: Session | undefined;
  }
}

const TOKEN_HEADER = 'x-sluice-token';

export interface Admitting {
  /** The address to listen on; port 0 takes any free one, and `port` is the one that was taken, once it listens. */
  readonly address: ListenAddress;
  readonly port: () => number;
  /** The address at which browsers see it, if that is another one: that of a proxy or a tunnel. */
  readonly publicUrl?: URL | undefined;
  readonly sessions: Sessions;
  /** Whether every request is refused that would change something. */
  readonly isReadOnly: boolean;
}

/** Makes the judge of requests, who throws a Refusal. */
export function createAdmit(options: Admitting): (request: FastifyRequest) => void {
  const { isReadOnly, sessions } = options;
  let hosts: ReadonlySet<string> | undefined;
  return (request) => {
    hosts ??= hostsOf(options);
    checkSource(request, hosts, options);
    const { isOpen, takesFile } = request.routeOptions.config;
    if (isOpen === true) return;
    request.session = sessions.find(request.headers.cookie);
    if (request.session === undefined) throw NO_SESSION;
    if (request.method === 'POST' && isReadOnly) throw READ_ONLY;
    if (takesFile === true) checkToken(request, null);
  };
}

/** @throws Refusal unless the request has the token of its session, in a header or as this field of its form */
export function checkToken({ headers, session }: FastifyRequest, field: string | null): void {
  const given = headers[TOKEN_HEADER] ?? field ?? '';
  if (session === undefined || !isSame(String(given), session.token)) throw OLD_PAGE;
}

/** @throws Refusal unless it comes under a name of the server, from its own pages or by a person */
function checkSource(
  { headers, method, raw }: FastifyRequest,
  hosts: ReadonlySet<string>,
  { address, publicUrl }: Admitting,
): void {
  // A proxy may have judged the other one of two hosts.
  if ((raw.headersDistinct['host']?.length ?? 0) > 1) throw TWO_HOSTS;
  const host = headers.host?.toLowerCase() ?? '';
  // A foreign page's name is no address: if the server is open to a network, any address is accepted as a host.
  const isAddress = !isLoopbackHost(address.host) && isIP(nameOf(host)) !== 0;
  if (!hosts.has(host) && !isAddress) throw foreignHost([...hosts][0] ?? '');
  const site = headers['sec-fetch-site'] ?? 'none';
  const isOwn = site === 'same-origin' || site === 'none';
  if (method === 'GET' || method === 'HEAD') {
    // A link on a foreign page may lead here; but the page may not fetch or embed anything.
    if (!isOwn && headers['sec-fetch-mode'] !== 'navigate') throw FOREIGN_PAGE;
    return;
  }
  const { origin } = headers;
  const isOurs =
    origin === `http://${host}` || (origin !== undefined && origin === publicUrl?.origin);
  if (!isOwn || !isOurs) throw FOREIGN_PAGE;
}

/** The values of a `Host` header that mean this server; the one that is shown stands first. */
function hostsOf({ address: { host }, port, publicUrl }: Admitting): ReadonlySet<string> {
  const names = isLoopbackHost(host)
    ? [host, '127.0.0.1', 'localhost', '::1']
    : [host, 'localhost', hostname()];
  const own = names.map((name) => hostAndPort({ host: name, port: port() }).toLowerCase());
  // Browsers leave out the port that is usual.
  const short = port() === 80 ? own.map((host) => host.replace(/:80$/, '')) : [];
  return new Set([...(publicUrl === undefined ? [] : [publicUrl.host]), ...own, ...short]);
}

function nameOf(host: string): string {
  return host.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
}
