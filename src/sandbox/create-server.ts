// The HTTP server: the gates before every platform route, the routes, and the answer to everything else.
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { registerControl, registerEmit } from './routes/control.js';
import { registerDrafts } from './routes/drafts.js';
import { registerBulk, registerEnrich, registerResult } from './routes/enrich.js';
import { registerHooks } from './routes/hooks.js';
import { registerLists } from './routes/lists.js';
import { registerPeopleSchema } from './routes/people-schema.js';
import type { SandboxContext } from './sandbox-context.js';
import type { Admission } from './traffic.js';

/** The routes, each in a scope of its own, which says how bodies are read; a new route is one line here. */
const ROUTES = [
  registerEnrich,
  registerBulk,
  registerResult,
  registerPeopleSchema,
  registerLists,
  registerDrafts,
  registerHooks,
  registerEmit,
  registerControl,
];

export function createServer(context: SandboxContext): FastifyInstance {
  const gate = createGate(context);
  const { faultGate } = context;
  const app = Fastify({
    logger: false,
    // A HEAD that no route declares would be a second way to poll.
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 1000, ignoreTrailingSlash: true },
    // A request whose address cannot be decoded reaches no hook, but counts against the limit.
    frameworkErrors: (_error, request: FastifyRequest, reply: FastifyReply) => {
      if (gate(request, reply, { needsAuthorisation: false })) {
        void reply.code(400).send({ error: 'The address cannot be decoded.' });
      }
    },
  });
  app.addHook('onRequest', (request, reply, done) => {
    if (!gate(request, reply, { needsAuthorisation: !request.is404 })) return;
    const isPlatformRoute = !request.is404 && !request.url.startsWith(CONTROL_PREFIX);
    if (!isPlatformRoute || faultGate.enter(request, reply)) done();
  });
  app.addHook('onSend', (...answer) => faultGate.leave(...answer));
  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).send({ error: 'There is nothing at this path by this method.' }),
  );
  app.setErrorHandler<Error & { statusCode?: number }>((error, _request, reply) => {
    void reply.code(error.statusCode ?? 500).send({ error: error.message });
  });
  for (const register of ROUTES) {
    void app.register((scope, _options, done) => {
      register(scope, context);
      done();
    });
  }
  return app;
}

/**
 * Counts a request, compares it with the limit, and authorises it, in this order: one without credentials uses up the
 * limit as well. True when it may go on; false when it has been answered.
 */
type Gate = (
  request: FastifyRequest,
  reply: FastifyReply,
  options: { readonly needsAuthorisation: boolean },
) => boolean;

/** The beginning of control routes, which steer the emulator and are not part of the platform. */
const CONTROL_PREFIX = '/sandbox/';

/**
 * Answers 429 (docs/platform-api.md, Limits) and 401 (docs/platform-api.md, Authentication). `X-RateLimit-Reset` is in
 * whole seconds, rounded up, until one more request is possible than now.
 */
function createGate(context: SandboxContext): Gate {
  const { now, traffic, isAuthorised } = context;
  return (request, reply, { needsAuthorisation }) => {
    if (request.url.startsWith(CONTROL_PREFIX)) return true;
    const admission = traffic.arrive(now());
    if (admission !== null && !passLimit(admission, reply)) return false;
    if (!needsAuthorisation || isAuthorised(request.headers)) return true;
    refuseUnauthorised(reply);
    return false;
  };
}

/** Answers 401, with the challenge that RFC 9110 requires. */
function refuseUnauthorised(reply: FastifyReply): void {
  void reply
    .code(401)
    .header('www-authenticate', 'Basic realm="sandbox", charset="UTF-8"')
    .send({ error: 'The Authorization header is missing or its credentials are wrong.' });
}

function passLimit(admission: Admission, reply: FastifyReply): boolean {
  const freeInSeconds = Math.ceil(admission.freeInMs / 1000);
  reply.header('x-ratelimit-limit', admission.limit.requests);
  reply.header('x-ratelimit-remaining', admission.remaining);
  reply.header('x-ratelimit-reset', freeInSeconds);
  if (admission.isAdmitted) return true;
  const { requests, perMs } = admission.limit;
  void reply
    .code(429)
    .header('retry-after', Math.max(1, freeInSeconds))
    .send({ error: `More than ${requests} requests in ${perMs} ms.` });
  return false;
}

/** Accepts `Basic base64(username:password)` (docs/platform-api.md, Authentication). */
export function createAuthenticator({
  username,
  password,
}: {
  readonly username: string;
  readonly password: string;
}): SandboxContext['isAuthorised'] {
  const credentials = `${username}:${password}`;
  const usualHeader = `Basic ${Buffer.from(credentials).toString('base64')}`;
  return ({ authorization: header }) => {
    if (header === usualHeader) return true;
    const encoded = /^basic +([\w+/=-]+) *$/i.exec(header ?? '')?.[1];
    return encoded !== undefined && Buffer.from(encoded, 'base64').toString() === credentials;
  };
}
