// What is known of the files of drop folders: which are done, and which table is whose.
import type Database from 'better-sqlite3';
import type { RunOfTable } from '../../ports/store/files.js';

/** Of a run: whether files of a drop folder are done in its table. One that was opened again has done them before. */
export const HAS_DONE_FILES = `json_type(plan, '$.digests') IS NOT NULL
  AND (state = 'finished' OR id IN (SELECT run_id FROM done_files))`;

export function prepareDoneFiles(db: Database.Database) {
  const isDone = db.prepare<[string, string, string], { digest: string }>(
    'SELECT digest FROM done_files WHERE job = ? AND terms = ? AND digest = ?',
  );
  const tables = db.prepare<[number | null], { id: number; out: string; digests: string }>(
    `SELECT id, json_extract(plan, '$.output.out') AS out, json_extract(plan, '$.digests') AS digests
     FROM runs WHERE id IS NOT ? AND ${HAS_DONE_FILES} ORDER BY ended_at DESC, id DESC`,
  );
  return {
    done: (job: string, terms: string, digests: readonly string[]): string[] =>
      digests.filter((digest) => isDone.get(job, terms, digest) !== undefined),
    runOfTable: (
      isTable: (out: string, run: number) => boolean,
      except: number | null,
    ): RunOfTable | null => {
      for (const { id, out, digests } of tables.iterate(except)) {
        if (isTable(out, id)) return { run: id, digests: JSON.parse(digests) as string[] };
      }
      return null;
    },
  };
}
