// What a run shows: its rows and its rejects.
import type Database from 'better-sqlite3';
import type { LeadAnswer } from '../../model/answer.js';
import { fromThousandths } from '../../model/credits.js';
import type { EnrichmentState } from '../../model/enrichment.js';
import type { StoredReject } from '../../ports/store/runs.js';
import type { Verbs } from '../database/transactions.js';
import {
  answeredAt,
  IS_API,
  IS_ASKED_AGAIN,
  OLDER_ANSWER,
  SHOWN_STATUS,
} from '../enrichments/known-answers.js';
import { KEPT_RESULT, type KeptResult, readResult } from '../enrichments/result-format.js';
import { toInputs } from '../enrichments/stored-request.js';
import { type CellsOf, prepareReadCells } from '../lead-cells.js';

type AnswerRow = Pick<
  LeadAnswer,
  'position' | 'file' | 'line' | 'status' | 'ticket' | 'enrichedAt'
> & {
  readonly note: string | null;
  /** The state of the newer request, where the row shows an older answer. */
  readonly askedAgain: EnrichmentState | null;
  readonly isOlder: number;
  readonly reason: string | null;
  readonly inputs: string | null;
  readonly paidBy: number | null;
  readonly isApi: number | null;
  readonly thousandths: number | null;
  readonly kept: KeptResult | null;
};

export function prepareReport(db: Database.Database) {
  const answers = db.prepare<[number, number, number], AnswerRow>(
    `SELECT l.position, l.source AS file, l.line, l.note, ${SHOWN_STATUS} AS status,
       CASE WHEN ${IS_ASKED_AGAIN} THEN e.state END AS askedAgain, o.id IS NOT NULL AS isOlder,
       e.reason, coalesce(o.ticket, e.ticket) AS ticket, e.inputs, e.paid_by AS paidBy, ${IS_API} AS isApi, e.thousandths,
       CASE WHEN o.id IS NULL THEN ${answeredAt('e')} ELSE ${answeredAt('o')} END AS enrichedAt, ${KEPT_RESULT} AS kept
     FROM leads l
     LEFT JOIN enrichments e ON e.id = l.enrichment_id
     LEFT JOIN ${OLDER_ANSWER}
     LEFT JOIN results r ON r.enrichment_id = coalesce(o.id, e.id)
     WHERE l.run_id = ? AND l.position > ? ORDER BY l.position LIMIT ?`,
  );
  const rejects = db.prepare<[number, number, number], StoredReject>(
    `SELECT id, source, line, reason, raw FROM rejects WHERE run_id = ? AND id > ? ORDER BY id LIMIT ?`,
  );

  const readCells = prepareReadCells(db);

  return {
    answers: (runId, after, limit) => {
      const cellsOf = readCells(runId);
      return answers.all(runId, after, limit).map((row) => toAnswer(row, cellsOf));
    },
    rejects: (runId, afterId, limit) => rejects.all(runId, afterId, limit),
  } satisfies Partial<Verbs>;
}

function toAnswer(row: AnswerRow, cellsOf: CellsOf): LeadAnswer {
  const { position, file, line, status, ticket, enrichedAt, inputs, kept, askedAgain } = row;
  return {
    position,
    file,
    line,
    cells: cellsOf(position),
    status,
    reason: reasonOf(row),
    ticket,
    source: sourceOf(row),
    credits: row.isApi === 1 ? fromThousandths(row.thousandths ?? 0) : 0,
    enrichedAt,
    inputs: inputs === null ? {} : toInputs(inputs),
    result: kept === null ? null : readResult(kept),
    ...(askedAgain === null ? {} : { askedAgain }),
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
