// Takes on one enrichment (docs/platform-api.md, POST /enrich).
import type { FastifyInstance } from 'fastify';
import { takeOn } from '../ledger/take-on.js';
import type { SandboxContext } from '../sandbox-context.js';
import { parseEnrichQuery, type RawQuery } from './read/parse-enrich-query.js';

/**
 * 200 `{id}` for what can be asked, 402 `{error}` when the account does not cover it, 400 `{error}` for
 * anything else; a refused request costs nothing.
 */
export function registerEnrich(app: FastifyInstance, context: SandboxContext): void {
  // No body is documented; what a client sends all the same is read and ignored.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, _body, done) => done(null));

  app.post<{ Querystring: RawQuery }>('/enrich', async (request, reply) => {
    const query = parseEnrichQuery(request.query, context.dialect.requires);
    if (query.kind === 'invalid') return reply.code(400).send({ error: query.sentence });
    const taken = await takeOn([query.enrichment], context);
    if (taken.kind === 'uncovered') return reply.code(402).send({ error: taken.sentence });
    return reply.send({ id: taken.enrichments[0]?.id });
  });
}
