// What a webhook's body means: for each of its entries the enrichment it speaks of, and what follows.
import type {
  AddressedEnrichment,
  DeliveryReference,
  DeliveryStep,
  PendingDelivery,
} from '../domain/ports/deliveries.js';
import type { DeliveredEntry } from '../domain/ports/platform.js';
import { readAnswer } from './read-answer.js';
import type { Callbacks, SettlingContext } from './run-context.js';

export interface JudgedEntry {
  /** Null where no answer is taken for it (any more). */
  readonly enrichment: AddressedEnrichment | null;
  readonly step: DeliveryStep;
}

/** No entries for a body that speaks of no enrichment. */
export async function judgeDelivery(
  context: SettlingContext,
  delivery: PendingDelivery,
): Promise<readonly JudgedEntry[]> {
  const delivered = context.callbacks.decode(delivery.body) ?? [];
  const isAlone = delivered.length === 1;
  const references = delivered.map((entry) => refer(entry, delivery, isAlone, context.callbacks));
  const found = await context.store.addressed(context.terms.account, references);
  return delivered.map((entry, i): JudgedEntry => {
    const enrichment = found[i] ?? null;
    const isByTicket = references[i]?.enrichmentId === null;
    const step = judgeEntry(entry, enrichment, isByTicket, delivery.receivedAt, context);
    return { enrichment, step };
  });
}

/** The key that came back with the entry, else the key in the path of its own delivery, else the ticket. */
function refer(
  { key, ticket: told }: DeliveredEntry,
  delivery: PendingDelivery,
  isAlone: boolean,
  { keyring, scope }: Callbacks,
): DeliveryReference {
  const ticket = told ?? null;
  const opened = key === undefined ? undefined : keyring.open(key);
  if (opened?.kind === 'enrichment' && opened.scope === scope) {
    return { enrichmentId: opened.id, ticket };
  }
  return { enrichmentId: isAlone ? delivery.enrichmentId : null, ticket };
}

function judgeEntry(
  { answer, ticket: told }: DeliveredEntry,
  enrichment: AddressedEnrichment | null,
  isByTicket: boolean,
  at: number,
  context: SettlingContext,
): DeliveryStep {
  const ticket = told ?? null;
  if (enrichment === null) {
    return isByTicket && ticket !== null ? { kind: 'unknown', ticket } : { kind: 'nothing' };
  }
  const known = enrichment.ticket ?? ticket;
  if (answer.kind === 'pending') return { kind: 'nothing' };
  if (isEmpty(answer) && enrichment.wasEmpty && known !== null) {
    // Perhaps the same delivery once more: only the second look, which is due, may say not_found.
    return { kind: 'nothing' };
  }
  const deadlineAt =
    enrichment.state === 'awaiting' ? enrichment.deadlineAt : at + context.deadlineMs;
  // Nobody can ask again without a ticket: then the first word is the last one.
  const awaited = { ...enrichment, deadlineAt, wasEmpty: known === null };
  const said =
    answer.kind === 'failed'
      ? { ...answer, reason: context.callbacks.redact(answer.reason, valuesOf(enrichment)) }
      : answer;
  const next = readAnswer(awaited, said, context, { by: 'webhook', at });
  if (next.kind === 'settle') return { kind: 'settle', ticket, settlement: next.settlement };
  if (next.kind === 'leave' || known === null) return { kind: 'nothing' };
  return { kind: 'postpone', ticket: known, postponement: next.postponement, deadlineAt };
}

function valuesOf({ request }: AddressedEnrichment): string[] {
  return Object.values(request.inputs);
}

function isEmpty(answer: DeliveredEntry['answer']): boolean {
  return answer.kind === 'done' && Object.keys(answer.result).length === 0;
}
