// What a delivery does to the enrichments that it names: it ends them, or brings their tickets to light.
import type Database from 'better-sqlite3';
import { emptinessOf } from '../../../model/enrichment/answer.js';
import type { DeliveryStep } from '../../../ports/store/deliveries.js';
import { AWAITING, prepareChange, prepareChangeAny } from '../enrichments/count-changes.js';
import { preparePostponeOne, prepareSettleOne } from '../enrichments/settle.js';
import type { Counting } from '../runs/series.js';
import { POLL_NOW } from './keep-arrivals.js';

/** A ticket that is known from now on: deliveries that came before it are pending again. */
export function prepareRevive(db: Database.Database): (ticket: string) => void {
  const any = db.prepare<[string]>('SELECT 1 FROM unknown_tickets WHERE ticket = ? LIMIT 1');
  const pend = db.prepare<[string]>(
    `INSERT OR IGNORE INTO pending_deliveries (scope, delivery_id)
     SELECT d.scope, d.id FROM unknown_tickets u JOIN deliveries d ON d.id = u.delivery_id
       JOIN delivery_bodies b ON b.delivery_id = d.id
     WHERE u.ticket = ?`,
  );
  const forget = db.prepare<[string]>('DELETE FROM unknown_tickets WHERE ticket = ?');
  return (ticket) => {
    if (any.get(ticket) === undefined) return;
    pend.run(ticket);
    forget.run(ticket);
  };
}

/** Notes that a send was accepted whose answer came before its ticket was known. Keeps the ticket where none was known. */
function prepareNoteAccepted(db: Database.Database) {
  // A genuine key, or a ticket, proves that the send was accepted, whatever we thought of it: along the
  // arrows it becomes uncertain first, which is what an answer may still be taken from.
  const noteQueued = db.prepare<[number, number]>(
    `UPDATE enrichments SET state = 'submitting', submitted_at = coalesce(submitted_at, ?),
       paid_by = coalesce(paid_by, run_id), lost_sends = max(0, lost_sends - 1)
     WHERE id = ? AND state = 'queued' AND send_count > 0`,
  );
  const noteSubmitting = db.prepare<[number]>(
    `UPDATE enrichments SET state = 'uncertain', reason = 'claimed by a webhook'
     WHERE id = ? AND state = 'submitting'`,
  );
  const keepTicket = db.prepare<[string, string, number, number]>(
    `UPDATE enrichments SET ticket = ?, ticket_digest = ticket_digest(?),
       call_id = coalesce((SELECT call_id FROM deliveries WHERE id = ?), 0)
     WHERE id = ? AND ticket IS NULL AND state = 'uncertain'`,
  );
  const revive = prepareRevive(db);
  const change = prepareChangeAny(db);

  return (id: number, ticket: string | null, deliveryId: number, at: number): void => {
    change(id, () => noteQueued.run(at, id).changes + noteSubmitting.run(id).changes > 0);
    if (ticket !== null && keepTicket.run(ticket, ticket, deliveryId, id).changes > 0)
      revive(ticket);
  };
}

/** Takes one step, inside another verb's transaction. Returns the enrichment's id where it changed. */
export function prepareTakeStep(db: Database.Database, counting: Counting) {
  const isDoubted = db.prepare<[number]>(
    `SELECT 1 FROM enrichments WHERE id = ? AND state = 'uncertain'`,
  );
  const awaitAccepted = prepareChange(
    db,
    'uncertain',
    `UPDATE enrichments SET state = 'awaiting', reason = NULL, ticket = coalesce(ticket, ?),
       poll_at = ?, was_empty = ?, deadline_at = ?
     WHERE id = ? AND state = 'uncertain'`,
  );
  const pollNow = db.prepare<[number, number | null]>(POLL_NOW);
  const remember = db.prepare<[string, number]>(
    'INSERT OR IGNORE INTO unknown_tickets VALUES (?, ?)',
  );
  const settleOne = prepareSettleOne(db, counting, 'delivered');
  const postponeOne = preparePostponeOne(db);
  const noteAccepted = prepareNoteAccepted(db);

  return (step: DeliveryStep, deliveryId: number, at: number): number | undefined => {
    switch (step.kind) {
      case 'settle': {
        const { id } = step.settlement;
        // Nearly all are awaited: their send is known to be accepted.
        const before = counting.look(id);
        const [isAwaited = 0] = before ?? [];
        if (isAwaited === 1) return settleOne(step.settlement, before) ? id : undefined;
        noteAccepted(id, step.ticket, deliveryId, at);
        const isNews = isDoubted.get(id) !== undefined;
        if (!settleOne(step.settlement)) return undefined;
        if (isNews) counting.addAccepted(id, at);
        return id;
      }
      case 'postpone': {
        const { id, pollAt } = step.postponement;
        const [isAwaited = 0] = counting.look(id) ?? [];
        if (isAwaited === 0) {
          noteAccepted(id, step.ticket, deliveryId, at);
          const empty = emptinessOf(step.postponement);
          if (awaitAccepted(AWAITING, step.ticket, pollAt, empty, step.deadlineAt, id)) {
            counting.addAccepted(id, at);
            return id;
          }
        }
        postponeOne(step.postponement);
        return undefined;
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
}
