// What a user asks of a run from outside: to try again what failed, to stop, and to keep to a budget.
import type Database from 'better-sqlite3';
import type { Ask } from '../../domain/ask.js';
import type { EnrichmentState } from '../../domain/enrichment.js';
import type {
  Commitment,
  RetriedOutcome,
  RetriedWork,
  RetryTimes,
} from '../../domain/ports/store.js';
import { atomic } from '../atomic.js';
import { IS_REMEMBERED } from './forget.js';
import { REOPEN_TIMED_OUT, REQUEUE_UNCERTAIN } from './ingest.js';
import { REVISIT_LIST } from './lists.js';
import { RECOUNT } from './tally.js';
import { prepareWork } from './work.js';

/** Failed ones first: what takes their place may have timed out, or be uncertain, itself. */
const RETRIED: readonly RetriedOutcome[] = ['failed', 'timed_out', 'uncertain'];

interface RetriedRow {
  id: number;
  state: RetriedOutcome;
  fingerprint: Uint8Array;
}

export function prepareSteer(db: Database.Database) {
  // Sends that were lost count beside what became of the next one.
  const committed = db.prepare<
    [number, number, number],
    { ask: string; open: number; credits: number }
  >(
    `SELECT ask,
       sum((paid_by IS ? AND state IN ('submitting', 'awaiting', 'timed_out', 'uncertain')) + lost_sends) AS open,
       sum(credits) AS credits
     FROM enrichments WHERE paid_by = ? OR (paid_by IS NULL AND run_id = ?) GROUP BY ask`,
  );
  const cancel = db.prepare<[number, number]>(
    `UPDATE runs SET state = 'cancelled', ended_at = ?
     WHERE id = ? AND state IN ('reading', 'working')`,
  );
  const reopenRun = db.prepare<[number]>(
    `UPDATE runs SET state = 'working', ended_at = NULL WHERE id = ? AND state = 'finished'`,
  );
  const recount = db.prepare<[number]>(`${RECOUNT} AND id = ?`);
  const outcomes = db.prepare<[number, string], RetriedRow>(
    `SELECT DISTINCT e.id, e.state, e.fingerprint
     FROM leads l JOIN enrichments e ON e.id = l.enrichment_id
     WHERE l.run_id = ? AND e.state = ? AND e.${IS_REMEMBERED}`,
  );
  const current = db.prepare<[Uint8Array], { id: number; state: EnrichmentState }>(
    'SELECT id, state FROM enrichments WHERE fingerprint = ? AND is_current = 1',
  );
  const retire = db.prepare<[number]>('UPDATE enrichments SET is_current = 0 WHERE id = ?');
  const copy = db.prepare<[number, number]>(
    `INSERT INTO enrichments (fingerprint, run_id, ask, inputs)
     SELECT fingerprint, ?, ask, inputs FROM enrichments WHERE id = ?`,
  );
  const reopen = db.prepare<[number, number, number, number]>(REOPEN_TIMED_OUT);
  const requeue = db.prepare<[number, number, number]>(REQUEUE_UNCERTAIN);
  const revisitList = db.prepare<[number]>(REVISIT_LIST);
  const { markFirst } = prepareWork(db);

  /** The one that takes the place of a failed one: what counts for its fingerprint by now, or a new one. */
  const successorOf = (row: RetriedRow, runId: number): { id: number; state: EnrichmentState } => {
    const counting = current.get(row.fingerprint);
    if (counting !== undefined && counting.state !== 'failed') return counting;
    if (counting !== undefined) retire.run(counting.id);
    return { id: Number(copy.run(runId, row.id).lastInsertRowid), state: 'queued' };
  };

  const retryOne = (
    row: RetriedRow,
    runId: number,
    { at, deadlineAt }: RetryTimes,
    moves: Moves,
  ): keyof RetriedWork => {
    switch (row.state) {
      case 'failed': {
        const successor = successorOf(row, runId);
        moves.note(row.id, successor.id);
        if (successor.state === 'awaiting') return 'awaiting';
        return isOpen(successor.state) ? 'queued' : 'answered';
      }
      case 'timed_out':
        reopen.run(runId, at, deadlineAt, row.id);
        return 'awaiting';
      case 'uncertain':
        requeue.run(runId, runId, row.id);
        return 'queued';
    }
  };

  return {
    commitment: (runId: number): Commitment => {
      const rows = committed.all(runId, runId, runId);
      return {
        spent: rows.reduce((sum, { credits }) => sum + credits, 0),
        open: rows
          .filter(({ open }) => open > 0)
          .map(({ ask, open }) => ({ ask: ask.split(',') as Ask[], count: open })),
      };
    },
    cancel: (id: number, at: number): boolean => cancel.run(at, id).changes > 0,
    retry: atomic(
      db,
      (runId: number, only: readonly RetriedOutcome[], times: RetryTimes): RetriedWork => {
        const work = { queued: 0, awaiting: 0, answered: 0 };
        for (const outcome of RETRIED.filter((one) => only.includes(one))) {
          const moves = openMoves(db);
          for (const row of outcomes.all(runId, outcome)) {
            work[retryOne(row, runId, times, moves)] += 1;
          }
          moves.apply(runId);
        }
        if (work.queued + work.awaiting > 0) reopenRun.run(runId);
        revisitList.run(runId);
        markFirst(runId);
        recount.run(runId);
        return work;
      },
    ),
  };
}

interface Moves {
  note(fromId: number, toId: number): void;
  /** The run's leads refer to the others from now on: one look through them for all. */
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
  return {
    note: (fromId, toId) => void note.run(fromId, toId),
    apply: (runId) => void move.run(runId),
  };
}

function isOpen(state: EnrichmentState): boolean {
  return state === 'queued' || state === 'submitting';
}
