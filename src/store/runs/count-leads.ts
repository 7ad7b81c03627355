// Counts the leads of a run by the contents of their rows, and makes the tally of these counts. The SQL is understood
// by every store.
import type { LeadStatus } from '../../model/answer.js';
import { fromThousandths } from '../../model/credits.js';
import type { EnrichmentState } from '../../model/enrichment/arrows.js';
import { kindOfReason } from '../../model/report/fail-on.js';
import {
  emptyByStatus,
  FORGOTTEN_REASON,
  type InPart,
  type RunTally,
  type StatusReason,
} from '../../model/tally.js';
import {
  IS_API,
  IS_SUPPRESSED,
  OLDER_ANSWER,
  SHOWN_AGAIN,
  SHOWN_REASON,
  SHOWN_STATUS,
} from '../enrichments/known-answers.js';

const REASONS_MAX = 20;

export interface CountRow {
  readonly status: LeadStatus;
  /** The state of the newer request, if an older answer is shown; else empty. */
  readonly again: EnrichmentState | '';
  readonly reason: string;
  readonly isCached: boolean;
  readonly n: number;
  readonly thousandths: number;
}

export interface CountedRow extends Pick<CountRow, 'n' | 'thousandths'> {
  /** The leads' status, the state of the newer request, and whether the answer is cached. */
  readonly shown: string;
  readonly why: string | null;
  readonly lost: number;
  readonly parts: number;
}

export const TOLD_LEADS = `leads l LEFT JOIN enrichments e ON e.id = l.enrichment_id LEFT JOIN ${OLDER_ANSWER}`;

const AGAIN = `coalesce(${SHOWN_AGAIN}, '')`;
const CACHED = `CASE WHEN o.id IS NOT NULL OR (e.settled_at IS NOT NULL AND NOT (${IS_SUPPRESSED}) AND NOT ${IS_API}) THEN '1' ELSE '0' END`;

/** The parts of a key are one text: SQLite takes half again as long for a million leads by four columns. */
export const COUNT = `SELECT ${SHOWN_STATUS} || ' ' || ${AGAIN} || ' ' || ${CACHED} AS shown,
    CASE WHEN e.id IS NULL THEN l.note ELSE ${SHOWN_REASON} END AS why,
    count(*) AS n, coalesce(sum(CASE WHEN ${IS_API} THEN e.thousandths ELSE 0 END), 0)::bigint AS thousandths,
    coalesce(max(e.lost_sends), 0) AS lost,
    coalesce(sum(CASE WHEN e.sent <> e.ask AND e.sent <> '' THEN 1 ELSE 0 END), 0)::bigint AS parts
  FROM ${TOLD_LEADS} WHERE l.run_id = $1 GROUP BY 1, 2`;

export const COUNT_IN_PART = `SELECT note AS reason, count(*) AS leads FROM leads
  WHERE run_id = $1 AND enrichment_id IS NOT NULL AND note IS NOT NULL GROUP BY note`;

/** The enrichments are distinct, and null until the run has finished. */
export const COUNT_REST = `SELECT reject_count AS rejects, CASE WHEN state = 'finished'
    THEN (SELECT count(DISTINCT enrichment_id) FROM leads WHERE run_id = runs.id) END AS enrichments
  FROM runs WHERE id = $1 AND pruned_at IS NULL`;

/** A run whose sources have all been read; the steps of a waterfall read none. */
export const WHOLLY_READ = `SELECT plan, lead_count AS leads FROM runs
  WHERE id = $1 AND step_of IS NULL AND (state = 'working' OR state = 'finished')`;

export const SOURCES_WITH_LEADS = `SELECT DISTINCT source FROM leads WHERE run_id = $1 LIMIT $2`;

export type InPartRow = InPart['reasons'][number];
export type RestRow = Pick<RunTally, 'rejects' | 'enrichments' | 'leadless'>;

function readCounted({ shown, why, n, thousandths }: CountedRow): CountRow {
  const [status, again, cached] = shown.split(' ') as [LeadStatus, CountRow['again'], string];
  return { status, again, reason: why ?? '', isCached: cached === '1', n, thousandths };
}

export function toTally(
  counted: readonly CountedRow[],
  inPart: readonly InPartRow[],
  { enrichments, rejects, leadless }: RestRow = { enrichments: null, rejects: 0 },
): RunTally {
  const rows = counted.map(readCounted);
  const knownInPart = counted.reduce(
    (sum, row) => sum + (readCounted(row).isCached ? 0 : row.parts),
    0,
  );
  return {
    leads: sumOf(rows),
    rejects,
    ...(leadless !== undefined && { leadless }),
    byStatus: { ...emptyByStatus(), ...countBy(rows.map(({ status, n }) => [status, n])) },
    askedAgain: countBy(rows.map(({ again, n }) => [again === '' ? null : again, n])),
    reasons: reasonsOf(rows),
    inPart: inPartOf(inPart),
    enrichments,
    fromCache: sumOf(rows.filter(({ isCached }) => isCached)),
    credits: fromThousandths(rows.reduce((sum, row) => sum + row.thousandths, 0)),
    ...(knownInPart > 0 && { knownInPart }),
    ...(counted.some(({ lost }) => lost > 0) && { hasLostSends: true as const }),
  };
}

function sumOf(rows: readonly CountRow[]): number {
  return rows.reduce((sum, { n }) => sum + n, 0);
}

/** The reasons, by the status that the row shows or, if it shows an older answer, by the state of the newer request. */
function reasonsOf(rows: readonly CountRow[]): readonly StatusReason[] {
  const groups = new Map<string, StatusReason>();
  for (const { status: shown, again, reason, n } of rows) {
    const status = again || shown;
    if (reason === '') continue;
    const key = `${status} ${reason}`;
    groups.set(key, { status, reason, leads: n + (groups.get(key)?.leads ?? 0) });
  }
  const kinds = new Set<unknown>([undefined]);
  return [...groups.values()]
    .sort((a, b) => b.leads - a.leads || compare(a.status, b.status) || compare(a.reason, b.reason))
    .filter(({ reason }, i) => {
      const isFirst = kinds.size < kinds.add(kindOfReason(reason)).size;
      return i < REASONS_MAX || isFirst || reason === FORGOTTEN_REASON;
    });
}

function inPartOf(rows: readonly InPartRow[]): InPart {
  const reasons = rows
    .toSorted((a, b) => b.leads - a.leads || compare(a.reason, b.reason))
    .slice(0, REASONS_MAX);
  return { leads: rows.reduce((sum, { leads }) => sum + leads, 0), reasons };
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
