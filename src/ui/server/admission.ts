// Judges a request by its headers alone, before any of its body is read: it comes under a name of the server and from
// its own pages, with a session, to a route that is there.
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
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

export interface AdmissionOptions {
  readonly guard: Guard;
  readonly sessions: Sessions;
  readonly password: string | undefined;
  /** Refuses every request that would change something. */
  readonly isReadOnly: boolean;
  /** The files that pages load, by path; no session is needed, so nothing in them is secret. */
  readonly assets: ReadonlyMap<string, Asset>;
  readonly shell: Shell;
  /** The connection has shown a session. */
  readonly onKnown: (socket: Socket) => void;
}

/** The limit for a form. */
export const FORM_BYTES_MAX = 64 * 2 ** 10;
export const READING = ['GET', 'HEAD'];
/** The name under which a request has its session. */
export const SESSION = 'session';

/** Judges a request by its headers alone. False: no route may answer it, and it is refused. */
export function createAdmission(options: AdmissionOptions) {
  const { assets, guard, isReadOnly, sessions } = options;
  const isOpen = (url: string): boolean =>
    url === PATHS.open || url === PATHS.signIn || assets.has(url);
  const judge = (request: FastifyRequest): Refusal | Session | 'open' | 'stranger' => {
    const { headers, method, raw, routeOptions } = request;
    const foreign = guard(raw);
    if (foreign !== undefined) return foreign;
    const isSent = method === 'POST';
    if (!isSent && !READING.includes(method)) return NO_SUCH_METHOD;
    const isMissing = isAtNoRoute(request);
    if (!isMissing && isOpen(routeOptions.url ?? '')) return 'open';
    const session = sessions.find(headers.cookie);
    if (session === undefined) return 'stranger';
    options.onKnown(raw.socket);
    if (isSent && isReadOnly) return READ_ONLY;
    if (isMissing) return NO_SUCH_PAGE;
    return isSent && isTooLarge(request, session) ? TOO_LARGE : session;
  };
  return (request: FastifyRequest, reply: FastifyReply): boolean => {
    const judged = judge(request);
    if (judged === 'open') return true;
    if (typeof judged === 'object' && 'token' in judged) {
      request.setDecorator(SESSION, judged);
      return true;
    }
    const { raw: response } = reply.hijack();
    if (judged === 'stranger') refuseStranger(options, request, response);
    else refuse(options, response, judged);
    return false;
  };
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

function refuseStranger(
  options: AdmissionOptions,
  { method, originalUrl }: FastifyRequest,
  response: ServerResponse,
): void {
  if (options.password === undefined) return refuse(options, response, NO_SESSION);
  const [path] = originalUrl.split('?', 1);
  const isOfPage = method === 'POST' || path === PATHS.live;
  if (isOfPage) return refuse(options, response, NO_LONGER_SIGNED_IN);
  sendDocument(response, 401, options.shell.signIn());
}

export function refuse(
  { shell }: Pick<AdmissionOptions, 'shell'>,
  response: ServerResponse,
  refusal: Refusal,
): void {
  // The rest of the request is not read.
  sendDocument(response, refusal.status, shell.problem(refusal), { connection: 'close' });
}
