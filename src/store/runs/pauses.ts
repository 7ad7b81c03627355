// Paused jobs. That nothing is claimed for them stands in `claim` itself (submits.ts).
import type Database from 'better-sqlite3';

export function preparePauses(db: Database.Database) {
  const insert = db.prepare<[string, number]>(
    'INSERT OR IGNORE INTO pauses (job, since) VALUES (?, ?)',
  );
  const remove = db.prepare<[string]>('DELETE FROM pauses WHERE job = ?');
  const since = db.prepare<[string], { since: number }>('SELECT since FROM pauses WHERE job = ?');
  return {
    pause: (job: string, at: number): boolean => insert.run(job, at).changes > 0,
    resume: (job: string): boolean => remove.run(job).changes > 0,
    since: (job: string): number | null => since.get(job)?.since ?? null,
  };
}
