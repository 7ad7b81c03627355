// A verb that reads a whole table is fast in every test and slow in every real run. The server knows late what a table that
// grows is like: here it never does.
import { expect, it } from 'vitest';
import { openPostgresStore } from '../../../src/store/postgres/open-postgres-store.js';
import { newState } from '../../helpers/postgres.js';
import { liveThrough } from '../live-through.js';

const LEADS = 2_000;
/** Rows of a table that were looked at for each lead: the verbs below touch each about fourteen times. */
const LOOKS_MAX = 20;

it('reads no more rows for a lead, however many leads there are', async () => {
  const state = await newState();
  const { pool, schema } = state;
  await pool.query(
    'ALTER TABLE enrichments SET (autovacuum_enabled = off); ALTER TABLE leads SET (autovacuum_enabled = off)',
  );
  const store = await openPostgresStore(`${state.address}&application_name=${schema}`);
  await liveThrough(store, LEADS);
  await store.close();

  // What a connection has read is told when it ends.
  const isOpen = 'SELECT 1 FROM pg_stat_activity WHERE application_name = $1';
  while ((await pool.query(isOpen, [schema])).rowCount !== 0);
  const { rows } = await pool.query<{ name: string; looks: number }>(
    `SELECT relname AS name, ((seq_tup_read + coalesce(idx_tup_fetch, 0)) / $2::float8)::float8 AS looks
     FROM pg_stat_user_tables WHERE schemaname = $1 AND seq_tup_read + coalesce(idx_tup_fetch, 0) > 0`,
    [schema, LEADS],
  );
  await state.drop();
  expect(rows.map(({ name }) => name)).toContain('enrichments');
  expect(rows.filter(({ looks }) => looks > LOOKS_MAX)).toEqual([]);
});
