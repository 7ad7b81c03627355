// The server of `sluice ui`, on fastify: signs browsers in, and answers them from the table of routes that it is given. A
// page on a network stands behind a proxy, which bounds what one client may hold.
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { hostAndPort, listenProblem } from '../../model/text/address.js';
import type { Clock } from '../../ports/clock.js';
import type { Shell } from '../layout.js';
import { type Answer, type Route, TOKEN_FIELD, type Visit } from '../page.js';
import { PATHS, pathTo } from '../paths.js';
import { type Admitting, checkToken, createAdmit } from './admit.js';
import { BUG, NO_SESSION, NO_SUCH_LINK, NO_SUCH_PAGE, refusalOf } from './refusals.js';
import { createSessions, type Session, type Sessions } from './sessions.js';
import { streamPage } from './stream-page.js';

export interface UiServerOptions extends Omit<Admitting, 'port' | 'sessions'> {
  /** Undefined: the link signs in. */
  readonly password: string | undefined;
  readonly routes: readonly Route[];
  /** The files that pages load, by path; no session is needed, so nothing in them is secret. */
  readonly assets: ReadonlyMap<string, { readonly type: string; readonly body: string }>;
  readonly shell: Shell;
  readonly clock: Clock;
  /** After a link was used, which counts once: this is the next. Must not throw. */
  readonly onLinkUsed: (next: string) => void;
  /** An error that no page expects. Must not throw. */
  readonly onTrouble: (error: unknown) => void;
}

export interface UiServer {
  readonly port: number;
  /** The address at which a browser begins; without a password it signs in, once. */
  readonly link: () => string;
  /** Ends every stream and connection. Idempotent. */
  close(): Promise<void>;
}

const FORM_BYTES_MAX = 64 * 2 ** 10;
/** A longer one does not fit into the headers that Node.js takes: a job may be named by the path of its input. */
const PARAM_LENGTH_MAX = 16 * 2 ** 10;

/** What a browser does with an answer: no inline script or style, nothing from elsewhere, no frame, nothing kept. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'x-content-type-options': 'nosniff',
  // Not "no-referrer", under which browsers send "Origin: null" with a form.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'cache-control': 'no-store',
};
/** The address of such a file has a digest of it. */
const KEPT = 'private, max-age=31536000, immutable';
/** The type by which a browser asks for a page to be kept up to date. */
const EVENTS = 'text/event-stream';
/** Of a route that is answered without a session. */
const OPEN = { config: { isOpen: true } };

/** @throws SluiceError `usage` if the address cannot be taken */
export async function openUiServer(options: UiServerOptions): Promise<UiServer> {
  const { address, assets, clock, password, publicUrl, shell } = options;
  const app = Fastify({
    forceCloseConnections: true,
    bodyLimit: FORM_BYTES_MAX,
    routerOptions: {
      maxParamLength: PARAM_LENGTH_MAX,
      querystringParser: (query) => new URLSearchParams(query) as unknown as Record<string, string>,
    },
    // A path that cannot be decoded reaches no hook.
    frameworkErrors: (_error, _request, reply) =>
      void sendDocument(reply.headers(HEADERS), shell.problem(NO_SUCH_PAGE), NO_SUCH_PAGE.status),
  });
  const port = (): number => (app.server.address() as AddressInfo).port;
  const isSecure = publicUrl?.protocol === 'https:';
  const sessions = createSessions({ password, port, isSecure, clock });
  const admit = createAdmit({ ...options, port, sessions });
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(HEADERS);
    admit(request);
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: FastifyRequest, body: string) => new URLSearchParams(body),
  );
  app.addContentTypeParser(
    'application/octet-stream',
    { parseAs: 'buffer' },
    async (_request: FastifyRequest, body: Buffer) => body,
  );
  app.setNotFoundHandler(() => {
    throw NO_SUCH_PAGE;
  });
  app.setErrorHandler<FastifyError>((error, { method }, reply) => {
    const refusal = refusalOf(error);
    if (refusal === BUG) options.onTrouble(error);
    const isUnsent = method === 'POST' && 'Nothing was done: you are not signed in any more.';
    const document =
      refusal === NO_SESSION && password !== undefined
        ? shell.signIn(isUnsent || undefined)
        : shell.problem(refusal);
    // The rest of the request is not read.
    return sendDocument(reply.header('connection', 'close'), document, refusal.status);
  });
  for (const [path, { body, type }] of assets) {
    app.get(path, OPEN, async (_request, reply) =>
      reply.header('cache-control', KEPT).type(type).send(body),
    );
  }
  const link = (): string => {
    const origin = publicUrl?.origin ?? `http://${hostAndPort({ ...address, port: port() })}`;
    if (password !== undefined) return origin + PATHS.runs;
    return origin + pathTo(PATHS.open, {}, { key: sessions.linkKey() });
  };
  addSignIn(app, options, sessions, link);
  for (const route of options.routes) addRoute(app, options, route);
  try {
    await app.listen(address);
  } catch (cause) {
    throw listenProblem(address, cause, { what: 'The pages cannot be served', flag: 'port' });
  }
  return { port: port(), link, close: () => app.close() };
}

