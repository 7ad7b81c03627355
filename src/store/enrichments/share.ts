// Decides for each lead whether it costs anything: the one place where payments are shared.
import type Database from 'better-sqlite3';
import type { AskedLead, IngestTimes } from '../../ports/store/enrichments.js';
import { type CountedLead, prepareChangeAny } from './count-changes.js';
import { ENDED_BY_ID, type EndedRow, isFresh, isReadAgain, wasAccepted } from './known-answers.js';
import { NEVER } from './settle.js';
import { toRequestRow } from './stored-request.js';

interface CurrentRow extends EndedRow {
  readonly paid_by: number | null;
  readonly older_answer: number | null;
  readonly predecessor: number | null;
  readonly answered_at: number | null;
}

/** What came before a new enrichment: shown until that has an answer, and counted until it was accepted. */
type Before = Pick<CurrentRow, 'older_answer' | 'predecessor'>;
const NOTHING_BEFORE: Before = { older_answer: null, predecessor: null };

/** An uncertain enrichment is sent again, by this run, because the user said so. */
export function prepareRequeueUncertain(db: Database.Database) {
  const requeue = db.prepare<[number, number, number]>(
    `UPDATE enrichments SET state = 'queued', run_id = ?, reason = NULL,
       lost_sends = CASE WHEN paid_by = ? THEN lost_sends + 1 ELSE 0 END, paid_by = NULL
     WHERE id = ?`,
  );

  return (id: number, runId: number): boolean => requeue.run(runId, runId, id).changes > 0;
}

/** The ticket of an enrichment that timed out is asked for again, by this run and for nothing. */
export function prepareReopenTimedOut(db: Database.Database) {
  const reopen = db.prepare<[number, number, number, number]>(
    `UPDATE enrichments SET state = 'awaiting', run_id = ?, poll_at = ?, deadline_at = ?,
       reason = NULL, settled_at = NULL
     WHERE id = ?`,
  );

  return (id: number, runId: number, times: Pick<IngestTimes, 'at' | 'deadlineAt'>): boolean =>
    reopen.run(runId, times.at, times.deadlineAt, id).changes > 0;
}

/** How a lead came by its enrichment. `queued`: it is the first lead that asks. */
type Share = NonNullable<CountedLead['shared']> & {
  readonly how: 'queued' | 'awaiting' | 'cached' | 'shared';
};

/** Finds the enrichment that answers a lead, or makes a new one. */
export function prepareShare(db: Database.Database) {
  const current = db.prepare<[Uint8Array], CurrentRow>(
    `SELECT id, run_id, paid_by, state, ticket, settled_at, older_answer, predecessor, answered_at
     FROM enrichments
     WHERE fingerprint = ? AND is_current = 1`,
  );
  const retire = db.prepare<[number]>('UPDATE enrichments SET is_current = 0 WHERE id = ?');
  const reopen = prepareReopenTimedOut(db);
  const requeue = prepareRequeueUncertain(db);
  const create = prepareCreate(db);
  const change = prepareChangeAny(db);
  const join = prepareJoin(db);
  const shareOlder = prepareShareOlder(db, join);

  const shareCurrent = (
    runId: number,
    lead: AskedLead,
    times: IngestTimes,
    row: CurrentRow,
  ): Share => {
    const { id, state } = row;
    switch (state) {
      case 'found':
      case 'not_found':
      case 'failed':
        if (isFresh(row, times.freshSince)) return { id, state, how: 'cached' };
        if (!wasAccepted(row)) {
          const older = shareOlder(runId, row, times);
          if (older !== undefined) return older;
          // What was refused a moment ago is refused again: another line of the same run learns nothing new.
          if (row.run_id === runId) return { id, state, how: 'shared' };
        }
        retire.run(id);
        return expectThere(create(runId, lead, before(row)));
      case 'queued':
        return shareOlder(runId, row, times) ?? join(runId, row, 'queued', times);
      case 'awaiting':
        return join(runId, row, 'awaiting', times);
      case 'timed_out':
        if (row.run_id === runId) return { id, state, how: 'shared' };
        change(id, () => reopen(id, runId, times));
        return { id, state: 'awaiting', how: 'awaiting' };
      case 'uncertain':
        if (times.resendUncertain !== true || row.paid_by === runId) {
          return { id, state, how: 'shared' };
        }
        change(id, () => requeue(id, runId));
        return { id, state: 'queued', how: 'queued' };
      case 'submitting':
        return { id, state, how: 'shared' };
    }
  };

  let wasKnown = false;
  /**
   * The next lead is mostly what the last one was. To look for a new one first would go through the index of
   * fingerprints twice; to add a known one would make a row in vain.
   */
  return (runId: number, lead: AskedLead, times: IngestTimes): Share => {
    const found = wasKnown ? current.get(lead.fingerprint) : undefined;
    const created = found === undefined ? create(runId, lead, NOTHING_BEFORE) : undefined;
    wasKnown = created === undefined;
    if (created !== undefined) return created;
    return shareCurrent(runId, lead, times, found ?? expectThere(current.get(lead.fingerprint)));
  };
}

