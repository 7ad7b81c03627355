// Judges the body of a webhook: finds the enrichment that each entry names, and the step that follows. An entry counts
// only if everything in it, and the key in the path of its delivery, name the same enrichment.

import type { DeliveredEntry, Odd } from '../../ports/platform.js';
import type {
  Addressed,
  AddressedEnrichment,
  DeliveryReference,
  DeliveryStep,
  PendingDelivery,
} from '../../ports/store/deliveries.js';
import type { Callbacks, SettlingContext } from '../run-context.js';
import { isEmptySuccess, readAnswer } from './read-answer.js';

export interface JudgedEntry {
  /** Null if no enrichment takes the answer (any more). */
  readonly enrichment: AddressedEnrichment | null;
  readonly step: DeliveryStep;
  /** Set if the dialect could not read it. */
  readonly unread?: Odd | undefined;
  /** Another dialect may find values in the same body. */
  readonly isUnclearMiss?: boolean;
}

interface NamingEntry {
  readonly entry: DeliveredEntry;
  readonly reference: DeliveryReference;
  /** Whether it has neither a key nor a ticket and is one of many: it names no enrichment. */
  readonly isSilent: boolean;
  /** Whether it has a genuine key or is the only entry: then the reference means this entry. */
  readonly isCertain: boolean;
}

/** None for a body that speaks of no enrichment. */
export async function judgeDeliveries(
  context: SettlingContext,
  deliveries: readonly PendingDelivery[],
): Promise<JudgedEntry[][]> {
  const { callbacks, store, terms } = context;
  const naming = deliveries.map((delivery) => {
    const entries = callbacks.decode(delivery.body) ?? [];
    return entries.map((entry) => nameEnrichment(entry, entries.length === 1, delivery, callbacks));
  });
  const references = naming.flat().map(({ reference }) => reference);
  const found = (await store.addressed(terms.account, references)).values();
  return deliveries.map((delivery, i) =>
    (naming[i] ?? []).map((entry) =>
      judgeNaming(entry, found.next().value ?? null, delivery, context),
    ),
  );
}

/** Without a key and a ticket it means the lead of the path only if it is the only entry. */
function nameEnrichment(
  entry: DeliveredEntry,
  isAlone: boolean,
  delivery: PendingDelivery,
  callbacks: Callbacks,
): NamingEntry {
  const ownId = idInKey(entry.key, callbacks);
  const isSilent = !isAlone && entry.ticket === undefined && ownId === undefined;
  const reference = {
    enrichmentId: isSilent ? null : (ownId ?? delivery.enrichmentId),
    ticket: entry.ticket ?? null,
    callId: delivery.callId,
  };
  return { entry, reference, isSilent, isCertain: isAlone || ownId !== undefined };
}

function judgeNaming(
  { entry, reference, isSilent, isCertain }: NamingEntry,
  found: Addressed,
  delivery: PendingDelivery,
  context: SettlingContext,
): JudgedEntry {
  const { enrichmentId, ticket } = reference;
  if (isSilent) return { enrichment: null, step: NOTHING };
  const isOfPath = delivery.enrichmentId === null || delivery.enrichmentId === enrichmentId;
  if (found === 'stray' || !isOfPath) {
    return { enrichment: null, step: { kind: 'stray', enrichmentId } };
  }
  // A path names the lead of a body with one entry; of many entries it does not say which one is meant.
  const isMeant = isCertain || (ticket !== null && found?.ticket === ticket);
  if (!isMeant || (found === null && enrichmentId === null)) {
    return judgeUnknown(entry, found, delivery);
  }
  if (found === null) return { enrichment: null, step: NOTHING };
  // The clock of who received it may be ahead, or have been.
  const at = Math.min(delivery.receivedAt, context.clock.now());
  const step = judgeEntry(entry, found, at, context);
  const unread = unreadIn(entry, found, context);
  return { enrichment: found, step, unread, isUnclearMiss: isUnclearMiss(entry, step) };
}

function isUnclearMiss({ answer }: DeliveredEntry, step: DeliveryStep): boolean {
  const isMiss = step.kind === 'settle' && step.settlement.outcome === 'not_found';
  return isMiss && answer.kind === 'done' && answer.odd !== undefined;
}

/** Judges an entry that names no enrichment known here (yet). */
function judgeUnknown(
  { answer, ticket }: DeliveredEntry,
  found: AddressedEnrichment | null,
  { enrichmentId }: PendingDelivery,
): JudgedEntry {
  if (ticket === undefined) {
    // The lead stays unknown until the dialect finds a place for results in the entry.
    const odd = answer.kind === 'done' && answer.odd?.lack === 'missing' ? answer.odd : undefined;
    return { enrichment: null, step: NOTHING, unread: odd };
  }
  // The lead of the path takes no answer any more.
  const isOver = enrichmentId !== null && found === null;
  return { enrichment: null, step: isOver ? NOTHING : { kind: 'unknown', ticket, enrichmentId } };
}

function unreadIn(
  { answer }: DeliveredEntry,
  { request }: AddressedEnrichment,
  { readings }: SettlingContext,
): Odd | undefined {
  return answer.kind === 'done' && readings.isUnread(request, answer) ? answer.odd : undefined;
}

const NOTHING = { kind: 'nothing' } as const;

function idInKey(key: DeliveredEntry['key'], { keyring, scope }: Callbacks): number | undefined {
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
  if (answer.kind === 'pending') {
    if (answer.outOfCredits !== undefined) context.backlog.stopSending(answer.outOfCredits);
    return NOTHING;
  }
  // The ticket belongs to an earlier send whose answer was lost: it counts if it found something; else the last send's
  // counts.
  const isEarlier = ticket !== null && known !== ticket;
  if (isEarlier && (answer.kind !== 'done' || isEmpty(answer))) return NOTHING;
  if (isEmptySuccess(enrichment.request, answer) && enrichment.wasEmpty && known !== null) {
    // This may be the same delivery again: only the second look, which is due, may say not_found.
    return NOTHING;
  }
  const deadlineAt =
    enrichment.state === 'awaiting' ? enrichment.deadlineAt : at + context.deadlineMs;
  // Without a ticket to poll there is no second look, so the first answer is the last one.
  const isLast = known === null || !context.platform.readsTickets;
  const heard = { by: 'webhook', at, isLast } as const;
  const said =
    answer.kind === 'failed'
      ? {
          ...answer,
          reason: context.callbacks.redact(answer.reason, Object.values(enrichment.request.inputs)),
        }
      : answer;
  const next = readAnswer({ ...enrichment, deadlineAt }, said, context, heard);
  if (next.kind === 'settle') return { kind: 'settle', ticket, settlement: next.settlement };
  if (next.kind !== 'postpone' || known === null) return NOTHING;
  return { kind: 'postpone', ticket: known, postponement: next.postponement, deadlineAt };
}

function isEmpty(answer: DeliveredEntry['answer']): boolean {
  return answer.kind === 'done' && Object.keys(answer.result).length === 0;
}
