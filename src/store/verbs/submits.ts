// Intent before money: claims enrichments durably, then records what became of their requests.
import type Database from 'better-sqlite3';
import type { ClaimedEnrichment, SubmitRecord } from '../../domain/ports/store.js';
import { atomic } from '../atomic.js';
import { IS_OPEN } from '../open-work.js';
import { toRequest } from './to-request.js';

interface ClaimedRow {
  id: number;
  ask: string;
  inputs: string;
}

export function prepareSubmits(db: Database.Database) {
  const claim = db.prepare<[number, number, number], ClaimedRow>(
    `UPDATE enrichments SET state = 'submitting', submitted_at = ?, paid_by = run_id
     WHERE id IN (SELECT id FROM enrichments WHERE run_id = ? AND state = 'queued' AND ${IS_OPEN}
                  ORDER BY poll_at, id LIMIT ?)
     RETURNING id, ask, inputs`,
  );
  // A ticket may come to light after the run was cut off and another one called it uncertain.
  const accept = db.prepare<[string, number, number, number]>(
    `UPDATE enrichments SET state = 'awaiting', ticket = ?, reason = NULL, poll_at = ?, deadline_at = ?
     WHERE id = ? AND state IN ('submitting', 'uncertain')`,
  );
  // Its sender knows better than a run that gave it up for uncertain in the meantime.
  const requeue = db.prepare<[number]>(
    `UPDATE enrichments SET state = 'queued', reason = NULL, paid_by = NULL
     WHERE id = ? AND state IN ('submitting', 'uncertain')`,
  );
  const refuse = db.prepare<[string, number, number]>(
    `UPDATE enrichments SET state = 'failed', reason = ?, settled_at = ?
     WHERE id = ? AND state IN ('submitting', 'uncertain')`,
  );
  const doubt = db.prepare<[string, number]>(
    `UPDATE enrichments SET state = 'uncertain', reason = ? WHERE id = ? AND state = 'submitting'`,
  );

  const recordOne = (record: SubmitRecord): void => {
    switch (record.kind) {
      case 'accepted':
        accept.run(record.ticket, record.pollAt, record.deadlineAt, record.id);
        break;
      case 'unsent':
        requeue.run(record.id);
        break;
      case 'refused':
        refuse.run(record.reason, record.at, record.id);
        break;
      case 'uncertain':
        doubt.run(record.reason, record.id);
        break;
    }
  };

  return {
    claim: (runId: number, limit: number, at: number): ClaimedEnrichment[] =>
      claim
        .all(at, runId, limit)
        .sort((a, b) => a.id - b.id)
        .map((row) => ({ id: row.id, request: toRequest(row) })),
    record: atomic(db, (records: readonly SubmitRecord[]): void => {
      for (const record of records) recordOne(record);
    }),
  };
}
