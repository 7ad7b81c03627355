// The way through a proxy. To an https platform it is a tunnel (CONNECT), in which nothing of a request leaves before
// the tunnel stands; to an http platform each request goes to the proxy whole, with the address in its first line.
import { type ClientRequest, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { buildConnector } from 'undici';
import { errnoOf } from '../../model/errors.js';

/** The proxy wants other credentials. */
export class ProxyRefusal extends Error {
  override readonly name = 'ProxyRefusal';
}

export function proxyAddress({ protocol, host }: URL): string {
  return `${protocol}//${host}`;
}

export function proxyHeaders({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}

/**
 * Connects through a tunnel: an error of the proxy is an error of the connection, so the request is certainly unsent.
 * Its code is left out, because undici tries again without end if a code says that a connection broke off.
 */
export function tunnelThrough(
  proxy: URL,
  timeoutMs: number,
  ca: string[] | undefined,
): buildConnector.connector {
  const secure = buildConnector({ timeout: timeoutMs, allowH2: false, ...(ca && { ca }) });
  return (options, callback) => {
    const { hostname, port, protocol } = options;
    const target = `${hostname}:${port === '' ? (protocol === 'https:' ? 443 : 80) : port}`;
    let isEnded = false;
    const fail = (what: string, Kind: new (message: string) => Error = Error): void => {
      if (isEnded) return;
      isEnded = true;
      asking.destroy();
      callback(new Kind(`the proxy at ${proxyAddress(proxy)} ${what}`), null);
    };
    const refuse = (status: number): void =>
      status === 407
        ? fail('refused its credentials (407)', ProxyRefusal)
        : fail(`refused the way (${status})`);
    const asking = askFor(target, proxy);
    asking.setTimeout(timeoutMs, () => fail('did not answer in time'));
    asking.once('error', (error) => fail(`could not be used (${errnoOf(error) ?? error.name})`));
    asking.once('response', ({ statusCode = 0 }) => refuse(statusCode));
    asking.once('connect', ({ statusCode = 0 }, socket: Socket) => {
      if (isEnded || statusCode !== 200) {
        socket.on('error', () => undefined).destroy();
        return refuse(statusCode);
      }
      isEnded = true;
      socket.setTimeout(0);
      if (protocol === 'https:') secure({ ...options, httpSocket: socket }, callback);
      else callback(null, socket);
    });
    asking.end();
  };
}

function askFor(target: string, proxy: URL): ClientRequest {
  const ask = proxy.protocol === 'https:' ? httpsRequest : httpRequest;
  return ask({
    host: proxy.hostname.replace(/^\[|\]$/g, ''),
    port: proxy.port === '' ? (proxy.protocol === 'https:' ? 443 : 80) : proxy.port,
    method: 'CONNECT',
    path: target,
    headers: { host: target, ...proxyHeaders(proxy) },
    agent: false,
  });
}
