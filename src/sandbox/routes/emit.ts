// The control route that makes the platform send an event, so that a receiver can be tried.
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { judgeEventType } from '../../model/events/event-catalogue.js';
import { isJsonObject, type JsonObject } from '../../model/text/json.js';
import { buildRecord } from '../activities/build-record.js';
import type { SandboxContext } from '../sandbox-context.js';
import { acceptJson, Refusal, readBody } from './read-request.js';

const BODY = z.strictObject({
  type: z.string(),
  fields: z.custom<JsonObject>(isJsonObject).exactOptional(),
});

/**
 * `POST /sandbox/emit` `{type, fields?}`: 200 `{record, hooks, state}`: the record (without any secret), the number of
 * hooks, and the new state of its lead, or null; 400 `{error}` for an unknown event. A field of `null` is left out.
 */
export function registerEmit(app: FastifyInstance, context: SandboxContext): void {
  const { activities, webhooks, seed } = context;
  acceptJson(app);

  app.post('/sandbox/emit', (request) => {
    const sentence =
      'The body must be an object {"type": EVENT, "fields": {…}}; fields may be left out.';
    const { type, fields = {} } = readBody(BODY, request.body, sentence);
    const verdict = judgeEventType(type);
    if (verdict.kind !== 'known') throw new Refusal(400, verdict.problem);
    const activity = activities.emit(type, (id, now) =>
      buildRecord(verdict.event, fields, { id, now, seed }),
    );
    const hooks = webhooks.announce(activity);
    const change = activities.emitState(activity);
    if (change !== undefined) webhooks.announce(change);
    return { record: activity.record, hooks, state: change?.type ?? null };
  });
}
