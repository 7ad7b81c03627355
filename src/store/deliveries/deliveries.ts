// The delivery journal: what webhooks brought, kept as it came, and what it came to.
import { randomBytes } from 'node:crypto';
import type Database from 'better-sqlite3';
import type { EnrichmentState } from '../../model/enrichment.js';
import type {
  Addressed,
  AddressedEnrichment,
  DeliveryReference,
  DeliveryStep,
  HandledDelivery,
  JournalEntry,
  PendingDelivery,
} from '../../ports/store/deliveries.js';
import { atomic } from '../database/atomic.js';
import { type AwaitedRow, prepareAnswers, toAwaited } from '../enrichments/answers.js';
import { POLL_NOW } from './keep-arrivals.js';

/** Characters of the bodies that are handed out at once; one alone may be longer. */
const PENDING_LENGTH_MAX = 8_000_000;

/** A line of the journal, up to its conditions. */
export const JOURNAL_ENTRY = `SELECT d.id, d.scope, d.received_at AS receivedAt,
    h.handled_at AS handledAt, h.settled, h.unchanged, h.unknown, octet_length(d.body) AS bytes,
    d.times
  FROM deliveries d
  LEFT JOIN handled_deliveries h ON h.delivery_id = d.id
    AND NOT EXISTS (SELECT 1 FROM pending_deliveries p
                    WHERE p.scope = d.scope AND p.delivery_id = d.id)`;

/** A ticket that is known from now on: deliveries that came before it are pending again. */
export function prepareRevive(db: Database.Database): (ticket: string) => void {
  const any = db.prepare<[string]>('SELECT 1 FROM unknown_tickets WHERE ticket = ? LIMIT 1');
  const pend = db.prepare<[string]>(
    `INSERT OR IGNORE INTO pending_deliveries (scope, delivery_id)
     SELECT d.scope, d.id FROM unknown_tickets u JOIN deliveries d ON d.id = u.delivery_id
     WHERE u.ticket = ?`,
  );
  const forget = db.prepare<[string]>('DELETE FROM unknown_tickets WHERE ticket = ?');
  return (ticket) => {
    if (any.get(ticket) === undefined) return;
    pend.run(ticket);
    forget.run(ticket);
  };
}

