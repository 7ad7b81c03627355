// The answer that counts and is shown: a known answer is never replaced by less. The SQL is understood by every store.
import { NO_INPUTS } from '../../model/enrichment/stored-request.js';
import { suppressedReason } from '../../model/suppression.js';

export const IS_REMEMBERED = `inputs <> '${NO_INPUTS}'`;

/** Whether enrichment `e` has an answer, or had one before its ticket was read again. */
export function isAnswered(e: string): string {
  return `(${e}.state = 'found' OR ${e}.state = 'not_found' OR ${e}.answered_at IS NOT NULL)`;
}

export function answeredAt(e: string): string {
  return `coalesce(${e}.answered_at, ${e}.settled_at)`;
}

export function isImported(e: string): string {
  return `(${e}.state = 'found' AND ${e}.paid_by IS NULL AND ${e}.sent <> '')`;
}

/** Whether nothing is asked for enrichment `e`, and nothing of it shown: its person is suppressed. */
export const IS_SUPPRESSED = 'e.suppressed_by IS NOT NULL';

/** The older answer `o` of each enrichment `e` that has none itself. */
export const OLDER_ANSWER = `enrichments o ON o.id = e.older_answer AND NOT ${isAnswered('e')} AND ${isAnswered('o')} AND NOT e.shows_known
  AND e.suppressed_by IS NULL AND o.suppressed_by IS NULL`;

/** Whether the row shows what others have answered of some asks, while `e` has no answer of its own. */
export const SHOWS_PART =
  "(e.shows_known AND e.answered_at IS NULL AND o.id IS NULL AND e.state <> 'found' AND e.state <> 'not_found')";

/** When that was answered. */
export const PART_ANSWERED_AT = `(SELECT min(${answeredAt('f')}) FROM stands s JOIN enrichments f ON f.id = s.from_id
  WHERE s.enrichment_id = e.id AND ${isAnswered('f')})`;

/**
 * Whether the row shows another answer while `e` has none: an older one, its own from before it was asked again, or what
 * is known of some of its asks.
 */
export const IS_ASKED_AGAIN = `(e.state <> 'found' AND e.state <> 'not_found'
  AND (o.id IS NOT NULL OR ((e.answered_at IS NOT NULL OR e.shows_known) AND e.suppressed_by IS NULL)))`;

/** The enrichments `f` that stand in for asks of `e`, and have no answer. */
function unanswered(e: string): string {
  return `FROM stands s JOIN enrichments f ON f.id = s.from_id
    WHERE s.enrichment_id = ${e}.id AND f.state NOT IN ('found', 'not_found') AND f.answered_at IS NULL`;
}

/** Whether an ask of `e` may have been paid for with another enrichment, and nothing is awaited. */
export function isInDoubt(e: string): string {
  return `(${e}.sent <> ${e}.ask AND EXISTS (SELECT 1 ${unanswered(e)} AND f.state <> 'failed'))`;
}

/** Of those of an `e` that has its own answer: where that has a value, of those alone that are in doubt. */
function ofUnanswered(value: string): string {
  return `CASE WHEN e.sent <> e.ask AND e.state IN ('found', 'not_found')
    THEN (SELECT ${value} ${unanswered('e')} AND (e.state = 'not_found' OR f.state <> 'failed')) END`;
}

/** The state of what may bring more than the row shows; null if nothing does. */
export const SHOWN_AGAIN = `CASE WHEN ${IS_ASKED_AGAIN} THEN e.state
  WHEN e.state = 'found' AND e.suppressed_by IS NULL THEN ${ofUnanswered("max('uncertain')")} END`;

export const SHOWN_REASON = `CASE WHEN ${IS_SUPPRESSED} THEN (SELECT CASE WHEN s.reason = '' THEN '${suppressedReason('')}'
    ELSE '${suppressedReason(' ').trimEnd()} ' || s.reason END FROM suppressions s WHERE s.id = e.suppressed_by)
  ELSE coalesce(e.reason, ${ofUnanswered('min(f.reason)')}) END`;

/** Whether the run of lead `l` asked for enrichment `e` and pays for it. */
export const IS_API = '(l.is_first AND e.paid_by IS NOT DISTINCT FROM l.run_id)';

const UNASKED_STATUS = `CASE WHEN l.not_asked THEN 'not_asked' ELSE 'skipped' END`;

export const SHOWN_STATUS = `CASE
    WHEN e.id IS NULL THEN ${UNASKED_STATUS}
    WHEN ${IS_SUPPRESSED} THEN 'skipped'
    WHEN o.state = 'found' OR (e.shows_known AND e.state <> 'not_found') THEN 'found'
    WHEN ${IS_ASKED_AGAIN} THEN 'not_found'
    WHEN e.state = 'found' THEN 'found'
    ELSE coalesce(${ofUnanswered("max(CASE f.state WHEN 'failed' THEN 'failed' ELSE 'uncertain' END)")}, e.state) END`;
