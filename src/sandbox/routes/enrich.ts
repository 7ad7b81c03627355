// POST /enrich: takes on one enrichment (platform-api.md, POST /enrich).
import type { FastifyInstance } from 'fastify';
import type { SandboxContext } from '../sandbox-context.js';
import { parseEnrichQuery, type RawQuery } from './parse-enrich-query.js';

/** 200 `{id}` for what can be asked, 400 `{error}` for anything else; a refused request costs nothing. */
export function registerEnrich(app: FastifyInstance, { ledger }: SandboxContext): void {
  // The document shows no body; whatever a client sends all the same is read and left alone.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, _body, done) => done(null));

  app.post<{ Querystring: RawQuery }>('/enrich', (request, reply) => {
    const query = parseEnrichQuery(request.query);
    if (query.kind === 'invalid') return reply.code(400).send({ error: query.sentence });
    return reply.send({ id: ledger.accept(query.enrichment).id });
  });
}
