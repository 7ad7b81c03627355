// A small real HTTP server that answers as a test tells it to, and remembers what it was asked.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { NEUTRAL_DIALECT } from '../../src/dialect/dialect.js';
import { SluiceError } from '../../src/model/errors.js';
import { type HttpPlatformOptions, openHttpPlatform } from '../../src/platform/http-platform.js';
import { createVirtualClock } from './virtual-clock.js';

export type Respond = (request: IncomingMessage, response: ServerResponse) => void;

export interface TestServer {
  readonly url: string;
  /** `METHOD path?query` of every request, in order. */
  readonly asked: string[];
  readonly authorizations: (string | undefined)[];
  /** What each request carried: its content type, and its body. */
  readonly bodies: { readonly type: string | undefined; readonly text: string }[];
  close(): Promise<void>;
}

export const CREDENTIALS = { username: 'zoë', password: 'pa:ß word' };

/**
 * Each request takes the next of `responds`; the last one answers all that follow. A body is read whole
 * before it is answered. It closes with the test.
 */
export async function openTestServer(...responds: Respond[]): Promise<TestServer> {
  const asked: string[] = [];
  const authorizations: (string | undefined)[] = [];
  const bodies: TestServer['bodies'] = [];
  const server = createServer((request, response) => {
    const respond = responds[Math.min(asked.length, responds.length - 1)];
    asked.push(`${request.method ?? ''} ${request.url ?? ''}`);
    authorizations.push(request.headers.authorization);
    const finish = () => respond?.(request, response);
    if (request.headers['content-length'] === undefined) finish();
    else void keepBody(request, bodies).finally(finish);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  // The address of a listening TCP server is never a string.
  const address = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(close);
  return { url: `http://127.0.0.1:${address.port}`, asked, authorizations, bodies, close };
}

async function keepBody(request: IncomingMessage, bodies: TestServer['bodies']): Promise<void> {
  bodies.push({ type: request.headers['content-type'], text: await textOf(request) });
}

/** Answers with a status, a body (bytes and texts as they are, anything else as JSON) and headers. */
export function answer(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Respond {
  return (_, response) => {
    response.writeHead(status, headers);
    const isWritten = typeof body === 'string' || body instanceof Uint8Array;
    response.end(isWritten ? body : JSON.stringify(body));
  };
}

/** An answer that breaks off before its first letter. */
export const cut: Respond = (_, response) => {
  response.writeHead(200, { 'content-length': '9' });
  response.flushHeaders();
  setImmediate(() => response.destroy());
};

const timers = new Set<() => void>();

/** Never answers: once the request is there, its time is up. */
export const silence: Respond = () => {
  for (const act of timers) act();
};

/**
 * The platform at a server, neutral and without a limit, on a clock that moves by itself. It closes with the test.
 */
export function openTestPlatform(url: string, options: Partial<HttpPlatformOptions> = {}) {
  const platform = openHttpPlatform({
    baseUrl: url,
    credentials: CREDENTIALS,
    dialect: NEUTRAL_DIALECT,
    clock: createVirtualClock({ isAuto: true }),
    startTimer: (act) => {
      timers.add(act);
      return () => timers.delete(act);
    },
    limit: [],
    concurrency: 4,
    ...options,
  });
  onTestFinished(() => platform.close());
  return platform;
}

/** A server that answers so, and the platform at it. */
export async function openAt(
  responds: Respond | readonly Respond[],
  options: Partial<HttpPlatformOptions> = {},
) {
  const server = await openTestServer(...[responds].flat());
  const clock = createVirtualClock({ isAuto: true });
  return { server, clock, platform: openTestPlatform(server.url, { clock, ...options }) };
}

export type TestPlatform = ReturnType<typeof openTestPlatform>;

/** One permit, which must be free. */
export async function permitOf(platform: TestPlatform) {
  const [permit] = await platform.reserve('submit', 1);
  if (permit === undefined) throw new Error('no permit');
  return permit;
}

/** The SluiceError that something throws. */
export async function problemOf(work: () => unknown): Promise<SluiceError> {
  try {
    await work();
  } catch (error) {
    if (error instanceof SluiceError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
