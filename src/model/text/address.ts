// Addresses as people write them: URLs, and the addresses of listeners.
import { errnoOf, SluiceError } from '../errors.js';

/**
 * A URL, or undefined. It does not use URL.canParse: in Node 20 and 22 that denies `https://münchen.de` once it has
 * been called some thousand times, when its optimised version takes over.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** Whether it is an http(s) address to which requests can be posted: without blanks, credentials and fragment. */
export function isTargetUrl(text: string): boolean {
  // The URL parser drops the blanks around a URL, and encodes those in it: neither is meant.
  const url = /[\s#]/.test(text) ? undefined : parseUrl(text);
  if (url === undefined || !/^https?:$/.test(url.protocol)) return false;
  return url.username + url.password === '';
}

/** Whether it also has nothing after its path, so that a key can be added. */
export function isPublicUrl(text: string): boolean {
  return isTargetUrl(text) && !text.includes('?');
}

export function isLoopback(address: string): boolean {
  const host = parseUrl(address)?.hostname;
  return host !== undefined && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(host);
}

export function isLoopbackHost(host: string): boolean {
  return isLoopback(`http://${hostAndPort({ host, port: 0 })}`);
}

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

const HOST_DEFAULT = '127.0.0.1';
const PORT_MAX = 65_535;

/** Reads `8640`, `0.0.0.0:8640` or `[::1]:8640`; port 0 is any free one. Undefined for anything else. */
export function parseListenAddress(text: string): ListenAddress | undefined {
  const match = /^(?:(?<host>[^\s:[\]]+|\[[\da-f:.]+\]):)?(?<port>\d{1,5})$/i.exec(text);
  if (match === null) return undefined;
  const { host = HOST_DEFAULT, port = '' } = match.groups ?? {};
  if (Number(port) > PORT_MAX) return undefined;
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}

/** The address in the form of a URL: `127.0.0.1:8640`, `[::1]:8640`. */
export function hostAndPort({ host, port }: ListenAddress): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

const LISTEN_PROBLEMS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is taken',
  EACCES: 'permission is denied',
  EADDRNOTAVAIL: 'this machine does not have that address',
  ENOTFOUND: 'the host is not known',
  EAI_AGAIN: 'the host cannot be looked up at the moment',
  ERR_SOCKET_BAD_PORT: 'a port is a whole number from 0 to 65535',
};

/** The reason why `what` could not be done on an address; another one is chosen with `--FLAG`. */
export function listenProblem(
  { host, port }: ListenAddress,
  cause: unknown,
  { what, flag }: { readonly what: string; readonly flag: string },
): SluiceError {
  const code = errnoOf(cause) ?? 'unknown error';
  const reason =
    LISTEN_PROBLEMS[code] ?? `${code}: ${cause instanceof Error ? cause.message : String(cause)}`;
  return new SluiceError(
    'usage',
    `${what} on ${hostAndPort({ host, port })}: ${reason}; choose another with --${flag}.`,
    { code },
    { cause },
  );
}

/** Without the escapes of a URL; as it is if they are broken. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
