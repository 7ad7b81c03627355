// A state in PostgreSQL for each test file that asks for one.
import { Pool } from 'pg';
import { afterAll } from 'vitest';
import { migrateDatabase } from '../../src/store/postgres/open-postgres-store.js';
import { postgresAddress } from './postgres-server.js';
import { openEmptier } from './state.js';

export interface TestState {
  /** As for `--state`. */
  readonly address: string;
  /** Statements of the test itself. */
  readonly pool: Pool;
  readonly schema: string;
  /** Empties all tables, as if it had just been made. */
  empty(): Promise<void>;
  drop(): Promise<void>;
}

let count = 0;

/** A state of its own, gone at the end of the test file. */
export async function testState(): Promise<TestState> {
  const state = await newState();
  afterAll(() => state.drop());
  return state;
}

/** On the server of the test run, or the one at that address. */
export async function newState(at?: string): Promise<TestState> {
  const server = at ?? (await postgresAddress());
  const schema = `test_${process.pid}_${(count += 1)}`;
  const address = `${server}?schema=${schema}`;
  await migrateDatabase(address);
  const pool = new Pool({
    connectionString: server,
    max: 2,
    options: `-c search_path=${schema}`,
  });
  pool.on('error', () => undefined);
  const empty = await openEmptier(pool);
  return {
    address,
    pool,
    schema,
    empty,
    drop: async () => {
      await pool.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`).catch(() => undefined);
      await pool.end();
    },
  };
}
