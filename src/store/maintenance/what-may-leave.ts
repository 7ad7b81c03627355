// What old runs leave behind, and what of it may leave the file: for prune at once, for prune-some a little at a time.
import type Database from 'better-sqlite3';
import { answeredAt } from '../enrichments/known-answers.js';

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

export const RAN_IN_PRUNED = `run_id IN (SELECT id FROM runs WHERE pruned_at IS NOT NULL)
  AND (paid_by IS NULL OR paid_by IN (SELECT id FROM runs WHERE pruned_at IS NOT NULL))`;

/** Such an enrichment is asked for again at once. Beside a fresh answer both stay. */
const WAS_NEVER_ACCEPTED = `((state = 'queued' AND lost_sends = 0)
  OR (state = 'failed' AND ticket IS NULL))
  AND NOT EXISTS (SELECT 1 FROM enrichments o WHERE o.id = enrichments.predecessor
                  AND (${answeredAt('o')} < ?) IS NOT TRUE)`;

/** An enrichment is not stale while another refers to it: that one shows its answer, or counts only after it. */
const IS_STALE = `(state = 'found' OR state = 'not_found' OR state = 'failed')
  AND (settled_at < ? OR is_current = 0)
  AND NOT EXISTS (SELECT 1 FROM enrichments o WHERE o.older_answer = enrichments.id
                  AND o.state <> 'found' AND o.state <> 'not_found')
  AND NOT EXISTS (SELECT 1 FROM enrichments o WHERE o.predecessor = enrichments.id
                  AND (o.state = 'queued' OR o.state = 'failed'))`;

/**
 * Takes when an answer has to have come to be fresh, twice. The last id stays taken: a late webhook names its enrichment
 * by it.
 */
export const COSTS_NO_MORE = `id < (SELECT max(id) FROM enrichments)
  AND ((${WAS_NEVER_ACCEPTED}) OR (${IS_STALE}))`;

/** An answer may still come, or the enrichment may have been paid for: no run asks for it again by itself. */
export const IS_UNSETTLED = `(state = 'queued' OR state = 'submitting' OR state = 'awaiting'
  OR state = 'timed_out' OR state = 'uncertain')`;

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