export function prepareDeliveries(db: Database.Database) {
  const readKey = db.prepare<[], { key: Uint8Array }>('SELECT key FROM signing_key');
  const writeKey = db.prepare<[Uint8Array]>('INSERT INTO signing_key VALUES (1, ?)');
  const pending = db.prepare<[string, number], PendingDelivery>(
    `SELECT d.id, d.scope, d.enrichment_id AS enrichmentId, d.call_id AS callId,
       d.received_at AS receivedAt, d.body
     FROM pending_deliveries p JOIN deliveries d ON d.id = p.delivery_id
     WHERE p.scope = ? ORDER BY p.delivery_id LIMIT ?`,
  );
  const tickOff = db.prepare<[number]>(
    `DELETE FROM pending_deliveries
     WHERE (scope, delivery_id) = (SELECT scope, id FROM deliveries WHERE id = ?)`,
  );
  const note = db.prepare<[number, number, number, number, number]>(
    // Handled once more, it changes nothing, and what it came to before stands.
    `INSERT INTO handled_deliveries VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (delivery_id) DO UPDATE SET handled_at = excluded.handled_at,
       settled = max(settled, excluded.settled),
       unchanged = max(0, excluded.settled + excluded.unchanged + excluded.unknown
         - max(settled, excluded.settled) - min(unknown, excluded.unknown)),
       unknown = min(unknown, excluded.unknown)`,
  );
  const remember = db.prepare<[string, number]>(
    'INSERT OR IGNORE INTO unknown_tickets VALUES (?, ?)',
  );
  const markUnread = db.prepare<[number]>(
    'INSERT OR IGNORE INTO unread_deliveries (delivery_id) VALUES (?)',
  );
  const replay = db.prepare<[string]>(
    `INSERT OR IGNORE INTO pending_deliveries (scope, delivery_id)
     SELECT scope, id FROM deliveries WHERE scope = ?`,
  );
  const list = db.prepare<[number, number], JournalEntry>(
    `${JOURNAL_ENTRY} WHERE d.id < ? ORDER BY d.id DESC LIMIT ?`,
  );
  const countPending = db.prepare<[], { n: number }>(
    'SELECT count(*) AS n FROM pending_deliveries',
  );
  const addressedColumns = `e.id, e.ticket, e.ask, e.inputs, coalesce(e.submitted_at, 0) AS submitted_at,
    coalesce(e.poll_at, 0) AS poll_at, coalesce(e.deadline_at, 0) AS deadline_at, e.poll_count,
    e.was_empty, NULL AS unread, e.state, e.run_id, e.fingerprint, e.send_count, e.call_id`;
  const isOfAccount = `json_extract(r.plan, '$.account') = ?`;
  const byId = db.prepare<[number, string], AddressedRow>(
    `SELECT ${addressedColumns} FROM enrichments e JOIN runs r ON r.id = e.run_id
     WHERE e.id = ? AND ${isOfAccount} AND e.send_count > 0`,
  );
  // A platform may know two requests for the same by one ticket.
  const isOfOthers = db.prepare<[string, number, Uint8Array, string]>(
    `SELECT 1 FROM enrichments e JOIN runs r ON r.id = e.run_id
     WHERE e.ticket = ? AND e.id <> ? AND e.fingerprint <> ? AND ${isOfAccount} LIMIT 1`,
  );
  const byTicket = db.prepare<[string, string], AddressedRow<'awaiting' | 'timed_out'>>(
    `SELECT ${addressedColumns} FROM enrichments e JOIN runs r ON r.id = e.run_id
     WHERE e.ticket = ? AND (e.state = 'awaiting' OR e.state = 'timed_out') AND ${isOfAccount}`,
  );
  // A genuine key, or a ticket, proves that the send was accepted, whatever we thought of it: along the
  // arrows it becomes uncertain first, which is what an answer may still be taken from.
  const claimQueued = db.prepare<[number, number]>(
    `UPDATE enrichments SET state = 'submitting', submitted_at = coalesce(submitted_at, ?),
       paid_by = coalesce(paid_by, run_id), lost_sends = max(0, lost_sends - 1)
     WHERE id = ? AND state = 'queued' AND send_count > 0`,
  );
  const claimSubmitting = db.prepare<[number]>(
    `UPDATE enrichments SET state = 'uncertain', reason = 'claimed by a webhook'
     WHERE id = ? AND state = 'submitting'`,
  );
  const pollNow = db.prepare<[number, number | null]>(POLL_NOW);
  const isAwaited = db.prepare<[number]>(
    `SELECT 1 FROM enrichments WHERE id = ? AND state = 'awaiting'`,
  );
  const keepTicket = db.prepare<[string, number, number]>(
    `UPDATE enrichments SET ticket = ?,
       call_id = coalesce((SELECT call_id FROM deliveries WHERE id = ?), 0)
     WHERE id = ? AND ticket IS NULL AND state = 'uncertain'`,
  );
  const awaitClaimed = db.prepare<[string, number, number, number, number]>(
    `UPDATE enrichments SET state = 'awaiting', reason = NULL, ticket = coalesce(ticket, ?),
       poll_at = ?, was_empty = ?, deadline_at = ?
     WHERE id = ? AND state = 'uncertain'`,
  );
  const { settleOne, postponeOne } = prepareAnswers(db);
  const revive = prepareRevive(db);

  const claim = (id: number, ticket: string | null, deliveryId: number, at: number): void => {
    claimQueued.run(at, id);
    claimSubmitting.run(id);
    if (ticket !== null && keepTicket.run(ticket, deliveryId, id).changes > 0) revive(ticket);
  };

  const named = (
    id: number,
    reference: Omit<DeliveryReference, 'enrichmentId'>,
    account: string,
  ): Addressed => {
    const row = byId.get(id, account);
    if (row === undefined) return null;
    const { fingerprint, send_count: sendCount, state } = row;
    const { ticket, callId } = reference;
    // An earlier call may have taken it, and its answer was lost.
    if (!isOfCall(row, callId) && sendCount < 2) return 'stray';
    const isEnded = state === 'found' || state === 'not_found' || state === 'failed';
    if (ticket !== null && ticket !== row.ticket) {
      if (isOfOthers.get(ticket, id, fingerprint, account) !== undefined) return 'stray';
      // It may be that of an earlier send, whose answer was lost.
      if (!isEnded && row.ticket !== null && sendCount < 2) return 'stray';
    }
    return isEnded ? null : toAddressed(row, state);
  };

  const isStray = (id: number, ticket: string | null, account: string): boolean =>
    named(id, { ticket, callId: null }, account) === 'stray';

  const isOutdated = (step: DeliveryStep, account: string): boolean => {
    switch (step.kind) {
      case 'settle':
        return isStray(step.settlement.id, step.ticket, account);
      case 'postpone':
        return isStray(step.postponement.id, step.ticket, account);
      case 'unknown': {
        const known = byTicket.get(step.ticket, account);
        return known !== undefined && (step.enrichmentId ?? known.id) === known.id;
      }
      case 'stray':
      case 'nothing':
        return false;
    }
  };

  /** The enrichment's id where it changed. */
  const take = (step: DeliveryStep, deliveryId: number, at: number): number | undefined => {
    switch (step.kind) {
      case 'settle': {
        const { id } = step.settlement;
        // Nearly all are awaited, and there is nothing to claim.
        if (isAwaited.get(id) === undefined) claim(id, step.ticket, deliveryId, at);
        return settleOne(step.settlement) ? id : undefined;
      }
      case 'postpone': {
        const { id, pollAt, wasEmpty } = step.postponement;
        claim(id, step.ticket, deliveryId, at);
        const isClaimed =
          awaitClaimed.run(step.ticket, pollAt, wasEmpty ? 1 : 0, step.deadlineAt, id).changes > 0;
        if (!isClaimed) postponeOne(step.postponement);
        return isClaimed ? id : undefined;
      }
      case 'unknown':
        remember.run(step.ticket, deliveryId);
        return undefined;
      case 'stray':
        pollNow.run(at, step.enrichmentId);
        return undefined;
      case 'nothing':
        return undefined;
    }
  };

  return {
    signingKey: atomic(db, (): Uint8Array => {
      const known = readKey.get();
      if (known !== undefined) return known.key;
      const key = randomBytes(32);
      writeKey.run(key);
      return key;
    }),
    pending: (scope: string, limit: number): PendingDelivery[] => {
      const found: PendingDelivery[] = [];
      let length = 0;
      for (const delivery of pending.iterate(scope, limit)) {
        found.push(delivery);
        length += delivery.body.length;
        if (length >= PENDING_LENGTH_MAX) break;
      }
      return found;
    },
    addressed: (account: string, references: readonly DeliveryReference[]): Addressed[] =>
      references.map(({ enrichmentId, ...reference }) => {
        if (enrichmentId !== null) return named(enrichmentId, reference, account);
        const { ticket, callId } = reference;
        const row = ticket === null ? undefined : byTicket.get(ticket, account);
        if (row === undefined) return null;
        return isOfCall(row, callId) ? toAddressed(row, row.state) : 'stray';
      }),
    handle: atomic(db, (account: string, handled: readonly HandledDelivery[]): number[] => {
      const changed: number[] = [];
      for (const { id, at, steps, isUnread } of handled) {
        // A ticket that was saved since the caller looked: the delivery stays pending.
        if (steps.some((step) => isOutdated(step, account))) continue;
        const ids = steps.map((step) => take(step, id, at)).filter((one) => one !== undefined);
        const unknown = steps.filter(({ kind }) => kind === 'unknown' || kind === 'stray').length;
        note.run(id, at, ids.length, steps.length - ids.length - unknown, unknown);
        tickOff.run(id);
        if (isUnread === true) markUnread.run(id);
        changed.push(...ids);
      }
      return changed;
    }),
    replay: (scope: string): number => replay.run(scope).changes,
    list: (limit: number, beforeId = Number.MAX_SAFE_INTEGER): JournalEntry[] =>
      list.all(beforeId, limit),
    countPending: (): number => countPending.get()?.n ?? 0,
  };
}

interface AddressedRow<State = EnrichmentState> extends Omit<AwaitedRow, 'ticket'> {
  ticket: string | null;
  run_id: number;
  state: State;
  fingerprint: Uint8Array;
  send_count: number;
  call_id: number | null;
}

/** Without a call on either side there is nothing to hold against one another: an older release did not tell. */
function isOfCall({ call_id }: AddressedRow, callId: number | null): boolean {
  return call_id === null || callId === null || call_id === callId;
}

function toAddressed(row: AddressedRow, state: AddressedEnrichment['state']): AddressedEnrichment {
  const { ticket, run_id: runId } = row;
  return { ...toAwaited({ ...row, ticket: '' }), ticket, state, runId };
}
