// What a run shows: its rows and its rejects.
import type Database from 'better-sqlite3';
import type { StoredReject } from '../../../ports/store/runs.js';
import {
  ANSWER_COLUMNS,
  ANSWERED_LEADS,
  type AnswerRow,
  toAnswer,
} from '../../runs/lead-answer.js';
import type { Verbs } from '../database/transactions.js';
import { KEPT_RESULT, type KeptResult, readResult } from '../enrichments/result-format.js';
import { prepareReadCells } from '../lead-cells.js';

export function prepareReport(db: Database.Database) {
  const answers = db.prepare<
    [number, number, number],
    AnswerRow & { readonly kept: KeptResult | null }
  >(
    `SELECT ${ANSWER_COLUMNS}, ${KEPT_RESULT} AS kept
     FROM ${ANSWERED_LEADS} WHERE l.run_id = ? AND l.position > ? ORDER BY l.position LIMIT ?`,
  );
  const rejects = db.prepare<[number, number, number], StoredReject>(
    `SELECT id, source, line, reason, raw FROM rejects WHERE run_id = ? AND id > ? ORDER BY id LIMIT ?`,
  );

  const readCells = prepareReadCells(db);

  return {
    answers: (runId, after, limit) => {
      const cellsOf = readCells(runId);
      return answers.all(runId, after, limit).map((row) =>
        toAnswer(row, {
          cells: cellsOf(row.position),
          result: row.kept === null ? null : readResult(row.kept),
        }),
      );
    },
    rejects: (runId, afterId, limit) => rejects.all(runId, afterId, limit),
  } satisfies Partial<Verbs>;
}
