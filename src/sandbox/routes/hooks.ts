// The hooks of the account (docs/platform-api.md, POST /hooks, GET /hooks, DELETE /hooks/{id}), with our own details.
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { judgeEventType } from '../../model/events/event-catalogue.js';
import type { SandboxContext } from '../sandbox-context.js';
import type { Hook } from '../webhooks/hook-register.js';
import { acceptJson, Refusal, read, TARGET_URL, TEXT } from './read-request.js';

const QUERY = z.strictObject({
  campaignId: TEXT.min(1).exactOptional(),
  isFirst: z.stringbool({ truthy: ['true'], falsy: ['false'] }).exactOptional(),
  zapId: TEXT.exactOptional(),
});
const BODY = z.strictObject({
  targetUrl: TARGET_URL,
  type: z.string().exactOptional(),
  secret: TEXT.min(1).exactOptional(),
});

/**
 * - `POST /hooks`: 200 with the hook; 400 `{error}` for a wrong target, type or secret
 * - `GET /hooks`: an array
 * - `DELETE /hooks/{id}`: the deleted hook, 404 for an unknown id
 */
export function registerHooks(app: FastifyInstance, { hooks, webhooks }: SandboxContext): void {
  acceptJson(app);

  app.post('/hooks', ({ query, body }) => {
    const wish = { ...read(QUERY, query), ...read(BODY, body) };
    const verdict = wish.type === undefined ? undefined : judgeEventType(wish.type);
    if (verdict !== undefined && verdict.kind !== 'known') throw new Refusal(400, verdict.problem);
    const hook = hooks.register(wish);
    webhooks.scheduleFor(hook);
    return toWire(hook);
  });

  app.get('/hooks', () => hooks.list().map(toWire));

  app.delete<{ Params: { id: string } }>('/hooks/:id', (request) => {
    const hook = hooks.delete(request.params.id);
    if (hook === undefined) throw new Refusal(404, 'There is no hook with this id.');
    return toWire(hook);
  });
}

// The secret is never returned (docs/platform-api.md, Webhook secret).
function toWire({ id, targetUrl, createdAt, type }: Hook) {
  return { _id: id, targetUrl, createdAt: new Date(createdAt).toISOString(), type };
}
