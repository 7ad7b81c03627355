// What a run looks like from outside: its numbers, its rows, its rejects, and what a plan would meet.
import type Database from 'better-sqlite3';
import type { LeadAnswer, LeadStatus } from '../../domain/answer.js';
import type { Inputs } from '../../domain/ask.js';
import type { EnrichmentState } from '../../domain/enrichment.js';
import type { JsonValue } from '../../domain/json.js';
import type { PeekedState, StoredReject } from '../../domain/ports/store.js';
import type { Result } from '../../domain/result.js';
import { emptyByStatus, type RunTally, type StatusReason } from '../../domain/tally.js';
import { snapshot } from '../atomic.js';
import { isFresh } from './is-fresh.js';

interface AnswerRow {
  position: number;
  cells: string;
  note: string | null;
  state: EnrichmentState | null;
  reason: string | null;
  ticket: string | null;
  inputs: string | null;
  paid_by: number | null;
  is_api: number | null;
  credits: number | null;
  settled_at: number | null;
  body: string | null;
}

const IS_API = '(l.is_first = 1 AND e.paid_by IS l.run_id)';

export function prepareReport(db: Database.Database) {
  const answers = db.prepare<[number, number, number], AnswerRow>(
    `SELECT l.position, l.cells, l.note, e.state, e.reason, e.ticket, e.inputs, e.paid_by,
       ${IS_API} AS is_api,
       e.credits, e.settled_at, r.body
     FROM leads l
     LEFT JOIN enrichments e ON e.id = l.enrichment_id
     LEFT JOIN results r ON r.enrichment_id = e.id
     WHERE l.run_id = ? AND l.position > ? ORDER BY l.position LIMIT ?`,
  );
  const rejects = db.prepare<[number, number, number], StoredReject>(
    `SELECT id, source, line, reason, raw FROM rejects WHERE run_id = ? AND id > ? ORDER BY id LIMIT ?`,
  );
  const byStatus = db.prepare<
    [number],
    { status: LeadStatus; n: number; cached: number; credits: number }
  >(
    `SELECT coalesce(e.state, 'skipped') AS status, count(*) AS n,
       total(e.settled_at IS NOT NULL AND NOT ${IS_API}) AS cached,
       total(CASE WHEN ${IS_API} THEN e.credits ELSE 0 END) AS credits
     FROM leads l LEFT JOIN enrichments e ON e.id = l.enrichment_id
     WHERE l.run_id = ? GROUP BY 1`,
  );
  const distinct = db.prepare<[number], { n: number }>(
    'SELECT count(DISTINCT enrichment_id) AS n FROM leads WHERE run_id = ?',
  );
  const reasons = db.prepare<[number], StatusReason>(
    `SELECT coalesce(e.state, 'skipped') AS status, coalesce(e.reason, l.note) AS reason,
       count(*) AS leads
     FROM leads l LEFT JOIN enrichments e ON e.id = l.enrichment_id
     WHERE l.run_id = ? AND (e.id IS NULL OR e.state IN ('failed', 'timed_out', 'uncertain'))
     GROUP BY 1, 2 ORDER BY leads DESC, status, reason LIMIT 20`,
  );
  const counted = db.prepare<[number], { reject_count: number }>(
    'SELECT reject_count FROM runs WHERE id = ?',
  );
  const current = db.prepare<
    [Uint8Array],
    { state: EnrichmentState; ticket: string | null; settled_at: number | null }
  >('SELECT state, ticket, settled_at FROM enrichments WHERE fingerprint = ? AND is_current = 1');

  const peekOne = (fingerprint: Uint8Array, freshSince: number): PeekedState => {
    const row = current.get(fingerprint);
    if (row === undefined || row.state === 'queued') return 'new';
    if (row.state === 'uncertain') return 'uncertain';
    if (row.settled_at === null || row.state === 'timed_out') return 'open';
    return isFresh(row, freshSince) ? 'fresh' : 'new';
  };

  return {
    answers: (runId: number, after: number, limit: number): LeadAnswer[] =>
      answers.all(runId, after, limit).map(toAnswer),
    rejects: (runId: number, afterId: number, limit: number) => rejects.all(runId, afterId, limit),
    peek: (fingerprints: readonly Uint8Array[], freshSince: number) =>
      fingerprints.map((fingerprint) => peekOne(fingerprint, freshSince)),
    // One transaction: the numbers of one moment, though another process may be writing.
    tally: snapshot(db, (runId: number): RunTally => {
      const rows = byStatus.all(runId);
      const sum = (pick: (row: (typeof rows)[number]) => number) =>
        rows.reduce((total, row) => total + pick(row), 0);
      return {
        leads: sum((row) => row.n),
        rejects: counted.get(runId)?.reject_count ?? 0,
        byStatus: {
          ...emptyByStatus(),
          ...Object.fromEntries(rows.map((row) => [row.status, row.n])),
        },
        reasons: reasons.all(runId),
        enrichments: distinct.get(runId)?.n ?? 0,
        fromCache: sum((row) => row.cached),
        credits: sum((row) => row.credits),
      };
    }),
  };
}

function toAnswer(row: AnswerRow): LeadAnswer {
  const isApi = row.is_api === 1;
  const inputs = row.inputs === null ? {} : (JSON.parse(row.inputs) as Inputs);
  return {
    position: row.position,
    cells: JSON.parse(row.cells) as JsonValue[],
    status: row.state ?? 'skipped',
    reason: row.reason ?? row.note,
    ticket: row.ticket,
    // Nobody has asked for it yet.
    source: row.paid_by === null ? null : isApi ? 'api' : 'cache',
    credits: isApi ? (row.credits ?? 0) : 0,
    enrichedAt: row.settled_at,
    inputs,
    result: row.body === null ? null : (JSON.parse(row.body) as Result),
  };
}
