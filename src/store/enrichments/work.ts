// The work that a run has left and the money that it has committed; it takes over what other runs, or a crash, left
// behind.
import { fromThousandths } from '../../model/credits.js';
import { cutOff, takeOver } from '../../model/enrichment/answer.js';
import { UNANSWERED } from '../../model/enrichment/arrows.js';
import { NEVER } from '../../model/enrichment/locked.js';
import { toAsks } from '../../model/enrichment/stored-request.js';
import type { FirstAnswers } from '../../model/schedule/hit-rate.js';
import type { RunWork } from '../../ports/store/enrichments.js';
import type { Sql } from '../sql.js';
import { read, type Verbs, write } from '../verb.js';
import { holdEach, named, namedByLeads } from './save.js';
import { makeDue, UNREAD } from './settle.js';

/** The condition of the partial index on work left, to the letter: SQLite uses that index for nothing else. */
const IS_OPEN = `(state = 'queued' OR state = 'submitting' OR state = 'awaiting')`;

async function work(sql: Sql, runId: number): Promise<RunWork> {
  const open = await sql.row<RunWork>(
    `SELECT count(*) FILTER (WHERE state = 'queued' AND suppressed_by IS NULL) AS queued,
       count(*) FILTER (WHERE state = 'submitting') AS submitting,
       count(*) FILTER (WHERE state = 'awaiting' AND poll_at < ${NEVER}) AS awaiting,
       count(*) FILTER (WHERE state = 'awaiting' AND poll_at = ${NEVER}) AS unread
     FROM enrichments WHERE run_id = $1 AND ${IS_OPEN}`,
    [runId],
  );
  return { ...(open as RunWork), elsewhere: 0, givenUp: 0 };
}

interface CommittedRow {
  readonly ask: string;
  readonly open: number;
  readonly thousandths: number;
}

export const workVerbs = {
  work: read(work),
  commitment: read(async (sql, runId) => {
    // A lost send counts beside the send that followed it. A sent enrichment that no run pays for is queued again.
    const rows = await sql.rows<CommittedRow>(
      `SELECT sent AS ask,
         (count(*) FILTER (WHERE paid_by = $1
             AND state IN ('${UNANSWERED.join(`', '`)}'))
           + sum(lost_sends))::bigint AS open,
         sum(thousandths)::bigint AS thousandths
       FROM enrichments
       WHERE paid_by = $1 OR (run_id = $1 AND paid_by IS NULL AND state = 'queued') GROUP BY sent`,
      [runId],
    );
    return {
      spent: fromThousandths(rows.reduce((sum, { thousandths }) => sum + thousandths, 0)),
      open: rows
        .filter(({ open }) => open > 0)
        .map(({ ask, open }) => ({ ask: toAsks(ask), count: open })),
    };
  }),
  firstAnswers: read('bounded', async (sql, runId, count) => {
    const first = await sql.row<FirstAnswers>(
      `SELECT count(*) FILTER (WHERE state = 'found') AS found,
         count(*) FILTER (WHERE state IN ('not_found', 'failed', 'timed_out')) AS missed,
         count(*) FILTER (WHERE state IN ('submitting', 'awaiting')) AS open
       FROM (SELECT state FROM enrichments WHERE paid_by = $1 AND state NOT IN ('queued', 'uncertain')
             ORDER BY submitted_at, id LIMIT $2) AS first`,
      [runId, count],
    );
    return first as FirstAnswers;
  }),
  recover: write(async (sql, runId, reread) => {
    // These columns never change; enrichments may pass to another job before they are locked.
    const runs = await sql.rows<{ id: number; account: string }>(
      'SELECT id, account FROM runs WHERE job = (SELECT job FROM runs WHERE id = $1)',
      [runId],
    );
    const ofJob = new Map(runs.map(({ account, id }) => [id, account]));
    // A job that uses another account now must not ask the new account for tickets of the old account.
    // Other steps of the same waterfall wait for theirs themselves.
    const inherited = named(`e.state = 'awaiting' AND e.run_id IN
      (SELECT other.id FROM runs own JOIN runs other ON other.job = own.job AND other.account = own.account
       WHERE own.id = $2 AND other.id <> $2
         AND (own.step_of IS NULL OR other.step_of IS NULL OR other.step_of <> own.step_of))`);
    await holdEach(sql, inherited, [runId], (locked, row) => {
      const isOurs = row.runId !== runId && ofJob.get(row.runId) === ofJob.get(runId);
      if (isOurs && row.state === 'awaiting') takeOver(locked, row, { runId });
    });
    // The run that holds a waterfall's leads does this for all of its steps, before any of them sends.
    const left = named(`e.state = 'submitting' AND e.run_id IN
      (SELECT id FROM runs WHERE job = (SELECT job FROM runs WHERE id = $2 AND step_of IS NULL))`);
    let uncertain = 0;
    await holdEach(sql, left, [runId], (locked, row) => {
      if (ofJob.has(row.runId) && cutOff(locked, row)) uncertain += 1;
    });
    if (reread !== undefined) {
      await makeDue(sql, runId, reread.at, UNREAD);
      await sql.run(
        `UPDATE deliveries SET state = 'pending' WHERE scope = $1 AND state = 'unread'`,
        [reread.scope],
      );
    }
    return uncertain;
  }),
  adopt: write(async (sql, runId, abandonedBefore) => {
    // Reading all leads is slow, and usually no run has left anything open.
    const open = await sql.row(`SELECT 1 FROM enrichments WHERE ${IS_OPEN} LIMIT 1`);
    if (open === undefined) return work(sql, runId);
    let givenUp = 0;
    const elsewhere = new Set<number>();
    const text = namedByLeads(
      `(e.state = 'submitting' OR (e.run_id <> $2 AND (e.state = 'queued' OR e.state = 'awaiting')))`,
    );
    await holdEach(sql, text, [runId], (locked, row) => {
      if (row.runId !== runId && takeOver(locked, row, { runId })) return;
      if (row.state !== 'submitting') return;
      if ((row.submittedAt ?? 0) >= abandonedBefore) elsewhere.add(row.id);
      else if (cutOff(locked, row)) givenUp += 1;
    });
    const left = await work(sql, runId);
    if (left.queued > 0) await markFirst(sql, runId);
    return { ...left, givenUp, elsewhere: elsewhere.size };
  }),
} satisfies Partial<Verbs>;

export async function markFirst(sql: Sql, runId: number): Promise<void> {
  await sql.run(
    `UPDATE leads SET is_first = true WHERE run_id = $1 AND position IN
       (SELECT min(l.position) FROM leads l JOIN enrichments e ON e.id = l.enrichment_id
        WHERE l.run_id = $1 AND e.run_id = $1 AND e.state = 'queued'
        GROUP BY e.id HAVING count(*) FILTER (WHERE l.is_first) = 0)`,
    [runId],
  );
}
