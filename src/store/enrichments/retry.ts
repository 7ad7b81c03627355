import { isAnswer } from '../../model/enrichment/arrows.js';
import type { Enrichment } from '../../model/enrichment/locked.js';
import { askAnew, RETRIED, retry } from '../../model/enrichment/retry.js';
import { isRemembered } from '../../model/enrichment/stored-request.js';
import type { RetriedOutcome, RetriedWork, RetryTimes } from '../../ports/store/enrichments.js';
import { revisitLists } from '../contact-lists.js';
import { IS_SHOWN_AS } from '../runs/lead-answer.js';
import { reopenRun } from '../runs/runs.js';
import { bringBack } from '../runs/waterfall.js';
import { lockAccountOf, type Sql } from '../sql.js';
import { type Verbs, write } from '../verb.js';
import { openBook } from './known.js';
import { IS_REMEMBERED, IS_SUPPRESSED, OLDER_ANSWER } from './known-answers.js';
import { namedByLeads, nameEach, save } from './save.js';
import { markFirst } from './work.js';

export const retryVerbs = {
  retry: write(async (sql, runId, only, times) => {
    const account = await lockAccountOf(sql, runId);
    const { positions } = times;
    const aside = positions === undefined ? 0 : await bringBack(sql, runId, positions);
    const work = { queued: aside, awaiting: 0, answered: 0 };
    for (const outcome of RETRIED.filter((one) => only.includes(one))) {
      await retryAll(sql, { runId, account, outcome, times, work });
    }
    const { answered, awaiting, queued } = work;
    if (queued + awaiting + answered === 0) return work;
    if (queued + awaiting > 0) await reopen(sql, runId, times.at);
    await revisitLists(sql, [runId]);
    await markFirst(sql, runId);
    return work;
  }),
} satisfies Partial<Verbs>;

/** Opens a run again: of a waterfall all of its runs, since leads may pass on to later steps. */
async function reopen(sql: Sql, runId: number, at: number): Promise<void> {
  const run = 'SELECT coalesce(step_of, id) FROM runs WHERE id = $1';
  const holds = (await sql.value<number>(run, [runId])) as number;
  await reopenRun(sql, holds, at);
  await sql.run(
    `UPDATE runs SET state = 'reading', ended_at = NULL WHERE step_of = $1 AND state = 'finished'`,
    [holds],
  );
}

interface Retrying {
  readonly runId: number;
  readonly account: string;
  readonly outcome: RetriedOutcome;
  readonly times: RetryTimes;
  readonly work: Record<keyof RetriedWork, number>;
}

async function retryAll(
  sql: Sql,
  { account, outcome, runId, times, work }: Retrying,
): Promise<void> {
  const { positions } = times;
  const text = namedByLeads(
    `${IS_SHOWN_AS('$3')} AND e.${IS_REMEMBERED} AND NOT (${IS_SUPPRESSED})${positions === undefined ? '' : ' AND l.position = ANY ($4)'}`,
    `LEFT JOIN ${OLDER_ANSWER}`,
  );
  const values = [runId, outcome, ...(positions === undefined ? [] : [positions])];
  await nameEach(sql, text, values, async (ids) => {
    // What others have answered is asked of them again, but for what is sent anew.
    const isAnew = outcome === 'uncertain' || (outcome === 'failed' && times.askAnew === true);
    const rows = await sql.rows<Pick<Enrichment, 'id' | 'fingerprint'>>(
      `SELECT id, fingerprint FROM enrichments WHERE id = ANY ($1)
         OR id IN (SELECT from_id FROM stands WHERE enrichment_id = ANY ($2)) ORDER BY id`,
      [ids, isAnew ? [] : ids],
    );
    const book = await openBook(sql, { account, rows, freshSince: times.at });
    const retried = rows.flatMap(({ id }) => {
      const row = book.rows.get(id);
      if (row === undefined || !isRemembered(row)) return [];
      // What it was sent for was answered, and of the rest nothing is known.
      const isInPart = isAnew && isAnswer(row.state) && ids.includes(id);
      return (row.state === outcome && (row.sent !== '' || isAnew)) || isInPart ? [row] : [];
    });
    const moves = new Map<number, Enrichment>();
    for (const row of retried) {
      const { left, row: to } =
        row.state === outcome ? retry(book, row, runId, times) : askAnew(book, row, runId, times);
      work[left] += 1;
      if (to !== row) moves.set(row.id, to);
    }
    await save(sql, book);
    await move(sql, runId, moves);
  });
}

async function move(
  sql: Sql,
  runId: number,
  moves: ReadonlyMap<number, Pick<Enrichment, 'id'>>,
): Promise<void> {
  if (moves.size === 0) return;
  const leads = await sql.rows<{ position: number; from: number }>(
    'SELECT position, enrichment_id AS "from" FROM leads WHERE run_id = $1 AND enrichment_id = ANY ($2)',
    [runId, [...moves.keys()]],
  );
  await sql.update(
    'leads',
    ['runId', 'position'],
    leads.map(({ from, position }) => ({
      runId,
      position,
      enrichmentId: moves.get(from)?.id ?? from,
    })),
  );
  // Two leads that asked for one person may share one enrichment now: one of them stays on the bill.
  await sql.run(
    `UPDATE leads SET is_first = false
     WHERE run_id = $1 AND is_first AND enrichment_id = ANY ($2) AND EXISTS
       (SELECT 1 FROM leads o WHERE o.enrichment_id = leads.enrichment_id AND o.run_id = leads.run_id
          AND o.is_first AND o.position < leads.position)`,
    [runId, Array.from(moves.values(), ({ id }) => id)],
  );
}
