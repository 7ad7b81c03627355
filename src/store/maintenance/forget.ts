// Removes people from everything that is kept. Only facts that prevent a second payment stay.
//
// Finding them takes a while, and is done in a transaction that only reads: rows that others write meanwhile count as
// if they came afterwards. All that was found is removed in one transaction, which locks every account: no lead comes
// to share an enrichment that is about to change. Its rows leave the disk afterwards (disk.ts), which no transaction
// can do.
import { NO_INPUTS } from '../../model/enrichment/stored-request.js';
import type { PersonMatch } from '../../model/person-match.js';
import { FORGOTTEN_REASON } from '../../model/tally.js';
import type { ForgetReport } from '../../ports/store/maintenance.js';
import { keepCharges } from '../charges.js';
import { keepWholeKeys } from '../enrichments/known.js';
import { IS_REMEMBERED } from '../enrichments/known-answers.js';
import { eraseCells } from '../lead-cells.js';
import { countOf, lockEveryAccount, type Row, type Sql, type Transactions } from '../sql.js';
import { addWhatBelongs, type Chosen, choose } from './choose.js';
import { type Disk, orTakenBack, overwriting } from './disk.js';
import {
  type Blocks,
  type Erasable,
  mayRemove,
  NOTHING_REMOVED,
  restOf,
  sendsLeft,
  ticketLeft,
} from './forgetting.js';

const TABLES = [
  'lead_cells',
  'enrichments',
  'results',
  'unread_answers',
  'deliveries',
  'unknown_tickets',
  'events',
  'rejects',
];

type Removed = Omit<ForgetReport, 'isErased'> & { readonly number: string };

export async function forget(
  database: Transactions,
  disk: Disk,
  match: PersonMatch,
  at: number,
  isForReal: boolean,
): Promise<ForgetReport> {
  const chosen = await database.perform((sql) => choose(sql, match), {
    kind: 'snapshot',
    isLong: true,
  });
  const { number, ...report } = await orTakenBack<Removed>(
    database,
    async (sql) => {
      const removed = await overwriting(sql, () => remove(sql, { match, chosen, at }));
      return { ...removed, number: await disk.numberOf(sql) };
    },
    (removed) => isForReal && mayRemove(removed),
  );
  const isErased = isForReal && mayRemove(report) && (await disk.wipe(TABLES, number));
  return { ...report, isErased };
}

interface Wish {
  readonly match: PersonMatch;
  readonly chosen: Chosen;
  readonly at: number;
}

async function remove(sql: Sql, wish: Wish): Promise<Omit<Removed, 'number'>> {
  const { chosen } = wish;
  await lockEveryAccount(sql);
  await addWhatBelongs(sql, chosen);
  // A process with an answer for one of these enrichments has recorded it before, or finds the enrichment forgotten.
  await sql.run('SELECT 1 FROM enrichments WHERE id = ANY ($1::bigint[]) ORDER BY id FOR UPDATE', [
    [...chosen.enrichments],
  ]);
  const blocks = await findBlocks(sql, chosen);
  const removed = mayRemove(blocks) ? await erase(sql, wish) : NOTHING_REMOVED;
  return { ...removed, ...blocks, names: chosen.names };
}

/** Those that are queued and were never sent are taken out of their run: no run asks for them. */
const MAY_BE_ANSWERED = `(e.state IN ('submitting', 'awaiting', 'uncertain', 'timed_out') OR (e.state = 'queued' AND e.lost_sends > 0))`;

async function findBlocks(sql: Sql, { deliveries, enrichments, leads }: Chosen): Promise<Blocks> {
  const openRuns = await sql.list<number>(
    `SELECT DISTINCT coalesce(r.step_of, r.id) FROM runs r WHERE r.state IN ('reading', 'working')
       AND (r.id = ANY ($1::bigint[])
         OR r.id IN (SELECT run_id FROM enrichments WHERE ${IS_REMEMBERED} AND id = ANY ($2::bigint[])))
       AND (r.state = 'reading' OR r.step_of IS NOT NULL OR EXISTS (SELECT 1 FROM runs s WHERE s.step_of = r.id)
         OR EXISTS (SELECT 1 FROM enrichments e WHERE e.id = ANY ($2::bigint[]) AND ${MAY_BE_ANSWERED}
           AND (e.run_id = r.id OR EXISTS (SELECT 1 FROM leads l WHERE l.enrichment_id = e.id AND l.run_id = r.id))))
     ORDER BY 1`,
    [[...leads.keys()], [...enrichments]],
  );
  const pending = `deliveries WHERE id = ANY ($1::bigint[]) AND state = 'pending'`;
  return { openRuns, pendingDeliveries: await countOf(sql, pending, [[...deliveries]]) };
}

