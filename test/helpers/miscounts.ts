import Database from 'better-sqlite3';
import { COUNT_ANEW } from '../../src/store/sqlite/runs/counts.js';

/** What is kept of each run and is not what counting its leads gives; both of one moment. */
export function miscounts(path: string): unknown[] {
  const db = new Database(path, { readonly: true });
  try {
    // Killed while the file was made: nothing is in it.
    if (db.pragma('user_version', { simple: true }) === 0) return [];
    return db.transaction(() => {
      // It died before its schema was there.
      const isNew = db.prepare(`SELECT 1 FROM sqlite_schema LIMIT 1`).get() === undefined;
      if (isNew) return [];
      const runs = db.prepare<[], { id: number }>('SELECT id FROM runs WHERE pruned_at IS NULL');
      const counted = db.prepare(
        `SELECT * FROM (${COUNT_ANEW}) WHERE n <> 0 OR thousandths <> 0 ORDER BY 1, 2, 3, 4, 5`,
      );
      const kept = db.prepare(
        'SELECT * FROM run_counts WHERE run_id = ? AND (n <> 0 OR thousandths <> 0) ORDER BY 1, 2, 3, 4, 5',
      );
      return runs.all().flatMap(({ id }) => {
        const is = kept.raw().all(id);
        const right = counted.raw().all(id, id, id);
        return JSON.stringify(is) === JSON.stringify(right) ? [] : [{ is, right }];
      });
    })();
  } finally {
    db.close();
  }
}
