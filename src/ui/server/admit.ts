// Judges a request by its headers alone, before any of its body is read.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PATHS } from '../paths.js';
import type { Guard } from './guard.js';
import {
  NO_LONGER_SIGNED_IN,
  NO_SESSION,
  NO_SUCH_METHOD,
  NO_SUCH_PAGE,
  READ_ONLY,
  type Refusal,
  TOO_LARGE,
} from './refusals.js';
import { type Asset, sendDocument } from './respond.js';
import { TOKEN_HEADER } from './routes.js';
import { isSame, type Session, type Sessions } from './sessions.js';

/** The pages that are no route, as whole documents. */
export interface Shell {
  /** Tells why a request was not answered. */
  readonly problem: (refusal: Refusal) => string;
  /** Asks for the password; `wrong` says why once more. */
  readonly signIn: (wrong?: string) => string;
  /** After the link: goes on to `/`. */
  readonly opened: () => string;
}

export interface Admitting {
  readonly guard: Guard;
  readonly sessions: Sessions;
  /** Undefined: the link signs in. */
  readonly password: string | undefined;
  /** Refuses every request that would change something. */
  readonly isReadOnly: boolean;
  /** The files that pages load, by path; no session is needed, so nothing in them is secret. */
  readonly assets: ReadonlyMap<string, Asset>;
  readonly shell: Shell;
}

/** The limit for a form. */
export const FORM_BYTES_MAX = 64 * 2 ** 10;
export const READING = ['GET', 'HEAD'];
/** The name under which a request has its session. */
export const SESSION = 'session';

/**
 * Judges a request by its headers alone: it comes under a name of the server and from its own pages, with a session, to
 * a route that is there. False: it is refused.
 */
export function admit(serving: Admitting, request: FastifyRequest, reply: FastifyReply): boolean {
  const judged = judge(serving, request);
  if (judged === 'open') return true;
  if ('token' in judged) {
    request.setDecorator(SESSION, judged);
    return true;
  }
  const isOfPage = request.method === 'POST' || pathOf(request) === PATHS.live;
  if (judged !== NO_SESSION || serving.password === undefined) refuse(serving, reply, judged);
  else if (isOfPage) refuse(serving, reply, NO_LONGER_SIGNED_IN);
  else sendDocument(reply, 401, serving.shell.signIn());
  return false;
}

function judge(serving: Admitting, request: FastifyRequest): Refusal | Session | 'open' {
  const { headers, method, raw, routeOptions } = request;
  const foreign = serving.guard(raw);
  if (foreign !== undefined) return foreign;
  const isSent = method === 'POST';
  if (!isSent && !READING.includes(method)) return NO_SUCH_METHOD;
  const isMissing = isAtNoRoute(request);
  const { url = '' } = routeOptions;
  const isOpen = url === PATHS.open || url === PATHS.signIn || serving.assets.has(url);
  if (!isMissing && isOpen) return 'open';
  const session = serving.sessions.find(headers.cookie);
  if (session === undefined) return NO_SESSION;
  if (isSent && serving.isReadOnly) return READ_ONLY;
  if (isMissing) return NO_SUCH_PAGE;
  return isSent && isTooLarge(request, session) ? TOO_LARGE : session;
}

/** Whether the router has found nothing, or too much: it takes an empty part and `http://…`, and has a path of its own. */
function isAtNoRoute({ is404, originalUrl: url, params }: FastifyRequest): boolean {
  const isOdd = !url.startsWith('/') || url.startsWith(`${PATHS.live}/`);
  return is404 || isOdd || Object.values(params ?? {}).includes('');
}

/** Whether a body may be longer than a form and has no token in a header; other bodies are counted as they are read. */
function isTooLarge(request: FastifyRequest, session: Session): boolean {
  const { headers, routeOptions } = request;
  if (routeOptions.bodyLimit <= FORM_BYTES_MAX || hasToken(request, session)) return false;
  return !(Number(headers['content-length']) <= FORM_BYTES_MAX);
}

export function hasToken({ headers }: FastifyRequest, { token }: Session): boolean {
  const header = headers[TOKEN_HEADER];
  return typeof header === 'string' && isSame(header, token);
}

/** The rest of the request is not read. */
export function refuse(
  { shell }: Pick<Admitting, 'shell'>,
  reply: FastifyReply,
  refusal: Refusal,
): FastifyReply {
  reply.header('connection', 'close');
  return sendDocument(reply, refusal.status, shell.problem(refusal));
}

export function halvesOf(url: string): [path: string, query: URLSearchParams] {
  const end = url.includes('?') ? url.indexOf('?') : url.length;
  return [url.slice(0, end), new URLSearchParams(url.slice(end))];
}

function pathOf({ originalUrl }: FastifyRequest): string {
  return halvesOf(originalUrl)[0];
}
