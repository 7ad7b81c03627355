// What is left to do and to pay for a run, and how it takes up what other runs, or a crash, left behind.
import type Database from 'better-sqlite3';
import { NEVER } from '../../../model/enrichment/held.js';
import { REVISIT_LIST } from '../contact-lists.js';
import { atomic, type Verbs } from '../database/transactions.js';
import { MOVED, type MovedRow, prepareChangeAny, prepareCountMoved } from './count-changes.js';
import { type CommittedRow, CUT_OFF, toCommitment, toWork } from './rules/work.js';
import { prepareRequeueUncertain } from './share.js';

/**
 * The condition of the partial index on work left, to the letter. SQLite uses such an index for a query that asks for
 * one of these states, or repeats the whole condition: without it, every look would read the whole table.
 */
const IS_OPEN = `(state = 'queued' OR state = 'submitting' OR state = 'awaiting')`;

const GIVEN_UP = { state: 'uncertain', reason: CUT_OFF } as const;

export function prepareWork(db: Database.Database) {
  const recover = db.prepare<[string, number], MovedRow>(
    `UPDATE enrichments SET state = 'uncertain', reason = ?
     WHERE state = 'submitting' AND run_id IN
       (SELECT id FROM runs WHERE job = (SELECT job FROM runs WHERE id = ?))
     RETURNING id, ${MOVED}`,
  );
  // A job that uses another account now must not ask the new account for tickets of the old account.
  const inherit = db.prepare<[number, number]>(
    `UPDATE enrichments SET run_id = ? WHERE state = 'awaiting' AND run_id IN
       (SELECT other.id FROM runs own JOIN runs other ON other.job = own.job AND other.id <> own.id
        WHERE own.id = ? AND json_extract(other.plan, '$.account') = json_extract(own.plan, '$.account'))`,
  );
  const countMoved = prepareCountMoved(db, 'submitting', GIVEN_UP);
  const work = prepareCount(db);

  return {
    work,
    recover: atomic(db, (runId) => {
      inherit.run(runId, runId);
      const rows = recover.all(CUT_OFF, runId);
      for (const row of rows) countMoved(row);
      return rows.length;
    }),
    adopt: prepareAdopt(db, work),
    requeueUncertain: prepareRequeueAll(db),
  } satisfies Partial<Verbs>;
}

function prepareCount(db: Database.Database): Verbs['work'] {
  const count = db.prepare<[number], { state: string; n: number }>(
    `SELECT iif(poll_at = ${NEVER}, 'unread', state) AS state, count(*) AS n FROM enrichments
     WHERE run_id = ? AND ${IS_OPEN} GROUP BY 1`,
  );

  return (runId) => toWork(count.all(runId));
}

function prepareAdopt(db: Database.Database, work: Verbs['work']): Verbs['adopt'] {
  const anyOpen = db.prepare<[]>(`SELECT 1 FROM enrichments WHERE ${IS_OPEN} LIMIT 1`);
  const ofLeads = `id IN (SELECT enrichment_id FROM leads WHERE run_id = ?)`;
  const takeBack = db.prepare<[number, number]>(
    `UPDATE enrichments SET run_id = ? WHERE state IN ('queued', 'awaiting') AND ${ofLeads}`,
  );
  const giveUp = db.prepare<[string, number, number], MovedRow>(
    `UPDATE enrichments SET state = 'uncertain', reason = ?
     WHERE state = 'submitting' AND submitted_at < ? AND ${ofLeads}
     RETURNING id, ${MOVED}`,
  );
  const elsewhere = db.prepare<[number], { n: number }>(
    `SELECT count(*) AS n FROM enrichments WHERE state = 'submitting' AND ${ofLeads}`,
  );
  const markFirst = prepareMarkFirst(db);
  const countMoved = prepareCountMoved(db, 'submitting', GIVEN_UP);

  return atomic(db, (runId, abandonedBefore) => {
    // Scanning the leads is slow, and usually no run has left anything open.
    if (anyOpen.get() === undefined) return work(runId);
    const abandoned = giveUp.all(CUT_OFF, abandonedBefore, runId);
    for (const row of abandoned) countMoved(row);
    takeBack.run(runId, runId);
    const left = work(runId);
    if (left.queued > 0) markFirst(runId);
    return { ...left, givenUp: abandoned.length, elsewhere: elsewhere.get(runId)?.n ?? 0 };
  });
}

function prepareRequeueAll(db: Database.Database): Verbs['requeueUncertain'] {
  const uncertain = db.prepare<[number], { id: number }>(
    `SELECT DISTINCT e.id FROM leads l JOIN enrichments e ON e.id = l.enrichment_id
     WHERE l.run_id = ? AND e.state = 'uncertain'`,
  );
  const requeue = prepareRequeueUncertain(db);
  const change = prepareChangeAny(db);
  const revisitList = db.prepare<[number]>(REVISIT_LIST);
  const markFirst = prepareMarkFirst(db);

  return atomic(db, (runId) => {
    const rows = uncertain.all(runId);
    for (const { id } of rows) change(id, () => requeue(id, runId));
    if (rows.length === 0) return 0;
    markFirst(runId);
    revisitList.run(runId);
    return rows.length;
  });
}

export function prepareCommitment(db: Database.Database): Verbs['commitment'] {
  // A lost send counts beside the send that followed it.
  const committed = db.prepare<[number, number, number], CommittedRow>(
    `SELECT ask,
       sum((paid_by IS ? AND served_by IS NULL
         AND state IN ('submitting', 'awaiting', 'timed_out', 'uncertain')) + lost_sends) AS open,
       sum(thousandths) AS thousandths
     FROM enrichments WHERE paid_by = ? OR (paid_by IS NULL AND run_id = ?) GROUP BY ask`,
  );

  return (runId) => toCommitment(committed.all(runId, runId, runId));
}

/** What a run will pay for after all must be on the bill of one of its leads. Inside another verb's transaction. */
export function prepareMarkFirst(db: Database.Database) {
  const markFirst = db.prepare<[number, number, number]>(
    `UPDATE leads SET is_first = 1 WHERE run_id = ? AND position IN
       (SELECT min(l.position) FROM leads l JOIN enrichments e ON e.id = l.enrichment_id
        WHERE l.run_id = ? AND e.run_id = ? AND e.state = 'queued'
        GROUP BY e.id HAVING max(l.is_first) = 0)`,
  );

  return (runId: number): void => void markFirst.run(runId, runId, runId);
}
