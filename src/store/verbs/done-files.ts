// What is known of the files of drop folders: which are done, and which table is whose.
import type Database from 'better-sqlite3';

export function prepareDoneFiles(db: Database.Database) {
  const isDone = db.prepare<[string, string, string], { digest: string }>(
    'SELECT digest FROM done_files WHERE job = ? AND terms = ? AND digest = ?',
  );
  const tableOf = db.prepare<[string, string], { id: number }>(
    `SELECT id FROM runs
     WHERE job = ? AND state = 'finished' AND json_extract(plan, '$.output.out') = ?
       AND json_type(plan, '$.digests') IS NOT NULL
     ORDER BY id DESC LIMIT 1`,
  );
  return {
    done: (job: string, terms: string, digests: readonly string[]): string[] =>
      digests.filter((digest) => isDone.get(job, terms, digest) !== undefined),
    runOfTable: (job: string, out: string): number | null => tableOf.get(job, out)?.id ?? null,
  };
}
