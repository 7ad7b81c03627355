// The server of `sluice ui`, on fastify: answers each admitted request from the table of routes that it is given. A page on
// a network stands behind a proxy, which bounds what one client may hold.
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { SluiceError } from '../../model/errors.js';
import { onAbort } from '../../model/schedule/on-abort.js';
import { hostAndPort, type ListenAddress, listenProblem } from '../../model/text/address.js';
import type { Clock } from '../../ports/clock.js';
import { PATHS, pathTo } from '../paths.js';
import {
  type Admitting,
  admit,
  FORM_BYTES_MAX,
  halvesOf,
  hasToken,
  READING,
  refuse,
  SESSION,
} from './admit.js';
import { createGuard } from './guard.js';
import { NO_SUCH_LINK, OLD_PAGE, refusalOf, TOO_LARGE, TOO_MANY_PAGES } from './refusals.js';
import { KEPT, NOT_KEPT, sendAnswer, sendDocument } from './respond.js';
import {
  type Answer,
  type GetRoute,
  type PostRoute,
  type Route,
  TOKEN_FIELD,
  type Visit,
} from './routes.js';
import { createSessions, isSame, type Session } from './sessions.js';
import { type Look, streamPage } from './stream-page.js';

export interface UiServerOptions extends Omit<Admitting, 'guard' | 'sessions'> {
  /** Port 0 takes any free one. */
  readonly address: ListenAddress;
  /** The address at which browsers see it, if that is another one: that of a proxy or a tunnel. */
  readonly publicUrl: URL | undefined;
  readonly routes: readonly Route[];
  readonly clock: Clock;
  /** After a link was used, which counts once: this is the next. Must not throw. */
  readonly onLinkUsed: (next: string) => void;
  /** An error that no page expects. Must not throw. */
  readonly onTrouble: (error: unknown) => void;
  /** How long the headers of a request may take to arrive; whole requests take six times as long. Default 10,000 ms. */
  readonly patienceMs?: number;
}

export interface UiServer {
  readonly port: number;
  /** The address at which a browser begins; without a password it signs in, once. */
  readonly link: () => string;
  /** The same for a browser that comes at once: without a password it signs in once, within BRIEF_MS. */
  readonly briefLink: () => string;
  /** Ends every stream and connection. Idempotent. */
  close(): Promise<void>;
}

const PATIENCE_MS = 10_000;
const CONNECTIONS_MAX = 256;
/** Of open pages that are kept up to date. */
const STREAMS_MAX = 24;
/** A longer one does not fit into the headers that Node.js takes: a job may be named by the path of its input. */
const PARAM_LENGTH_MAX = 16 * 2 ** 10;
interface Serving extends Admitting, UiServerOptions {
  /** Ends every stream. */
  readonly stop: AbortSignal;
  readonly link: () => string;
}

/**
 * Resolves once it listens.
 * @throws SluiceError `usage` if the address cannot be taken
 */
export async function openUiServer(options: UiServerOptions): Promise<UiServer> {
  const { password, patienceMs = PATIENCE_MS, publicUrl } = options;
  const { host } = options.address;
  const stop = new AbortController();
  const portNow = (): number => (app.server.address() as AddressInfo).port;
  const guard = createGuard({ host, port: portNow, publicUrl });
  const isSecure = publicUrl?.protocol === 'https:';
  const sessions = createSessions({ password, port: portNow, isSecure, clock: options.clock });
  const linkWith = (key: () => string): string => {
    const origin = publicUrl?.origin ?? `http://${hostAndPort({ host, port: portNow() })}`;
    return password === undefined
      ? origin + pathTo(PATHS.open, {}, { key: key() })
      : origin + PATHS.runs;
  };
  const link = (): string => linkWith(sessions.linkKey);
  const serving: Serving = { ...options, guard, sessions, stop: stop.signal, link };
  const app: FastifyInstance = Fastify({
    logger: false,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    bodyLimit: FORM_BYTES_MAX,
    requestTimeout: patienceMs * 6,
    http: {
      headersTimeout: patienceMs,
      connectionsCheckingInterval: Math.ceil(patienceMs / 4),
    },
    routerOptions: { maxParamLength: PARAM_LENGTH_MAX },
    rewriteUrl: ({ url = '' }) => livePath(url),
    // A path that cannot be decoded reaches no hook.
    frameworkErrors: (_error, request, reply) => {
      admit(serving, request, reply.headers(NOT_KEPT));
    },
  });
  app.server.maxConnections = CONNECTIONS_MAX;
  app.decorateRequest(SESSION, null);
  app.addHook('onRequest', (request, reply, done) => {
    if (admit(serving, request, reply.headers(NOT_KEPT))) done();
  });
  // A body is bytes, of any type.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.setErrorHandler<Error & { code?: string; statusCode?: number }>((error, _request, reply) => {
    if (error.statusCode === 413) return refuse(serving, reply, TOO_LARGE);
    if (error.code?.startsWith('FST_') === true) return refuse(serving, reply, OLD_PAGE);
    if (!(error instanceof SluiceError)) options.onTrouble(error);
    return refuse(serving, reply, refusalOf(error));
  });
  registerRoutes(app, serving);
  try {
    await app.listen({ host, port: options.address.port });
  } catch (cause) {
    throw listenProblem(options.address, cause, {
      what: 'The pages cannot be served',
      flag: 'port',
    });
  }
  const port = portNow();
  let closed: Promise<void> | undefined;
  return {
    port,
    link,
    briefLink: () => linkWith(sessions.briefKey),
    close: () => {
      stop.abort();
      closed ??= app.close();
      return closed;
    },
  };
}

type Work = (request: FastifyRequest, reply: FastifyReply) => unknown;

