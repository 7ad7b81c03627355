// The server under the routes, which bounds the time that a client may take for anything.
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionBudget } from './connection-budget.js';

/**
 * The time without traffic after which a connection is closed, such as one whose client does not read its answer.
 */
const STILL_MS = 30_000;
/** A time longer than the 60 s after which reverse proxies close an idle connection, so that they do it first. */
const KEEP_ALIVE_MS = 65_000;

/** `patienceMs`: the time in which a request must arrive, headers and body together. */
export function createHttpServer(
  listener: RequestListener,
  patienceMs: number,
  connections: Pick<ConnectionBudget, 'admit' | 'begin'>,
): Server {
  const take: RequestListener = (request, response) => {
    if (connections.begin(request, response)) listener(request, response);
  };
  const server = createServer(
    {
      headersTimeout: patienceMs,
      requestTimeout: patienceMs,
      connectionsCheckingInterval: Math.ceil(patienceMs / 10),
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    take,
  );
  server.on('connection', (socket: Socket) => connections.admit(socket));
  // Node would answer 417 before the gate, and keep the connection. The expectation is ignored, as HTTP allows.
  server.on('checkExpectation', take);
  server.timeout = STILL_MS;
  return server;
}

const ANSWERS: Record<string, string> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
};

/** Ends a connection whose data is not HTTP, or comes too slowly, and nothing else. */
export function answerMisuse(error: { readonly code?: string }, socket: Socket): void {
  if (socket.writable) {
    const status = ANSWERS[error.code ?? ''] ?? '400 Bad Request';
    const body = '{"error":"The request is no HTTP, or came too slowly."}';
    socket.write(
      `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
  }
  socket.destroy();
}
