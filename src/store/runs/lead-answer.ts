// What a row shows of a lead. The SQL is understood by every store.
import type { LeadAnswer } from '../../model/answer.js';
import { fromThousandths } from '../../model/credits.js';
import type { EnrichmentState } from '../../model/enrichment/arrows.js';
import { toAsks, toInputs } from '../../model/enrichment/stored-request.js';
import { answeredAt, IS_API, IS_ASKED_AGAIN, SHOWN_STATUS } from '../enrichments/known-answers.js';
import { toldTicket } from '../maintenance/forgetting.js';
import { TOLD_LEADS } from './count-leads.js';

export type AnswerRow = Pick<
  LeadAnswer,
  'position' | 'file' | 'line' | 'status' | 'ticket' | 'enrichedAt'
> & {
  readonly note: string | null;
  /** The state of the newer request, where the row shows an older answer. */
  readonly askedAgain: EnrichmentState | null;
  readonly isOlder: 0 | 1;
  readonly reason: string | null;
  /** Null where there is no enrichment. */
  readonly ask: string | null;
  readonly inputs: string | null;
  readonly paidBy: number | null;
  readonly isApi: 0 | 1;
  readonly thousandths: number | null;
  readonly isBelieved: 0 | 1;
};

/** Of lead `l`, with its enrichment `e` and the older answer `o` of that. */
export const ANSWER_COLUMNS = `l.position, l.source AS file, l.line, l.note, ${SHOWN_STATUS} AS status,
  CASE WHEN ${IS_ASKED_AGAIN} THEN e.state END AS "askedAgain",
  CASE WHEN o.id IS NULL THEN 0 ELSE 1 END AS "isOlder", e.reason, ${toldTicket('coalesce(o.ticket, e.ticket)')} AS ticket, e.ask,
  e.inputs, e.paid_by AS "paidBy", CASE WHEN ${IS_API} THEN 1 ELSE 0 END AS "isApi", e.thousandths,
  CASE WHEN e.believed IS NOT NULL AND e.run_id = l.run_id THEN 1 ELSE 0 END AS "isBelieved",
  CASE WHEN o.id IS NULL THEN ${answeredAt('e')} ELSE ${answeredAt('o')} END AS "enrichedAt"`;

/** Why a lead was skipped or not asked, failed, or is not known. */
export const WHY = 'CASE WHEN e.id IS NULL THEN l.note ELSE e.reason END';

/** Its row shows this, or the newer request has come to it where the row shows an older answer. */
export const IS_SHOWN_AS = (outcome: string): string =>
  `(${SHOWN_STATUS} = ${outcome} OR (${IS_ASKED_AGAIN} AND e.state = ${outcome}))`;

/** With their results `r`. */
export const ANSWERED_LEADS = `${TOLD_LEADS}
  LEFT JOIN results r ON r.enrichment_id = coalesce(o.id, e.id)`;

/** `kept`: what each store keeps in a way of its own. */
export function toAnswer(row: AnswerRow, kept: Pick<LeadAnswer, 'cells' | 'result'>): LeadAnswer {
  const { position, file, line, status, ticket, paidBy, enrichedAt, askedAgain } = row;
  return {
    position,
    file,
    line,
    status,
    reason: reasonOf(row),
    ticket,
    source: sourceOf(row),
    paidBy,
    credits: row.isApi === 1 ? fromThousandths(row.thousandths ?? 0) : 0,
    enrichedAt,
    ask: row.ask === null ? [] : toAsks(row.ask),
    inputs: row.inputs === null ? {} : toInputs(row.inputs),
    ...kept,
    ...(askedAgain === null ? {} : { askedAgain }),
    ...(row.isBelieved === 1 && { isBelieved: true }),
  };
}

function reasonOf({ askedAgain, note, reason }: AnswerRow): string | null {
  if (askedAgain === null) return reason ?? note;
  return `an older answer; asked again: ${askedAgain}${reason === null ? '' : ` (${reason})`}`;
}

function sourceOf({ isApi, isOlder, paidBy }: AnswerRow): LeadAnswer['source'] {
  if (isOlder === 1) return 'cache';
  // It was not asked for yet.
  if (paidBy === null) return null;
  return isApi === 1 ? 'api' : 'cache';
}
