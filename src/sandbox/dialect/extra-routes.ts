// Four routes that the neutral dialect does not need: the results of a whole bulk call by its one ticket, results by a
// ticket in the body, the contact upsert, and the account; and what they remember. They speak neutral words like all others.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { subtractCredits } from '../../model/credits.js';
import type { ListMember } from '../../model/resources/contact-list.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../model/text/json.js';
import { answerEnrichment, isEmptyReading } from '../answers/answer-enrichment.js';
import { hashText } from '../ledger/fingerprint-request.js';
import type { Enrichment, Ledger } from '../ledger/ledger.js';
import { identifyMember } from '../ledger/list-register.js';
import { readResult } from '../routes/enrich.js';
import { readEntity } from '../routes/lists.js';
import { acceptJson, orRefuse, Refusal } from '../routes/read-request.js';
import type { SandboxContext } from '../sandbox-context.js';

const TICKET_PREFIX = 'bat_';

/**
 * `GET /enrich/batches/{id}`: 202 until the first result is there, then 200 with an entry for each item that is
 * ready or was refused; 404 for an unknown ticket.
 */
export function registerBatch(
  app: FastifyInstance,
  context: SandboxContext,
  bulkCalls: BulkCalls,
): void {
  app.get<{ Params: { id: string } }>('/enrich/batches/:id', (request, reply) =>
    readBatch(request.params.id, request, reply, { ...context, bulkCalls }),
  );
}

/** `POST /enrich/read` `{id}`: as the two GETs by an id. */
export function registerRead(
  app: FastifyInstance,
  context: SandboxContext,
  bulkCalls: BulkCalls,
): void {
  acceptJson(app);
  app.post('/enrich/read', (request, reply) => {
    const id = ticketInBody(request.body);
    return isBatchTicket(id)
      ? readBatch(id, request, reply, { ...context, bulkCalls })
      : readResult(id, request, reply, context);
  });
}

/** The ticket in a body that is in neutral words; empty where there is none. */
export function ticketInBody(body: unknown): string {
  const id = isJsonObject(body) ? body['id'] : undefined;
  return typeof id === 'string' ? id : '';
}

/** @throws Refusal 404 for an unknown ticket */
function readBatch(
  id: string,
  request: FastifyRequest,
  reply: FastifyReply,
  { bulkCalls, ledger, now, seed, faults, faultGate }: SandboxContext & { bulkCalls: BulkCalls },
) {
  const call = bulkCalls.find(id);
  if (call === undefined) throw new Refusal(404, 'There is no bulk call with this id.');
  for (const enrichment of call.enrichments) ledger.poll(enrichment.id);
  const isSpoiled = faultGate.spoils(request);
  const ready = call.enrichments.filter(({ readyAt }) => readyAt <= now());
  const entries = ready.map((enrichment) => {
    const isEmpty = !isSpoiled && isEmptyReading(enrichment, faults);
    return answerEnrichment(enrichment, seed, isEmpty).data[0];
  });
  if (ready.length === 0) return reply.code(202).send({ id });
  if (call.order !== undefined) {
    // Told apart by their order: all of them, or none yet.
    if (ready.length < call.enrichments.length) return reply.code(202).send({ id });
    const byId = new Map(entries.map((entry) => [entry.id, entry]));
    const data = call.order.map((item) => byId.get(item.id ?? '') ?? { error: item.error });
    return { data, type: 'enrichmentDone' };
  }
  return { data: [...entries, ...call.refused], type: 'enrichmentDone' };
}

/** `POST /contacts` `{email, firstName, lastName, socialUrl, companyName}`: 200 `{id}`; 400 `{error}`. */
export function registerContacts(app: FastifyInstance, contacts: Contacts): void {
  acceptJson(app);
  app.post('/contacts', (request) => ({
    id: contacts.upsert(orRefuse(readEntity(request.body))),
  }));
}

/** What an account without a limit begins with, where it has to show a number. */
const MANY_CREDITS = 1_000_000;

