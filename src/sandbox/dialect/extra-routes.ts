// Two routes that the neutral dialect does not need: the results of a whole bulk call by its one ticket, and the
// contact upsert. They speak neutral words like all others.
import type { FastifyInstance } from 'fastify';
import { answerEnrichment } from '../answers/answer-enrichment.js';
import { isEmptyReading } from '../answers/is-empty-reading.js';
import { parseEntity } from '../lists/parse-list.js';
import { acceptJson } from '../routes/accept-json.js';
import type { SandboxContext } from '../sandbox-context.js';
import type { BulkCalls } from './bulk-calls.js';
import type { Contacts } from './contacts.js';

/**
 * `GET /enrich/batches/{id}`: 202 until the first result is there, then 200 with an entry for each item that is
 * ready or was refused; 404 for an unknown ticket.
 */
export function registerBatch(
  app: FastifyInstance,
  { ledger, now, seed, faults, faultGate }: SandboxContext,
  bulkCalls: BulkCalls,
): void {
  app.get<{ Params: { id: string } }>('/enrich/batches/:id', (request, reply) => {
    const { id } = request.params;
    const call = bulkCalls.find(id);
    if (call === undefined) {
      return reply.code(404).send({ error: 'There is no bulk call with this id.' });
    }
    for (const enrichment of call.enrichments) ledger.poll(enrichment.id);
    const isSpoiled = faultGate.spoils(request);
    const ready = call.enrichments.filter(({ readyAt }) => readyAt <= now());
    const entries = ready.map((enrichment) => {
      const isEmpty = !isSpoiled && isEmptyReading(enrichment, faults);
      return answerEnrichment(enrichment, seed, isEmpty).data[0];
    });
    if (ready.length === 0) return reply.code(202).send({ id });
    return reply.send({ data: [...entries, ...call.refused], type: 'enrichmentDone' });
  });
}

/** `POST /contacts` `{email, firstName, lastName, socialUrl, companyName}`: 200 `{id}`; 400 `{error}`. */
export function registerContacts(app: FastifyInstance, contacts: Contacts): void {
  acceptJson(app);
  app.post('/contacts', (request, reply) => {
    const member = parseEntity(request.body);
    if (typeof member === 'string') return reply.code(400).send({ error: member });
    return reply.send({ id: contacts.upsert(member) });
  });
}
