// The rows of old runs, and which of them may be removed: by prune at once, by prune-some a little at a time. Facts
// that prevent a second payment stay.
import type { RunPlan } from '../../model/run.js';
import type { PruneTimes } from '../../ports/store/maintenance.js';
import { keepCharges } from '../charges.js';
import type { Sql } from '../sql.js';

/** Whether a run that is no step has ended long enough ago. The newest one stays, so that no number is given twice. */
const isOld = (run: string): string => `${run}.state IN ('finished', 'replaced', 'cancelled')
  AND ${run}.ended_at < $1 AND ${run}.id < (SELECT max(id) FROM runs WHERE step_of IS NULL)`;

/** The ended runs that are old enough; a step of a waterfall only where the run that holds its leads is, or has left. */
const OLD_RUNS = `SELECT r.id, r.plan FROM runs r WHERE r.state IN ('finished', 'replaced', 'cancelled')
  AND r.ended_at < $1 AND r.pruned_at IS NULL AND r.id < (SELECT max(id) FROM runs)
  AND (r.step_of IS NOT NULL OR (${isOld('r')}))
  AND NOT EXISTS (SELECT 1 FROM runs held WHERE held.id = r.step_of AND held.pruned_at IS NULL
                  AND NOT (${isOld('held')}))
  ORDER BY r.id LIMIT $2 FOR UPDATE`;

/** By `run_id`, and columns that tell many rows of a run apart. Cells go after their leads: `forget` looks for both. */
export const TABLES_OF_RUN = {
  leads: ['position'],
  lead_cells: ['first_position'],
  rejects: ['source', 'line'],
  lists: [],
  read_files: [],
  series: [],
  series_buckets: ['at'],
} as const;

/** $1 is the time before which a file was looked at. A file that still exists is hashed once more. */
export const FORGET_HASHES = 'DELETE FROM hashed_files WHERE noted_at < $1';

/** $1 is the time before which the last one came. */
export const FORGET_REFUSED = 'DELETE FROM refused_deliveries WHERE last_at < $1';

/** An enrichment that is asked for again at once. */
const WAS_NEVER_ACCEPTED = `(state = 'queued' AND lost_sends = 0) OR (state = 'failed' AND ticket IS NULL)`;

/** An enrichment is not stale while another one shows its answer, or follows it. */
const IS_STALE = `(state = 'found' OR state = 'not_found' OR state = 'failed') AND settled_at < $1
  AND NOT EXISTS (SELECT 1 FROM stands s WHERE s.from_id = enrichments.id)
  AND NOT EXISTS (SELECT 1 FROM enrichments o WHERE o.older_answer = enrichments.id
                  AND o.state <> 'found' AND o.state <> 'not_found')`;

/** Enrichments of pruned runs to which no lead refers any more. */
export const IS_OF_PRUNED = `run_id IN (SELECT id FROM runs WHERE pruned_at IS NOT NULL)
  AND (paid_by IS NULL OR paid_by IN (SELECT id FROM runs WHERE pruned_at IS NOT NULL))
  AND NOT EXISTS (SELECT 1 FROM leads WHERE leads.enrichment_id = enrichments.id)`;

/** $1: the oldest time of a fresh answer. The last id stays taken: a late webhook names its enrichment by it. */
export const IS_LEAVING = `${IS_OF_PRUNED} AND id < (SELECT max(id) FROM enrichments)
  AND ((${WAS_NEVER_ACCEPTED}) OR (${IS_STALE}))`;

/** Enrichments whose answer may still come, or that may have been paid for: no run asks for them again by itself. */
export const IS_UNSETTLED = `(state = 'queued' OR state = 'submitting' OR state = 'awaiting'
  OR state = 'timed_out' OR state = 'uncertain')`;

/** $1 is the time before which a delivery is old. */
export const IS_OLD_DELIVERY = `received_at < $1 AND id < (SELECT max(id) FROM deliveries) AND state <> 'pending'
  AND NOT EXISTS (SELECT 1 FROM enrichments WHERE enrichments.id = deliveries.enrichment_id AND ${IS_UNSETTLED})`;

const WITH = {
  enrichments: {
    results: 'enrichment_id',
    keys: 'enrichment_id',
    stands: 'enrichment_id',
    unread_answers: 'enrichment_id',
    delivery_keys: 'id',
    enrichments: 'id',
  },
  deliveries: {
    unknown_tickets: 'delivery_id',
    deliveries: 'id',
  },
} as const;

export const TABLES_PRUNED: readonly string[] = [
  ...Object.keys(TABLES_OF_RUN),
  ...Object.values(WITH).flatMap((tables) => Object.keys(tables)),
  'runs',
  'events',
  'hashed_files',
  'refused_deliveries',
];

/** The row of a run stays while an enrichment needs it; its paths do not. */
export async function markRuns(
  sql: Sql,
  { at, before }: PruneTimes,
  most: number,
): Promise<number> {
  const runs = await sql.rows<{ id: number; plan: string }>(OLD_RUNS, [before, most]);
  const marked = runs.map(({ id, plan }) => ({
    id,
    prunedAt: at,
    plan: JSON.stringify({ ...(JSON.parse(plan) as RunPlan), sources: [] }),
  }));
  return (await sql.update('runs', ['id'], marked)).length;
}

/** Payments are kept. Returns how many rows of each table went. */
export async function removeRows<T extends keyof typeof WITH>(
  sql: Sql,
  table: T,
  ids: readonly number[],
): Promise<Readonly<Record<keyof (typeof WITH)[T], number>>> {
  if (table === 'enrichments') await keepCharges(sql, ids);
  const removed: Record<string, number> = {};
  for (const [name, key] of Object.entries(WITH[table])) {
    // The key of a bulk call is the id of its first enrichment, with a minus sign.
    const keys = name === 'delivery_keys' ? [...ids, ...ids.map((id) => -id)] : ids;
    removed[name] = await sql.remove(
      name,
      keys.map((one) => ({ [key]: one })),
    );
  }
  return removed as Record<keyof (typeof WITH)[T], number>;
}
