// The numbers of a run, from what is counted while its leads change (counts.ts).
import type Database from 'better-sqlite3';
import type { LeadStatus } from '../../model/answer.js';
import { fromThousandths } from '../../model/credits.js';
import { emptyByStatus, type InPart, type RunTally, type StatusReason } from '../../model/tally.js';
import { snapshot, type Verbs } from '../database/transactions.js';
import { type CountRow, DISTINCT, IN_PART } from './counts.js';

const REASONS_MAX = 20;

type LeadsRow = CountRow & { readonly status: LeadStatus };

export function prepareTally(db: Database.Database) {
  const counts = db.prepare<[number], CountRow>(
    `SELECT status, again, reason, cached, n, thousandths FROM run_counts WHERE run_id = ? AND (n > 0 OR status = '${DISTINCT}')`,
  );
  const counted = db.prepare<[number], { reject_count: number }>(
    'SELECT reject_count FROM runs WHERE id = ?',
  );

  return {
    // One transaction: the numbers of one moment, though another process may be writing.
    tally: snapshot(db, (runId): RunTally => {
      const all = counts.all(runId);
      const rows = all.filter((row): row is LeadsRow => !isBeside(row));
      return {
        leads: sumOf(rows),
        rejects: counted.get(runId)?.reject_count ?? 0,
        byStatus: { ...emptyByStatus(), ...countBy(rows.map(({ status, n }) => [status, n])) },
        askedAgain: countBy(rows.map(({ again, n }) => [again === '' ? null : again, n])),
        reasons: reasonsOf(rows),
        inPart: inPartOf(all.filter(({ status }) => status === IN_PART)),
        enrichments: all.find(({ status }) => status === DISTINCT)?.n ?? null,
        fromCache: sumOf(rows.filter(({ cached }) => cached === 1)),
        credits: fromThousandths(rows.reduce((sum, { thousandths }) => sum + thousandths, 0)),
      };
    }),
  } satisfies Partial<Verbs>;
}

function isBeside({ status }: CountRow): boolean {
  return status === IN_PART || status === DISTINCT;
}

function sumOf(rows: readonly Pick<CountRow, 'n'>[]): number {
  return rows.reduce((sum, { n }) => sum + n, 0);
}

/** By the state of the newer request, where an older answer is shown. */
function reasonsOf(rows: readonly LeadsRow[]): readonly StatusReason[] {
  const groups = new Map<string, StatusReason>();
  for (const { status: shown, again, reason, n } of rows) {
    const status = again || shown;
    if (reason === '') continue;
    const key = `${status} ${reason}`;
    groups.set(key, { status, reason, leads: n + (groups.get(key)?.leads ?? 0) });
  }
  return [...groups.values()]
    .sort((a, b) => b.leads - a.leads || compare(a.status, b.status) || compare(a.reason, b.reason))
    .slice(0, REASONS_MAX);
}

function inPartOf(rows: readonly CountRow[]): InPart {
  const reasons = rows
    .map(({ reason, n }) => ({ reason, leads: n }))
    .sort((a, b) => b.leads - a.leads || compare(a.reason, b.reason))
    .slice(0, REASONS_MAX);
  return { leads: sumOf(rows), reasons };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function countBy<K extends string>(
  pairs: readonly (readonly [K | null, number])[],
): Partial<Record<K, number>> {
  const counts: Partial<Record<K, number>> = {};
  for (const [key, n] of pairs) if (key !== null) counts[key] = (counts[key] ?? 0) + n;
  return counts;
}
