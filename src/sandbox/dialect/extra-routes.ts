// Four routes that the neutral dialect does not need: the results of a whole bulk call by its one ticket, results by a
// ticket in the body, the contact upsert, and the account; and their data. They speak neutral words like all others.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Dialect } from '../../dialect/dialect.js';
import { subtractCredits } from '../../model/credits.js';
import type { ListMember } from '../../model/resources/contact-list.js';
import { isJsonObject } from '../../model/text/json.js';
import { answerEnrichment, isEmptyReading } from '../answers/answer-enrichment.js';
import { isBatchTicket } from '../ledger/bulk-calls.js';
import { hashText } from '../ledger/fingerprint-request.js';
import { identifyMember } from '../ledger/list-register.js';
import { readResult } from '../routes/enrich.js';
import { readEntity } from '../routes/lists.js';
import { acceptJson, orRefuse, Refusal } from '../routes/read-request.js';
import type { SandboxContext } from '../sandbox-context.js';
import { saidIn } from './say.js';

/**
 * `GET /enrich/batches/{id}`: 202 until the first result is there, or all if the dialect says so, then 200 with an
 * entry for each item that is ready or was refused; 404 for an unknown ticket.
 */
export function registerBatch(app: FastifyInstance, context: SandboxContext): void {
  app.get<{ Params: { id: string } }>('/enrich/batches/:id', (request, reply) =>
    readBatch(request.params.id, request, reply, context),
  );
}

/** `POST /enrich/read` `{id}`: the same as the two GETs by an id. */
export function registerRead(app: FastifyInstance, context: SandboxContext): void {
  acceptJson(app);
  app.post('/enrich/read', (request, reply) => {
    const id = ticketInBody(request.body);
    return isBatchTicket(id)
      ? readBatch(id, request, reply, context)
      : readResult(id, request, reply, context);
  });
}

/** The ticket in a body in neutral words; empty if there is none. */
export function ticketInBody(body: unknown): string {
  const id = isJsonObject(body) ? body['id'] : undefined;
  return typeof id === 'string' ? id : '';
}

/** @throws Refusal 404 for an unknown ticket */
function readBatch(
  id: string,
  request: FastifyRequest,
  reply: FastifyReply,
  { bulkCalls, dialect, ledger, now, knows, moved, seed, faults, faultGate }: SandboxContext,
) {
  const call = bulkCalls.find(id);
  if (call === undefined) throw new Refusal(404, 'There is no bulk call with this id.');
  for (const enrichment of call.enrichments) ledger.poll(enrichment.id);
  const ready = call.enrichments.filter(({ readyAt }) => readyAt <= now());
  // If items are told apart by their order, or are said to be done beside them, all come or none.
  const isOrdered = dialect.bulk.match === 'order';
  const isWhole = isOrdered || saidIn('body', dialect.answer.read.done).length > 0;
  const least = isWhole ? call.enrichments.length : 1;
  if (ready.length < least) return reply.code(202).send({ id });
  const isSpoiled = faultGate.spoils(request);
  const entries = ready.map((enrichment) => {
    const isEmpty = !isSpoiled && isEmptyReading(enrichment, faults, now());
    return answerEnrichment(enrichment, { asks: dialect.asks, knows, moved, seed }, isEmpty)
      .data[0];
  });
  if (isOrdered) {
    const byId = new Map(entries.map((entry) => [entry.id, entry]));
    const data = call.items.map(({ id = '', error }) => byId.get(id) ?? { error });
    return { data, type: 'enrichmentDone' };
  }
  const refused = hasPlaceForItems(dialect) ? [] : call.items.filter(({ id }) => id === undefined);
  return { data: [...entries, ...refused], type: 'enrichmentDone' };
}

/** Whether the answer to a bulk call with one ticket has a place for single items, such as those it refuses. */
export function hasPlaceForItems({ bulk: { answer } }: Dialect): boolean {
  return answer.entries.length > 0 && answer.entries[0] !== '.';
}

/** `POST /contacts` `{email, firstName, lastName, socialUrl, companyName}`: 200 `{id}`; 400 `{error}`. */
export function registerContacts(app: FastifyInstance, contacts: Contacts): void {
  acceptJson(app);
  app.post('/contacts', (request) => ({
    id: contacts.upsert(orRefuse(readEntity(request.body))),
  }));
}

/** The first credits of an account without a limit, if it has to show a number. */
const MANY_CREDITS = 1_000_000;

/** `GET /account`: 200 `{credits}`, the credits that are left. */
export function registerAccount(app: FastifyInstance, { account }: SandboxContext): void {
  app.get('/account', () => {
    const { left, charged } = account.state();
    return { credits: left ?? subtractCredits(MANY_CREDITS, charged) };
  });
}

/**
 * Contacts, for dialects whose lists take only ids of contacts. One person is one contact, however often it is
 * upserted. They are in memory only: a client upserts contacts right before it adds them.
 */
export class Contacts {
  readonly #byId = new Map<string, ListMember>();

  constructor(private readonly seed: number) {}

  /** Creates or updates the contact, and returns its id, `ctc_…`. */
  upsert(member: ListMember): string {
    const id = `ctc_${hashText(`contact\n${this.seed}\n${identifyMember(member)}`)}`;
    this.#byId.set(id, { ...this.#byId.get(id), ...member });
    return id;
  }

  find(id: string): ListMember | undefined {
    return this.#byId.get(id);
  }
}
