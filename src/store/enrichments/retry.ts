// Asks again for what failed: its ticket is read again, or it is sent anew.
import type Database from 'better-sqlite3';
import type { EnrichmentState } from '../../model/enrichment.js';
import type { RetriedOutcome, RetriedWork, RetryTimes } from '../../ports/store/enrichments.js';
import { REVISIT_LIST } from '../contact-lists.js';
import { atomic, type Verbs } from '../database/transactions.js';
import { openReopened } from './count-changes.js';
import { prepareReopenTimedOut, prepareRequeueUncertain } from './share.js';
import { IS_REMEMBERED } from './stored-request.js';
import { prepareMarkFirst } from './work.js';

/** In this order: the successor of a not_found or failed enrichment may itself have timed out, or be uncertain. */
const RETRIED: readonly RetriedOutcome[] = ['not_found', 'failed', 'timed_out', 'uncertain'];

interface RetriedRow {
  id: number;
  state: EnrichmentState;
  ticket: string | null;
  fingerprint: Uint8Array;
  is_current: number;
  lost_sends: number;
}

export function prepareRetry(db: Database.Database): Verbs['retry'] {
  const outcomes = db.prepare<[number, string], RetriedRow>(
    `SELECT DISTINCT e.id, e.state, e.ticket, e.fingerprint, e.is_current, e.lost_sends
     FROM leads l JOIN enrichments e ON e.id = l.enrichment_id
     WHERE l.run_id = ? AND e.state = ? AND e.${IS_REMEMBERED}`,
  );
  const reopenRun = db.prepare<[number]>(
    `UPDATE runs SET state = 'working', ended_at = NULL WHERE id = ? AND state = 'finished'`,
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
    if (work.queued + work.awaiting > 0) reopenRun.run(runId);
    revisitList.run(runId);
    markFirst(runId);
    reopened.count(runId);
    return work;
  });
}

/** What is left to do, and the enrichment that answers its leads from now on. */
function prepareRetryOne(db: Database.Database) {
  const reopen = prepareReopenTimedOut(db);
  const requeue = prepareRequeueUncertain(db);
  const askAgain = prepareAskAgain(db);

  return (row: RetriedRow, runId: number, times: RetryTimes): [keyof RetriedWork, number] => {
    if (row.state === 'timed_out') {
      reopen(row.id, runId, times);
      return ['awaiting', row.id];
    }
    if (row.state === 'uncertain') {
      requeue(row.id, runId);
      return ['queued', row.id];
    }
    const { id, state } = askAgain(row, runId, times);
    if (state === 'awaiting') return ['awaiting', id];
    return [isOpen(state) ? 'queued' : 'answered', id];
  };
}

/** The enrichment that takes over from a failed or not_found one; its answer may be there already. */
function prepareAskAgain(db: Database.Database) {
  const current = db.prepare<[Uint8Array], RetriedRow>(
    `SELECT id, state, ticket, fingerprint, is_current, lost_sends FROM enrichments
     WHERE fingerprint = ? AND is_current = 1`,
  );
  const retire = db.prepare<[number]>('UPDATE enrichments SET is_current = 0 WHERE id = ?');
  const copy = db.prepare<[number, number]>(
    // The user wants this one: what failed before it does not count in its place.
    `INSERT INTO enrichments (fingerprint, run_id, ask, inputs, wanted, older_answer, predecessor)
     SELECT fingerprint, ?, ask, inputs, wanted, iif(answered_at IS NULL, older_answer, id),
       iif(ticket IS NULL, predecessor, NULL)
     FROM enrichments WHERE id = ?`,
  );
  // Its answer may have been misread: the platform is asked for it again, for nothing. The answer was there already, so
  // one look is enough: where the platform no longer knows the ticket, nothing waits for a deadline.
  const reread = db.prepare<[number, number, number, number]>(
    `UPDATE enrichments SET state = 'awaiting', run_id = ?, poll_at = ?, deadline_at = ?, reason = NULL,
       was_empty = 0, answered_at = iif(state = 'not_found', settled_at, answered_at), settled_at = NULL
     WHERE id = ?`,
  );

  return (row: RetriedRow, runId: number, { at, askAnew = false }: RetryTimes): RetriedRow => {
    const newest = row.is_current === 1 ? row : current.get(row.fingerprint);
    // Its successor is known by another fingerprint now: the row itself counts.
    if (newest === undefined) return row;
    // An enrichment that was never accepted has nothing to read, and would be paid for.
    const counting = row.ticket !== null && !askAnew && wasNeverAccepted(newest) ? row : newest;
    const { id, state, ticket } = counting;
    if (state !== 'failed' && state !== 'not_found') return counting;
    if (ticket !== null && !(askAnew && state === 'failed')) {
      reread.run(runId, at, at, id);
      return { ...counting, state: 'awaiting' };
    }
    if (state === 'not_found') return counting;
    retire.run(id);
    return { ...counting, id: Number(copy.run(runId, id).lastInsertRowid), state: 'queued' };
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
  const lookAgain = db.prepare<[number]>('UPDATE runs SET least_enrichment = NULL WHERE id = ?');
  return {
    note: (fromId, toId) => void note.run(fromId, toId),
    apply: (runId) => {
      if (move.run(runId).changes > 0) lookAgain.run(runId);
    },
  };
}

/** What was sent and lost may have been accepted. */
function wasNeverAccepted({ state, ticket, lost_sends }: RetriedRow): boolean {
  return (state === 'queued' && lost_sends === 0) || (state === 'failed' && ticket === null);
}

function isOpen(state: EnrichmentState): boolean {
  return state === 'queued' || state === 'submitting';
}
