// Results on their way in: which tickets are due, which must wait, and how each one ends.
import type Database from 'better-sqlite3';
import type { AwaitedEnrichment, Postponement, Settlement } from '../../ports/store/enrichments.js';
import { atomic } from '../database/atomic.js';
import { toRequest } from './to-request.js';
import { NEVER } from './unread.js';

export interface AwaitedRow {
  id: number;
  ticket: string;
  ask: string;
  inputs: string;
  submitted_at: number;
  poll_at: number;
  deadline_at: number;
  poll_count: number;
  was_empty: number;
  unread: string | null;
}

export function prepareAnswers(db: Database.Database) {
  const awaited = db.prepare<[number, number], AwaitedRow>(
    `SELECT id, ticket, ask, inputs, submitted_at, poll_at, deadline_at, poll_count, was_empty, u.body AS unread
     FROM enrichments LEFT JOIN unread_answers u ON u.enrichment_id = id
     WHERE run_id = ? AND state = 'awaiting' AND poll_at < ${NEVER}
     ORDER BY poll_at LIMIT ?`,
  );
  const postpone = db.prepare<[number, number, number]>(
    `UPDATE enrichments SET poll_at = ?, was_empty = ?, poll_count = poll_count + 1
     WHERE id = ? AND state = 'awaiting'`,
  );
  const pollSooner = db.prepare<[number, number, number]>(
    `UPDATE enrichments SET poll_at = ?
     WHERE run_id = ? AND state = 'awaiting' AND poll_at > ? AND poll_at < ${NEVER}`,
  );
  const settleOne = prepareSettleOne(db);

  const postponeOne = ({ id, pollAt, wasEmpty }: Postponement): void =>
    void postpone.run(pollAt, wasEmpty ? 1 : 0, id);

  return {
    awaited: (runId: number, limit: number, until = Infinity): AwaitedEnrichment[] => {
      const found: AwaitedEnrichment[] = [];
      for (const row of awaited.iterate(runId, limit)) {
        found.push(toAwaited(row));
        if (row.poll_at > until) break;
      }
      return found;
    },
    pollSooner: (runId: number, later: number, pollAt: number): void =>
      void pollSooner.run(pollAt, runId, later),
    postpone: atomic(db, (postponements: readonly Postponement[]): void =>
      postponements.forEach(postponeOne),
    ),
    settle: atomic(db, (settlements: readonly Settlement[]): number[] =>
      settlements.filter(settleOne).map((settlement) => settlement.id),
    ),
    /** Inside another verb's transaction. */
    settleOne,
    postponeOne,
  };
}

function prepareSettleOne(db: Database.Database) {
  const end = prepareEnd(db);
  const forgetUnread = db.prepare<[number]>('DELETE FROM unread_answers WHERE enrichment_id = ?');

  return (settlement: Settlement): boolean => {
    const hasChanged = end(settlement);
    // What came and was not read is still there when a later run asks on.
    if (hasChanged && settlement.outcome !== 'timed_out') forgetUnread.run(settlement.id);
    return hasChanged;
  };
}

/** Whether the enrichment has changed. */
function prepareEnd(db: Database.Database) {
  // An answer is taken from any state in which one may still come; a second one changes nothing.
  const settle = db.prepare<[string, string | null, number, number, string, number]>(
    `UPDATE enrichments SET state = ?, reason = ?, credits = ?, settled_at = ?, poll_at = NULL,
       answered_at = CASE WHEN ? = 'failed' THEN answered_at END
     WHERE id = ? AND (state = 'awaiting' OR state = 'timed_out' OR state = 'uncertain')`,
  );
  const timeOut = db.prepare<[string, number, number]>(
    `UPDATE enrichments SET state = 'timed_out', reason = ?, settled_at = ?, poll_at = NULL
     WHERE id = ? AND state = 'awaiting' AND answered_at IS NULL`,
  );
  // Its ticket was read once more, in vain: what it was answered before stands.
  const stand = db.prepare<[number]>(
    `UPDATE enrichments SET state = 'not_found', reason = NULL, settled_at = answered_at, answered_at = NULL,
       poll_at = NULL
     WHERE id = ? AND state = 'awaiting' AND answered_at IS NOT NULL`,
  );
  const keepResult = db.prepare<[number, string]>(
    'INSERT OR REPLACE INTO results (enrichment_id, body) VALUES (?, ?)',
  );

  return (settlement: Settlement): boolean => {
    const { id, at, outcome } = settlement;
    switch (outcome) {
      case 'timed_out':
        return timeOut.run(settlement.reason, at, id).changes + stand.run(id).changes > 0;
      case 'failed':
        return settle.run(outcome, settlement.reason, 0, at, outcome, id).changes > 0;
      case 'found':
      case 'not_found': {
        const { changes } = settle.run(outcome, null, settlement.credits, at, outcome, id);
        if (changes > 0) keepResult.run(id, JSON.stringify(settlement.result));
        return changes > 0;
      }
    }
  };
}

export function toAwaited(row: AwaitedRow): AwaitedEnrichment {
  return {
    id: row.id,
    ticket: row.ticket,
    request: toRequest(row),
    submittedAt: row.submitted_at,
    pollAt: row.poll_at,
    deadlineAt: row.deadline_at,
    pollCount: row.poll_count,
    wasEmpty: row.was_empty === 1,
    unread: row.unread,
  };
}
