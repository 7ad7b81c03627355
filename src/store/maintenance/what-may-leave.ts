// Which enrichments of old runs may leave: what prevents a second payment stays. The SQL is understood by every store.
import { answeredAt } from '../enrichments/known-answers.js';

export const RAN_IN_PRUNED = `run_id IN (SELECT id FROM runs WHERE pruned_at IS NOT NULL)
  AND (paid_by IS NULL OR paid_by IN (SELECT id FROM runs WHERE pruned_at IS NOT NULL))`;

/** Such an enrichment is asked for again at once. Beside a fresh answer both stay. */
function wasNeverAccepted(freshSince: string): string {
  return `((state = 'queued' AND lost_sends = 0)
  OR (state = 'failed' AND ticket IS NULL))
  AND NOT EXISTS (SELECT 1 FROM enrichments o WHERE o.id = enrichments.predecessor
                  AND (${answeredAt('o')} < ${freshSince}) IS NOT TRUE)`;
}

/** An enrichment is not stale while another refers to it: that one shows its answer, or counts only after it. */
function isStale(freshSince: string): string {
  return `(state = 'found' OR state = 'not_found' OR state = 'failed')
  AND (settled_at < ${freshSince} OR NOT is_current)
  AND NOT EXISTS (SELECT 1 FROM enrichments o WHERE o.older_answer = enrichments.id
                  AND o.state <> 'found' AND o.state <> 'not_found')
  AND NOT EXISTS (SELECT 1 FROM enrichments o WHERE o.predecessor = enrichments.id
                  AND (o.state = 'queued' OR o.state = 'failed'))`;
}

/**
 * `freshSince`: the parameter, there twice, that says when an answer has to have come to be fresh. The last id stays taken: a late webhook names its enrichment
 * by it.
 */
export function costsNoMore(freshSince: string): string {
  return `id < (SELECT max(id) FROM enrichments)
  AND ((${wasNeverAccepted(freshSince)}) OR (${isStale(freshSince)}))`;
}

/** An answer may still come, or the enrichment may have been paid for: no run asks for it again by itself. */
export const IS_UNSETTLED = `(state = 'queued' OR state = 'submitting' OR state = 'awaiting'
  OR state = 'timed_out' OR state = 'uncertain')`;
