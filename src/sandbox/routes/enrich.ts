// Enrichments (docs/platform-api.md, POST /enrich, POST /enrich/bulk and GET /enrich/{id}).
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseJson } from '../../model/text/json.js';
import { answerEnrichment, isEmptyReading } from '../answers/answer-enrichment.js';
import type { Enrichment, NewEnrichment } from '../ledger/ledger.js';
import type { SandboxContext } from '../sandbox-context.js';
import { type BulkItem, bulkReader, queryReader } from './read-enrichment.js';
import { acceptJson, Refusal } from './read-request.js';

const BODY_BYTES_MAX = 4 * 1024 * 1024;

/** `POST /enrich`: 200 `{id}`; 402 `{error}` without cover, 400 `{error}` for anything else: then it costs nothing. */
export function registerEnrich(app: FastifyInstance, context: SandboxContext): void {
  // No body is documented: a client's body is read, and does not count.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) =>
    done(null, parseJson(body.toString())),
  );

  const readQuery = queryReader(context.dialect);
  app.post('/enrich', async ({ query }) => {
    const [enrichment] = await acceptAll([readQuery(query)], context);
    if (enrichment === undefined || !context.atOnce) return { id: enrichment?.id };
    return { ...answerEnrichment(enrichment, context.people), id: enrichment.id };
  });
}

/**
 * `POST /enrich/bulk`: 200 with one `{id, metadata}` or `{error, metadata}` for each item, in order; 400 `{error}` for
 * a wrong body, and 402 when the account does not cover all of it: then nothing was accepted.
 */
export function registerBulk(app: FastifyInstance, context: SandboxContext): void {
  acceptJson(app);
  const readItems = bulkReader(context.dialect);
  app.post('/enrich/bulk', { bodyLimit: BODY_BYTES_MAX }, ({ query, body }) =>
    submitMany(readItems(query, body), context),
  );
}

/** `GET /enrich/{id}`: 202 while in progress, 200 with the body of its webhook, 404 for an unknown id. */
export function registerResult(app: FastifyInstance, context: SandboxContext): void {
  app.get<{ Params: { id: string } }>('/enrich/:id', (request, reply) =>
    readResult(request.params.id, request, reply, context),
  );
}

/** @throws Refusal 404 for an unknown id */
function readResult(
  id: string,
  request: FastifyRequest,
  reply: FastifyReply,
  context: SandboxContext,
) {
  const { ledger, now, faults, faultGate } = context;
  const enrichment = ledger.poll(id);
  if (enrichment === undefined) throw new Refusal(404, 'There is no enrichment with this id.');
  if (enrichment.readyAt > now()) {
    return reply.code(202).send({ id: enrichment.id, status: 'in_progress' });
  }
  const isEmpty = !faultGate.spoils(request) && isEmptyReading(enrichment, faults, now());
  return answerEnrichment(enrichment, context.people, isEmpty);
}

async function submitMany(items: readonly BulkItem[], context: SandboxContext) {
  const asked = items.flatMap(({ enrichment }) => enrichment ?? []);
  const taken = (await acceptAll(asked, context)).values();
  return items.map(({ enrichment, ...refused }) => {
    const accepted = enrichment && taken.next().value;
    if (!accepted) return refused;
    if (context.atOnce) return answerEnrichment(accepted, context.people).data[0];
    const { id, metadata } = accepted;
    return { id, ...(metadata !== undefined && { metadata }) };
  });
}

/**
 * All or none: then they are in the ledger and on the agenda. Resolves after what `webhook-early` sends first.
 * @throws Refusal 402 when the account does not cover them
 */
async function acceptAll(
  requests: readonly NewEnrichment[],
  { account, atOnce, faults, ledger, webhooks }: SandboxContext,
): Promise<readonly Enrichment[]> {
  if (!account.covers(requests)) {
    throw new Refusal(402, 'The account has too few credits left for this request; buy more.');
  }
  const wanted = requests.map((request) => webhooks.wants(request));
  const isEarly = (id: string, index: number): boolean =>
    wanted[index] === true && faults.hits('webhook-early', id);
  const enrichments = ledger.accept(requests, (id, index) => atOnce || isEarly(id, index));
  const early: Promise<void>[] = [];
  for (const [index, enrichment] of enrichments.entries()) {
    if (isEarly(enrichment.id, index)) early.push(webhooks.deliverNow(enrichment));
    else webhooks.schedule(enrichment);
  }
  await Promise.all(early);
  return enrichments;
}
