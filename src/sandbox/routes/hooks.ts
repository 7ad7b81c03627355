// The hooks of the account (docs/platform-api.md, POST /hooks), listing and deleting them (docs/platform-api.md,
// GET /hooks and DELETE /hooks/{id}), and what only the sandbox shows of them.
import type { FastifyInstance } from 'fastify';
import type { SandboxContext } from '../sandbox-context.js';
import { HOOKS_MAX, type Hook } from '../webhooks/hook-register.js';
import { acceptJson } from './accept-json.js';
import type { RawQuery } from './read/parse-enrich-query.js';
import { parseHook } from './read/parse-hook.js';

/**
 * - `POST /hooks`: 200 with the hook; 400 `{error}` for a target, type or secret that cannot be; 409 when
 *   there are too many
 * - `GET /hooks`: an array; also of hooks that were switched off, which the platform does not tell
 * - `DELETE /hooks/{id}`: the deleted hook, 404 for an unknown id
 * - `GET /sandbox/hooks`: the same hooks with `isOn`, `failuresInARow` and what their query said
 */
export function registerHooks(app: FastifyInstance, { hooks, webhooks }: SandboxContext): void {
  acceptJson(app);

  app.post<{ Querystring: RawQuery }>('/hooks', (request, reply) => {
    const wish = parseHook(request.query, request.body);
    if (typeof wish === 'string') return reply.code(400).send({ error: wish });
    const hook = hooks.register(wish);
    if (hook === undefined) {
      const error = `There are ${HOOKS_MAX} hooks already; delete one first.`;
      return reply.code(409).send({ error });
    }
    webhooks.welcome(hook);
    return reply.send(toWire(hook));
  });

  app.get('/hooks', (_request, reply) => reply.send(hooks.list().map(toWire)));

  app.delete<{ Params: { id: string } }>('/hooks/:id', (request, reply) => {
    const hook = hooks.delete(request.params.id);
    if (hook === undefined) {
      return reply.code(404).send({ error: 'There is no hook with this id.' });
    }
    return reply.send(toWire(hook));
  });

  app.get('/sandbox/hooks', (_request, reply) => reply.send(hooks.list().map(toControl)));
}

// The secret is never returned (docs/platform-api.md, Webhook secret).
function toWire({ id, targetUrl, createdAt, type }: Hook) {
  return { _id: id, targetUrl, createdAt: new Date(createdAt).toISOString(), type };
}

function toControl(hook: Hook) {
  const { campaignId, isFirst, zapId, state, failuresInARow } = hook;
  return { ...toWire(hook), campaignId, isFirst, zapId, isOn: state === 'on', failuresInARow };
}
