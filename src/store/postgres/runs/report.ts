// What a run shows: its numbers, its rows and its rejects. Nothing is kept for the numbers: they are counted when they
// are asked for.

import type { LeadAnswer } from '../../../model/answer.js';
import type { Result } from '../../../model/result.js';
import type { JsonValue } from '../../../model/text/json.js';
import type { StatusOfLead, StoredReject } from '../../../ports/store/runs.js';
import { OLDER_ANSWER } from '../../enrichments/known-answers.js';
import {
  COUNT_KEY,
  COUNTED_THOUSANDTHS,
  type CountRow,
  countDistinct,
  countInPart,
  toTally,
} from '../../runs/count-leads.js';
import {
  ANSWER_COLUMNS,
  ANSWERED_LEADS,
  type AnswerRow,
  STATUS_COLUMNS,
  TOLD_STATUSES,
  toAnswer,
} from '../../runs/lead-answer.js';
import type { Verbs } from '../verbs.js';

type StoredAnswer = AnswerRow & { readonly cells: string; readonly body: string | null };

/**
 * Leads of a run by what their rows may show. They are grouped by columns of which the server knows how many values they
 * have, and the few with an older answer apart, so that it neither sorts them nor joins every enrichment twice.
 */
const GROUPED = ['NULL', 'NOT NULL'].map(
  (
    older,
  ) => `SELECT l.run_id, l.not_asked, l.note, l.is_first, e.id IS NULL AS "isUnasked", e.state, e.reason, e.paid_by,
      e.settled_at IS NULL AS "isUnsettled", e.answered_at IS NULL AS "isUnanswered",
      ${older === 'NULL' ? 'NULL' : 'o.state'} AS "olderState", count(*) AS n, sum(e.thousandths) AS thousandths
    FROM leads l ${older === 'NULL' ? 'LEFT ' : ''}JOIN enrichments e ON e.id = l.enrichment_id
    ${older === 'NULL' ? '' : `LEFT JOIN ${OLDER_ANSWER}`}
    WHERE l.run_id = $1 AND e.older_answer IS ${older} GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11`,
);

const COUNT = `SELECT ${COUNT_KEY}, sum(g.n)::bigint AS n,
    coalesce(sum(${COUNTED_THOUSANDTHS.replace('e.thousandths', 'g.thousandths')}), 0)::bigint AS thousandths
  FROM (${GROUPED.join(' UNION ALL ')}) AS g,
    LATERAL (SELECT g.run_id, g.not_asked, g.note, g.is_first) AS l,
    LATERAL (SELECT CASE WHEN NOT g."isUnasked" THEN 0 END AS id, g.state, g.reason, g.paid_by,
      CASE WHEN NOT g."isUnsettled" THEN 0 END AS settled_at,
      CASE WHEN NOT g."isUnanswered" THEN 0 END AS answered_at) AS e,
    LATERAL (SELECT CASE WHEN g."olderState" IS NOT NULL THEN 0 END AS id, g."olderState" AS state) AS o
  GROUP BY 1, 2, 3, 4, 5
  UNION ALL ${countInPart('$1')} UNION ALL ${countDistinct('$1')}`;

const TOLD = `SELECT ${ANSWER_COLUMNS}, l.cells, r.body FROM ${ANSWERED_LEADS}`;

function readAnswer({ cells, body, ...row }: StoredAnswer): LeadAnswer {
  return toAnswer(row, {
    cells: JSON.parse(cells) as JsonValue[],
    result: body === null ? null : (JSON.parse(body) as Result),
  });
}

export const reportReads = {
  tally: async (sql, runId) => {
    // For this transaction alone: a million enrichments are joined in memory, and not sorted for their few groups.
    await sql.run(`SET LOCAL work_mem = '64MB'; SET LOCAL enable_sort TO off`);
    const counts = await sql.rows<CountRow>(COUNT, [runId]);
    const run = await sql.row<{ rejects: number }>(
      'SELECT reject_count AS rejects FROM runs WHERE id = $1 AND pruned_at IS NULL',
      [runId],
    );
    return toTally(counts, run?.rejects ?? 0);
  },
  answers: async (sql, runId, after, limit) => {
    const rows = await sql.rows<StoredAnswer>(
      `${TOLD} WHERE l.run_id = $1 AND l.position > $2 ORDER BY l.position LIMIT $3`,
      [runId, after, limit],
    );
    return rows.map(readAnswer);
  },
  answersAt: async (sql, runId, positions) => {
    const rows = await sql.rows<StoredAnswer>(
      `${TOLD} WHERE l.run_id = $1 AND l.position = ANY ($2) ORDER BY l.position`,
      [runId, positions],
    );
    return rows.map(readAnswer);
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
