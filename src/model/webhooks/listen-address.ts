// Where webhooks are received: the address to listen on, and the one the platform is told.
import { parseUrl } from '../text/parse-url.js';

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

/** As it stands in a URL: `127.0.0.1:8640`, `[::1]:8640`. */
export function hostAndPort({ host, port }: ListenAddress): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Whether it is an http(s) address to which can be posted: without blanks, credentials and fragment. */
export function isTargetUrl(text: string): boolean {
  // A URL is read without the blanks around it, and with those in it encoded: nobody can mean either.
  const url = /[\s#]/.test(text) ? undefined : parseUrl(text);
  if (url === undefined || !/^https?:$/.test(url.protocol)) return false;
  return url.username + url.password === '';
}

/** Whether it also has nothing behind its path, so that a key can be added. */
export function isPublicUrl(text: string): boolean {
  return isTargetUrl(text) && !text.includes('?');
}

/** Whether an address is this machine itself. */
export function isLoopback(address: string): boolean {
  const host = parseUrl(address)?.hostname;
  return host !== undefined && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(host);
}
