// What a run shows: its rows and its rejects.
import type Database from 'better-sqlite3';
import type { LeadAnswer } from '../../../model/answer.js';
import type { StatusOfLead, StoredReject } from '../../../ports/store/runs.js';
import {
  ANSWER_COLUMNS,
  ANSWERED_LEADS,
  type AnswerRow,
  STATUS_COLUMNS,
  TOLD_STATUSES,
  toAnswer,
} from '../../runs/lead-answer.js';
import { snapshot, type Verbs } from '../database/transactions.js';
import { KEPT_RESULT, type KeptResult, readResult } from '../enrichments/result-format.js';
import { prepareReadCells } from '../lead-cells.js';

type StoredAnswer = AnswerRow & { readonly kept: KeptResult | null };

export function prepareReport(db: Database.Database) {
  const told = `SELECT ${ANSWER_COLUMNS}, ${KEPT_RESULT} AS kept FROM ${ANSWERED_LEADS} WHERE l.run_id = ?`;
  const answers = db.prepare<[number, number, number], StoredAnswer>(
    `${told} AND l.position > ? ORDER BY l.position LIMIT ?`,
  );
  const answerAt = db.prepare<[number, number], StoredAnswer>(`${told} AND l.position = ?`);
  const statuses = db.prepare<[number, number, number], StatusOfLead>(
    `SELECT ${STATUS_COLUMNS} FROM ${TOLD_STATUSES} WHERE l.run_id = ? AND l.position > ? ORDER BY l.position LIMIT ?`,
  );
  const rejects = db.prepare<[number, number, number], StoredReject>(
    `SELECT id, source, line, reason, raw FROM rejects WHERE run_id = ? AND id > ? ORDER BY id LIMIT ?`,
  );

  const readCells = prepareReadCells(db);
  const read = (runId: number, rows: readonly StoredAnswer[]): LeadAnswer[] => {
    const cellsOf = readCells(runId);
    return rows.map((row) =>
      toAnswer(row, {
        cells: cellsOf(row.position),
        result: row.kept === null ? null : readResult(row.kept),
      }),
    );
  };

  return {
    answers: (runId, after, limit) => read(runId, answers.all(runId, after, limit)),
    answersAt: snapshot(db, (runId, positions) =>
      read(
        runId,
        [...positions].sort((a, b) => a - b).flatMap((position) => answerAt.all(runId, position)),
      ),
    ),
    statuses: (runId, after, limit) => statuses.all(runId, after, limit),
    rejects: (runId, afterId, limit) => rejects.all(runId, afterId, limit),
  } satisfies Partial<Verbs>;
}
