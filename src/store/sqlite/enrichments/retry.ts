// Asks again for what failed: its ticket is read again, or it is sent anew.
import type Database from 'better-sqlite3';
import type { RetriedWork, RetryTimes } from '../../../ports/store/enrichments.js';
import { IS_REMEMBERED } from '../../enrichments/known-answers.js';
import { ENDED_RUNS_MAX, IS_DOUBTED } from '../../enrichments/trusts.js';
import { REVISIT_LIST } from '../contact-lists.js';
import { atomic, type Verbs } from '../database/transactions.js';
import { openReopened } from './count-changes.js';
import { decideRetry, RETRIED, RETRIED_ROW, type RetriedRow } from './rules/retry.js';
import { prepareReopenTimedOut, prepareRequeueUncertain } from './share.js';
import { prepareMarkFirst } from './work.js';

export function prepareRetries(db: Database.Database) {
  return { retry: prepareRetry(db), doubtMisses: prepareDoubtMisses(db) } satisfies Partial<Verbs>;
}

function prepareRetry(db: Database.Database): Verbs['retry'] {
  const outcomes = db.prepare<[number, string], RetriedRow>(
    `SELECT ${RETRIED_ROW} FROM enrichments
     WHERE id IN (SELECT enrichment_id FROM leads WHERE run_id = ?) AND state = ? AND ${IS_REMEMBERED}`,
  );
  const reopenRun = db.prepare<[number, number]>(
    `UPDATE runs SET state = 'working', ended_at = NULL,
       plan = json_set(plan, '$.reopenedAt', ?, '$.endedBefore', ended_at)
     WHERE id = ? AND state = 'finished'`,
  );
  const revisitList = db.prepare<[number]>(REVISIT_LIST);
  const markFirst = prepareMarkFirst(db);
  const retryOne = prepareRetryOne(db);

  return atomic(db, (runId, only, times) => {
    const work = { queued: 0, awaiting: 0, answered: 0 };
    const reopened = openReopened(db);
    for (const outcome of RETRIED.filter((one) => only.includes(one))) {
      const moves = openMoves(db);
      for (const row of outcomes.all(runId, outcome)) {
        const [how, id] = retryOne(row, runId, times);
        work[how] += 1;
        if (id !== row.id) moves.note(row.id, id);
        reopened.note(row.id);
        reopened.note(id);
      }
      moves.apply(runId);
    }
    if (work.queued + work.awaiting > 0) reopenRun.run(times.at, runId);
    revisitList.run(runId);
    markFirst(runId);
    reopened.count(runId);
    return work;
  });
}

function prepareDoubtMisses(db: Database.Database): Verbs['doubtMisses'] {
  const doubt = db.prepare<[number, number, number], { id: number }>(
    `UPDATE enrichments SET state = 'awaiting', poll_at = ?, deadline_at = ?, believed = NULL,
       answered_at = settled_at, settled_at = NULL
     WHERE run_id = ? AND ${IS_DOUBTED} RETURNING id`,
  );
  const endedRuns = db.prepare<[number, number], { id: number }>(
    `SELECT id FROM runs
     WHERE id IN (SELECT run_id FROM enrichments WHERE ${IS_DOUBTED}) AND state = 'finished' AND pruned_at IS NULL
       AND id <> ? AND json_extract(plan, '$.account') = (SELECT json_extract(plan, '$.account') FROM runs WHERE id = ?)
     ORDER BY id DESC LIMIT ${ENDED_RUNS_MAX}`,
  );
  const revisitList = db.prepare<[number]>(REVISIT_LIST);

  return atomic(db, (runId, at) => {
    const doubted = doubt.all(at, at, runId);
    if (doubted.length > 0) {
      const reopened = openReopened(db);
      for (const { id } of doubted) reopened.note(id);
      revisitList.run(runId);
      reopened.count(runId);
    }
    return {
      awaited: doubted.length,
      endedRuns: endedRuns.all(runId, runId).map(({ id }) => id),
    };
  });
}

/** What is left to do, and the enrichment that answers its leads from now on. */
function prepareRetryOne(db: Database.Database) {
  const current = db.prepare<[Uint8Array], RetriedRow>(
    `SELECT ${RETRIED_ROW} FROM enrichments WHERE fingerprint = ? AND is_current = 1`,
  );
  const reopen = prepareReopenTimedOut(db);
  const requeue = prepareRequeueUncertain(db);
  const retire = db.prepare<[number]>('UPDATE enrichments SET is_current = 0 WHERE id = ?');
  const copy = db.prepare<[number, number]>(
    // The user wants this one: what failed before it does not count in its place.
    `INSERT INTO enrichments (fingerprint, run_id, ask, inputs, older_answer, predecessor)
     SELECT fingerprint, ?, ask, inputs, iif(answered_at IS NULL, older_answer, id),
       iif(ticket IS NULL, predecessor, NULL)
     FROM enrichments WHERE id = ?`,
  );
  // Its answer may have been misread: the platform is asked for it again, for nothing. The answer was there already, so
  // one look is enough: where the platform no longer knows the ticket, nothing waits for a deadline.
  const reread = db.prepare<[number, number, number, number]>(
    `UPDATE enrichments SET state = 'awaiting', run_id = ?, poll_at = ?, deadline_at = ?, reason = NULL,
       was_empty = 0, believed = NULL, answered_at = iif(state = 'not_found', settled_at, answered_at), settled_at = NULL
     WHERE id = ?`,
  );

  return (row: RetriedRow, runId: number, times: RetryTimes): [keyof RetriedWork, number] => {
    const { at, askAnew } = times;
    const { id, left, step } = decideRetry(row, current.get(row.fingerprint), askAnew);
    if (step === 'reopen') reopen(id, runId, times);
    if (step === 'requeue') requeue(id, runId);
    if (step === 'reread') reread.run(runId, at, at, id);
    if (step !== 'replace') return [left, id];
    retire.run(id);
    return [left, Number(copy.run(runId, id).lastInsertRowid)];
  };
}

interface Moves {
  note(fromId: number, toId: number): void;
  /** The run's leads refer to the new enrichments from now on: one pass through the leads for all. */
  apply(runId: number): void;
}

function openMoves(db: Database.Database): Moves {
  db.exec('CREATE TEMP TABLE IF NOT EXISTS moved (old INTEGER PRIMARY KEY, new INTEGER NOT NULL)');
  db.exec('DELETE FROM moved');
  const note = db.prepare<[number, number]>('INSERT INTO moved VALUES (?, ?)');
  const move = db.prepare<[number]>(
    `UPDATE leads SET enrichment_id = (SELECT new FROM moved WHERE old = enrichment_id)
     WHERE run_id = ? AND enrichment_id IN (SELECT old FROM moved)`,
  );
  // Leads that asked for one person twice, and now share: one of them stays on the bill.
  const unmarkFirst = db.prepare<[number]>(
    `UPDATE leads SET is_first = 0
     WHERE run_id = ? AND is_first = 1 AND enrichment_id IN (SELECT new FROM moved) AND EXISTS
       (SELECT 1 FROM leads o WHERE o.enrichment_id = leads.enrichment_id AND o.run_id = leads.run_id
          AND o.is_first = 1 AND o.position < leads.position)`,
  );
  const lookAgain = db.prepare<[number]>('UPDATE runs SET least_enrichment = NULL WHERE id = ?');
  return {
    note: (fromId, toId) => void note.run(fromId, toId),
    apply: (runId) => {
      if (move.run(runId).changes === 0) return;
      unmarkFirst.run(runId);
      lookAgain.run(runId);
    },
  };
}
