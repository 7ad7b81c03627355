// Which files commands have read and written, by their real paths; which files of drop folders are done, and what they
// looked like.
import { realpathSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import type Database from 'better-sqlite3';
import type { HashedFile, ReadFile, WrittenFile } from '../../ports/store/files.js';
import { atomic, type Verbs } from './database/transactions.js';

/** Whether files of a drop folder are done in the table of a run. A run that was opened again has done them before. */
export const HAS_DONE_FILES = `json_type(plan, '$.digests') IS NOT NULL
  AND (state = 'finished' OR id IN (SELECT run_id FROM done_files))`;

interface Place {
  readonly path: string;
  /** The same as seen from the state file's folder; null for a path as an earlier release was given it. */
  readonly fromState: string | null;
}

export function prepareFiles(db: Database.Database, path: string) {
  return { ...prepareFileRegister(db, path), ...prepareDoneFiles(db), ...prepareHashedFiles(db) };
}

function prepareDoneFiles(db: Database.Database) {
  const isDone = db.prepare<[string, string, string], { digest: string }>(
    'SELECT digest FROM done_files WHERE job = ? AND terms = ? AND digest = ?',
  );
  const tables = db.prepare<[number | null], { id: number; out: string; digests: string }>(
    `SELECT id, json_extract(plan, '$.output.out') AS out, json_extract(plan, '$.digests') AS digests
     FROM runs WHERE id IS NOT ? AND ${HAS_DONE_FILES} ORDER BY ended_at DESC, id DESC`,
  );

  return {
    doneFiles: (job, terms, digests) =>
      digests.filter((digest) => isDone.get(job, terms, digest) !== undefined),
    runOfTable: (isTable, except) => {
      for (const { id, out, digests } of tables.iterate(except)) {
        if (isTable(out, id)) return { run: id, digests: JSON.parse(digests) as string[] };
      }
      return null;
    },
  } satisfies Partial<Verbs>;
}

function prepareHashedFiles(db: Database.Database) {
  const ofJob = db.prepare<[string, string], HashedFile & { isDone: 0 | 1 }>(
    `SELECT path, look, digest, EXISTS (SELECT 1 FROM done_files d
       WHERE d.job = h.job AND d.terms = ? AND d.digest = h.digest) AS isDone
     FROM hashed_files h WHERE job = ?`,
  );
  const note = db.prepare<[string, string, string, string, number]>(
    'INSERT OR REPLACE INTO hashed_files (job, path, look, digest, noted_at) VALUES (?, ?, ?, ?, ?)',
  );
  const drop = db.prepare<[string, string]>('DELETE FROM hashed_files WHERE job = ? AND path = ?');

  return {
    hashedFiles: (job, terms) =>
      ofJob.all(terms, job).map(({ isDone, ...file }) => ({ ...file, isDone: isDone === 1 })),
    noteHashed: atomic(db, (job, files, gone, at) => {
      for (const path of gone) drop.run(job, path);
      for (const { path, look, digest } of files) note.run(job, path, look, digest, at);
    }),
  } satisfies Partial<Verbs>;
}

function prepareFileRegister(db: Database.Database, statePath: string) {
  const state = realpathSync(statePath);
  const folder = dirname(state);
  const allRead = db.prepare<[], ReadFile & Place>(
    'SELECT path, from_state AS fromState, role, job, run_id AS run FROM read_files',
  );
  const allWritten = db.prepare<[], WrittenFile & Place>(
    `SELECT path, from_state AS fromState, role, job, run_id AS run, size, modified_at AS modifiedAt
     FROM written_files`,
  );
  const read = db.prepare<[string, string, string, number]>(
    `INSERT OR REPLACE INTO read_files (path, from_state, role, job, run_id)
     SELECT ?, ?, ?, job, id FROM runs WHERE id = ?`,
  );
  const drop = db.prepare<[string]>('DELETE FROM written_files WHERE path = ?');
  const write = db.prepare<[string, string, string, string, ...(number | null)[]]>(
    `INSERT INTO written_files (path, from_state, role, job, run_id, size, modified_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const fromState = (path: string): string => relative(folder, path);
  /** Where the file may be now: also where it was moved to together with the state file. */
  const placesOf = <File>({ path, fromState, ...file }: File & Place) => {
    const paths =
      fromState === null ? [resolve(path)] : new Set([path, resolve(folder, fromState)]);
    return Array.from(paths, (place) => ({ ...file, path: place }));
  };

  return {
    knownFiles: () => {
      const written = allWritten.all();
      const asNow = written.filter(({ fromState }) => fromState !== null).flatMap(placesOf);
      const places = new Set(asNow.map(({ path }) => path));
      return {
        state,
        read: allRead.all().flatMap(placesOf),
        // What is written anew has another owner.
        written: written.flatMap((row) =>
          placesOf(row).filter(({ path }) => row.fromState !== null || !places.has(path)),
        ),
      };
    },
    noteRead: atomic(db, (run, files) => {
      for (const { path, role } of files) read.run(path, fromState(path), role, run);
    }),
    noteWritten: atomic(db, ({ path, role, job, run, size, modifiedAt }) => {
      drop.run(path);
      write.run(path, fromState(path), role, job, run, size, modifiedAt);
    }),
    noteRemoved: (path) => void drop.run(path),
  } satisfies Partial<Verbs>;
}
