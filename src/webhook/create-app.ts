// The routes of the listener: deliveries under any path that ends in a genuine key, a sign of life, and
// nothing else.
import Fastify, { type FastifyInstance, type FastifyServerFactory } from 'fastify';
import type { Keyring } from '../model/correlation-key.js';
import type { ConnectionBudget } from './connection-budget.js';
import { createGate, isReadiness, KEY } from './create-gate.js';
import { answerMisuse } from './create-http-server.js';
import { createReceiver, type Reception } from './create-receiver.js';
import { ON_REFUSED, type OnRefused, REFUSALS, refuse } from './refusals.js';

export interface AppContext extends Reception {
  readonly keyring: Pick<Keyring, 'open'>;
  readonly instance: string;
  readonly connections: Pick<ConnectionBudget, 'showKey'>;
  readonly onRefused: OnRefused;
  /** Whether deliveries can be kept at this moment. */
  readonly canKeep: () => Promise<boolean>;
}

export function createApp(
  context: AppContext,
  serverFactory: FastifyServerFactory,
): FastifyInstance {
  const app = Fastify({
    logger: false,
    serverFactory,
    clientErrorHandler: answerMisuse,
    // An address that cannot be decoded reaches no hook.
    frameworkErrors: (_error, request, reply) => refuse(request, reply, REFUSALS.unknownAddress),
  });
  app.decorateRequest(KEY, null);
  app.decorate(ON_REFUSED, context.onRefused);
  app.addHook('onRequest', createGate(context.keyring, context.isDraining, context.connections));
  // The gate lets no other GET through than the two that ask how the listener is.
  app.get('*', async (request, reply) => {
    if (!isReadiness(request.raw)) return { status: 'ok', instance: context.instance };
    if (await context.canKeep()) return { status: 'ready' };
    refuse(request, reply, REFUSALS.notReady);
    return reply;
  });
  // The receiver reads the body itself.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  app.post('*', createReceiver(context));
  app.setNotFoundHandler((request, reply) => refuse(request, reply, REFUSALS.unknownAddress));
  app.setErrorHandler((_error, request, reply) => refuse(request, reply, REFUSALS.notStored));
  return app;
}
