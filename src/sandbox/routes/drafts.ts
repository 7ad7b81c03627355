// Answers with one draft (docs/platform-api.md, GET /inbox/{contactId}/drafts/{draftId}).
import type { FastifyInstance } from 'fastify';
import { findDraft } from '../inbox/find-draft.js';
import { type RawQuery, readQuery } from './read/parse-enrich-query.js';

const KNOWN: ReadonlySet<string> = new Set(['draftOwner']);

interface Route {
  Params: { contactId: string; draftId: string };
  Querystring: RawQuery;
}

/** 200 `{draft}`; 400, 403 and 404 `{error}` as `findDraft` has them, and 400 without a `draftOwner`. */
export function registerDrafts(app: FastifyInstance): void {
  app.get<Route>('/inbox/:contactId/drafts/:draftId', (request, reply) => {
    const query = readQuery(request.query, KNOWN);
    if (typeof query === 'string') return reply.code(400).send({ error: query });
    const { draftOwner } = query;
    if (!draftOwner) {
      const error = 'The parameter draftOwner is missing: give a user id or a login e-mail.';
      return reply.code(400).send({ error });
    }
    const answer = findDraft({ ...request.params, draftOwner });
    if (answer.kind === 'found') return reply.send({ draft: answer.draft });
    return reply.code(answer.status).send({ error: answer.sentence });
  });
}