/** The index of current enrichments answers the same, whether a row is added or looked for. */
function expectThere<T>(found: T | undefined): T {
  if (found === undefined) throw new Error('insert and select differ on a current enrichment');
  return found;
}

function prepareCreate(db: Database.Database) {
  const insertEnrichment = db.prepare<
    [Uint8Array, number, string, string, number | null, number | null, number]
  >(
    `INSERT INTO enrichments (fingerprint, run_id, ask, inputs, older_answer, predecessor, home, is_followed)
     VALUES (?, ?, ?, ?, ?, ?, ?, 0)
     ON CONFLICT (fingerprint) WHERE is_current = 1 DO NOTHING`,
  );

  /** Undefined where the fingerprint has a current enrichment. */
  return (runId: number, lead: AskedLead, known: Before): Share | undefined => {
    const { ask, inputs } = toRequestRow(lead.request);
    const { changes, lastInsertRowid } = insertEnrichment.run(
      lead.fingerprint,
      runId,
      ask,
      inputs,
      known.older_answer,
      known.predecessor,
      runId,
    );
    if (changes === 0) return undefined;
    const made = known.older_answer === null ? 'first' : 'successor';
    return { id: Number(lastInsertRowid), state: 'queued', how: 'queued', made };
  };
}

/** Shares an enrichment whose answer is on its way: a run takes it over from another run. */
function prepareJoin(db: Database.Database) {
  const takeOver = db.prepare<[number, number, number]>(
    `UPDATE enrichments SET run_id = ?, poll_at = CASE WHEN poll_at = ${NEVER} THEN ? ELSE poll_at END
     WHERE id = ?`,
  );

  return (
    runId: number,
    { id, run_id, state }: Pick<CurrentRow, 'id' | 'run_id' | 'state'>,
    how: 'queued' | 'awaiting',
    times: IngestTimes,
  ): Share => {
    if (run_id === runId) return { id, state, how: 'shared' };
    takeOver.run(runId, times.at, id);
    return { id, state, how };
  };
}

function prepareShareOlder(db: Database.Database, join: ReturnType<typeof prepareJoin>) {
  const ended = db.prepare<[number], EndedRow>(ENDED_BY_ID);

  /** An enrichment that was never accepted does not replace an answer that is fresh for the run that asks. */
  return (runId: number, row: CurrentRow, times: IngestTimes): Share | undefined => {
    const one = row.predecessor === null ? undefined : ended.get(row.predecessor);
    if (one === undefined) return undefined;
    if (isReadAgain(one)) return join(runId, one, 'awaiting', times);
    const { id, state } = one;
    return isFresh(one, times.freshSince) ? { id, state, how: 'cached' } : undefined;
  };
}

/** What is shown until the successor of an ended enrichment has an answer, and counts until that was accepted. */
function before(row: CurrentRow): Before {
  const isAnswered = row.state !== 'failed' || row.answered_at !== null;
  return {
    older_answer: isAnswered ? row.id : row.older_answer,
    predecessor: wasAccepted(row) ? row.id : row.predecessor,
  };
}
