// The control route that makes the platform tell of an event, so that a receiver can be tried. No part of the platform.
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { judgeEventType, type PlatformEvent } from '../../model/events/event-catalogue.js';
import { isJsonObject, type JsonObject } from '../../model/text/json.js';
import { buildActivity } from '../activities/build-activity.js';
import { buildResult, readResultFields } from '../activities/build-result.js';
import { readActivityFields } from '../activities/read-activity-fields.js';
import type { SandboxContext } from '../sandbox-context.js';
import { acceptJson } from './accept-json.js';

const BODY = z.strictObject({
  type: z.string(),
  fields: z.custom<JsonObject>(isJsonObject).exactOptional(),
});

/**
 * `POST /sandbox/emit` `{type, fields?}`: 200 `{record, hooks}`, the record (without any secret) and how many
 * hooks it is sent to; 400 `{error}` for what is no event or field. A field of `null` is left out.
 */
export function registerEmit(app: FastifyInstance, context: SandboxContext): void {
  const { activities, webhooks, seed } = context;
  acceptJson(app);

  app.post('/sandbox/emit', (request, reply) => {
    const body = BODY.safeParse(request.body);
    if (!body.success) {
      const error =
        'The body must be an object {"type": EVENT, "fields": {…}}; fields may be left out.';
      return reply.code(400).send({ error });
    }
    const { type, fields = {} } = body.data;
    const verdict = judgeEventType(type);
    if (verdict.kind !== 'known') return reply.code(400).send({ error: verdict.problem });
    const build = planRecord(verdict.event, fields, seed);
    if (typeof build === 'string') return reply.code(400).send({ error: build });
    const activity = activities.emit(type, build);
    const hooks = webhooks.announce(activity);
    return reply.send({ record: activity.record, hooks });
  });
}

function planRecord(
  event: PlatformEvent,
  given: JsonObject,
  seed: number,
): ((id: string, now: number) => JsonObject) | string {
  if (event.group === 'enrichment') {
    const fields = readResultFields(event.type, given);
    if (typeof fields === 'string') return fields;
    return (id) => buildResult(event.type, fields, { id, seed });
  }
  const read = readActivityFields(event, given);
  if (typeof read === 'string') return read;
  return (id, now) => buildActivity(event, read, { id, now, seed });
}
