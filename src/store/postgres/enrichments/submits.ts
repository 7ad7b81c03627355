// Intent before money: claims enrichments durably, then records what became of their requests.
import type { ClaimedEnrichment, SubmitRecord } from '../../../ports/store/enrichments.js';
import { recordFor } from '../../enrichments/serve.js';
import { type RequestRow, toRequest } from '../../enrichments/stored-request.js';
import { createSeriesNotes } from '../../runs/series.js';
import type { Sql } from '../database/database.js';
import { writeSeries } from '../runs/series.js';
import { lockTickets, type Verbs } from '../verbs.js';
import { type Held, type HeldEnrichment, hold, save, servedBy } from './held.js';
import { keepOne, settleOne } from './settle.js';

type ClaimedRow = RequestRow & Omit<ClaimedEnrichment, 'request'>;

// A run that was cancelled meanwhile, or whose job was paused, sends nothing more. What another claim is about to have
// is passed over.
const QUEUED = `enrichments e JOIN runs r ON r.id = e.run_id
  WHERE e.run_id = $1 AND e.state = 'queued' AND r.state IN ('reading', 'working')
    AND NOT EXISTS (SELECT 1 FROM pauses WHERE job = r.job)`;
const FIRST = 'ORDER BY e.poll_at, e.id FOR UPDATE OF e SKIP LOCKED';

export const submitWrites = {
  claim: async (sql, runId, limit, at, isAlike = false) => {
    const values: (number | string)[] = [runId, limit, at];
    let alike = '';
    if (isAlike) {
      const oldest = await sql.row<{ ask: string }>(
        `SELECT e.ask FROM ${QUEUED} ${FIRST} LIMIT 1`,
        [runId],
      );
      if (oldest === undefined) return [];
      alike = 'AND e.ask = $4';
      values.push(oldest.ask);
    }
    const rows = await sql.rows<ClaimedRow>(
      `UPDATE enrichments SET state = 'submitting', submitted_at = $3, paid_by = run_id, send_count = send_count + 1
       WHERE id = ANY (ARRAY(SELECT e.id FROM ${QUEUED} ${alike} ${FIRST} LIMIT $2))
       RETURNING id, send_count AS send, ask, inputs`,
      values,
    );
    return rows
      .sort((a, b) => a.id - b.id)
      .map((row) => ({ id: row.id, send: row.send, request: toRequest(row) }));
  },
  recordSubmits: async (sql, records) => {
    if (records.some(({ kind }) => kind === 'accepted')) await lockTickets(sql, 'to save');
    const held = await hold(
      sql,
      records.map(({ id }) => id),
    );
    const notes = createSeriesNotes();
    const changed = records.filter((record) => {
      const row = recordOne(held, record);
      if (row === undefined) return false;
      if (record.kind === 'accepted' && row.paidBy !== null)
        notes.addAccepted(row.paidBy, record.at);
      if (record.kind === 'refused') notes.addRefused(row.runId, record.at);
      return true;
    });
    const atOnce = changed.flatMap((one) =>
      one.kind === 'accepted' && one.atOnce !== undefined ? [one.atOnce] : [],
    );
    // They go along two arrows.
    if (atOnce.length > 0) await save(sql, held);
    for (const one of atOnce) {
      if (one.kind === 'settle') settleOne(held, one.settlement, { notes, by: 'submit' });
      else keepOne(held, one.answer);
    }
    await save(sql, held);
    const tickets = changed.flatMap((one) => (one.kind === 'accepted' ? [one.ticket] : []));
    if (tickets.length > 0) await reviveTickets(sql, tickets);
    await writeSeries(sql, notes);
    return changed.map(({ id }) => id);
  },
} satisfies Partial<Verbs>;

/** What changes, with those that it serves; undefined where it does not. */
function recordOne(held: Held, record: SubmitRecord): HeldEnrichment | undefined {
  const row = held.rows.get(record.id);
  if (row === undefined || !isOfSend(row, record)) return undefined;
  held.changed.add(row);
  takeRecord(row, record);
  for (const { id, sendCount } of servedBy(held, row))
    recordOne(held, recordFor(id, sendCount, record));
  return row;
}

/**
 * Another run may have called it uncertain in the meantime; its sender knows better. What a sender learns of one send
 * says nothing about the next.
 */
function isOfSend({ sendCount, state }: HeldEnrichment, { send }: SubmitRecord): boolean {
  return (state === 'submitting' || state === 'uncertain') && sendCount === send;
}

function takeRecord(row: HeldEnrichment, record: SubmitRecord): void {
  row.reason = 'reason' in record ? record.reason : null;
  switch (record.kind) {
    case 'accepted':
      row.state = 'awaiting';
      row.ticket = record.ticket;
      row.callId = record.callId ?? 0;
      row.pollAt = record.pollAt;
      row.deadlineAt = record.deadlineAt;
      return;
    case 'unsent':
      row.state = 'queued';
      row.paidBy = null;
      row.servedBy = null;
      return;
    case 'refused':
      row.state = 'failed';
      row.settledAt = record.at;
      return;
    case 'uncertain':
      row.state = 'uncertain';
  }
}

/**
 * Inside another verb's transaction, which has taken tickets: these are known from now on. Deliveries that came before
 * them are pending again.
 */
export async function reviveTickets(sql: Sql, tickets: readonly string[]): Promise<void> {
  await sql.run(
    `WITH known AS (DELETE FROM unknown_tickets WHERE ticket = ANY($1) RETURNING delivery_id)
     INSERT INTO pending_deliveries (scope, delivery_id)
     SELECT d.scope, d.id FROM deliveries d JOIN delivery_bodies b ON b.delivery_id = d.id
     WHERE d.id IN (SELECT delivery_id FROM known)
     ON CONFLICT DO NOTHING`,
    [tickets],
  );
}
