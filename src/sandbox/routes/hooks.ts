// The hooks of the account (docs/platform-api.md, POST /hooks, GET /hooks, DELETE /hooks/{id}), with our own details.
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { judgeEventType } from '../../model/events/event-catalogue.js';
import type { SandboxContext } from '../sandbox-context.js';
import type { Hook, NewHook } from '../webhooks/hook-register.js';
import { acceptJson, isHttpUrl, type RawQuery, Refusal, readQuery } from './read-request.js';

const TEXT = z.string().max(1000);
const BODY = z.strictObject({
  targetUrl: TEXT.refine(isHttpUrl, 'not an http(s) URL'),
  type: z.string().exactOptional(),
  secret: TEXT.min(1).exactOptional(),
});

/**
 * - `POST /hooks`: 200 with the hook; 400 `{error}` for a wrong target, type or secret
 * - `GET /hooks`: an array
 * - `DELETE /hooks/{id}`: the deleted hook, 404 for an unknown id
 * - `GET /sandbox/hooks`: the same hooks with the parameters of their query
 */
export function registerHooks(app: FastifyInstance, { hooks, webhooks }: SandboxContext): void {
  acceptJson(app);

  app.post<{ Querystring: RawQuery }>('/hooks', (request) => {
    const hook = hooks.register(readHook(request.query, request.body));
    webhooks.scheduleFor(hook);
    return toWire(hook);
  });

  app.get('/hooks', () => hooks.list().map(toWire));

  app.delete<{ Params: { id: string } }>('/hooks/:id', (request) => {
    const hook = hooks.delete(request.params.id);
    if (hook === undefined) throw new Refusal(404, 'There is no hook with this id.');
    return toWire(hook);
  });

  app.get('/sandbox/hooks', () => hooks.list().map(toControl));
}

/** @throws Refusal 400 */
function readHook(query: RawQuery, body: unknown): NewHook {
  const { campaignId, isFirst, zapId } = readQuery(query, ['campaignId', 'isFirst', 'zapId']);
  if (isFirst !== undefined && isFirst !== 'true' && isFirst !== 'false') {
    throw new Refusal(400, 'The value of isFirst must be true or false.');
  }
  const parsed = BODY.safeParse(body);
  if (!parsed.success) throw new Refusal(400, describeIssue(parsed.error));
  const { type } = parsed.data;
  const verdict = type === undefined ? undefined : judgeEventType(type);
  if (verdict !== undefined && verdict.kind !== 'known') throw new Refusal(400, verdict.problem);
  return {
    ...parsed.data,
    ...(campaignId && { campaignId }),
    ...(isFirst && { isFirst: isFirst === 'true' }),
    ...(zapId && { zapId }),
  };
}

function describeIssue({ issues: [issue] }: z.ZodError): string {
  const [key] = issue?.path ?? [];
  if (key === undefined) {
    return `The body must be an object of targetUrl, type and secret: ${issue?.message ?? ''}.`;
  }
  return `The value of ${String(key)} cannot be used: ${issue?.message ?? ''}.`;
}

// The secret is never returned (docs/platform-api.md, Webhook secret).
function toWire({ id, targetUrl, createdAt, type }: Hook) {
  return { _id: id, targetUrl, createdAt: new Date(createdAt).toISOString(), type };
}

function toControl(hook: Hook) {
  const { campaignId, isFirst, zapId } = hook;
  return { ...toWire(hook), campaignId, isFirst, zapId };
}
