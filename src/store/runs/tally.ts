// The numbers of a run: counted, or kept where they cannot change any more.
import type Database from 'better-sqlite3';
import type { LeadStatus } from '../../model/answer.js';
import { fromThousandths } from '../../model/credits.js';
import type { EnrichmentState } from '../../model/enrichment.js';
import {
  emptyByStatus,
  type InPart,
  openLeads,
  type RunTally,
  type StatusReason,
} from '../../model/tally.js';
import { snapshot, type Verbs } from '../database/transactions.js';
import {
  IS_ASKED_AGAIN,
  OLDER_ANSWER,
  SHOWN_STATUS,
  UNASKED_STATUS,
} from '../enrichments/known-answers.js';

/** Whether the run of lead `l` asked for enrichment `e`, and pays. */
export const IS_API = '(l.is_first = 1 AND e.paid_by IS l.run_id)';

/** The numbers that were kept no longer count. */
export const RECOUNT = 'UPDATE runs SET tally = NULL WHERE tally IS NOT NULL';

/** The numbers of a run that ended with all leads answered are kept: counting a million takes a while. */
export function prepareTally(db: Database.Database) {
  const keptTally = db.prepare<[number], { tally: string | null }>(
    'SELECT tally FROM runs WHERE id = ?',
  );
  const count = prepareCount(db);
  const countInPart = prepareInPart(db);

  return {
    // One transaction: the numbers of one moment, though another process may be writing.
    tally: snapshot(db, (runId) => {
      const kept = keptTally.get(runId)?.tally;
      if (typeof kept !== 'string') return count(runId);
      // Release 0.1.0 did not count what was asked again, nor what was asked in part.
      const known = JSON.parse(kept) as Omit<RunTally, 'askedAgain' | 'inPart'> & Partial<RunTally>;
      const { askedAgain = {}, inPart = countInPart(runId) } = known;
      // Runs of before leads were chosen have no lead that is not asked.
      return { ...known, byStatus: { ...emptyByStatus(), ...known.byStatus }, askedAgain, inPart };
    }),
  } satisfies Partial<Verbs>;
}

/** Inside another verb's transaction: the numbers as they are stay, where no lead can change any more. */
export function prepareKeepTally(db: Database.Database) {
  const keep = db.prepare<[string, number]>('UPDATE runs SET tally = ? WHERE id = ?');
  const count = prepareCount(db);

  return (runId: number): void => {
    const now = count(runId);
    if (isForGood(now)) keep.run(JSON.stringify(now), runId);
  };
}

interface StatusRow {
  readonly status: LeadStatus;
  readonly again: EnrichmentState | null;
  readonly n: number;
  readonly cached: number;
  readonly thousandths: number;
}

function prepareCount(db: Database.Database) {
  const byStatus = db.prepare<[number], StatusRow>(
    `SELECT ${SHOWN_STATUS} AS status, CASE WHEN ${IS_ASKED_AGAIN} THEN e.state END AS again, count(*) AS n,
       total(o.id IS NOT NULL OR (e.settled_at IS NOT NULL AND NOT ${IS_API})) AS cached,
       total(CASE WHEN ${IS_API} THEN e.thousandths ELSE 0 END) AS thousandths
     FROM leads l LEFT JOIN enrichments e ON e.id = l.enrichment_id LEFT JOIN ${OLDER_ANSWER}
     WHERE l.run_id = ? GROUP BY 1, 2`,
  );
  const distinct = db.prepare<[number], { n: number }>(
    'SELECT count(DISTINCT enrichment_id) AS n FROM leads WHERE run_id = ?',
  );
  const reasons = db.prepare<[number], StatusReason>(
    `SELECT coalesce(e.state, ${UNASKED_STATUS}) AS status, coalesce(e.reason, l.note) AS reason,
       count(*) AS leads
     FROM leads l LEFT JOIN enrichments e ON e.id = l.enrichment_id
     WHERE l.run_id = ? AND (e.id IS NULL OR e.state IN ('failed', 'timed_out', 'uncertain')
       OR (e.state = 'awaiting' AND e.reason IS NOT NULL))
     GROUP BY 1, 2 ORDER BY leads DESC, status, reason LIMIT 20`,
  );
  const inPart = prepareInPart(db);
  const counted = db.prepare<[number], { reject_count: number }>(
    'SELECT reject_count FROM runs WHERE id = ?',
  );

  return (runId: number): RunTally => {
    const rows = byStatus.all(runId);
    const sum = (pick: (row: StatusRow) => number) =>
      rows.reduce((total, row) => total + pick(row), 0);
    return {
      leads: sum((row) => row.n),
      rejects: counted.get(runId)?.reject_count ?? 0,
      byStatus: { ...emptyByStatus(), ...countBy(rows.map(({ status, n }) => [status, n])) },
      askedAgain: countBy(rows.map(({ again, n }) => [again, n])),
      reasons: reasons.all(runId),
      inPart: inPart(runId),
      enrichments: distinct.get(runId)?.n ?? 0,
      fromCache: sum((row) => row.cached),
      credits: fromThousandths(sum((row) => row.thousandths)),
    };
  };
}

function prepareInPart(db: Database.Database) {
  const notes = db.prepare<[number], InPart['reasons'][number] & { total: number }>(
    `SELECT note AS reason, count(*) AS leads, sum(count(*)) OVER () AS total FROM leads
     WHERE run_id = ? AND enrichment_id IS NOT NULL AND note IS NOT NULL
     GROUP BY note ORDER BY leads DESC, note LIMIT 20`,
  );
  return (runId: number): InPart => {
    const rows = notes.all(runId);
    const reasons = rows.map(({ reason, leads }) => ({ reason, leads }));
    return { leads: rows[0]?.total ?? 0, reasons };
  };
}

/** Found, not found, failed, skipped, not asked: only `retry` and `forget` lead from there (src/model/enrichment.ts). */
function isForGood(tally: RunTally): boolean {
  const { failed: _ended, ...again } = tally.askedAgain;
  const { timed_out: timedOut, uncertain } = tally.byStatus;
  return Object.keys(again).length === 0 && openLeads(tally) + timedOut + uncertain === 0;
}

function countBy<K extends string>(
  pairs: readonly (readonly [K | null, number])[],
): Partial<Record<K, number>> {
  const counts: Partial<Record<K, number>> = {};
  for (const [key, n] of pairs) if (key !== null) counts[key] = (counts[key] ?? 0) + n;
  return counts;
}
