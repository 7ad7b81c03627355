// The numbers of a run, from what is counted while its leads change (counts.ts).
import type Database from 'better-sqlite3';
import { type CountRow, DISTINCT, toTally } from '../../runs/count-leads.js';
import { snapshot, type Verbs } from '../database/transactions.js';

export function prepareTally(db: Database.Database) {
  const counts = db.prepare<[number], CountRow>(
    `SELECT status, again, reason, cached, n, thousandths FROM run_counts WHERE run_id = ? AND (n > 0 OR status = '${DISTINCT}')`,
  );
  const counted = db.prepare<[number], { reject_count: number }>(
    'SELECT reject_count FROM runs WHERE id = ?',
  );

  return {
    // One transaction: the numbers of one moment, though another process may be writing.
    tally: snapshot(db, (runId) =>
      toTally(counts.all(runId), counted.get(runId)?.reject_count ?? 0),
    ),
  } satisfies Partial<Verbs>;
}
