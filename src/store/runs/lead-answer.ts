// The answer that a row shows for a lead. The SQL is understood by every store.
import { type LeadAnswer, SHOWN_FOR_NOW } from '../../model/answer.js';
import { fromThousandths } from '../../model/credits.js';
import type { EnrichmentState } from '../../model/enrichment/arrows.js';
import { toAsks, toInputs } from '../../model/enrichment/stored-request.js';
import {
  answeredAt,
  IS_API,
  IS_SUPPRESSED,
  isAnswered,
  isImported,
  PART_ANSWERED_AT,
  SHOWN_AGAIN,
  SHOWN_REASON,
  SHOWN_STATUS,
  SHOWS_PART,
} from '../enrichments/known-answers.js';
import { toldTicket } from '../maintenance/forgetting.js';
import { TOLD_LEADS } from './count-leads.js';

export type AnswerRow = Pick<
  LeadAnswer,
  'position' | 'file' | 'line' | 'status' | 'ticket' | 'enrichedAt'
> & {
  readonly note: string | null;
  /** The state of the newer request, if the row shows an older answer. */
  readonly askedAgain: EnrichmentState | null;
  readonly isOlder: boolean;
  readonly isPart: boolean;
  readonly reason: string | null;
  /** Null if there is no enrichment. */
  readonly ask: string | null;
  readonly inputs: string | null;
  readonly paidBy: number | null;
  readonly isApi: boolean;
  readonly isImported: boolean;
  readonly thousandths: number | null;
  readonly isSuppressed: boolean;
};

function ofKnown(column: string): string {
  return `CASE WHEN e.sent <> e.ask THEN (SELECT ${column} FROM enrichments f
    WHERE f.id = (SELECT max(s.from_id) FROM stands s WHERE s.enrichment_id = e.id)) END`;
}

export const ANSWER_COLUMNS = `l.position, l.source AS file, l.line, l.note, ${SHOWN_STATUS} AS status,
  ${SHOWN_AGAIN} AS asked_again, o.id IS NOT NULL AS is_older, ${SHOWN_REASON} AS reason,
  ${toldTicket(`coalesce(o.ticket, e.ticket, ${ofKnown('f.ticket')})`)} AS ticket, ${IS_SUPPRESSED} AS is_suppressed, e.ask,
  e.inputs, coalesce(e.paid_by, ${ofKnown('f.paid_by')}) AS paid_by, ${IS_API} AS is_api, e.thousandths,
  ${isImported('e')} OR ${ofKnown(isImported('f'))} AS is_imported, ${SHOWS_PART} OR e.state = 'found' AS is_part,
  CASE WHEN o.id IS NOT NULL THEN ${answeredAt('o')} WHEN ${SHOWS_PART} THEN ${PART_ANSWERED_AT} ELSE ${answeredAt('e')} END AS enriched_at`;

export const WHY = `CASE WHEN e.id IS NULL THEN l.note ELSE ${SHOWN_REASON} END`;

/** Whether the row shows this outcome, or shows an older answer while the newer request has this outcome. */
export const IS_SHOWN_AS = (outcome: string): string =>
  `(${SHOWN_STATUS} = ${outcome} OR ${SHOWN_AGAIN} = ${outcome})`;

/** A result that is withheld, since it may be another's, is in no row (`Settlement`). */
export const ANSWERED_LEADS = `${TOLD_LEADS}
  LEFT JOIN results r ON r.enrichment_id = coalesce(o.id, e.id) AND NOT (${IS_SUPPRESSED})
    AND (o.id IS NOT NULL OR e.shows_known OR ${isAnswered('e')})`;

/** The fields of a lead of which nothing is shown but its cells and what it cost. */
const WITHHELD = { ticket: null, source: null, enrichedAt: null, ask: [], inputs: {} } as const;

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
    credits: row.isApi ? fromThousandths(row.thousandths ?? 0) : 0,
    enrichedAt,
    ask: row.ask === null ? [] : toAsks(row.ask),
    inputs: row.inputs === null ? {} : toInputs(row.inputs),
    ...kept,
    ...(askedAgain === null ? {} : { askedAgain }),
    ...(row.isSuppressed && WITHHELD),
  };
}

function reasonOf({ askedAgain, isPart, note, reason }: AnswerRow): string | null {
  if (askedAgain === null) return reason ?? note;
  const shown = SHOWN_FOR_NOW[isPart ? 1 : 0];
  return `${shown}: ${askedAgain}${reason === null ? '' : ` (${reason})`}`;
}

function sourceOf(row: AnswerRow): LeadAnswer['source'] {
  if (row.isOlder) return 'cache';
  // Without an import, nobody has asked for it yet.
  if (row.paidBy === null) return row.isImported ? 'import' : null;
  return row.isApi ? 'api' : 'cache';
}
