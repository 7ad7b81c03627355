// A small proxy: passes plain requests on, and tunnels (CONNECT), all to one server, whatever host they name.
import { createServer, request as passOn } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';

export interface TestProxy {
  readonly url: string;
  /** The first line of every request to it, without the query. */
  readonly asked: string[];
  /** What it was shown as `proxy-authorization`. */
  readonly shown: (string | undefined)[];
  close(): Promise<void>;
}

/** `answer` is what it says to a CONNECT: a status, or `hangUp`. */
export async function startProxy(to: string, answer: number | 'hangUp' = 200): Promise<TestProxy> {
  const asked: string[] = [];
  const shown: (string | undefined)[] = [];
  const { port: targetPort } = new URL(to);
  const tunnels = new Set<Duplex>();
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    asked.push(`${method} ${url.replace(/\?.*/, '')}`);
    shown.push(headers['proxy-authorization']);
    if (answer !== 200) {
      response.writeHead(answer === 'hangUp' ? 502 : answer).end('no');
      return;
    }
    const { pathname, search } = new URL(url);
    const path = pathname + search;
    const passed = passOn(
      { port: targetPort, host: '127.0.0.1', method, path, headers },
      (back) => {
        response.writeHead(back.statusCode ?? 502, back.headers);
        back.pipe(response);
      },
    );
    passed.once('error', () => response.destroy());
    request.pipe(passed);
  });
  server.on('connect', ({ url = '', headers }, socket: Duplex) => {
    asked.push(`CONNECT ${url}`);
    shown.push(headers['proxy-authorization']);
    socket.on('error', () => undefined);
    tunnels.add(socket);
    if (answer === 'hangUp') return void socket.destroy();
    if (answer !== 200)
      return void socket.end(`HTTP/1.1 ${answer} No\r\ncontent-length: 0\r\n\r\n`);
    const target = connect(Number(targetPort), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      socket.pipe(target).pipe(socket);
    });
    target.on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    shown,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
        for (const socket of tunnels) socket.destroy();
      }),
  };
}
