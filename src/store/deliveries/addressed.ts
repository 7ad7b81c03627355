// Which enrichment a delivery names: by its key where that is genuine, else by its ticket.
import type Database from 'better-sqlite3';
import type { EnrichmentState } from '../../model/enrichment.js';
import type {
  Addressed,
  AddressedEnrichment,
  DeliveryReference,
  DeliveryStep,
} from '../../ports/store/deliveries.js';
import { hasEnded } from '../enrichments/known-answers.js';
import { type AwaitedRow, toAwaited } from '../enrichments/settle.js';

interface AddressedRow<State = EnrichmentState> extends Omit<AwaitedRow, 'ticket'> {
  readonly ticket: string | null;
  readonly runId: number;
  readonly state: State;
  readonly fingerprint: Uint8Array;
  readonly sendCount: number;
  readonly callId: number | null;
}

/** An answer may still come. */
type OpenRow = AddressedRow<AddressedEnrichment['state']>;

const COLUMNS = `e.id, e.ticket, e.ask, e.inputs, coalesce(e.submitted_at, 0) AS submittedAt,
  coalesce(e.poll_at, 0) AS pollAt, coalesce(e.deadline_at, 0) AS deadlineAt, e.poll_count AS pollCount,
  e.was_empty AS wasEmpty, NULL AS unread, e.state, e.run_id AS runId, e.fingerprint, e.send_count AS sendCount,
  e.call_id AS callId`;
/** Parameters: the ticket, twice. */
const HAS_TICKET = 'e.ticket_digest = ticket_digest(?) AND e.ticket = ?';

export function prepareAddressed(db: Database.Database) {
  const byId = db.prepare<[number], AddressedRow>(
    `SELECT ${COLUMNS} FROM enrichments e WHERE e.id = ? AND e.send_count > 0`,
  );
  // A platform may give two requests for the same person the same ticket.
  const ofOthers = db.prepare<[string, string, number, Uint8Array], Pick<AddressedRow, 'runId'>>(
    `SELECT e.run_id AS runId FROM enrichments e
     WHERE ${HAS_TICKET} AND e.id <> ? AND e.fingerprint <> ?`,
  );
  const byTicket = db.prepare<[string, string], AddressedRow<'awaiting' | 'timed_out'>>(
    `SELECT ${COLUMNS} FROM enrichments e
     WHERE ${HAS_TICKET} AND (e.state = 'awaiting' OR e.state = 'timed_out')`,
  );
  const isOfAccount = prepareIsOfAccount(db);

  const awaitedBy = (ticket: string, account: string) =>
    byTicket.all(ticket, ticket).find((row) => isOfAccount(row, account));

  const named = (
    id: number,
    reference: Omit<DeliveryReference, 'enrichmentId'>,
    account: string,
  ): OpenRow | 'stray' | null => {
    const row = byId.get(id);
    if (row === undefined || !isOfAccount(row, account)) return null;
    const { fingerprint, sendCount } = row;
    const { ticket, callId } = reference;
    // An earlier call, whose answer was lost, may have been accepted.
    if (!isOfCall(row, callId) && sendCount < 2) return 'stray';
    if (ticket !== null && ticket !== row.ticket) {
      const others = ofOthers.all(ticket, ticket, id, fingerprint);
      if (others.some((other) => isOfAccount(other, account))) return 'stray';
      // The ticket may be that of an earlier send, whose answer was lost.
      if (isOpen(row) && row.ticket !== null && sendCount < 2) return 'stray';
    }
    return isOpen(row) ? row : null;
  };

  const ofReference = (account: string, reference: DeliveryReference): Addressed => {
    const { enrichmentId, ticket, callId } = reference;
    if (enrichmentId !== null) {
      const row = named(enrichmentId, reference, account);
      return row === null || row === 'stray' ? row : toAddressed(row);
    }
    const row = ticket === null ? undefined : awaitedBy(ticket, account);
    if (row === undefined) return null;
    return isOfCall(row, callId) ? toAddressed(row) : 'stray';
  };

  const isStray = (id: number, ticket: string | null, account: string): boolean =>
    named(id, { ticket, callId: null }, account) === 'stray';

  return {
    addressed: (account: string, references: readonly DeliveryReference[]): Addressed[] =>
      references.map((reference) => ofReference(account, reference)),
    /** Whether a ticket was saved since the caller looked, which gives the step another meaning. */
    isOutdated: (step: DeliveryStep, account: string): boolean => {
      if (step.kind === 'unknown') {
        const known = awaitedBy(step.ticket, account);
        return known !== undefined && (step.enrichmentId ?? known.id) === known.id;
      }
      if (step.kind === 'settle') return isStray(step.settlement.id, step.ticket, account);
      return step.kind === 'postpone' && isStray(step.postponement.id, step.ticket, account);
    },
  };
}

/** A run keeps its account, which is in its plan: reading that for each enrichment takes longer than the rest. */
function prepareIsOfAccount(db: Database.Database) {
  const find = db.prepare<[number], { account: string }>(
    `SELECT json_extract(plan, '$.account') AS account FROM runs WHERE id = ?`,
  );
  const accounts = new Map<number, string | undefined>();

  return ({ runId }: Pick<AddressedRow, 'runId'>, account: string): boolean => {
    if (!accounts.has(runId)) accounts.set(runId, find.get(runId)?.account);
    return accounts.get(runId) === account;
  };
}

/** Without a call on either side there is nothing to compare: an older release did not keep it. */
function isOfCall(row: AddressedRow, callId: number | null): boolean {
  return row.callId === null || callId === null || row.callId === callId;
}

function isOpen(row: AddressedRow): row is OpenRow {
  return !hasEnded(row.state);
}

function toAddressed(row: OpenRow): AddressedEnrichment {
  const { runId, state, ticket } = row;
  return { ...toAwaited({ ...row, ticket: '' }), ticket, state, runId };
}
