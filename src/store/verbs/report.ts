// What a run looks like from outside: its rows, its rejects, and what a plan would meet.
import type Database from 'better-sqlite3';
import type { LeadAnswer } from '../../domain/answer.js';
import type { Inputs } from '../../domain/ask.js';
import type { EnrichmentState } from '../../domain/enrichment.js';
import type { JsonValue } from '../../domain/json.js';
import type { PeekedState, StoredReject } from '../../domain/ports/store.js';
import type { Result } from '../../domain/result.js';
import { isFresh } from './is-fresh.js';
import { IS_API } from './tally.js';

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
