// Files that commands have read and written, by their real paths on the machines that did; the files of drop folders
// that are done, and what they looked like.
import { dirname, relative, resolve } from 'node:path';
import type { HashedFile, ReadFile, WrittenFile } from '../ports/store/files.js';
import { parsed } from './sql.js';
import { read, type Verbs, write } from './verb.js';

/** A run that was opened again has done them before. */
export const HAS_DONE_FILES = `plan::json -> 'digests' IS NOT NULL
  AND (state = 'finished' OR id IN (SELECT run_id FROM done_files))`;

export interface Place {
  readonly path: string;
  /** The path as seen from the state file's folder; null if it was written beside another state. */
  readonly fromState: string | null;
}

/** `stateFile`: its real path, because files may be moved together with its folder; null for a database. */
export function fileVerbs(stateFile: string | null) {
  const places = placesAround(stateFile);
  return {
    ...droppedVerbs,
    knownFiles: read(async (sql) => {
      const read = await sql.rows<ReadFile & Place>(
        'SELECT path, from_state, role, job, run_id AS run FROM read_files',
      );
      const rows = await sql.rows(
        'SELECT path, from_state, role, job, run_id AS run, looks FROM written_files',
      );
      const written = rows.map((row) => parsed<WrittenFile & Place>(row, 'looks'));
      const ours = written.filter(({ fromState }) => fromState !== null).flatMap(places.of);
      const anew = new Set(ours.map(({ path }) => path));
      return {
        state: stateFile,
        read: read.flatMap(places.of),
        // A file that was written anew has another owner.
        written: written.flatMap((row) =>
          places.of(row).filter(({ path }) => row.fromState !== null || !anew.has(path)),
        ),
      };
    }),
    noteRead: write(async (sql, run, files) => {
      const job = await sql.value<string>('SELECT job FROM runs WHERE id = $1', [run]);
      if (job === undefined) return;
      const rows = files.map(({ path, role }) => ({
        ...places.columns(path),
        role,
        job,
        runId: run,
      }));
      await sql.insert(
        'read_files',
        sorted(rows, ({ path, role }) => `${path}\0${role}`),
        `ON CONFLICT (path, role, job) DO UPDATE
           SET run_id = excluded.run_id, from_state = excluded.from_state`,
      );
    }),
    noteWritten: write('note', async (sql, path, file) => {
      // Two jobs may write the file at the same moment: it belongs to the last one.
      await sql.lock(`file ${path}`);
      await sql.run('DELETE FROM written_files WHERE path = $1', [path]);
      if (file === null) return;
      const { role, job, run, looks } = file;
      const row = { ...places.columns(path), role, job, runId: run, looks: JSON.stringify(looks) };
      await sql.insert('written_files', [row]);
    }),
  } satisfies Partial<Verbs>;
}

const droppedVerbs = {
  doneFiles: read(async (sql, job, terms, digests) => {
    const found = await sql.list<string>(
      'SELECT digest FROM done_files WHERE job = $1 AND terms = $2 AND digest = ANY ($3)',
      [job, terms, digests],
    );
    const done = new Set(found);
    return digests.filter((digest) => done.has(digest));
  }),
  hashedFiles: read((sql, job) =>
    sql.rows<HashedFile>('SELECT path, look, digest FROM hashed_files WHERE job = $1', [job]),
  ),
  runOfTable: read(async (sql, isTable, except) => {
    const tables = await sql.rows<{ id: number; out: string }>(
      `SELECT id, plan::json -> 'output' ->> 'out' AS out FROM runs
       WHERE id IS DISTINCT FROM $1::bigint AND ${HAS_DONE_FILES} ORDER BY ended_at DESC NULLS LAST, id DESC`,
      [except],
    );
    const last = tables.find(({ id, out }) => isTable(out, id));
    if (last === undefined) return null;
    const digests = await sql.value<string>(
      `SELECT plan::json ->> 'digests' FROM runs WHERE id = $1`,
      [last.id],
    );
    return { run: last.id, digests: JSON.parse(digests ?? '[]') as string[] };
  }),
  noteHashed: write(async (sql, job, files, gone, at) => {
    await sql.run('DELETE FROM hashed_files WHERE job = $1 AND path = ANY ($2)', [job, gone]);
    const rows = files.map(({ path, look, digest }) => ({ job, path, look, digest, notedAt: at }));
    await sql.insert(
      'hashed_files',
      sorted(rows, ({ path }) => path),
      `ON CONFLICT (job, path) DO UPDATE
         SET look = excluded.look, digest = excluded.digest, noted_at = excluded.noted_at`,
    );
  }),
} satisfies Partial<Verbs>;

function placesAround(stateFile: string | null) {
  const folder = stateFile === null ? null : dirname(stateFile);
  return {
    columns: (path: string) =>
      folder === null ? { path } : { path, fromState: relative(folder, path) },
    /** The paths at which the file may be now: also the one after a move together with the state file. */
    of: <File>({ path, fromState, ...file }: File & Place) => {
      const isHere = folder === null || fromState === null;
      const paths = isHere ? [path] : new Set([path, resolve(folder, fromState)]);
      return Array.from(paths, (place) => ({ ...file, path: place }));
    },
  };
}

/** The last row with each key, in one order, so that no two verbs wait for each other. */
function sorted<R>(rows: readonly R[], keyOf: (row: R) => string): R[] {
  const byKey = new Map(rows.map((row) => [keyOf(row), row]));
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}
