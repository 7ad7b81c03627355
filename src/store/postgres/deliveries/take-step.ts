// What a delivery does to the enrichments that it names: it ends them, or brings their tickets to light.
import type { DeliveryStep } from '../../../ports/store/deliveries.js';
import { emptinessOf } from '../../enrichments/due.js';
import type { SeriesNotes } from '../../runs/series.js';
import type { Sql } from '../database/database.js';
import { CLAIMED, type Held, type HeldEnrichment, save } from '../enrichments/held.js';
import { postponeOne, settleOne } from '../enrichments/settle.js';

/** What the steps of a verb have decided so far. */
export interface Taking {
  readonly held: Held;
  readonly notes: SeriesNotes;
  /** Enrichments that were thought not to be sent, though they were. */
  readonly queued: Set<HeldEnrichment>;
  /** By their tickets, which are known from now on. */
  readonly learnt: Map<string, HeldEnrichment[]>;
  readonly unknown: { readonly ticket: string; readonly deliveryId: number }[];
}

interface Came {
  readonly id: number;
  readonly callId: number | null;
  readonly at: number;
}

/** Takes one step in memory. Returns the enrichment's id where it changed. */
export function takeStep(taking: Taking, step: DeliveryStep, came: Came): number | undefined {
  switch (step.kind) {
    case 'settle':
      return settle(taking, step, came);
    case 'postpone':
      return postpone(taking, step, came);
    case 'unknown':
      taking.unknown.push({ ticket: step.ticket, deliveryId: came.id });
      return undefined;
    case 'stray':
      pollNow(taking.held, step.enrichmentId, came.at);
      return undefined;
    case 'nothing':
      return undefined;
  }
}

function settle(
  taking: Taking,
  { settlement, ticket }: Extract<DeliveryStep, { kind: 'settle' }>,
  came: Came,
): number | undefined {
  const { held, notes } = taking;
  const row = held.rows.get(settlement.id);
  if (row === undefined) return undefined;
  if (row.state !== 'awaiting') noteAccepted(taking, row, ticket, came);
  const isNews = row.state === 'uncertain';
  if (!settleOne(held, settlement, { notes, by: 'delivered' })) return undefined;
  if (isNews) notes.addAccepted(row.paidBy ?? row.runId, came.at);
  return row.id;
}

function postpone(
  taking: Taking,
  { deadlineAt, postponement, ticket }: Extract<DeliveryStep, { kind: 'postpone' }>,
  came: Came,
): number | undefined {
  const { held, notes } = taking;
  const row = held.rows.get(postponement.id);
  if (row === undefined) return undefined;
  if (row.state !== 'awaiting') noteAccepted(taking, row, ticket, came);
  if (row.state === 'uncertain') {
    row.state = 'awaiting';
    row.reason = null;
    row.pollAt = postponement.pollAt;
    row.wasEmpty = emptinessOf(postponement);
    row.deadlineAt = deadlineAt;
    held.changed.add(row);
    notes.addAccepted(row.paidBy ?? row.runId, came.at);
    return row.id;
  }
  postponeOne(held, postponement);
  return undefined;
}

/**
 * A genuine key, or a ticket, proves that the send was accepted, whatever we thought of it: along the arrows it becomes
 * uncertain first, which is what an answer may still be taken from. Keeps the ticket where none was known.
 */
function noteAccepted(
  { held, learnt, queued }: Taking,
  row: HeldEnrichment,
  ticket: string | null,
  { at, callId }: Came,
): void {
  if (row.state === 'queued' && row.sendCount > 0) {
    row.state = 'submitting';
    row.submittedAt ??= at;
    row.paidBy ??= row.runId;
    row.lostSends = Math.max(0, row.lostSends - 1);
    queued.add(row);
  }
  if (row.state === 'submitting') {
    row.state = 'uncertain';
    row.reason = CLAIMED;
    held.doubted.add(row);
    held.changed.add(row);
  }
  if (ticket !== null && row.ticket === null && row.state === 'uncertain') {
    row.ticket = ticket;
    row.callId = callId ?? 0;
    learnt.set(ticket, [...(learnt.get(ticket) ?? []), row]);
    held.changed.add(row);
  }
}

/** Once for each enrichment: the holder of a key could otherwise make us poll it all day. */
function pollNow({ changed, rows }: Held, id: number | null, at: number): void {
  const row = id === null ? undefined : rows.get(id);
  if (row?.state !== 'awaiting' || row.pollCount > 0 || row.pollAt === null) return;
  row.pollAt = Math.min(row.pollAt, at);
  changed.add(row);
}

/** Writes what the steps have decided about enrichments. */
export async function saveEnrichments(sql: Sql, { held, queued }: Taking): Promise<void> {
  if (queued.size > 0) {
    await sql.run(
      `UPDATE enrichments e SET state = 'submitting', submitted_at = sent.at
       FROM unnest($1::bigint[], $2::bigint[]) AS sent (id, at) WHERE e.id = sent.id`,
      [idsOf(queued), [...queued].map(({ submittedAt }) => submittedAt)],
    );
  }
  await save(sql, held);
}

function idsOf(rows: ReadonlySet<HeldEnrichment>): number[] {
  return [...rows].map(({ id }) => id);
}
