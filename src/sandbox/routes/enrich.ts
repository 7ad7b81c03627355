// Enrichments: one (docs/platform-api.md, POST /enrich), up to 500 or as many as the dialect allows
// (docs/platform-api.md, POST /enrich/bulk), and a result by its id (docs/platform-api.md, GET /enrich/{id}).
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasBatchTickets } from '../../dialect/wire-calls.js';
import { parseJson } from '../../model/text/json.js';
import { answerEnrichment, isEmptyReading } from '../answers/answer-enrichment.js';
import { comesAtOnce } from '../dialect/comes-at-once.js';
import type { Enrichment, NewEnrichment } from '../ledger/ledger.js';
import type { BulkItemRecord } from '../ledger/ledger-lines.js';
import type { SandboxContext } from '../sandbox-context.js';
import { checkWebhookUrl, readBulkBody, readEnrichQuery } from './read-enrichment.js';
import { acceptJson, type RawQuery, Refusal, readQuery } from './read-request.js';

const BODY_BYTES_MAX = 4 * 1024 * 1024;

/**
 * `POST /enrich`: 200 `{id}` for a request that can be served, 402 `{error}` when the account does not cover it, 400
 * `{error}` for anything else; a refused request costs nothing.
 */
export function registerEnrich(app: FastifyInstance, context: SandboxContext): void {
  // No body is documented: a client's body is read, and counts only in a dialect that has a place for it.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) =>
    done(null, parseJson(body.toString())),
  );

  app.post<{ Querystring: RawQuery }>('/enrich', ({ query }) => submitOne(query, context));
}

/**
 * `POST /enrich/bulk`: 200 with one `{id, metadata}` or `{error, metadata}` for each item, in order; 400 `{error}` for
 * a wrong body, and 402 when the account does not cover all of it: then nothing was accepted.
 */
export function registerBulk(app: FastifyInstance, context: SandboxContext): void {
  acceptJson(app);
  app.post<{ Querystring: RawQuery }>(
    '/enrich/bulk',
    { bodyLimit: BODY_BYTES_MAX },
    ({ query, body }) => submitMany(query, body, context),
  );
}

/** `GET /enrich/{id}`: 202 while in progress, 200 with the body of its webhook, 404 for an unknown id. */
export function registerResult(app: FastifyInstance, context: SandboxContext): void {
  app.get<{ Params: { id: string } }>('/enrich/:id', (request, reply) =>
    readResult(request.params.id, request, reply, context),
  );
}

/** @throws Refusal 404 for an unknown id */
export function readResult(
  id: string,
  request: FastifyRequest,
  reply: FastifyReply,
  { dialect, ledger, now, knows, moved, seed, faults, faultGate }: SandboxContext,
) {
  const enrichment = ledger.poll(id);
  if (enrichment === undefined) throw new Refusal(404, 'There is no enrichment with this id.');
  if (enrichment.readyAt > now()) {
    return reply.code(202).send({ id: enrichment.id, status: 'in_progress' });
  }
  const isEmpty = !faultGate.spoils(request) && isEmptyReading(enrichment, faults, now());
  return answerEnrichment(enrichment, { asks: dialect.asks, knows, moved, seed }, isEmpty);
}

async function submitOne(query: RawQuery, context: SandboxContext) {
  const asked = readEnrichQuery(query, context.dialect, context.onStrange);
  const [enrichment] = await acceptAll([asked], context, { section: 'enrich' });
  return { id: enrichment?.id };
}

async function submitMany(query: RawQuery, body: unknown, context: SandboxContext) {
  const { webhookUrl } = readQuery(query, ['webhookUrl'], context.onStrange);
  checkWebhookUrl(webhookUrl);
  const items = readBulkBody(body, webhookUrl, context.dialect, context.onStrange);
  const asked = items.flatMap(({ enrichment }) => enrichment ?? []);
  let told: BulkItemRecord[] = [];
  const onAccepted = (enrichments: readonly Enrichment[]): void => {
    const taken = enrichments.values();
    told = items.map(({ enrichment, ...refused }) => {
      const { id, metadata } = (enrichment && taken.next().value) ?? {};
      return id === undefined ? refused : { id, ...(metadata !== undefined && { metadata }) };
    });
    if (hasBatchTickets(context.dialect)) context.bulkCalls.keep(told);
  };
  await acceptAll(asked, context, { section: 'bulk', onAccepted });
  return told;
}

interface Accepting {
  readonly section: 'enrich' | 'bulk';
  readonly onAccepted?: (enrichments: readonly Enrichment[]) => void;
}

/**
 * Accepts all of them or none: the account has to cover them; then they are in the ledger, `onAccepted` is called, and
 * they are put on the agenda. Resolves after the deliveries that the fault `webhook-early` sends first.
 * @throws Refusal 402 when the account does not cover them
 */
async function acceptAll(
  requests: readonly NewEnrichment[],
  { account, dialect, faults, ledger, webhooks }: SandboxContext,
  { section, onAccepted }: Accepting,
): Promise<readonly Enrichment[]> {
  if (!account.covers(requests)) {
    throw new Refusal(402, 'The account has too few credits left for this request; buy more.');
  }
  const wanted = requests.map((request) => webhooks.wants(request));
  const isEarly = (id: string, index: number): boolean =>
    wanted[index] === true && faults.hits('webhook-early', id);
  const enrichments = ledger.accept(
    requests,
    (id, index) => isEarly(id, index) || comesAtOnce(dialect, section, id),
  );
  onAccepted?.(enrichments);
  const early: Promise<void>[] = [];
  for (const [index, enrichment] of enrichments.entries()) {
    if (isEarly(enrichment.id, index)) early.push(webhooks.deliverNow(enrichment));
    else webhooks.schedule(enrichment);
  }
  await Promise.all(early);
  return enrichments;
}