async function erase(sql: Sql, { match, chosen, at }: Wish) {
  const { enrichments, events, leads, rejects, tickets } = chosen;
  const ids = [...enrichments];
  const runs = await sql.list<number>(
    'SELECT id FROM runs WHERE id = ANY ($1::bigint[]) AND pruned_at IS NULL AND step_of IS NULL ORDER BY id',
    [[...leads.keys()]],
  );
  let emptied = 0;
  // The line keeps its place in the table of its run, and its share of the bill.
  for (const [runId, positions] of leads) {
    emptied += await eraseCells(sql, runId, positions);
  }
  const results = await sql.run('DELETE FROM results WHERE enrichment_id = ANY ($1::bigint[])', [
    ids,
  ]);
  const unread = await sql.run(
    'DELETE FROM unread_answers WHERE enrichment_id = ANY ($1::bigint[])',
    [ids],
  );
  return {
    deliveries: await eraseDeliveries(sql, chosen, (body) =>
      restOf(body, (value) => match.inJson(value, tickets)),
    ),
    events: await eraseEvents(sql, [...events]),
    rejects: await sql.run(`UPDATE rejects SET raw = '' WHERE id = ANY ($1::bigint[])`, [
      [...rejects],
    ]),
    leads: emptied,
    results: results + unread,
    enrichments: await eraseEnrichments(sql, ids, at),
    runs,
  };
}

/** Only the event's id stays, so that the same event is not kept again when it is reported again. */
async function eraseEvents(sql: Sql, ids: readonly number[]): Promise<number> {
  const events = await sql.rows<{ id: number; eventId: string; type: string }>(
    'SELECT id, event_id, type FROM events WHERE id = ANY ($1::bigint[])',
    [ids],
  );
  const emptied = events.map(({ id, eventId, type }) => ({
    id,
    body: JSON.stringify({ _id: eventId, type, forgotten: true }),
  }));
  return (await sql.update('events', ['id'], emptied)).length;
}

type EnrichmentRow = Row & Erasable & { readonly id: number };

/**
 * Its cost and its fingerprint, a digest, stay, so that it is not paid for again while its answer would be fresh. The
 * arrows do not lead there from every state, so another row gets the id; late answers do not change it.
 */
async function eraseEnrichments(sql: Sql, ids: readonly number[], at: number): Promise<number> {
  const gone = await sql.rows<EnrichmentRow>(
    `SELECT id, fingerprint, is_current, run_id, paid_by, state, ask, sent, ticket, thousandths, submitted_at, settled_at,
       send_count, lost_sends
     FROM enrichments WHERE ${IS_REMEMBERED} AND id = ANY ($1::bigint[])`,
    [ids],
  );
  await keepCharges(sql, ids);
  await keepWholeKeys(sql, ids);
  await sql.run('DELETE FROM stands WHERE enrichment_id = ANY ($1::bigint[])', [ids]);
  await sql.run('DELETE FROM enrichments WHERE id = ANY ($1::bigint[])', [
    gone.map(({ id }) => id),
  ]);
  return sql.insert(
    'enrichments',
    gone.map((row) => ({
      ...row,
      state: 'failed',
      inputs: NO_INPUTS,
      ticket: ticketLeft(row),
      lostSends: sendsLeft(row),
      reason: FORGOTTEN_REASON,
      submittedAt: row.submittedAt ?? at,
      settledAt: row.settledAt ?? at,
    })),
  );
}

/** Empties each body. If a body names other people too, their entries stay, because they may yet be settled. */
async function eraseDeliveries(
  sql: Sql,
  { deliveries }: Chosen,
  othersIn: (body: string) => string | undefined,
): Promise<number> {
  // The digest says nothing without the whole body; still, it is removed.
  await sql.run('UPDATE deliveries SET digest = NULL WHERE id = ANY ($1::bigint[])', [
    [...deliveries],
  ]);
  let count = 0;
  // Bodies are read one at a time: each may have 8 MiB.
  for (const id of [...deliveries].sort((a, b) => a - b)) {
    const one = await sql.row<{ body: string; entries: number | null }>(
      `SELECT body, settled + unchanged + unknown AS entries FROM deliveries
       WHERE id = $1 AND body <> '{}'`,
      [id],
    );
    if (one === undefined) continue;
    count += 1;
    const rest = (one.entries ?? 0) > 1 ? othersIn(one.body) : undefined;
    await sql.run('UPDATE deliveries SET body = $1 WHERE id = $2', [rest ?? '{}', id]);
    if (rest === undefined) {
      await sql.run('DELETE FROM unknown_tickets WHERE delivery_id = $1', [id]);
    }
  }
  return count;
}
