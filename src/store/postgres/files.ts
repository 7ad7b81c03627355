// Which files commands have read and written, by their real paths on the machines that did; which files of drop folders
// are done, and what they looked like.
import type { HashedFile, ReadFile, WrittenFile } from '../../ports/store/files.js';
import type { Verbs } from './verbs.js';

/** Whether files of a drop folder are done in the table of a run. A run that was opened again has done them before. */
export const HAS_DONE_FILES = `plan::json -> 'digests' IS NOT NULL
  AND (state = 'finished' OR id IN (SELECT run_id FROM done_files))`;

export const fileReads = {
  knownFiles: async (sql) => ({
    state: null,
    read: await sql.rows<ReadFile>('SELECT path, role, job, run_id AS run FROM read_files'),
    written: await sql.rows<WrittenFile>(
      'SELECT path, role, job, run_id AS run, size, modified_at AS "modifiedAt" FROM written_files',
    ),
  }),
  doneFiles: async (sql, job, terms, digests) => {
    const rows = await sql.rows<{ digest: string }>(
      'SELECT digest FROM done_files WHERE job = $1 AND terms = $2 AND digest = ANY ($3::text[])',
      [job, terms, digests],
    );
    const done = new Set(rows.map(({ digest }) => digest));
    return digests.filter((digest) => done.has(digest));
  },
  hashedFiles: (sql, job, terms) =>
    sql.rows<HashedFile & { isDone: boolean }>(
      `SELECT path, look, digest, EXISTS (SELECT 1 FROM done_files d
         WHERE d.job = h.job AND d.terms = $2 AND d.digest = h.digest) AS "isDone"
       FROM hashed_files h WHERE job = $1`,
      [job, terms],
    ),
  runOfTable: async (sql, isTable, except) => {
    const tables = await sql.rows<{ id: number; out: string }>(
      `SELECT id, plan::json -> 'output' ->> 'out' AS out FROM runs
       WHERE id IS DISTINCT FROM $1::bigint AND ${HAS_DONE_FILES} ORDER BY ended_at DESC NULLS LAST, id DESC`,
      [except],
    );
    const last = tables.find(({ id, out }) => isTable(out, id));
    if (last === undefined) return null;
    const plan = await sql.row<{ digests: string }>(
      `SELECT plan::json ->> 'digests' AS digests FROM runs WHERE id = $1`,
      [last.id],
    );
    return { run: last.id, digests: JSON.parse(plan?.digests ?? '[]') as string[] };
  },
} satisfies Partial<Verbs>;

export const fileWrites = {
  noteRead: async (sql, run, files) => {
    await sql.run(
      `INSERT INTO read_files (path, role, job, run_id)
       SELECT DISTINCT path, role, job, id FROM runs, unnest($2::text[], $3::text[]) AS file (path, role)
       WHERE id = $1 ORDER BY path, role
       ON CONFLICT (path, role, job) DO UPDATE SET run_id = excluded.run_id`,
      [run, files.map(({ path }) => path), files.map(({ role }) => role)],
    );
  },
  noteWritten: async (sql, { path, role, job, run, size, modifiedAt }) => {
    // Two jobs may write it at the same moment: it is the last one's.
    await sql.run('SELECT pg_advisory_xact_lock(hashtextextended($1, 9))', [path]);
    await sql.run('DELETE FROM written_files WHERE path = $1', [path]);
    await sql.run(
      `INSERT INTO written_files (path, role, job, run_id, size, modified_at)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      [path, role, job, run, size, modifiedAt],
    );
  },
  noteRemoved: async (sql, path) => {
    await sql.run('DELETE FROM written_files WHERE path = $1', [path]);
  },
  noteHashed: async (sql, job, files, gone, at) => {
    await sql.run('DELETE FROM hashed_files WHERE job = $1 AND path = ANY ($2::text[])', [
      job,
      gone,
    ]);
    const byPath = [...new Map(files.map((file) => [file.path, file])).values()];
    await sql.run(
      `INSERT INTO hashed_files (job, path, look, digest, noted_at)
       SELECT $1, path, look, digest, $5 FROM unnest($2::text[], $3::text[], $4::text[]) AS file (path, look, digest)
       ORDER BY path
       ON CONFLICT (job, path) DO UPDATE
         SET look = excluded.look, digest = excluded.digest, noted_at = excluded.noted_at`,
      [
        job,
        byPath.map(({ path }) => path),
        byPath.map(({ look }) => look),
        byPath.map(({ digest }) => digest),
        at,
      ],
    );
  },
} satisfies Partial<Verbs>;
