// One request from its first line to its answer: judged by its headers, then by its session, then answered by its route.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { SluiceError } from '../../model/errors.js';
import { onAbort } from '../../model/schedule/on-abort.js';
import type { Clock } from '../../ports/clock.js';
import { PATHS } from '../paths.js';
import {
  type AdmissionOptions,
  createAdmission,
  FORM_BYTES_MAX,
  hasToken,
  READING,
  refuse,
  SESSION,
} from './admission.js';
import { NO_SUCH_LINK, OLD_PAGE, refusalOf, TOO_LARGE, TOO_MANY_PAGES } from './refusals.js';
import { beginStream, sendAnswer, sendAsset, sendDocument } from './respond.js';
import {
  type Answer,
  type GetRoute,
  type PostRoute,
  type Route,
  TOKEN_FIELD,
  type Visit,
} from './routes.js';
import { isSame, type Session } from './sessions.js';
import { type Look, streamPage } from './stream-page.js';

export interface AppOptions extends AdmissionOptions {
  /** The address from which a request comes, as far as it is known. */
  readonly addressOf: (request: IncomingMessage) => string;
  readonly routes: readonly Route[];
  readonly clock: Clock;
  /** Ends every stream. */
  readonly signal: AbortSignal;
  readonly onLinkUsed: () => void;
  /** An error that no page expects. Must not throw. */
  readonly onTrouble: (error: unknown) => void;
}

/** A connection on which nothing moves for this long is closed. A stream of events has a heartbeat. */
export const STILL_MS = 30_000;
/** Of open pages that are kept up to date. */
const STREAMS_MAX = 24;
/** A longer one does not fit into the headers that Node.js takes: a job may be named by the path of its input. */
const PARAM_LENGTH_MAX = 16 * 2 ** 10;
/** The errors of a connection that the browser has closed. */
const GONE = new Set([
  'ABORT_ERR',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_DESTROYED',
  'ECONNRESET',
  'EPIPE',
]);

type Work = (request: FastifyRequest, response: ServerResponse) => Promise<void> | void;

/** The routes on `server`, which answers nothing before all of them are there. */
export function createApp(options: AppOptions, server: Server): FastifyInstance {
  const admit = createAdmission(options);
  const app: FastifyInstance = Fastify({
    logger: false,
    exposeHeadRoutes: false,
    bodyLimit: FORM_BYTES_MAX,
    routerOptions: { maxParamLength: PARAM_LENGTH_MAX },
    rewriteUrl: ({ url = '' }) => livePath(url),
    // The hooks judge nothing before the app is ready.
    serverFactory: (handle) =>
      server.on('request', (request, response) => {
        void app.ready().then(() => handle(request, response));
      }),
    // A path that cannot be decoded reaches no hook.
    frameworkErrors: (_error, request, reply) => void admit(request, reply),
  });
  app.decorateRequest(SESSION, null);
  app.addHook('onRequest', (request, reply, done) => {
    if (admit(request, reply)) done();
  });
  // A body is bytes, of any type.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.setErrorHandler<Error & { statusCode?: number }>(({ statusCode }, _request, reply) => {
    refuse(options, reply.hijack().raw, statusCode === 413 ? TOO_LARGE : OLD_PAGE);
  });
  registerRoutes(app, options);
  return app;
}

function registerRoutes(app: FastifyInstance, options: AppOptions): void {
  const streams = new Set<ServerResponse>();
  const read = (url: string, work: Work): void => {
    app.route({ method: READING, url, handler: answerBy(options, work) });
  };
  for (const [url, asset] of options.assets) {
    read(url, (_request, response) => sendAsset(response, asset));
  }
  read(PATHS.open, opening(options));
  if (options.password !== undefined) {
    read(PATHS.signIn, (_request, response) => sendDocument(response, 200, options.shell.signIn()));
    app.post(PATHS.signIn, answerBy(options, signingIn(options)));
  }
  for (const route of options.routes) {
    if (route.method === 'GET') {
      read(route.path, showing(route));
      read(PATHS.live + route.path, streaming(options, streams, route));
    } else {
      const { bodyBytesMax: bodyLimit = FORM_BYTES_MAX, path } = route;
      app.post(path, { bodyLimit }, answerBy(options, acting(options, route)));
    }
  }
}

/** A handler that never rejects. */
function answerBy(options: AppOptions, work: Work) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { raw: response } = reply.hijack();
    try {
      await work(request, response);
    } catch (error) {
      if (response.headersSent) {
        // Half of a file is sent: no page can say why there is no more.
        if (!isOfConnection(error)) options.onTrouble(error);
        response.destroy();
        return;
      }
      if (response.destroyed) return;
      if (!(error instanceof SluiceError)) options.onTrouble(error);
      refuse(options, response, refusalOf(error));
    }
  };
}

