// What the state takes in the database, and how fast it grows: from sizes that are noted once a day, at the most. And
// whether it can be written at this moment.
import type { StateSize } from '../../../ports/store/maintenance.js';
import { DAY_MS, growthOf, SPAN_MS } from '../../maintenance/growth.js';
import type { Sql } from '../database/database.js';
import type { Verbs } from '../verbs.js';

/** Tables with their indexes; rows that are gone and not yet cleared away, by the server's own estimate. */
const SIZE = `SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint AS bytes,
    coalesce(sum(pg_total_relation_size(c.oid) * s.n_dead_tup::float8 / nullif(s.n_live_tup + s.n_dead_tup, 0)), 0)::bigint AS "unusedBytes"
  FROM pg_class c LEFT JOIN pg_stat_user_tables s ON s.relid = c.oid
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'`;

export async function bytesOf(sql: Sql): Promise<number> {
  return (await sql.row<{ bytes: number }>(SIZE))?.bytes ?? 0;
}

export const sizeReads = {
  size: async (sql, at): Promise<StateSize> => {
    const { bytes, unusedBytes } = (await sql.row<Pick<StateSize, 'bytes' | 'unusedBytes'>>(
      SIZE,
    )) ?? { bytes: 0, unusedBytes: 0 };
    const since = await sql.row<{ at: number; bytes: number }>(
      `SELECT noted_at AS at, bytes FROM sizes
       WHERE noted_at >= coalesce((SELECT max(noted_at) FROM sizes WHERE noted_at <= $1), 0)
       ORDER BY noted_at LIMIT 1`,
      [at - SPAN_MS],
    );
    return { bytes, unusedBytes, logBytes: 0, bytesADay: growthOf(since, { at, bytes }) };
  },
} satisfies Partial<Verbs>;

export const sizeWrites = {
  noteSize: async (sql, at) => {
    const noted = await sql.row('SELECT 1 FROM sizes WHERE noted_at > $1', [at - DAY_MS]);
    if (noted !== undefined) return;
    await sql.run('INSERT INTO sizes (noted_at, bytes) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
      at,
      await bytesOf(sql),
    ]);
    // The newest one that is old enough stays: the growth is counted from it.
    await sql.run(
      'DELETE FROM sizes WHERE noted_at < (SELECT max(noted_at) FROM sizes WHERE noted_at <= $1)',
      [at - SPAN_MS],
    );
  },
  // Every write adds a token, and so tells (database.ts).
  checkWriting: async () => {},
} satisfies Partial<Verbs>;
