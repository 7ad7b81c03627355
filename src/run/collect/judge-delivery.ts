// What a webhook's body means: for each of its entries the enrichment it speaks of, and what follows. An
// entry counts only where all that it says, and the key in the path of its delivery, name the same one.

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
  // An entry without a name stands for the lead of the path only where it stands alone.
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
    // A path vouches for a body of one entry; of many it cannot say which of them it means.
    const isMeant = own[i] !== undefined || isAlone || isOwnTicket(enrichment, ticket);
    if (!isMeant || (enrichment === null && enrichmentId === null)) {
      // The lead of the path takes no answer any more.
      const isOver = delivery.enrichmentId !== null && enrichment === null;
      const step: DeliveryStep =
        ticket === null || isOver
          ? NOTHING
          : { kind: 'unknown', ticket, enrichmentId: delivery.enrichmentId };
      // Nobody can tell whose it is before the dialect finds a place for results in it.
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

/** The enrichment whose genuine key came back with the entry. */
function keyed(key: DeliveredEntry['key'], { keyring, scope }: Callbacks): number | undefined {
  const opened = key === undefined ? undefined : keyring.open(key);
  return opened?.kind === 'enrichment' && opened.scope === scope ? opened.id : undefined;
}

function judgeEntry(
  { answer, ticket: told }: DeliveredEntry,
  enrichment: AddressedEnrichment,
  at: number,
  context: SettlingContext,
): DeliveryStep {
  const ticket = told ?? null;
  const known = enrichment.ticket ?? ticket;
  if (answer.kind === 'pending') return NOTHING;
  // An earlier send's, whose answer was lost: what it found counts, and else that of the last one.
  const isEarlier = ticket !== null && known !== ticket;
  if (isEarlier && (answer.kind !== 'done' || isEmpty(answer))) return NOTHING;
  if (isEmpty(answer) && enrichment.wasEmpty && known !== null) {
    // Perhaps the same delivery once more: only the second look, which is due, may say not_found.
    return NOTHING;
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
  if (next.kind !== 'postpone' || known === null) return NOTHING;
  return { kind: 'postpone', ticket: known, postponement: next.postponement, deadlineAt };
}

function valuesOf({ request }: AddressedEnrichment): string[] {
  return Object.values(request.inputs);
}

function isEmpty(answer: DeliveredEntry['answer']): boolean {
  return answer.kind === 'done' && Object.keys(answer.result).length === 0;
}
