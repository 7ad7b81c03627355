// Judges by the headers alone whether a request is answered: a foreign page must not read through a name that it points
// at this machine (DNS rebinding), nor send requests in the name of the user (CSRF).
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { hostAndPort, isLoopbackHost } from '../../model/text/address.js';
import type { Refusal } from './refusals.js';

export interface GuardOptions {
  readonly host: string;
  /** The port at which the server listens, once it does. */
  readonly port: () => number;
  /** The address at which browsers see it, if that is another one: `https://sluice.example`. */
  readonly publicUrl: URL | undefined;
}

type Asked = Pick<IncomingMessage, 'method' | 'headers' | 'headersDistinct'>;

export type Guard = (asked: Asked) => Refusal | undefined;

export function createGuard(options: GuardOptions): Guard {
  const isOpen = !isLoopbackHost(options.host);
  let hosts: ReadonlySet<string> | undefined;
  return ({ method, headers, headersDistinct }) => {
    // A proxy may have judged the other one of two hosts.
    if ((headersDistinct['host']?.length ?? 0) > 1) return TWO_HOSTS;
    const host = headers.host?.toLowerCase() ?? '';
    hosts ??= hostsOf(options);
    // A foreign page's name is no address: if the server is open to a network, any address is accepted as a host.
    if (!hosts.has(host) && !(isOpen && isIP(nameOf(host)) !== 0)) return foreignHost(hosts);
    const site = headers['sec-fetch-site'] ?? 'none';
    const isOwn = site === 'same-origin' || site === 'none';
    if (method === 'GET' || method === 'HEAD') {
      // A link on a foreign page may lead here; but the page may not fetch or embed anything.
      return isOwn || headers['sec-fetch-mode'] === 'navigate' ? undefined : FOREIGN_PAGE;
    }
    const { origin } = headers;
    const isOurs =
      origin === `http://${host}` || (origin !== undefined && origin === options.publicUrl?.origin);
    return isOwn && isOurs ? undefined : FOREIGN_PAGE;
  };
}

/** The values of a `Host` header that mean this server; the one that is shown stands first. */
function hostsOf({ host, publicUrl, ...given }: GuardOptions): ReadonlySet<string> {
  const port = given.port();
  const names = isLoopbackHost(host)
    ? [host, '127.0.0.1', 'localhost', '::1']
    : [host, 'localhost', hostname()];
  const own = names.map((name) => hostAndPort({ host: name, port }).toLowerCase());
  // Browsers leave out the port that is usual.
  const short = port === 80 ? own.map((host) => host.replace(/:80$/, '')) : [];
  return new Set([...(publicUrl === undefined ? [] : [publicUrl.host]), ...own, ...short]);
}

/** The name without the port. */
function nameOf(host: string): string {
  return host.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
}

const TWO_HOSTS: Refusal = {
  status: 400,
  title: 'Under two names',
  sentence: 'The request has two headers Host. Nothing was done.',
};
const FOREIGN_PAGE: Refusal = {
  status: 403,
  title: 'Not from this page',
  sentence: 'Another page has sent this. Nothing was done.',
};

function foreignHost(hosts: ReadonlySet<string>): Refusal {
  const [first] = hosts;
  return {
    status: 403,
    title: 'Not under this name',
    sentence: `These pages are at ${first}. If you reach them under another name, as through a proxy or a tunnel, say so with --public-url.`,
  };
}
