// One request from its first line to its answer: judged by its headers, then by its session, then by its route.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { SluiceError } from '../../model/errors.js';
import { onAbort } from '../../model/schedule/on-abort.js';
import type { Clock } from '../../ports/clock.js';
import type { Guard } from './guard.js';
import { readBody } from './read-body.js';
import {
  NO_LONGER_SIGNED_IN,
  NO_SESSION,
  NO_SUCH_LINK,
  NO_SUCH_METHOD,
  NO_SUCH_PAGE,
  OLD_PAGE,
  READ_ONLY,
  type Refusal,
  refusalOf,
  TOO_LARGE,
  TOO_MANY_PAGES,
} from './refusals.js';
import { type Asset, beginStream, sendAnswer, sendAsset, sendDocument } from './respond.js';
import {
  type Answer,
  findRoute,
  type Route,
  type Sent,
  TOKEN_FIELD,
  TOKEN_HEADER,
  type Visit,
} from './routes.js';
import { isSame, type Session, type Sessions } from './sessions.js';
import { type Look, streamPage } from './stream-page.js';

/** The pages that are no route, as whole documents. */
export interface Shell {
  /** Tells why a request was not answered. */
  readonly problem: (refusal: Refusal) => string;
  /** Asks for the password; `wrong` says why once more. */
  readonly signIn: (wrong?: string) => string;
  /** After the link: goes on to `/`. */
  readonly opened: () => string;
}

export interface RequestHandlerOptions {
  readonly guard: Guard;
  readonly sessions: Sessions;
  /** The address from which a request comes, as far as it is known. */
  readonly addressOf: (request: IncomingMessage) => string;
  readonly password: string | undefined;
  /** Refuses every request that would change something. */
  readonly isReadOnly: boolean;
  readonly routes: readonly Route[];
  /** The files that pages load, by path; no session is needed, so nothing in them is secret. */
  readonly assets: ReadonlyMap<string, Asset>;
  readonly shell: Shell;
  readonly clock: Clock;
  /** Ends every stream. */
  readonly signal: AbortSignal;
  /** The connection has shown a session. */
  readonly onKnown: (socket: Socket) => void;
  readonly onLinkUsed: () => void;
  /** An error that no page expects. Must not throw. */
  readonly onTrouble: (error: unknown) => void;
}

