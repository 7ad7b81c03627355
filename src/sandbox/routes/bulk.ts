// Takes on up to 500 enrichments, or as many as the dialect allows (docs/platform-api.md, POST /enrich/bulk).
import type { FastifyInstance } from 'fastify';
import { takeOn } from '../ledger/take-on.js';
import type { SandboxContext } from '../sandbox-context.js';
import { acceptJson } from './accept-json.js';
import { type BulkItem, parseBulkBody } from './read/parse-bulk-body.js';
import { findBadWebhookUrl, type RawQuery, readQuery } from './read/parse-enrich-query.js';

const BODY_BYTES_MAX = 4 * 1024 * 1024;
const KNOWN: ReadonlySet<string> = new Set(['webhookUrl']);

/**
 * 200 with one `{id, metadata}` or `{error, metadata}` for each item, in order; 400 `{error}` for a body that
 * is none, and 402 when the account does not cover all of it: then nothing was accepted.
 */
export function registerBulk(app: FastifyInstance, context: SandboxContext): void {
  acceptJson(app);

  app.post<{ Querystring: RawQuery }>(
    '/enrich/bulk',
    { bodyLimit: BODY_BYTES_MAX },
    async (request, reply) => {
      const query = readQuery(request.query, KNOWN);
      const problem = typeof query === 'string' ? query : findBadWebhookUrl(query);
      if (typeof query === 'string' || problem !== undefined) {
        return reply.code(400).send({ error: problem });
      }
      const body = parseBulkBody(request.body, query['webhookUrl'], context.dialect);
      if (body.kind === 'invalid') return reply.code(400).send({ error: body.sentence });
      const taken = await takeOn(body.items.flatMap(toEnrichment), context);
      if (taken.kind === 'uncovered') return reply.code(402).send({ error: taken.sentence });
      const ids = taken.enrichments.values();
      const answers = body.items.map(({ enrichment, error, metadata }) => {
        const id = enrichment === undefined ? undefined : ids.next().value?.id;
        return { id, error, metadata };
      });
      return reply.send(answers);
    },
  );
}

function toEnrichment({ enrichment }: BulkItem) {
  return enrichment === undefined ? [] : [enrichment];
}
