// Intent before money: claims enrichments durably, then records the answers to their requests.
import type { Prices } from '../../model/ask.js';
import { toThousandths } from '../../model/credits.js';
import { type Enrichment, openHeld } from '../../model/enrichment/held.js';
import { claim, record } from '../../model/enrichment/send.js';
import { toAsks, toRequest } from '../../model/enrichment/stored-request.js';
import { highestPrice } from '../../model/verdict.js';
import { lockTickets, type Sql, type Verbs } from '../sql.js';
import { withhold } from '../suppressions.js';
import { HELD, hold, save, saveNews } from './held.js';
import { IS_SUPPRESSED } from './known-answers.js';
import { openClaimRoom } from './spending.js';

// A run that was cancelled meanwhile, or whose job was paused, sends nothing more. Rows that another claim has locked
// are passed over.
const QUEUED = `enrichments e JOIN runs r ON r.id = e.run_id
  WHERE e.run_id = $1 AND e.state = 'queued' AND NOT (${IS_SUPPRESSED}) AND r.state IN ('reading', 'working')
    AND NOT EXISTS (SELECT 1 FROM pauses WHERE job = r.job)`;
const FIRST = 'ORDER BY e.poll_at, e.id LIMIT $2 FOR UPDATE OF e SKIP LOCKED';

export const submitWrites = {
  claim: async (sql, runId, limit, at, { caps, isAlike = false, prices } = {}) => {
    const claimed: Enrichment[] = [];
    const room = await openClaimRoom(sql, runId, at, caps);
    const { countedAt } = room;
    let isMet = false;
    // The places of those that are withheld go to the next ones: a claim that is not full says that no more are queued.
    for (let isWhole = false; !isWhole && !isMet && claimed.length < limit; ) {
      const rows = await nameFirst(sql, runId, limit - claimed.length, isAlike);
      const { ids: withheld } = await withhold(sql, rows, true);
      isWhole = withheld.size === 0;
      const held = openHeld(rows);
      for (const row of rows.filter(({ id }) => !withheld.has(id))) {
        const priceMax = priceOf(row, prices);
        // Nothing that was queued later goes first.
        isMet = !room.take(priceMax);
        if (isMet) break;
        if (claim(held, row, { at, countedAt, priceMax })) claimed.push(row);
      }
      await save(sql, held);
    }
    return claimed
      .sort((a, b) => a.id - b.id)
      .map((row) => ({ id: row.id, send: row.sendCount, request: toRequest(row) }));
  },
  recordSubmits: async (sql, records) => {
    if (records.some(({ kind }) => kind === 'accepted')) await lockTickets(sql, 'to save');
    const held = await hold(
      sql,
      records.map(({ id }) => id),
    );
    const changed = records.filter((one) => record(held, one));
    await save(sql, held);
    await reviveTickets(sql, [...held.learnt.keys()]);
    await saveNews(sql, held);
    return changed.map(({ id }) => id);
  },
} satisfies Partial<Verbs>;

/** The most that its send may cost, in thousandths; 0 where no price is stated. */
function priceOf({ ask }: Enrichment, prices: Prices | undefined): number {
  return prices === undefined ? 0 : toThousandths(highestPrice(toAsks(ask), prices));
}

async function nameFirst(
  sql: Sql,
  runId: number,
  limit: number,
  isAlike: boolean,
): Promise<Enrichment[]> {
  if (!isAlike) return sql.rows(`SELECT ${HELD} FROM ${QUEUED} ${FIRST}`, [runId, limit]);
  const oldest = await sql.row<Pick<Enrichment, 'ask'>>(`SELECT e.ask FROM ${QUEUED} ${FIRST}`, [
    runId,
    1,
  ]);
  if (oldest === undefined) return [];
  return sql.rows(`SELECT ${HELD} FROM ${QUEUED} AND e.ask = $3 ${FIRST}`, [
    runId,
    limit,
    oldest.ask,
  ]);
}

/**
 * Makes the deliveries that came before these tickets were known pending again. Part of another verb's transaction,
 * which has locked tickets.
 */
export async function reviveTickets(sql: Sql, tickets: readonly string[]): Promise<void> {
  if (tickets.length === 0) return;
  const known = await sql.rows<{ ticket: string; delivery_id: number }>(
    'SELECT ticket, delivery_id FROM unknown_tickets WHERE ticket = ANY ($1)',
    [tickets],
  );
  if (known.length === 0) return;
  await sql.remove(
    'unknown_tickets',
    known.map((one) => ({ ...one })),
  );
  await sql.run(
    `INSERT INTO pending_deliveries (scope, delivery_id)
     SELECT d.scope, d.id FROM deliveries d JOIN delivery_bodies b ON b.delivery_id = d.id
     WHERE d.id = ANY ($1) ON CONFLICT DO NOTHING`,
    [known.map(({ delivery_id }) => delivery_id)],
  );
}