/** A connection on which nothing moves for this long is closed. A stream of events has a heartbeat. */
export const STILL_MS = 30_000;
/** Of open pages that are kept up to date. */
const STREAMS_MAX = 24;
const FORM_BYTES_MAX = 64 * 2 ** 10;
/** The errors of a connection that the browser has closed. */
const GONE = new Set([
  'ABORT_ERR',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_DESTROYED',
  'ECONNRESET',
  'EPIPE',
]);

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Never rejects. */
export function createRequestHandler(
  options: RequestHandlerOptions,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const streams = new Set<ServerResponse>();
  return async (request, response) => {
    try {
      await receive(options, streams, request, response);
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

async function receive(
  options: RequestHandlerOptions,
  streams: Set<ServerResponse>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = '', headers, url = '' } = request;
  const refusal = options.guard(request);
  if (refusal !== undefined) return refuse(options, response, refusal);
  const end = url.includes('?') ? url.indexOf('?') : url.length;
  const path = url.slice(0, end);
  const query = new URLSearchParams(url.slice(end));
  const exchange = { request, response, method, path, query };
  const isRead = method === 'GET' || method === 'HEAD';
  if (!isRead && method !== 'POST') return refuse(options, response, NO_SUCH_METHOD);
  const asset = options.assets.get(path);
  if (isRead && asset !== undefined) return sendAsset(response, asset);
  if (path === '/open' && isRead) return open(options, exchange);
  if (path === '/sign-in' && options.password !== undefined) return signIn(options, exchange);
  const session = options.sessions.find(headers.cookie);
  if (session === undefined) return refuseStranger(options, exchange);
  options.onKnown(request.socket);
  if (!isRead) return act(options, exchange, session);
  if (path === '/live') return stream(options, streams, exchange, session);
  const found = findRoute(options.routes, 'GET', path);
  if (found === undefined) return refuse(options, response, NO_SUCH_PAGE);
  const gone = goneOf(response);
  const visit = { path, params: found.params, query, token: session.token, gone };
  await sendAnswer(response, await unhurried(request, () => found.route.answer(visit)));
}

/** The link: a page that goes on by itself, since a redirect from elsewhere would come without the cookie. */
function open(options: RequestHandlerOptions, { response, method, query }: Exchange): void {
  const { sessions, shell } = options;
  // A program that looks at the link before a person does must not use it up.
  const session = method === 'GET' ? sessions.redeem(query.get('key') ?? '') : undefined;
  if (session === undefined) return refuse(options, response, NO_SUCH_LINK);
  sendDocument(response, 200, shell.opened(), { 'set-cookie': sessions.cookieOf(session) });
  options.onLinkUsed();
}

/** Connections that wait for their password to be judged: one could send many at once. */
const judged = new WeakSet<Socket>();

async function signIn(options: RequestHandlerOptions, exchange: Exchange): Promise<void> {
  const { addressOf, sessions, shell } = options;
  const { request, response, method } = exchange;
  if (method !== 'POST') return sendDocument(response, 200, shell.signIn());
  const gone = goneOf(response);
  const body = await readBody(request, FORM_BYTES_MAX);
  if (body === undefined) return refuse(options, response, TOO_LARGE);
  const password = new URLSearchParams(body.toString('utf8')).get('password') ?? '';
  const { socket } = request;
  const isFirst = !judged.has(socket);
  judged.add(socket);
  const client = { address: addressOf(request), gone };
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
}

function refuseStranger(
  options: RequestHandlerOptions,
  { response, method, path }: Exchange,
): void {
  if (options.password === undefined) return refuse(options, response, NO_SESSION);
  if (method !== 'POST' && path !== '/live')
    return sendDocument(response, 401, options.shell.signIn());
  refuse(options, response, NO_LONGER_SIGNED_IN);
}

/** A form, or a file. */
async function act(
  options: RequestHandlerOptions,
  { request, response, path, query }: Exchange,
  session: Session,
): Promise<void> {
  if (options.isReadOnly) return refuse(options, response, READ_ONLY);
  const found = findRoute(options.routes, 'POST', path);
  if (found === undefined) return refuse(options, response, NO_SUCH_PAGE);
  const header = request.headers[TOKEN_HEADER];
  const isProven = typeof header === 'string' && isSame(header, session.token);
  const bytesMax = isProven ? (found.route.bodyBytesMax ?? FORM_BYTES_MAX) : FORM_BYTES_MAX;
  const body = await readBody(request, bytesMax);
  if (body === undefined) return refuse(options, response, TOO_LARGE);
  const type = request.headers['content-type'] ?? '';
  const isForm = type.startsWith('application/x-www-form-urlencoded');
  const form = new URLSearchParams(isForm ? body.toString('utf8') : '');
  if (!isProven && !isSame(form.get(TOKEN_FIELD) ?? '', session.token)) {
    return refuse(options, response, OLD_PAGE);
  }
  const visit = { path, params: found.params, query, token: session.token };
  const sent: Sent = { ...visit, gone: goneOf(response), form, body };
  await sendAnswer(response, await unhurried(request, () => found.route.answer(sent)));
}

function goneOf(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return gone.signal;
}

/** Makes an answer without a time limit: its connection is still meanwhile, for long if there are a million leads. */
async function unhurried(
  { socket }: IncomingMessage,
  make: () => Promise<Answer>,
): Promise<Answer> {
  socket.setTimeout(0);
  try {
    return await make();
  } finally {
    socket.setTimeout(STILL_MS);
  }
}

/** `GET /live?at=PATH` keeps the page at that path up to date. */
async function stream(
  options: RequestHandlerOptions,
  streams: Set<ServerResponse>,
  { response, method, query: asked }: Exchange,
  { token }: Session,
): Promise<void> {
  const [path = '', ...rest] = (asked.get('at') ?? '').split('?');
  const found = findRoute(options.routes, 'GET', path);
  if (found === undefined) return refuse(options, response, NO_SUCH_PAGE);
  if (streams.size >= STREAMS_MAX) return refuse(options, response, TOO_MANY_PAGES);
  beginStream(response);
  if (method === 'HEAD') return void response.end();
  const gone = new AbortController();
  const end = (): void => gone.abort();
  response.once('close', end);
  const stopListening = onAbort(options.signal, end);
  streams.add(response);
  const visit: Visit = {
    path,
    params: found.params,
    query: new URLSearchParams(rest.join('?')),
    token,
    gone: gone.signal,
  };
  try {
    await streamPage(response, {
      look: () => lookAt(options, () => found.route.answer(visit)),
      clock: options.clock,
      signal: gone.signal,
    });
  } finally {
    streams.delete(response);
    stopListening();
    response.end();
  }
}

async function lookAt(
  { onTrouble }: RequestHandlerOptions,
  ask: () => Promise<Answer>,
): Promise<Look> {
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

function refuse(
  { shell }: RequestHandlerOptions,
  response: ServerResponse,
  refusal: Refusal,
): void {
  // The rest of the request is not read.
  sendDocument(response, refusal.status, shell.problem(refusal), { connection: 'close' });
}
