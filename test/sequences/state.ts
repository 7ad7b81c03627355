// Where the state of a world is, and what can be seen of it beside what commands say.
import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { Store } from '../../src/ports/store/store.js';
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.js';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.js';
import { miscounts } from '../helpers/miscounts.js';
import { newState } from '../helpers/postgres.js';

export interface WorldState {
  /** As for `--state`. */
  readonly address: string;
  /** Undefined where nothing was ever kept. */
  open(): Promise<Store | undefined>;
  /** Everything in it, as text; but for which files Sluice has written. */
  dump(): Promise<string>;
  /** What is kept of each run and is not what counting its leads gives. */
  miscounts(): unknown[];
  close(): Promise<void>;
}

export function fileState(path: string): WorldState {
  let store: Store | undefined;
  let database: Database.Database | undefined;
  return {
    address: path,
    open: async () => {
      if (existsSync(path)) store ??= openSqliteStore(path);
      return store;
    },
    dump: async () => {
      if (!existsSync(path)) return '';
      database ??= new Database(path, { readonly: true });
      const open = database;
      const tables = open
        .prepare<[], { name: string }>(
          "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'written_files' ORDER BY 1",
        )
        .all();
      const contents = tables.map(({ name }) => [
        name,
        open.prepare(`SELECT * FROM "${name}"`).raw().all(),
      ]);
      return JSON.stringify(contents);
    },
    miscounts: () => (existsSync(path) ? miscounts(path) : []),
    close: async () => {
      database?.close();
      await store?.close();
    },
  };
}

/** Tokens of transactions and the times of leases change with every look. */
const PASSING = ['written_files', 'commits', 'leases'];

export async function databaseState(): Promise<WorldState> {
  const state = await newState();
  const { address, pool, schema } = state;
  let store: Store | undefined;
  return {
    address,
    open: async () => (store ??= await openPostgresStore(address)),
    dump: async () => {
      const { rows } = await pool.query<{ name: string }>(
        'SELECT tablename AS name FROM pg_tables WHERE schemaname = $1 AND tablename <> ALL ($2) ORDER BY 1',
        [schema, PASSING],
      );
      const contents: unknown[] = [];
      for (const { name } of rows) {
        const { rows: all } = await pool.query<{ row: string }>(
          `SELECT t::text AS row FROM ${name} t ORDER BY 1`,
        );
        contents.push([name, all.map(({ row }) => row)]);
      }
      return JSON.stringify(contents);
    },
    // Nothing is counted before it is asked for.
    miscounts: () => [],
    close: async () => {
      await store?.close();
      await state.drop();
    },
  };
}