function registerRoutes(app: FastifyInstance, serving: Serving): void {
  const { assets, password, routes, shell } = serving;
  const streams = new Set<ServerResponse>();
  const read = (url: string, handler: Work): void => {
    app.route({ method: READING, url, handler });
  };
  for (const [url, { body, type }] of assets) {
    read(url, (_request, reply) => reply.headers(KEPT).type(type).send(body));
  }
  read(PATHS.open, opening(serving));
  if (password !== undefined) {
    read(PATHS.signIn, (_request, reply) => sendDocument(reply, 200, shell.signIn()));
    app.post(PATHS.signIn, signingIn(serving));
  }
  for (const route of routes) {
    if (route.method === 'GET') {
      read(route.path, async (request, reply) => {
        const gone = goneOf(reply);
        return sendAnswer(reply, await route.answer(visitOf(request, gone)), {
          ...serving,
          gone,
        });
      });
      read(PATHS.live + route.path, streaming(serving, streams, route));
    } else {
      const { bodyBytesMax: bodyLimit = FORM_BYTES_MAX, path } = route;
      app.post(path, { bodyLimit }, acting(serving, route));
    }
  }
}

/** The path for the router: `GET /live?at=PATH` keeps the page at that path up to date, and is found as `/live` + PATH. */
function livePath(url: string): string {
  const [path, query] = halvesOf(url);
  return path === PATHS.live ? PATHS.live + (query.get('at') ?? '') : url;
}

/** The link: a page that goes on by itself, since a redirect from elsewhere would come without the cookie. */
function opening(serving: Serving): Work {
  const { link, onLinkUsed, sessions, shell } = serving;
  return ({ method, url }, reply) => {
    const [, query] = halvesOf(url);
    // A program that looks at the link before a person does must not use it up.
    const session = method === 'GET' ? sessions.redeem(query.get('key') ?? '') : undefined;
    if (session === undefined) return refuse(serving, reply, NO_SUCH_LINK);
    reply.header('set-cookie', sessions.cookieOf(session));
    onLinkUsed(link());
    return sendDocument(reply, 200, shell.opened());
  };
}

function signingIn({ sessions, shell }: Serving): Work {
  return async (request, reply) => {
    const password = new URLSearchParams(bodyOf(request).toString('utf8')).get('password') ?? '';
    const session = await sessions.signIn(password, goneOf(reply));
    if (session === 'wrong')
      return sendDocument(reply, 401, shell.signIn('The password is wrong.'));
    if (session === 'busy') {
      return sendDocument(reply, 429, shell.signIn('Too many try at the moment. Try again.'));
    }
    reply.header('set-cookie', sessions.cookieOf(session));
    return sendDocument(reply, 200, shell.opened());
  };
}

/** A form, or a file. */
function acting(serving: Serving, { answer }: PostRoute): Work {
  return async (request, reply) => {
    const body = bodyOf(request);
    const type = request.headers['content-type'] ?? '';
    const isForm = type.startsWith('application/x-www-form-urlencoded');
    const form = new URLSearchParams(isForm ? body.toString('utf8') : '');
    const session = sessionOf(request);
    if (!hasToken(request, session) && !isSame(form.get(TOKEN_FIELD) ?? '', session.token)) {
      return refuse(serving, reply, OLD_PAGE);
    }
    const gone = goneOf(reply);
    const done = await answer({ ...visitOf(request, gone), form, body });
    return sendAnswer(reply, done, { ...serving, gone });
  };
}

/** Keeps a page up to date. */
function streaming(serving: Serving, streams: Set<ServerResponse>, { answer }: GetRoute): Work {
  return async (request, reply) => {
    if (streams.size >= STREAMS_MAX) return refuse(serving, reply, TOO_MANY_PAGES);
    const { raw: response } = reply.hijack();
    // Proxies such as nginx would hold the events back.
    const type = { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' };
    response.writeHead(200, { ...NOT_KEPT, ...type });
    if (request.method === 'HEAD') {
      response.end();
      return reply;
    }
    const gone = new AbortController();
    const end = (): void => gone.abort();
    response.once('close', end);
    const stopListening = onAbort(serving.stop, end);
    streams.add(response);
    const visit = visitOf(request, gone.signal);
    try {
      await streamPage(response, {
        look: () => lookAt(serving, () => answer(visit)),
        clock: serving.clock,
        signal: gone.signal,
      });
    } finally {
      streams.delete(response);
      stopListening();
      response.end();
    }
    return reply;
  };
}

async function lookAt({ onTrouble }: Serving, ask: () => Promise<Answer>): Promise<Look> {
  try {
    const answer = await ask();
    if (answer.kind === 'page') return answer;
    // It would wait for its reader, and hold its source.
    if (answer.kind === 'download') answer.body.destroy();
    return { trouble: 'This page is no longer there. Load it again.' };
  } catch (error) {
    if (!(error instanceof SluiceError)) onTrouble(error);
    return { trouble: refusalOf(error).sentence };
  }
}

function visitOf(request: FastifyRequest, gone: AbortSignal): Visit {
  const [path, query] = halvesOf(request.url);
  const params = request.params as Visit['params'];
  const { token } = sessionOf(request);
  return {
    path: path.startsWith(`${PATHS.live}/`) ? path.slice(PATHS.live.length) : path,
    params,
    query,
    token,
    gone,
  };
}

function sessionOf(request: FastifyRequest): Session {
  return request.getDecorator<Session>(SESSION);
}

function bodyOf({ body }: FastifyRequest): Buffer {
  return (body as Buffer | undefined) ?? Buffer.alloc(0);
}

function goneOf({ raw: response }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  if (response.closed) gone.abort();
  response.once('close', () => gone.abort());
  return gone.signal;
}
