// Intent before money: claims enrichments durably, then records what became of their requests.
import type Database from 'better-sqlite3';
import type { SubmitRecord } from '../../ports/store/enrichments.js';
import { atomic, type Verbs } from '../database/transactions.js';
import { prepareRevive } from '../deliveries/take-step.js';
import { prepareCounting } from '../runs/series.js';
import { prepareKeepOne, prepareSettleOne } from './settle.js';
import { type RequestRow, toRequest } from './stored-request.js';

interface ClaimedRow extends RequestRow {
  readonly id: number;
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
   RETURNING id, send_count AS send, ask, inputs`;
}

export function prepareSubmits(db: Database.Database) {
  const claim = db.prepare<[number, number, number], ClaimedRow>(claimSql(''));
  const claimAlike = db.prepare<[number, number, number, number], ClaimedRow>(
    claimSql(`AND e.ask = (SELECT ask FROM enrichments WHERE run_id = ? AND state = 'queued'
                           ORDER BY poll_at, id LIMIT 1)`),
  );
  // Another run may have called it uncertain in the meantime; its sender knows better. What a sender
  // learns of one send says nothing about the next.
  const isOfSend = `id = ? AND send_count = ? AND (state = 'submitting' OR state = 'uncertain')`;
  const accept = db.prepare<[string, string, number, number, number, number, number]>(
    `UPDATE enrichments SET state = 'awaiting', ticket = ?, ticket_digest = ticket_digest(?), call_id = ?, reason = NULL, poll_at = ?,
       deadline_at = ?
     WHERE ${isOfSend}`,
  );
  const requeue = db.prepare<[number, number]>(
    `UPDATE enrichments SET state = 'queued', reason = NULL, paid_by = NULL WHERE ${isOfSend}`,
  );
  const refuse = db.prepare<[string, number, number, number]>(
    `UPDATE enrichments SET state = 'failed', reason = ?, settled_at = ? WHERE ${isOfSend}`,
  );
  const doubt = db.prepare<[string, number, number]>(
    `UPDATE enrichments SET state = 'uncertain', reason = ? WHERE ${isOfSend}`,
  );
  const revive = prepareRevive(db);
  const counting = prepareCounting(db);
  const settleOne = prepareSettleOne(db, counting, 'submit');
  const keepOne = prepareKeepOne(db);

  const recordOne = (record: SubmitRecord): boolean => {
    const { id, send } = record;
    switch (record.kind) {
      case 'accepted': {
        const { ticket, callId, pollAt, deadlineAt, atOnce } = record;
        const isSaved =
          accept.run(ticket, ticket, callId ?? 0, pollAt, deadlineAt, id, send).changes > 0;
        if (isSaved) revive(ticket);
        if (isSaved && atOnce?.kind === 'settle') settleOne(atOnce.settlement);
        if (isSaved && atOnce?.kind === 'unread') keepOne(atOnce.answer);
        return isSaved;
      }
      case 'unsent':
        return requeue.run(id, send).changes > 0;
      case 'refused':
        return refuse.run(record.reason, record.at, id, send).changes > 0;
      case 'uncertain':
        return doubt.run(record.reason, id, send).changes > 0;
    }
  };

  return {
    claim: (runId, limit, at, isAlike = false) =>
      (isAlike ? claimAlike.all(at, runId, runId, limit) : claim.all(at, runId, limit))
        .sort((a, b) => a.id - b.id)
        .map((row) => ({ id: row.id, send: row.send, request: toRequest(row) })),
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
