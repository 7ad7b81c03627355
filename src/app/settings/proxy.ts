// The proxy that the environment names for an address: HTTPS_PROXY, HTTP_PROXY and NO_PROXY, or the same in lower case,
// which wins. It is never taken from the file .env, and never used for this machine.
import { SluiceError } from '../../model/errors.js';
import { isLoopback, parseUrl } from '../../model/text/address.js';

/**
 * Undefined for none. The address may hold a user name and a password.
 * @throws SluiceError `usage` for a variable that is no address of an http or https proxy
 */
export function proxyFor(
  url: string,
  variable: (name: string) => string | undefined,
): URL | undefined {
  const target = parseUrl(url);
  if (target === undefined || isLoopback(url)) return undefined;
  const name = target.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const text = either(name, variable)?.trim();
  if (text === undefined || text === '') return undefined;
  if (isExempt(target, either('NO_PROXY', variable) ?? '')) return undefined;
  const proxy = parseUrl(text.includes('://') ? text : `http://${text}`);
  if (proxy !== undefined && /^https?:$/.test(proxy.protocol)) return proxy;
  // The text may hold a password.
  throw new SluiceError(
    'usage',
    `${name} is not the address of an http or https proxy. Give one like http://proxy.example:3128, or unset it.`,
  );
}

function either(name: string, variable: (name: string) => string | undefined): string | undefined {
  return variable(name.toLowerCase()) ?? variable(name);
}

/** Names with commas or blanks between: a host with all below it, `.host`, `*.host`, `host:port`, or `*` for all. */
function isExempt({ hostname, port, protocol }: URL, list: string): boolean {
  const ownPort = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  return list.split(/[\s,]/).some((entry) => {
    if (entry === '*') return true;
    const [, name = '', wanted = ownPort] = /^(.+?)(?::(\d{1,5}))?$/.exec(entry) ?? [];
    const host = name.toLowerCase().replace(/^\*?\./, '');
    if (host === '' || wanted !== ownPort) return false;
    return hostname === host || hostname.endsWith(`.${host}`);
  });
}
