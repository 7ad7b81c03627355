// Where the state of a world is, and what can be seen of it beside what commands say.
import { existsSync } from 'node:fs';
import type { Store } from '../../src/ports/store/store.js';
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.js';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.js';
import { miscounts } from '../helpers/miscounts.js';
import { newState } from '../helpers/postgres.js';
import { dumpState } from '../helpers/state.js';

export interface WorldState {
  /** As for `--state`. */
  readonly address: string;
  /** Undefined where nothing was ever kept. */
  open(): Promise<Store | undefined>;
  /** Everything in it, as text. */
  dump(): Promise<string>;
  /** What is kept of each run and is not what counting its leads gives. */
  miscounts(): unknown[];
  close(): Promise<void>;
}

export function fileState(path: string): WorldState {
  let store: Store | undefined;
  return {
    address: path,
    open: async () => {
      if (existsSync(path)) store ??= openSqliteStore(path);
      return store;
    },
    dump: async () => (existsSync(path) ? dumpState(path) : ''),
    miscounts: () => (existsSync(path) ? miscounts(path) : []),
    close: async () => {
      await store?.close();
    },
  };
}

export async function databaseState(): Promise<WorldState> {
  const state = await newState();
  const { address, pool } = state;
  let store: Store | undefined;
  return {
    address,
    open: async () => (store ??= await openPostgresStore(address)),
    dump: () => dumpState(pool),
    // Nothing is counted before it is asked for.
    miscounts: () => [],
    close: async () => {
      await store?.close();
      await state.drop();
    },
  };
}