function addSignIn(
  app: FastifyInstance,
  { onLinkUsed, password, shell }: UiServerOptions,
  sessions: Sessions,
  link: () => string,
): void {
  const begin = (reply: FastifyReply, session: Session): FastifyReply =>
    sendDocument(reply.header('set-cookie', sessions.cookieOf(session)), shell.opened());
  if (password === undefined) {
    app.get(PATHS.open, OPEN, async ({ method, query }, reply) => {
      const key = (query as URLSearchParams).get('key') ?? '';
      // A program that looks at the link before a person does must not use it up.
      const session = method === 'GET' ? sessions.redeem(key) : undefined;
      if (session === undefined) throw NO_SUCH_LINK;
      onLinkUsed(link());
      return begin(reply, session);
    });
    return;
  }
  app.get(PATHS.signIn, OPEN, async (_request, reply) => sendDocument(reply, shell.signIn()));
  app.post(PATHS.signIn, OPEN, async (request, reply) => {
    const session = await sessions.signIn(formOf(request).get('password') ?? '');
    if (session === 'wrong')
      return sendDocument(reply, shell.signIn('The password is wrong.'), 401);
    if (session !== 'busy') return begin(reply, session);
    return sendDocument(reply, shell.signIn('Too many try at the moment. Try again.'), 429);
  });
}

function addRoute(
  app: FastifyInstance,
  { clock, onTrouble, shell }: UiServerOptions,
  { answer, fileBytesMax = FORM_BYTES_MAX, method, path }: Route,
): void {
  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (method === 'POST') checkToken(request, formOf(request).get(TOKEN_FIELD));
    const visit: Visit = {
      params: request.params as Visit['params'],
      query: request.query as URLSearchParams,
      form: formOf(request),
      file: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
      token: request.session?.token ?? '',
      gone: request.signal,
    };
    const send = (content: Readable): FastifyReply =>
      reply.send(content.on('error', (error) => void (visit.gone.aborted || onTrouble(error))));
    const answered = await answer(visit);
    if ('goto' in answered) return reply.redirect(answered.goto, 303);
    if ('content' in answered) {
      const name = encodeURIComponent(answered.name.toWellFormed()).replace(/['()*]/g, escape);
      reply.header('content-disposition', `attachment; filename*=UTF-8''${name}`);
      reply.type(answered.type);
      return send(answered.content);
    }
    if (request.headers.accept === EVENTS) {
      const ask = (): Promise<Answer> => answer(visit);
      // Proxies such as nginx would hold the events back.
      reply.header('x-accel-buffering', 'no').type(`${EVENTS}; charset=utf-8`);
      return send(Readable.from(streamPage(answered, ask, clock, visit.gone)));
    }
    const [own = ''] = request.url.split('?', 1);
    return sendDocument(reply, shell.page(own, answered), answered.status);
  };
  const config = { takesFile: fileBytesMax !== FORM_BYTES_MAX };
  app.route({ method, url: path, bodyLimit: fileBytesMax, config, handler });
}

/** The form of a request; empty if it has none. */
function formOf({ body }: FastifyRequest): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams();
}

function sendDocument(reply: FastifyReply, document: string, status = 200): FastifyReply {
  return reply.code(status).type('text/html; charset=utf-8').send(document);
}
