// The control routes that show what happened. They are no part of the platform: no credentials, no limit.
import type { FastifyInstance } from 'fastify';
import type { SandboxContext } from '../sandbox-context.js';

const PAGE_MAX = 1000;

/**
 * `GET /sandbox/health`, `GET /sandbox/ledger` (a `LedgerSummary`), and
 * `GET /sandbox/ledger/entries?after=ID&limit=1..1000` (`{entries, next}`; `next` is the `after` of the next
 * page, null at the end).
 */
export function registerLedger(app: FastifyInstance, { ledger }: SandboxContext): void {
  app.get('/sandbox/health', (_request, reply) => reply.send({ status: 'ok' }));
  app.get('/sandbox/ledger', (_request, reply) => reply.send(ledger.summary()));

  app.get<{ Querystring: Record<string, string | string[]> }>(
    '/sandbox/ledger/entries',
    (request, reply) => {
      const { after, limit: limitText = '100' } = request.query;
      const limit = Number(limitText);
      if (!Number.isInteger(limit) || limit < 1 || limit > PAGE_MAX) {
        const error = `The limit must be a whole number from 1 to ${PAGE_MAX}.`;
        return reply.code(400).send({ error });
      }
      // One more than asked for tells whether there is a next page.
      const found = ledger.entries({ limit: limit + 1, ...(after && { after: String(after) }) });
      if (found === null)
        return reply.code(400).send({ error: 'There is no entry after this id.' });
      const entries = found.slice(0, limit);
      const next = found.length > limit ? entries.at(-1)?.id : null;
      return reply.send({ entries, next });
    },
  );
}
