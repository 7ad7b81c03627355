// A small platform that answers as a test wants, and remembers what it was asked.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atFileEnd } from './file-end.js';

const closers: (() => void)[] = [];
atFileEnd(() => {
  for (const close of closers.splice(0)) close();
});

export interface CountingServer {
  readonly url: string;
  /** `METHOD path` of every request, in order. */
  readonly asked: string[];
  /** Stops listening: from now on connections to it are refused. */
  close(): Promise<void>;
}

export async function startServer(
  respond: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<CountingServer> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method ?? ''} ${(request.url ?? '').replace(/\?.*/, '')}`);
    respond(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  // The address of a listening TCP server is never a string.
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  closers.push(() => void close());
  return { url: `http://127.0.0.1:${port}`, asked, close };
}

/** Answers everything with 200 and the given body, as JSON unless it is text. */
export function answering(body: unknown) {
  return (_: IncomingMessage, response: ServerResponse): void => {
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}
