import { type Enrichment, type Locked, openLocked } from '../../model/enrichment/locked.js';
import { knownAsks } from '../../model/enrichment/look.js';
import { toRequest } from '../../model/enrichment/stored-request.js';
import type { Result } from '../../model/result.js';
import { partOf } from '../../model/verdict.js';
import type { Sql } from '../sql.js';
import { readResult } from './result-format.js';

export const COLUMNS = {
  id: 'id',
  fingerprint: 'fingerprint',
  isCurrent: 'is_current',
  sent: 'sent',
  runId: 'run_id',
  paidBy: 'paid_by',
  state: 'state',
  ask: 'ask',
  inputs: 'inputs',
  ticket: 'ticket',
  callId: 'call_id',
  reason: 'reason',
  thousandths: 'thousandths',
  priceMax: 'price_max',
  countedAt: 'counted_at',
  submittedAt: 'submitted_at',
  pollAt: 'poll_at',
  pollCount: 'poll_count',
  wasEmpty: 'was_empty',
  deadlineAt: 'deadline_at',
  settledAt: 'settled_at',
  answeredAt: 'answered_at',
  sendCount: 'send_count',
  lostSends: 'lost_sends',
  olderAnswer: 'older_answer',
  showsKnown: 'shows_known',
  looks: 'looks',
  isResent: 'is_resent',
} as const satisfies Readonly<Record<keyof Enrichment, string>>;

/** Fields that hold the id of an enrichment, which may have no id of its own yet. */
export const REFERENCES: ReadonlySet<string> = new Set<keyof Enrichment>(['id', 'olderAnswer']);

export const ROW_COLUMNS = Object.entries(COLUMNS)
  .map(([field, column]) => `e.${column} AS "${field}"`)
  .join(', ');

const LOCK = `SELECT ${ROW_COLUMNS} FROM enrichments e WHERE e.id = ANY ($1) ORDER BY e.id FOR UPDATE`;

/** Locked until the end of the transaction. Ids without a row are passed over. */
export async function lockRows(sql: Sql, ids: readonly number[]): Promise<Locked> {
  if (ids.length === 0) return openLocked();
  const locked = openLocked(await sql.rows<Enrichment>(LOCK, [[...new Set(ids)]]));
  await readKnown(sql, locked);
  return locked;
}

async function readKnown(sql: Sql, { known, rows }: Locked): Promise<void> {
  const inPart = [...rows.values()].filter(({ ask, sent }) => sent !== ask);
  if (inPart.length === 0) return;
  const results = await readResults(
    sql,
    inPart.map(({ id }) => id),
  );
  for (const row of inPart) {
    const result = results.get(row.id);
    if (result !== undefined) known.set(row, partOf(knownAsks(row), toRequest(row), result));
  }
}

export async function readResults(sql: Sql, ids: readonly number[]): Promise<Map<number, Result>> {
  if (ids.length === 0) return new Map();
  const rows = await sql.rows<{ id: number; body: Uint8Array }>(
    'SELECT enrichment_id AS id, body FROM results WHERE enrichment_id = ANY ($1)',
    [ids],
  );
  return new Map(rows.map(({ body, id }) => [id, readResult(body)]));
}
