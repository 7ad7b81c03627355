// What old runs leave behind, and what of it may leave: for prune at once, for prune-some a little at a time.
import type { RunPlan } from '../../../model/run.js';
import type { PruneTimes } from '../../../ports/store/maintenance.js';
import { costsNoMore, IS_UNSETTLED, RAN_IN_PRUNED } from '../../maintenance/what-may-leave.js';
import type { Sql } from '../database/database.js';

/** The ended runs that are old enough. The newest run stays, so that no number is given twice. */
const OLD_RUNS = `SELECT id, plan FROM runs WHERE state IN ('finished', 'replaced', 'cancelled') AND ended_at < $1
  AND pruned_at IS NULL AND id < (SELECT max(id) FROM runs) ORDER BY id LIMIT $2 FOR UPDATE`;

/** The tables with rows of a run, by `run_id`. */
export const TABLES_OF_RUN = [
  'leads',
  'rejects',
  'lists',
  'read_files',
  'series',
  'series_buckets',
] as const;

/** Takes the time before which a file was looked at: one that is still there is hashed once more. */
export const FORGET_HASHES = 'DELETE FROM hashed_files WHERE noted_at < $1';

/** Enrichments to which no lead refers any more. */
export const IS_OF_PRUNED = `${RAN_IN_PRUNED}
  AND NOT EXISTS (SELECT 1 FROM leads WHERE leads.enrichment_id = enrichments.id)`;

/** Takes when an answer has to have come to be fresh, as the first parameter. */
export const IS_LEAVING = `${IS_OF_PRUNED} AND ${costsNoMore('$1')}`;

/** Takes the time before which a delivery is old, as the first parameter. */
export const IS_OLD_DELIVERY = `received_at < $1 AND id < (SELECT max(id) FROM deliveries)
  AND id NOT IN (SELECT delivery_id FROM pending_deliveries)
  AND NOT EXISTS (SELECT 1 FROM enrichments WHERE enrichments.id = deliveries.enrichment_id AND ${IS_UNSETTLED})`;

/** The tables with rows of one, by the column that names it. */
const WITH = {
  enrichments: {
    results: 'enrichment_id',
    unread_answers: 'enrichment_id',
    delivery_keys: 'id',
    enrichments: 'id',
  },
  deliveries: {
    delivery_bodies: 'delivery_id',
    unknown_tickets: 'delivery_id',
    unread_deliveries: 'delivery_id',
    deliveries: 'id',
  },
} as const;

/** Every table from which pruning takes rows, or in which it changes some. */
export const TABLES_PRUNED: readonly string[] = [
  ...TABLES_OF_RUN,
  ...Object.values(WITH).flatMap((tables) => Object.keys(tables)),
  'runs',
  'events',
  'hashed_files',
];

/** The lines of at most `most` runs are about to leave. The row of a run stays while an enrichment needs it; its paths do not. */
export async function markRuns(
  sql: Sql,
  { at, before }: PruneTimes,
  most: number,
): Promise<number> {
  const runs = await sql.rows<{ id: number; plan: string }>(OLD_RUNS, [before, most]);
  const plans = runs.map(({ plan }) =>
    JSON.stringify({ ...(JSON.parse(plan) as RunPlan), sources: [] }),
  );
  return sql.run(
    `UPDATE runs SET pruned_at = $1, plan = new.plan FROM unnest($2::bigint[], $3::text[]) AS new (id, plan)
     WHERE runs.id = new.id`,
    [at, runs.map(({ id }) => id), plans],
  );
}

/** Removes rows of `table` with all that is theirs. Returns how many of each. */
export async function removeRows<T extends keyof typeof WITH>(
  sql: Sql,
  table: T,
  ids: readonly number[],
): Promise<Readonly<Record<keyof (typeof WITH)[T], number>>> {
  const removed: Record<string, number> = {};
  for (const [name, key] of Object.entries(WITH[table])) {
    // The key of a bulk call is the id of its first enrichment, with a minus sign.
    const keys = name === 'delivery_keys' ? [...ids, ...ids.map((id) => -id)] : ids;
    removed[name] = await sql.run(
      `DELETE FROM ${name} USING unnest($1::bigint[]) AS leaving WHERE ${key} = leaving`,
      [keys],
    );
  }
  return removed as Record<keyof (typeof WITH)[T], number>;
}