/** The browser has gone, which is no trouble. */
function isOfConnection(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' && GONE.has(code);
}

/** The path for the router: `GET /live?at=PATH` keeps the page at that path up to date, and is found as `/live` + PATH. */
function livePath(url: string): string {
  const [path, query] = halvesOf(url);
  return path === PATHS.live ? PATHS.live + (query.get('at') ?? '') : url;
}

function halvesOf(url: string): [path: string, query: URLSearchParams] {
  const end = url.includes('?') ? url.indexOf('?') : url.length;
  return [url.slice(0, end), new URLSearchParams(url.slice(end))];
}

/** The link: a page that goes on by itself, since a redirect from elsewhere would come without the cookie. */
function opening(options: AppOptions): Work {
  const { sessions, shell } = options;
  return ({ method, url }, response) => {
    const [, query] = halvesOf(url);
    // A program that looks at the link before a person does must not use it up.
    const session = method === 'GET' ? sessions.redeem(query.get('key') ?? '') : undefined;
    if (session === undefined) return refuse(options, response, NO_SUCH_LINK);
    sendDocument(response, 200, shell.opened(), { 'set-cookie': sessions.cookieOf(session) });
    options.onLinkUsed();
  };
}

function signingIn({ addressOf, sessions, shell }: AppOptions): Work {
  /** Connections that wait for their password to be judged: one could send many at once. */
  const judged = new WeakSet<Socket>();
  return async (request, response) => {
    const { socket } = request;
    const password = new URLSearchParams(bodyOf(request).toString('utf8')).get('password') ?? '';
    const isFirst = !judged.has(socket);
    judged.add(socket);
    const client = { address: addressOf(request.raw), gone: goneOf(response) };
    const session = isFirst ? await sessions.signIn(password, client) : 'busy';
    if (isFirst) judged.delete(socket);
    if (session === 'wrong') {
      return sendDocument(response, 401, shell.signIn('The password is another one.'));
    }
    if (session === 'busy') {
      const text = shell.signIn('Too many try at the moment. Try again.');
      return sendDocument(response, 429, text, { connection: 'close' });
    }
    sendDocument(response, 200, shell.opened(), { 'set-cookie': sessions.cookieOf(session) });
  };
}

/** A page, or a file to keep. */
function showing({ answer }: GetRoute): Work {
  return async (request, response) => {
    const visit = visitOf(request, goneOf(response));
    await sendAnswer(response, await unhurried(request, () => answer(visit)));
  };
}

/** A form, or a file. */
function acting(options: AppOptions, { answer }: PostRoute): Work {
  return async (request, response) => {
    const body = bodyOf(request);
    const type = request.headers['content-type'] ?? '';
    const isForm = type.startsWith('application/x-www-form-urlencoded');
    const form = new URLSearchParams(isForm ? body.toString('utf8') : '');
    const session = sessionOf(request);
    if (!hasToken(request, session) && !isSame(form.get(TOKEN_FIELD) ?? '', session.token)) {
      return refuse(options, response, OLD_PAGE);
    }
    const sent = { ...visitOf(request, goneOf(response)), form, body };
    await sendAnswer(response, await unhurried(request, () => answer(sent)));
  };
}

/** Keeps a page up to date. */
function streaming(options: AppOptions, streams: Set<ServerResponse>, { answer }: GetRoute): Work {
  return async (request, response) => {
    if (streams.size >= STREAMS_MAX) return refuse(options, response, TOO_MANY_PAGES);
    beginStream(response);
    if (request.method === 'HEAD') return void response.end();
    const gone = new AbortController();
    const end = (): void => gone.abort();
    response.once('close', end);
    const stopListening = onAbort(options.signal, end);
    streams.add(response);
    const visit = visitOf(request, gone.signal);
    try {
      await streamPage(response, {
        look: () => lookAt(options, () => answer(visit)),
        clock: options.clock,
        signal: gone.signal,
      });
    } finally {
      streams.delete(response);
      stopListening();
      response.end();
    }
  };
}

async function lookAt({ onTrouble }: AppOptions, ask: () => Promise<Answer>): Promise<Look> {
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

function goneOf(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  if (response.closed) gone.abort();
  response.once('close', () => gone.abort());
  return gone.signal;
}

/** Makes an answer without a time limit: its connection is still meanwhile, for long if there are a million leads. */
async function unhurried({ socket }: FastifyRequest, make: () => Promise<Answer>): Promise<Answer> {
  socket.setTimeout(0);
  try {
    return await make();
  } finally {
    socket.setTimeout(STILL_MS);
  }
}
