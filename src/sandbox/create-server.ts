// The HTTP server: the gate before every platform route, the routes, and the answer to everything else.
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { createGate } from './create-gate.js';
import { registerFallbacks } from './register-fallbacks.js';
import { registerEnrich } from './routes/enrich.js';
import { registerEnrichmentById } from './routes/enrichment-by-id.js';
import { registerLedger } from './routes/ledger.js';
import { registerPeopleSchema } from './routes/people-schema.js';
import type { SandboxContext } from './sandbox-context.js';

/** One function per file of `routes/`; a new route is one line here. */
const ROUTES = [registerEnrich, registerEnrichmentById, registerPeopleSchema, registerLedger];

/** A server that is ready to listen. */
export function createServer(context: SandboxContext): FastifyInstance {
  const gate = createGate(context);
  const app = Fastify({
    logger: false,
    // A HEAD that nobody declared would be a second way to poll.
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 1000 },
    // An address that cannot be decoded reaches no hook, and counts against the limit all the same.
    frameworkErrors: (_error, request: FastifyRequest, reply: FastifyReply) => {
      if (gate(request, reply, { needsAuthorisation: false })) {
        void reply.code(400).send({ error: 'The address cannot be decoded.' });
      }
    },
  });
  app.addHook('onRequest', (request, reply, done) => {
    if (gate(request, reply, { needsAuthorisation: !request.is404 })) done();
  });
  registerFallbacks(app, context);
  for (const register of ROUTES) {
    void app.register((scope, _options, done) => {
      register(scope, context);
      done();
    });
  }
  return app;
}
