// Finds the enrichment that a delivery names: by its key if that is genuine, else by its ticket.
import { mayBeOutdone } from '../../model/enrichment/answer.js';
import type { EnrichmentState } from '../../model/enrichment/arrows.js';
import { hasEnded } from '../../model/enrichment/arrows.js';
import type { Enrichment, Locked } from '../../model/enrichment/locked.js';
import { groupBy } from '../../model/group-by.js';
import type {
  Addressed,
  AddressedEnrichment,
  DeliveryReference,
  DeliveryStep,
} from '../../ports/store/deliveries.js';
import { type AwaitedRow, toAwaited } from '../enrichments/settle.js';
import type { Sql } from '../sql.js';
import { read, type Verbs } from '../verb.js';

export interface AddressedRow<State = EnrichmentState> extends Omit<AwaitedRow, 'ticket'> {
  readonly ticket: string | null;
  readonly runId: number;
  readonly state: State;
  readonly fingerprint: Buffer;
  readonly sendCount: number;
  readonly callId: number | null;
}

/** An enrichment whose answer may still come. */
type OpenRow = AddressedRow<AddressedEnrichment['state']>;

const ADDRESSED = `e.id, e.ticket, e.sent AS ask, e.inputs, coalesce(e.submitted_at, 0) AS submitted_at,
  coalesce(e.poll_at, 0) AS poll_at, coalesce(e.deadline_at, 0) AS deadline_at, e.poll_count, e.was_empty, NULL AS unread,
  e.state, e.run_id, e.fingerprint, e.send_count, e.call_id`;

export interface Addressable {
  byId(id: number): AddressedRow | undefined;
  withTicket(ticket: string): readonly AddressedRow[];
}

function addressedBy(account: Addressable, reference: DeliveryReference): Addressed {
  const { enrichmentId, ticket, callId } = reference;
  if (enrichmentId !== null) {
    const row = namedBy(account, enrichmentId, reference);
    return row === null || row === 'stray' ? row : toAddressed(row);
  }
  const row = ticket === null ? undefined : awaitedBy(account, ticket);
  if (row === undefined) return null;
  return isOfCall(row, callId) ? toAddressed(row) : 'stray';
}

/** Whether a ticket that was saved since the caller looked gives the step another meaning. */
export function isOutdated(account: Addressable, step: DeliveryStep): boolean {
  if (step.kind === 'unknown') {
    const known = awaitedBy(account, step.ticket);
    return known !== undefined && (step.enrichmentId ?? known.id) === known.id;
  }
  const id = enrichmentOf(step);
  if (id === null || !('ticket' in step)) return false;
  return namedBy(account, id, { ticket: step.ticket, callId: null }) === 'stray';
}

export function enrichmentOf(step: DeliveryStep): number | null {
  if (step.kind === 'settle') return step.settlement.id;
  if (step.kind === 'postpone') return step.postponement.id;
  return step.kind === 'stray' ? step.enrichmentId : null;
}

function namedBy(
  account: Addressable,
  id: number,
  { ticket, callId }: Omit<DeliveryReference, 'enrichmentId'>,
): OpenRow | 'stray' | null {
  const row = account.byId(id);
  if (row === undefined) return null;
  const { fingerprint, sendCount } = row;
  // An earlier call, whose answer was lost, may have been accepted.
  if (!isOfCall(row, callId) && sendCount < 2) return 'stray';
  if (ticket !== null && ticket !== row.ticket) {
    // A platform may give two requests for the same person the same ticket.
    const isOfOther = (other: AddressedRow): boolean =>
      other.id !== id && !fingerprint.equals(other.fingerprint);
    if (account.withTicket(ticket).some(isOfOther)) return 'stray';
    // The ticket may be that of an earlier send, whose answer was lost.
    if (isOpen(row) && row.ticket !== null && sendCount < 2) return 'stray';
  }
  return isOpen(row) ? row : null;
}

function awaitedBy(account: Addressable, ticket: string): OpenRow | undefined {
  return account
    .withTicket(ticket)
    .filter(isOpen)
    .find(({ state }) => state === 'awaiting' || state === 'timed_out');
}

/** The call of an enrichment is unknown before it was accepted, and a delivery outside of a bulk call names none. */
function isOfCall(row: AddressedRow, callId: number | null): boolean {
  return row.callId === null || callId === null || row.callId === callId;
}

function isOpen(row: AddressedRow): row is OpenRow {
  return !hasEnded(row.state) || mayBeOutdone(row);
}

function toAddressed(row: OpenRow): AddressedEnrichment {
  const { runId, state, ticket } = row;
  return { ...toAwaited({ ...row, ticket: '' }), ticket, state, runId };
}

export const addressedVerbs = {
  addressed: read('bounded', async (sql, account, references) => {
    const ids = references.flatMap(({ enrichmentId }) => enrichmentId ?? []);
    const tickets = references.flatMap(({ ticket }) => ticket ?? []);
    const enrichments = await findAddressable(sql, account, { ids, tickets });
    return references.map((reference) => addressedBy(enrichments, reference));
  }),
} satisfies Partial<Verbs>;

interface Names {
  readonly ids: readonly number[];
  readonly tickets: readonly string[];
}

/** As they will be once `locked` is saved. */
export async function findAddressable(
  sql: Sql,
  account: string,
  { ids, tickets }: Names,
  locked?: Locked,
): Promise<Addressable> {
  const found = await sql.rows<AddressedRow>(
    `SELECT ${ADDRESSED} FROM enrichments e JOIN runs r ON r.id = e.run_id
     WHERE r.account = $1 AND e.id IN (SELECT id FROM enrichments WHERE id = ANY ($2)
       UNION ALL SELECT e.id FROM enrichments e WHERE e.ticket = ANY ($3))`,
    [account, ids, tickets],
  );
  const rows = found.sort((a, b) => a.id - b.id);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const byTicket = groupBy(rows, ({ ticket }) => ticket);
  const asNow = (row: AddressedRow): AddressedRow => {
    const { callId, state, ticket } = locked?.rows.get(row.id) ?? row;
    return { ...row, callId, state, ticket };
  };
  const rowOf = ({ id }: Enrichment): AddressedRow[] => {
    const row = byId.get(id);
    return row === undefined ? [] : [row];
  };

  return {
    byId: (id) => {
      const row = byId.get(id);
      return row === undefined || row.sendCount === 0 ? undefined : asNow(row);
    },
    withTicket: (ticket) => {
      const learnt = locked?.learnt.get(ticket) ?? [];
      return [...(byTicket.get(ticket) ?? []), ...learnt.flatMap(rowOf)].map(asNow);
    },
  };
}
