// The HTTP server: the gates before every platform route, the routes, and the answer to everything else.
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { CONTROL_PREFIX, createGate } from './create-gate.js';
import type { Translation } from './dialect/translation.js';
import { registerFallbacks } from './register-fallbacks.js';
import { registerBulk } from './routes/bulk.js';
import { registerCredits } from './routes/credits.js';
import { registerDrafts } from './routes/drafts.js';
import { registerEmit } from './routes/emit.js';
import { registerEnrich } from './routes/enrich.js';
import { registerEnrichmentById } from './routes/enrichment-by-id.js';
import { registerFaults } from './routes/faults.js';
import { registerHooks } from './routes/hooks.js';
import { registerLedger } from './routes/ledger.js';
import { registerLists } from './routes/lists.js';
import { registerPeopleSchema } from './routes/people-schema.js';
import { registerSeeds } from './routes/seeds.js';
import type { SandboxContext } from './sandbox-context.js';

/** One function per file of `routes/`; a new route is one line here. */
const ROUTES = [
  registerEnrich,
  registerBulk,
  registerEnrichmentById,
  registerPeopleSchema,
  registerLists,
  registerDrafts,
  registerHooks,
  registerEmit,
  registerSeeds,
  registerLedger,
  registerCredits,
  registerFaults,
];

/** A server that is ready to listen; in another dialect than the neutral one with its translation. */
export function createServer(context: SandboxContext, translation?: Translation): FastifyInstance {
  const gate = createGate(context);
  const { faultGate } = context;
  const app = Fastify({
    logger: false,
    // A HEAD that nobody declared would be a second way to poll.
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 1000 },
    ...(translation && { rewriteUrl: translation.rewriteUrl }),
    // An address that cannot be decoded reaches no hook, and counts against the limit all the same.
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
  // Translated first: a fault spoils what the client would have got.
  translation?.register(app, context);
  app.addHook('onSend', (...answer) => faultGate.leave(...answer));
  registerFallbacks(app, context);
  for (const register of ROUTES) {
    void app.register((scope, _options, done) => {
      register(scope, context);
      done();
    });
  }
  return app;
}
