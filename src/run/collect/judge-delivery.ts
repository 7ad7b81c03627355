// What a webhook's body means: for each of its entries the enrichment that it names, and what follows. An entry counts
// only where everything in it, and the key in the path of its delivery, name the same one.

import type { DeliveredEntry, Odd } from '../../ports/platform.js';
import type {
  AddressedEnrichment,
  DeliveryStep,
  PendingDelivery,
} from '../../ports/store/deliveries.js';
import type { Callbacks, SettlingContext } from '../run-context.js';
import { readAnswer } from './read-answer.js';

export interface JudgedEntry {
  /** Null where no answer is taken for it (any more). */
  readonly enrichment: AddressedEnrichment | null;
  readonly step: DeliveryStep;
  /** Set where the dialect could not read it. */
  readonly unread?: Odd | undefined;
}

/** No entries for a body that speaks of no enrichment. */
export async function judgeDelivery(
  context: SettlingContext,
  delivery: PendingDelivery,
): Promise<readonly JudgedEntry[]> {
  const delivered = context.callbacks.decode(delivery.body) ?? [];
  const isAlone = delivered.length === 1;
  const own = delivered.map(({ key }) => keyed(key, context.callbacks));
  // An entry without a key or a ticket means the lead of the path only where it is the only one.
  const speaks = delivered.map(
    ({ ticket }, i) => isAlone || ticket !== undefined || own[i] !== undefined,
  );
  const references = delivered.map(({ ticket }, i) => ({
    enrichmentId: speaks[i] === true ? (own[i] ?? delivery.enrichmentId) : null,
    ticket: ticket ?? null,
    callId: delivery.callId,
  }));
  const found = await context.store.addressed(context.terms.account, references);
  return delivered.map((entry, i): JudgedEntry => {
    if (speaks[i] !== true) return { enrichment: null, step: NOTHING };
    const { enrichmentId = null, ticket = null } = references[i] ?? {};
    const isOfPath = delivery.enrichmentId === null || delivery.enrichmentId === enrichmentId;
    const enrichment = isOfPath ? (found[i] ?? null) : 'stray';
    if (enrichment === 'stray') {
      return { enrichment: null, step: { kind: 'stray', enrichmentId } };
    }
    // A path names the lead of a body with one entry; with many it does not say which of them it means.
    const isMeant = own[i] !== undefined || isAlone || isOwnTicket(enrichment, ticket);
    if (!isMeant || (enrichment === null && enrichmentId === null)) {
      // The lead of the path takes no answer any more.
      const isOver = delivery.enrichmentId !== null && enrichment === null;
      const step: DeliveryStep =
        ticket === null || isOver
          ? NOTHING
          : { kind: 'unknown', ticket, enrichmentId: delivery.enrichmentId };
      // Its lead is unknown until the dialect finds a place for results in it.
      const { answer } = entry;
      const odd = answer.kind === 'done' && answer.odd?.lack === 'missing' ? answer.odd : undefined;
      return { enrichment: null, step, unread: ticket === null ? odd : undefined };
    }
    if (enrichment === null) return { enrichment, step: NOTHING };
    const step = judgeEntry(entry, enrichment, delivery.receivedAt, context);
    return { enrichment, step, unread: unreadIn(entry, enrichment, context) };
  });
}

function unreadIn(
  { answer }: DeliveredEntry,
  { request }: AddressedEnrichment,
  { readings }: SettlingContext,
): Odd | undefined {
  return answer.kind === 'done' && readings.isUnread(request, answer) ? answer.odd : undefined;
}

const NOTHING = { kind: 'nothing' } as const;

function isOwnTicket(enrichment: AddressedEnrichment | null, ticket: string | null): boolean {
  return ticket !== null && enrichment?.ticket === ticket;
}

/** The enrichment that a genuine key in the entry names. */
function keyed(key: DeliveredEntry['key'], { keyring, scope }: Callbacks): number | undefined {
  const opened = key === undefined ? undefined : keyring.open(key);
  return opened?.kind === 'enrichment' && opened.scope === scope ? opened.id : undefined;
}

function judgeEntry(
  { answer, ticket: delivered }: DeliveredEntry,
  enrichment: AddressedEnrichment,
  at: number,
  context: SettlingContext,
): DeliveryStep {
  const ticket = delivered ?? null;
  const known = enrichment.ticket ?? ticket;
  if (answer.kind === 'pending') return NOTHING;
  // The ticket of an earlier send, whose answer was lost: it counts if it found something, else the last one does.
  const isEarlier = ticket !== null && known !== ticket;
  if (isEarlier && (answer.kind !== 'done' || isEmpty(answer))) return NOTHING;
  if (isEmpty(answer) && enrichment.wasEmpty && known !== null) {
    // Perhaps the same delivery once more: only the second look, which is due, may say not_found.
    return NOTHING;
  }
  const deadlineAt =
    enrichment.state === 'awaiting' ? enrichment.deadlineAt : at + context.deadlineMs;
  // Without a ticket there is no second look: then the first answer is the last one.
  const awaited = { ...enrichment, deadlineAt, wasEmpty: known === null };
  const said =
    answer.kind === 'failed'
      ? { ...answer, reason: context.callbacks.redact(answer.reason, valuesOf(enrichment)) }
      : answer;
  const next = readAnswer(awaited, said, context, { by: 'webhook', at });
  if (next.kind === 'settle') return { kind: 'settle', ticket, settlement: next.settlement };
  if (next.kind !== 'postpone' || known === null) return NOTHING;
  return { kind: 'postpone', ticket: known, postponement: next.postponement, deadlineAt };
}

function valuesOf({ request }: AddressedEnrichment): string[] {
  return Object.values(request.inputs);
}

function isEmpty(answer: DeliveredEntry['answer']): boolean {
  return answer.kind === 'done' && Object.keys(answer.result).length === 0;
}
