// Answers with the result of one enrichment, in the body of its webhook (docs/platform-api.md, GET /enrich/{id}).
import type { FastifyInstance } from 'fastify';
import { answerEnrichment } from '../answers/answer-enrichment.js';
import { isEmptyReading } from '../answers/is-empty-reading.js';
import type { SandboxContext } from '../sandbox-context.js';

/** 202 while in progress, 200 with `enrichmentDone` or `enrichmentError`, 404 for an unknown id. */
export function registerEnrichmentById(
  app: FastifyInstance,
  { ledger, now, seed, faults, faultGate }: SandboxContext,
): void {
  app.get<{ Params: { id: string } }>('/enrich/:id', (request, reply) => {
    const enrichment = ledger.poll(request.params.id);
    if (enrichment === undefined) {
      return reply.code(404).send({ error: 'There is no enrichment with this id.' });
    }
    if (enrichment.readyAt > now()) {
      return reply.code(202).send({ id: enrichment.id, status: 'in_progress' });
    }
    const isEmpty = !faultGate.spoils(request) && isEmptyReading(enrichment, faults);
    return reply.send(answerEnrichment(enrichment, seed, isEmpty));
  });
}
