// What old runs leave behind, and what of it may leave the file: for prune at once, for prune-some a little at a time.
import type Database from 'better-sqlite3';
import { IS_UNSETTLED } from '../../maintenance/what-may-leave.js';

/** The ended runs that are old enough. The newest run stays, so that no number is given twice. */
const IS_OLD = `state IN ('finished', 'replaced', 'cancelled') AND ended_at < ? AND pruned_at IS NULL
  AND id < (SELECT max(id) FROM runs)`;

/** Its lines are about to leave. The row of a run stays while an enrichment needs it; its paths do not. */
export const MARK_RUNS = `UPDATE runs SET pruned_at = ?, plan = json_set(plan, '$.sources', json('[]'))
  WHERE ${IS_OLD}`;

/** The tables with rows of a run, by `run_id`. Cells go after the leads that they are of: `forget` looks for both. */
export const TABLES_OF_RUN = [
  'leads',
  'lead_cells',
  'rejects',
  'lists',
  'read_files',
  'run_counts',
  'followers',
  'series',
  'series_buckets',
] as const;

/** Takes the time before which a file was looked at: one that is still there is hashed once more. */
export const FORGET_HASHES = 'DELETE FROM hashed_files WHERE noted_at < ?';

/** Takes the time before which a delivery is old. */
export const IS_OLD_DELIVERY = `received_at < ? AND id < (SELECT max(id) FROM deliveries)
  AND id NOT IN (SELECT delivery_id FROM pending_deliveries)
  AND NOT EXISTS (SELECT 1 FROM enrichments WHERE enrichments.id = deliveries.enrichment_id AND ${IS_UNSETTLED})`;

const LEAVING = 'IN (SELECT id FROM leaving)';

/** The tables with rows of one, before itself: what refers to a row goes before that row. */
const WITH = {
  enrichments: {
    results: `enrichment_id ${LEAVING}`,
    unread_answers: `enrichment_id ${LEAVING}`,
    // That of a bulk call has the id of its first enrichment, with a minus sign.
    delivery_keys: 'id IN (SELECT id FROM leaving UNION ALL SELECT -id FROM leaving)',
    enrichments: `id ${LEAVING}`,
  },
  deliveries: {
    delivery_bodies: `delivery_id ${LEAVING}`,
    unknown_tickets: `delivery_id ${LEAVING}`,
    unread_deliveries: `delivery_id ${LEAVING}`,
    deliveries: `id ${LEAVING}`,
  },
} as const;

/** Chooses the rows of `table` that `where` describes, and removes them with all that is theirs. Returns how many. */
export function removeChosen<T extends keyof typeof WITH>(
  db: Database.Database,
  table: T,
  where: string,
  ...values: number[]
): Readonly<Record<keyof (typeof WITH)[T], number>> {
  db.exec('CREATE TEMP TABLE IF NOT EXISTS leaving (id INTEGER PRIMARY KEY); DELETE FROM leaving');
  db.prepare<number[]>(`INSERT INTO leaving SELECT id FROM ${table} WHERE ${where}`).run(...values);
  const removed = Object.entries(WITH[table]).map(([name, theirs]) => [
    name,
    db.prepare(`DELETE FROM ${name} WHERE ${theirs}`).run().changes,
  ]);
  return Object.fromEntries(removed) as Record<keyof (typeof WITH)[T], number>;
}
