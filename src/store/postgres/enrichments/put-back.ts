// Enrichments that are put back to work, many at once. Inside another verb's transaction, which has locked them.
import type { IngestTimes } from '../../../ports/store/enrichments.js';
import type { Sql } from '../database/database.js';

/** Uncertain enrichments are sent again, by this run, because the user said so. */
export async function requeueUncertain(
  sql: Sql,
  ids: readonly number[],
  runId: number,
): Promise<void> {
  if (ids.length === 0) return;
  await sql.run(
    `UPDATE enrichments SET state = 'queued', run_id = $2, reason = NULL,
       lost_sends = CASE WHEN paid_by = $2 AND served_by IS NULL THEN lost_sends + 1 ELSE 0 END, paid_by = NULL,
       served_by = NULL
     WHERE id = ANY($1)`,
    [ids, runId],
  );
}

/** The tickets of enrichments that timed out are asked for again, by this run and for nothing. */
export async function reopenTimedOut(
  sql: Sql,
  ids: readonly number[],
  runId: number,
  { at, deadlineAt }: Pick<IngestTimes, 'at' | 'deadlineAt'>,
): Promise<void> {
  if (ids.length === 0) return;
  await sql.run(
    `UPDATE enrichments SET state = 'awaiting', run_id = $2, poll_at = $3, deadline_at = $4,
       reason = NULL, settled_at = NULL
     WHERE id = ANY($1)`,
    [ids, runId, at, deadlineAt],
  );
}

/** They do not count for their fingerprints any more. */
export async function retire(sql: Sql, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await sql.run('UPDATE enrichments SET is_current = false WHERE id = ANY($1)', [ids]);
}

/** What a run will pay for after all must be on the bill of one of its leads. */
export async function markFirst(sql: Sql, runId: number): Promise<void> {
  await sql.run(
    `UPDATE leads SET is_first = true WHERE run_id = $1 AND position IN
       (SELECT min(l.position) FROM leads l JOIN enrichments e ON e.id = l.enrichment_id
        WHERE l.run_id = $1 AND e.run_id = $1 AND e.state = 'queued'
        GROUP BY e.id HAVING NOT bool_or(l.is_first))`,
    [runId],
  );
}
