// Intent before money: claims enrichments durably, then records what became of their requests.
import type Database from 'better-sqlite3';
import { type RequestRow, toRequest } from '../../../model/enrichment/stored-request.js';
import type { SubmitRecord } from '../../../ports/store/enrichments.js';
import { atomic, type Verbs } from '../database/transactions.js';
import { prepareRevive } from '../deliveries/take-step.js';
import { prepareCounting } from '../runs/series.js';
import {
  AWAITING,
  MOVED,
  type MovedRow,
  prepareChange,
  prepareCountMoved,
} from './count-changes.js';
import { prepareServed } from './serve.js';
import { prepareKeepOne, prepareSettleOne } from './settle.js';

interface ClaimedRow extends RequestRow, MovedRow {
  readonly send: number;
}

// A run that was cancelled meanwhile, or whose job was paused, sends nothing more. The rows come in the order of the
// index on open work, which ends with `poll_at` (null in queued rows), so that SQLite sorts nothing.
function claimSql(which: string): string {
  return `UPDATE enrichments SET state = 'submitting', submitted_at = ?, paid_by = run_id,
     send_count = send_count + 1
   WHERE id IN (SELECT e.id FROM enrichments e JOIN runs r ON r.id = e.run_id
                WHERE e.run_id = ? AND e.state = 'queued'
                  AND (r.state = 'reading' OR r.state = 'working')
                  AND NOT EXISTS (SELECT 1 FROM pauses WHERE job = r.job) ${which}
                ORDER BY e.poll_at, e.id LIMIT ?)
   RETURNING id, ${MOVED}, send_count AS send, ask, inputs`;
}

const QUEUED = { state: 'queued', reason: '' } as const;

export function prepareSubmits(db: Database.Database) {
  const claim = db.prepare<[number, number, number], ClaimedRow>(claimSql(''));
  const claimAlike = db.prepare<[number, number, number, number], ClaimedRow>(
    claimSql(`AND e.ask = (SELECT ask FROM enrichments WHERE run_id = ? AND state = 'queued'
                           ORDER BY poll_at, id LIMIT 1)`),
  );
  // Another run may have called it uncertain in the meantime; its sender knows better. What a sender
  // learns of one send says nothing about the next.
  const isOfSend = `(state = 'submitting' OR state = 'uncertain') AND send_count = ? AND id = ?`;
  const accept = prepareChange(
    db,
    'submitting',
    `UPDATE enrichments SET state = 'awaiting', ticket = ?, ticket_digest = ticket_digest(?), call_id = ?, reason = NULL, poll_at = ?,
       deadline_at = ?
     WHERE ${isOfSend}`,
  );
  const requeue = prepareChange(
    db,
    'submitting',
    `UPDATE enrichments SET state = 'queued', reason = NULL, paid_by = NULL, served_by = NULL
     WHERE ${isOfSend}`,
  );
  const refuse = prepareChange(
    db,
    'submitting',
    `UPDATE enrichments SET state = 'failed', reason = ?, settled_at = ? WHERE ${isOfSend}`,
  );
  const doubt = prepareChange(
    db,
    'submitting',
    `UPDATE enrichments SET state = 'uncertain', reason = ? WHERE ${isOfSend}`,
  );
  const countClaimed = prepareCountMoved(db, 'queued', { state: 'submitting', reason: '' });
  const revive = prepareRevive(db);
  const counting = prepareCounting(db);
  const settleOne = prepareSettleOne(db, counting, 'submit');
  const keepOne = prepareKeepOne(db);
  const { recordsFor } = prepareServed(db);

  const note = (record: SubmitRecord): boolean => {
    const { id, send } = record;
    switch (record.kind) {
      case 'accepted': {
        const { ticket, callId, pollAt, deadlineAt } = record;
        return accept(AWAITING, ticket, ticket, callId ?? 0, pollAt, deadlineAt, send, id);
      }
      case 'unsent':
        return requeue(QUEUED, send, id);
      case 'refused': {
        const { at, reason } = record;
        return refuse({ state: 'failed', reason }, reason, at, send, id);
      }
      case 'uncertain': {
        const { reason } = record;
        return doubt({ state: 'uncertain', reason }, reason, send, id);
      }
    }
  };
  const recordOne = (record: SubmitRecord): boolean => {
    if (!note(record)) return false;
    for (const one of recordsFor(record)) recordOne(one);
    if (record.kind !== 'accepted') return true;
    const { atOnce, ticket } = record;
    revive(ticket);
    if (atOnce?.kind === 'settle') settleOne(atOnce.settlement);
    if (atOnce?.kind === 'unread') keepOne(atOnce.answer);
    return true;
  };

  return {
    claim: atomic(db, (runId, limit, at, isAlike = false) => {
      const rows = isAlike ? claimAlike.all(at, runId, runId, limit) : claim.all(at, runId, limit);
      for (const row of rows) countClaimed(row);
      return rows
        .sort((a, b) => a.id - b.id)
        .map((row) => ({ id: row.id, send: row.send, request: toRequest(row) }));
    }),
    recordSubmits: atomic(
      db,
      counting.within((records) => {
        const changed = records.filter(recordOne);
        counting.addSent(changed);
        return changed.map(({ id }) => id);
      }),
    ),
  } satisfies Partial<Verbs>;
}
