// Tickets that the platform gave for different people. Whose an answer is, is judged in the step that settles it, among all
// who have its ticket by then; who gets the ticket later is judged together with those that were settled before.
import { withdraw } from '../../model/enrichment/answer.js';
import type { Enrichment, Locked } from '../../model/enrichment/locked.js';
import {
  isNamedAlone,
  listHolders,
  othersAmong,
  type TicketHolder,
} from '../../model/enrichment/shared-ticket.js';
import { isRemembered, toInputs } from '../../model/enrichment/stored-request.js';
import { SHARED_TICKET } from '../../model/report/fail-on.js';
import type { Settlement } from '../../ports/store/enrichments.js';
import type { Sql } from '../sql.js';
import { IS_REMEMBERED } from './known-answers.js';
import { lockRows } from './lock-rows.js';

const HOLDERS_MAX = 100;
/** Enrichments `e` with their runs `r`, and the line of their first lead there. */
const PLACED = 'enrichments e JOIN runs r ON r.id = e.run_id';
const LINE =
  '(SELECT min(l.line) FROM leads l WHERE l.enrichment_id = e.id AND l.run_id = e.run_id) AS line';
const HOLDERS = `SELECT e.ticket, e.inputs, e.run_id, ${LINE} FROM ${PLACED}
  WHERE r.account = $2 AND e.${IS_REMEMBERED} AND e.ticket IN
    (SELECT ticket FROM enrichments WHERE ticket = ANY ($1) GROUP BY ticket HAVING count(*) > 1)
  ORDER BY e.id LIMIT ${HOLDERS_MAX}`;

export async function findHolders(
  sql: Sql,
  account: string,
  tickets: readonly string[],
): Promise<TicketHolder[]> {
  if (tickets.length === 0) return [];
  const rows = await sql.rows<Omit<TicketHolder, 'inputs'> & { inputs: string }>(HOLDERS, [
    tickets,
    account,
  ]);
  // Others may be of another account.
  return rows.flatMap((row) => {
    const isShared = rows.some((other) => other !== row && other.ticket === row.ticket);
    return isShared ? { ...row, inputs: toInputs(row.inputs) } : [];
  });
}

/** An answer, and the ticket that it names, which counts for an enrichment without a known one. */
interface Told {
  readonly settlement: Settlement;
  readonly ticket?: string | null;
}

interface Sharer extends TicketHolder {
  readonly row: Enrichment;
  readonly account: string;
}

/** A settlement fails unless the answer names its person alone; one that was settled before is taken back. */
export async function judgeShared(
  sql: Sql,
  locked: Locked,
  told: readonly Told[],
): Promise<Settlement[]> {
  const sharers = await findSharers(sql, locked, told);
  return told.map(({ settlement, ticket: named }) => {
    const ticket = locked.rows.get(settlement.id)?.ticket ?? named;
    const all = sharers.filter((one) => one.ticket === ticket);
    const own = all.find(({ row }) => row.id === settlement.id);
    return own === undefined ? settlement : judge(locked, settlement, own, all);
  });
}

function judge(
  locked: Locked,
  settlement: Settlement,
  own: Sharer,
  all: readonly Sharer[],
): Settlement {
  const others = othersOf(own, all);
  if (others.length === 0 || !('result' in settlement)) return settlement;
  const { at, credits, id, result } = settlement;
  for (const other of others) {
    const theirs = othersOf(other, all);
    if (!isNamedAlone(result, other.inputs, theirs)) {
      withdraw(locked, other.row, reasonOf(other, theirs));
    }
  }
  if (isNamedAlone(result, own.inputs, others)) return settlement;
  const withheld = { result, credits };
  return { id, at, outcome: 'failed', reason: reasonOf(own, others), withheld };
}

function othersOf(own: Sharer, all: readonly Sharer[]): Sharer[] {
  return othersAmong(all, own.inputs).filter(({ account }) => account === own.account);
}

function reasonOf({ runId }: Sharer, others: readonly Sharer[]): string {
  return `${SHARED_TICKET}${listHolders(others, runId)}`;
}

/** All who have a ticket that different requests have, locked: also those that learn it in this step. */
async function findSharers(sql: Sql, locked: Locked, told: readonly Told[]): Promise<Sharer[]> {
  const byTicket = new Map<string, Set<number>>();
  for (const { settlement, ticket: named } of told) {
    const ticket = locked.rows.get(settlement.id)?.ticket ?? named;
    if (!('result' in settlement) || typeof ticket !== 'string') continue;
    byTicket.set(ticket, (byTicket.get(ticket) ?? new Set()).add(settlement.id));
  }
  if (byTicket.size === 0) return [];
  const holders = await sql.rows<{ id: number; ticket: string }>(
    'SELECT id, ticket FROM enrichments WHERE ticket = ANY ($1)',
    [[...byTicket.keys()]],
  );
  for (const { id, ticket } of holders) byTicket.get(ticket)?.add(id);
  const several = [...byTicket].filter(([, ids]) => ids.size > 1);
  if (several.length === 0) return [];
  const sharing = several.flatMap(([, ids]) => [...ids]);
  await lockRows(sql, sharing, locked);
  const shared = several.flatMap(([ticket, ids]) => {
    const rows = [...ids].flatMap((id) => locked.rows.get(id) ?? []).filter(isRemembered);
    const isShared = new Set(rows.map(({ inputs }) => inputs)).size > 1;
    return isShared ? rows.map((row) => ({ ticket, row })) : [];
  });
  if (shared.length === 0) return [];
  const places = await sql.rows<{ id: number; account: string; line: number | null }>(
    `SELECT e.id, r.account, ${LINE} FROM ${PLACED} WHERE e.id = ANY ($1)`,
    [shared.map(({ row }) => row.id)],
  );
  const placeOf = new Map(places.map((place) => [place.id, place]));
  return shared.map(({ ticket, row }) => {
    const { account = '', line = null } = placeOf.get(row.id) ?? {};
    return { ticket, row, account, line, runId: row.runId, inputs: toInputs(row.inputs) };
  });
}
