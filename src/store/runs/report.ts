// The numbers of a run are not kept: they are counted when they are asked for.
import type { LeadAnswer } from '../../model/answer.js';
import type { LeadCursor, RunStore, ShownLeads, StoredReject } from '../../ports/store/runs.js';
import { readResult } from '../enrichments/result-format.js';
import { readCells } from '../lead-cells.js';
import type { Sql, Value } from '../sql.js';
import { read, type Verbs } from '../verb.js';
import {
  COUNT,
  COUNT_IN_PART,
  COUNT_REST,
  type CountedRow,
  type InPartRow,
  type RestRow,
  SOURCES_WITH_LEADS,
  TOLD_LEADS,
  toTally,
  WHOLLY_READ,
} from './count-leads.js';
import {
  ANSWER_COLUMNS,
  ANSWERED_LEADS,
  type AnswerRow,
  IS_SHOWN_AS,
  toAnswer,
  WHY,
} from './lead-answer.js';
import { readPlan } from './runs.js';
import { merged, stepsOf, tallySteps } from './waterfall.js';

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

type Which = Parameters<RunStore['answers']>[1];

/** The leads as this run has them: those of a waterfall without its steps. */
async function ownAnswers(sql: Sql, runId: number, which: Which): Promise<LeadAnswer[]> {
  const rows =
    'after' in which
      ? await sql.rows<StoredAnswer>(
          `${TOLD} WHERE l.run_id = $1 AND l.position > $2 ORDER BY l.position LIMIT $3`,
          [runId, which.after, which.limit],
        )
      : await sql.rows<StoredAnswer>(
          `${TOLD} WHERE l.run_id = $1 AND l.position = ANY ($2) ORDER BY l.position`,
          [runId, which],
        );
  return readAnswers(sql, runId, rows);
}

const COUNTED_AT_ONCE = 500;

async function positionsOfWaterfall(
  sql: Sql,
  runId: number,
  { outcome, reason }: ShownLeads,
  { direction, position }: LeadCursor,
  limit: number,
): Promise<number[]> {
  const [beyond, order] = direction === 'after' ? ['>', ''] : ['<', 'DESC'];
  const chosen: number[] = [];
  for (let from = position; ; ) {
    const positions = await sql.list<number>(
      `SELECT position FROM leads WHERE run_id = $1 AND position ${beyond} $2 ORDER BY position ${order} LIMIT $3`,
      [runId, from, COUNTED_AT_ONCE],
    );
    const last = positions.at(-1);
    if (last === undefined) return chosen;
    const rows = await answers(sql, runId, positions);
    const found = rows.filter(
      (row) =>
        (outcome === undefined || row.status === outcome) &&
        (reason === undefined || row.reason === reason),
    );
    chosen.push(...(direction === 'after' ? found : found.toReversed()).map((row) => row.position));
    if (chosen.length >= limit) return chosen.slice(0, limit);
    from = last;
  }
}

async function answers(sql: Sql, runId: number, which: Which): Promise<LeadAnswer[]> {
  return merged(sql, runId, await ownAnswers(sql, runId, which), (run, positions) =>
    ownAnswers(sql, run, positions),
  );
}

async function countRest(sql: Sql, runId: number): Promise<RestRow | undefined> {
  const rest = await sql.row<RestRow>(COUNT_REST, [runId]);
  const run = await sql.row<{ plan: string; leads: number }>(WHOLLY_READ, [runId]);
  if (rest === undefined || run === undefined) return rest;
  const { limit = Number.POSITIVE_INFINITY, sources } = readPlan(run.plan);
  const having = new Set(await sql.list<number>(SOURCES_WITH_LEADS, [runId, sources.length]));
  // Sources after the lead at the limit were not read.
  const end = run.leads < limit ? sources.length : Math.max(0, ...having);
  const leadless = [...sources.keys()].filter((source) => source < end && !having.has(source));
  return leadless.length === 0 ? rest : { ...rest, leadless };
}

export const reportVerbs = {
  tally: read(async (sql, runId) => {
    const steps = await stepsOf(sql, runId);
    if (steps !== undefined) {
      return tallySteps(steps, (await countRest(sql, runId)) ?? { rejects: 0 }, {
        page: (after) => ownAnswers(sql, runId, { after, limit: COUNTED_AT_ONCE }),
        at: (run, positions) => ownAnswers(sql, run, positions),
      });
    }
    // This setting holds for this transaction: a million enrichments are joined in memory, and not sorted for their few
    // groups.
    if (sql.kind === 'postgres') {
      await sql.run(`SET LOCAL work_mem = '64MB'; SET LOCAL enable_sort TO off`);
    }
    return toTally(
      await sql.rows<CountedRow>(COUNT, [runId]),
      await sql.rows<InPartRow>(COUNT_IN_PART, [runId]),
      await countRest(sql, runId),
    );
  }),
  answers: read('bounded', answers),
  positions: read('bounded', async (sql, runId, shown, cursor, limit) => {
    const { outcome, reason } = shown;
    const { direction, position } = cursor;
    if ((await stepsOf(sql, runId)) !== undefined) {
      return positionsOfWaterfall(sql, runId, shown, cursor, limit);
    }
    const values: Value[] = [runId, position, limit];
    const place = (value: Value): string => `$${values.push(value)}`;
    const conditions: string[] = [];
    if (outcome !== undefined) conditions.push(IS_SHOWN_AS(place(outcome)));
    if (reason !== undefined) {
      const why = place(reason);
      conditions.push(`(${WHY} = ${why} OR (e.id IS NOT NULL AND l.note = ${why}))`);
    }
    const [beyond, order] = direction === 'after' ? ['>', ''] : ['<', 'DESC'];
    return sql.list(
      `SELECT l.position FROM ${TOLD_LEADS}
       WHERE l.run_id = $1 AND l.position ${beyond} $2 ${conditions.map((one) => `AND ${one}`).join(' ')}
       ORDER BY l.position ${order} LIMIT $3`,
      values,
    );
  }),
  rejects: read('bounded', (sql, runId, afterId, limit) =>
    sql.rows<StoredReject>(
      'SELECT id, source, line, reason, raw FROM rejects WHERE run_id = $1 AND id > $2 ORDER BY id LIMIT $3',
      [runId, afterId, limit],
    ),
  ),
} satisfies Partial<Verbs>;
