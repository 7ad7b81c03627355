// The numbers of each run, kept beside the states that they count: what a transaction changes is added up and written at
// its end, so that whatever is committed is counted.
import type Database from 'better-sqlite3';
import {
  COUNT_KEY,
  COUNTED_ANSWERS,
  COUNTED_THOUSANDTHS,
  type CountKey,
  type CountRow,
  countDistinct,
  countInPart,
} from '../../runs/count-leads.js';
import { onCommit } from '../database/transactions.js';

/** What a transaction adds to a number. */
interface Change {
  n: number;
  thousandths: number;
}

/** The numbers of a run, counted lead by lead. Parameter: the run, three times. */
export const COUNT_ANEW = `SELECT ${COUNT_KEY}, count(*) AS n, sum(${COUNTED_THOUSANDTHS}) AS thousandths
  FROM leads l ${COUNTED_ANSWERS} WHERE l.run_id = ? GROUP BY 1, 2, 3, 4, 5
  UNION ALL ${countInPart('?')}
  UNION ALL ${countDistinct('?')}`;

type Counts = ReturnType<typeof createCounts>;
const COUNTS = new WeakMap<Database.Database, Counts>();

/** One for all verbs of a connection: what they count in one transaction is written together. */
export function countsOf(db: Database.Database): Counts {
  const known = COUNTS.get(db) ?? createCounts(db);
  COUNTS.set(db, known);
  return known;
}

function createCounts(db: Database.Database) {
  // What a run has paid for outlives it where it is pruned.
  const write = db.prepare<[string, string, string, number, number, number, number]>(
    `INSERT INTO run_counts (run_id, status, again, reason, cached, n, thousandths)
     SELECT id, ?, ?, ?, ?, ?, ? FROM runs WHERE id = ? AND pruned_at IS NULL
     ON CONFLICT DO UPDATE SET n = n + excluded.n, thousandths = thousandths + excluded.thousandths`,
  );
  const clear = db.prepare<[number]>('DELETE FROM run_counts WHERE run_id = ?');
  const addAnew = db.prepare<[number, number, number]>(`INSERT INTO run_counts ${COUNT_ANEW}`);
  const addDistinct = db.prepare<[number]>(
    `INSERT OR REPLACE INTO run_counts ${countDistinct('?')}`,
  );
  let changes = new Map<string, CountRow & Change>();

  const writeAll = (): void => {
    for (const { run_id, status, again, reason, cached, n, thousandths } of changes.values()) {
      if (n === 0 && thousandths === 0) continue;
      write.run(status, again, reason, cached, n, thousandths, run_id);
    }
    changes = new Map();
  };
  const undo = (): void => {
    changes = new Map();
  };
  onCommit(db, { write: writeAll, undo });

  const recount = (runId: number): void => {
    writeAll();
    clear.run(runId);
    addAnew.run(runId, runId, runId);
  };

  return {
    /** Another one in each transaction: what `changeOf` gave is good for one. */
    transaction: (): unknown => changes,

    /** Inside another verb's transaction: what it adds to the leads of the run that show this. */
    changeOf: (run_id: number, { status, again, reason, cached }: CountKey): Change => {
      const key = `${run_id} ${status} ${again} ${cached} ${reason}`;
      const known = changes.get(key);
      if (known !== undefined) return known;
      const made = { run_id, status, again, reason, cached, n: 0, thousandths: 0 };
      changes.set(key, made);
      return made;
    },

    /** Inside another verb's transaction: the run has ended, and no lead joins it any more. */
    countDistinct: (runId: number): void => void addDistinct.run(runId),

    /** Inside another verb's transaction, where rows changed in other ways. */
    recount,
    recountAll: (): void => {
      const runs = db.prepare<[], { id: number }>('SELECT id FROM runs WHERE pruned_at IS NULL');
      for (const { id } of runs.all()) recount(id);
    },
  };
}
