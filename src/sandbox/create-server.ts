// The HTTP server: the gates before every platform route, the routes, and the answer to everything else.
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { CONTROL_PREFIX, createGate } from './create-gate.js';
import { registerControl } from './routes/control.js';
import { registerDrafts } from './routes/drafts.js';
import { registerEmit } from './routes/emit.js';
import { registerBulk, registerEnrich, registerResult } from './routes/enrich.js';
import { registerHooks } from './routes/hooks.js';
import { registerLists } from './routes/lists.js';
import { registerPeopleSchema } from './routes/people-schema.js';
import type { SandboxContext } from './sandbox-context.js';

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
    if ((request.raw.headersDistinct['host']?.length ?? 0) > 1) {
      void reply.code(400).send({ error: 'The request has two Host headers.' });
      return;
    }
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