/** `GET /account`: 200 `{credits}`, those that are left. */
export function registerAccount(app: FastifyInstance, { account }: SandboxContext): void {
  app.get('/account', () => {
    const { left, charged } = account.state();
    return { credits: left ?? subtractCredits(MANY_CREDITS, charged) };
  });
}

/** An entry of the neutral answer to a bulk call. */
export interface BulkEntry {
  readonly id?: string | undefined;
  readonly error?: string | undefined;
  readonly metadata?: JsonValue | undefined;
}

/** A call that can be read by its ticket. */
interface BulkCall {
  readonly enrichments: readonly Enrichment[];
  /** Its refused items, where the answer to the call had no place for them; forgotten by a restart. */
  readonly refused: readonly BulkEntry[];
  /** All its items as they came, where nothing else tells them apart; forgotten by a restart. */
  readonly order: readonly BulkEntry[] | undefined;
}

/**
 * Bulk calls that have one ticket for all their items. The enrichments of a call stand side by side in the ledger, so
 * the ticket holds the first of them and how many they are. It is valid after a restart as well, as the ledger is.
 */
export class BulkCalls {
  readonly #refused = new Map<string, readonly BulkEntry[]>();
  readonly #ticketOfItem = new Map<string, string>();
  readonly #order = new Map<string, readonly BulkEntry[]>();

  constructor(private readonly ledger: Pick<Ledger, 'all' | 'find'>) {}

  /** The ticket, `bat_…`; undefined where no item was accepted. */
  ticketOf(entries: readonly BulkEntry[]): string | undefined {
    const ids = entries.flatMap(({ id }) => id ?? []);
    const [first] = ids;
    if (first === undefined) return undefined;
    const ticket = `${TICKET_PREFIX}${ids.length}_${first}`;
    for (const id of ids) this.#ticketOfItem.set(id, ticket);
    return ticket;
  }

  /** The ticket of the call that all of these items are from; undefined for others, and after a restart. */
  sharedTicket(items: readonly JsonObject[]): string | undefined {
    const tickets = new Set(
      items.map(({ id }) => this.#ticketOfItem.get(typeof id === 'string' ? id : '')),
    );
    const [ticket] = tickets;
    return tickets.size === 1 ? ticket : undefined;
  }

  /** Keeps refused items for the reading by the ticket. */
  keepRefused(ticket: string, refused: readonly BulkEntry[]): void {
    if (refused.length > 0) this.#refused.set(ticket, refused);
  }

  /** Keeps in which order the items came. */
  keepOrder(ticket: string, entries: readonly BulkEntry[]): void {
    this.#order.set(ticket, entries);
  }

  /** Undefined for an unknown ticket. */
  find(ticket: string): BulkCall | undefined {
    const [, digits = '', first = ''] = /^bat_(\d+)_(.+)$/.exec(ticket) ?? [];
    const position = this.ledger.find(first)?.position;
    if (position === undefined) return undefined;
    const enrichments = this.ledger.all().slice(position, position + Number(digits));
    const order = this.#order.get(ticket);
    return { enrichments, refused: this.#refused.get(ticket) ?? [], order };
  }
}

export function isBatchTicket(ticket: string): boolean {
  return ticket.startsWith(TICKET_PREFIX);
}

/**
 * Contacts, for dialects whose lists take nothing but ids of contacts. One person is one contact, however often it is
 * upserted. In memory only: a client upserts contacts right before it adds them.
 */
export class Contacts {
  readonly #byId = new Map<string, ListMember>();

  constructor(private readonly seed: number) {}

  /** Makes or updates the contact, and returns its id, `ctc_…`. */
  upsert(member: ListMember): string {
    const id = `ctc_${hashText(`contact\n${this.seed}\n${identifyMember(member)}`)}`;
    this.#byId.set(id, { ...this.#byId.get(id), ...member });
    return id;
  }

  find(id: string): ListMember | undefined {
    return this.#byId.get(id);
  }
}
