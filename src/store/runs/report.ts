// What a run shows: its numbers, its rows and its rejects. Nothing is kept for the numbers: they are counted when they
// are asked for.
import type { LeadAnswer } from '../../model/answer.js';
import type { StatusOfLead, StoredReject } from '../../ports/store/runs.js';
import { readResult } from '../enrichments/result-format.js';
import { readCells } from '../lead-cells.js';
import type { Sql, Verbs } from '../sql.js';
import {
  COUNT,
  COUNT_BESIDE,
  type CountedRow,
  type CountRow,
  readCounted,
  toTally,
} from './count-leads.js';
import {
  ANSWER_COLUMNS,
  ANSWERED_LEADS,
  type AnswerRow,
  STATUS_COLUMNS,
  TOLD_STATUSES,
  toAnswer,
} from './lead-answer.js';

type StoredAnswer = AnswerRow & { readonly body: Uint8Array | null };

const TOLD = `SELECT ${ANSWER_COLUMNS}, r.body FROM ${ANSWERED_LEADS}`;

async function readAnswers(
  sql: Sql,
  runId: number,
  rows: readonly StoredAnswer[],
): Promise<LeadAnswer[]> {
  const positions = rows.map(({ position }) => position);
  const cellsOf = await readCells(sql, runId, positions);
  return rows.map(({ body, ...row }) =>
    toAnswer(row, {
      cells: cellsOf(row.position),
      result: body === null ? null : readResult(body),
    }),
  );
}

export const reportReads = {
  tally: async (sql, runId) => {
    // For this transaction alone: a million enrichments are joined in memory, and not sorted for their few groups.
    if (sql.kind === 'postgres') {
      await sql.run(`SET LOCAL work_mem = '64MB'; SET LOCAL enable_sort TO off`);
    }
    const counted = await sql.rows<CountedRow>(COUNT, [runId]);
    const beside = await sql.rows<CountRow>(COUNT_BESIDE, [runId]);
    const run = await sql.row<{ rejects: number }>(
      'SELECT reject_count AS rejects FROM runs WHERE id = $1 AND pruned_at IS NULL',
      [runId],
    );
    return toTally([...counted.map(readCounted), ...beside], run?.rejects ?? 0);
  },
  answers: async (sql, runId, after, limit) => {
    const rows = await sql.rows<StoredAnswer>(
      `${TOLD} WHERE l.run_id = $1 AND l.position > $2 ORDER BY l.position LIMIT $3`,
      [runId, after, limit],
    );
    return readAnswers(sql, runId, rows);
  },
  answersAt: async (sql, runId, positions) => {
    const rows = await sql.rows<StoredAnswer>(
      `${TOLD} WHERE l.run_id = $1 AND l.position = ANY ($2) ORDER BY l.position`,
      [runId, positions],
    );
    return readAnswers(sql, runId, rows);
  },
  statuses: (sql, runId, after, limit) =>
    sql.rows<StatusOfLead>(
      `SELECT ${STATUS_COLUMNS} FROM ${TOLD_STATUSES}
       WHERE l.run_id = $1 AND l.position > $2 ORDER BY l.position LIMIT $3`,
      [runId, after, limit],
    ),
  rejects: (sql, runId, afterId, limit) =>
    sql.rows<StoredReject>(
      'SELECT id, source, line, reason, raw FROM rejects WHERE run_id = $1 AND id > $2 ORDER BY id LIMIT $3',
      [runId, afterId, limit],
    ),
} satisfies Partial<Verbs>;
