// The numbers of a run: what its leads are counted under, which is what their rows show, and what is told of the counts.
// The SQL is understood by every store.
import type { LeadStatus } from '../../model/answer.js';
import { fromThousandths } from '../../model/credits.js';
import type { EnrichmentState } from '../../model/enrichment/arrows.js';
import {
  emptyByStatus,
  FORGOTTEN_REASON,
  type InPart,
  type RunTally,
  type StatusReason,
} from '../../model/tally.js';
import {
  IS_API,
  IS_ASKED_AGAIN,
  OLDER_ANSWER,
  SHOWN_STATUS,
} from '../enrichments/known-answers.js';

const REASONS_MAX = 20;

/** Among the statuses: leads that are asked in part, by reason; and the distinct enrichments of a run that has ended. */
export const IN_PART = 'in part';
export const DISTINCT = 'distinct';

/** What leads are counted under: what their rows show. */
export interface CountKey {
  readonly status: LeadStatus | typeof IN_PART | typeof DISTINCT;
  /** The state of the newer request, where an older answer is shown; else empty. */
  readonly again: EnrichmentState | '';
  readonly reason: string;
  /** 1 where another line, or another run, asked for the answer. */
  readonly cached: 0 | 1;
}

export interface CountRow extends CountKey {
  readonly run_id: number;
  readonly n: number;
  /** What the run paid for them. */
  readonly thousandths: number;
}

type LeadsRow = Omit<CountRow, 'run_id'> & { readonly status: LeadStatus };

/** What lead `l` with its enrichment `e` and the older answer `o` of that is counted under. */
export const COUNT_KEY = `l.run_id, ${SHOWN_STATUS} AS status,
  CASE WHEN ${IS_ASKED_AGAIN} THEN e.state ELSE '' END AS again,
  coalesce(CASE WHEN e.id IS NULL THEN l.note ELSE e.reason END, '') AS reason,
  CASE WHEN o.id IS NOT NULL OR (e.settled_at IS NOT NULL AND NOT ${IS_API}) THEN 1 ELSE 0 END AS cached`;
export const COUNTED_THOUSANDTHS = `CASE WHEN ${IS_API} THEN e.thousandths ELSE 0 END`;
export const COUNTED_ANSWERS = `LEFT JOIN enrichments e ON e.id = l.enrichment_id LEFT JOIN ${OLDER_ANSWER}`;

/** The distinct enrichments of a run that has ended; `run`: the parameter that names it. */
export function countDistinct(run: string): string {
  return `SELECT id AS run_id, '${DISTINCT}' AS status, '' AS again, '' AS reason, 0 AS cached,
      (SELECT count(DISTINCT enrichment_id) FROM leads WHERE run_id = runs.id) AS n, 0 AS thousandths
    FROM runs WHERE id = ${run} AND state = 'finished'`;
}

/** Leads that are asked in part, by reason. */
export function countInPart(run: string): string {
  return `SELECT run_id, '${IN_PART}' AS status, '' AS again, note AS reason, 0 AS cached, count(*) AS n, 0 AS thousandths
    FROM leads WHERE run_id = ${run} AND enrichment_id IS NOT NULL AND note IS NOT NULL GROUP BY run_id, note`;
}

const AGAIN = `CASE WHEN ${IS_ASKED_AGAIN} THEN e.state ELSE '' END`;
const CACHED = `CASE WHEN o.id IS NOT NULL OR (e.settled_at IS NOT NULL AND NOT ${IS_API}) THEN '1' ELSE '0' END`;

/**
 * The leads of a run, which is the parameter, by what their rows show. The parts of a key are one text: SQLite sorts the
 * leads for it, and a million of them take half again as long by four columns.
 */
export const COUNT = `SELECT ${SHOWN_STATUS} || ' ' || ${AGAIN} || ' ' || ${CACHED} AS shown,
    CASE WHEN e.id IS NULL THEN l.note ELSE e.reason END AS why,
    count(*) AS n, coalesce(sum(${COUNTED_THOUSANDTHS}), 0)::bigint AS thousandths
  FROM leads l ${COUNTED_ANSWERS} WHERE l.run_id = $1 GROUP BY 1, 2`;
export const COUNT_BESIDE = `${countInPart('$1')} UNION ALL ${countDistinct('$1')}`;

export interface CountedRow extends Pick<CountRow, 'n' | 'thousandths'> {
  /** Its status, the state of the newer request, and whether it is cached. */
  readonly shown: string;
  readonly why: string | null;
}

export function readCounted({ shown, why, n, thousandths }: CountedRow): Omit<CountRow, 'run_id'> {
  const [status, again, cached] = shown.split(' ') as [LeadStatus, CountKey['again'], string];
  return { status, again, reason: why ?? '', cached: cached === '1' ? 1 : 0, n, thousandths };
}

export function toTally(all: readonly Omit<CountRow, 'run_id'>[], rejects: number): RunTally {
  const rows = all.filter((row): row is LeadsRow => !isBeside(row));
  return {
    leads: sumOf(rows),
    rejects,
    byStatus: { ...emptyByStatus(), ...countBy(rows.map(({ status, n }) => [status, n])) },
    askedAgain: countBy(rows.map(({ again, n }) => [again === '' ? null : again, n])),
    reasons: reasonsOf(rows),
    inPart: inPartOf(all.filter(({ status }) => status === IN_PART)),
    enrichments: all.find(({ status }) => status === DISTINCT)?.n ?? null,
    fromCache: sumOf(rows.filter(({ cached }) => cached === 1)),
    credits: fromThousandths(rows.reduce((sum, { thousandths }) => sum + thousandths, 0)),
  };
}

function isBeside({ status }: Pick<CountRow, 'status'>): boolean {
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
    .filter(({ reason }, i) => i < REASONS_MAX || reason === FORGOTTEN_REASON);
}

function inPartOf(rows: readonly Omit<CountRow, 'run_id'>[]): InPart {
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
