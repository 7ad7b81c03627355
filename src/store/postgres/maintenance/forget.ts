// Removes people from everything that is kept. Of them only what prevents a second payment stays.
//
// Looking for them takes a while, and is done in a transaction that only reads: what others write meanwhile counts as if
// it came afterwards. What was found is removed in one transaction, which takes every account for itself: no lead comes
// to share an enrichment that is about to change. Its rows leave the disk afterwards (reclaim.ts), which no transaction
// can do.
import type { PersonMatch } from '../../../model/person-match.js';
import { FORGOTTEN_REASON } from '../../../model/tally.js';
import type { ForgetReport } from '../../../ports/store/maintenance.js';
import { IS_REMEMBERED, NO_INPUTS } from '../../enrichments/stored-request.js';
import {
  type Blocks,
  mayRemove,
  NOTHING_REMOVED,
  restOf,
  TICKET_LEFT,
} from '../../maintenance/forgetting.js';
import type { Database, Sql } from '../database/database.js';
import { lockEveryAccount } from '../verbs.js';
import { addWhatBelongs, type Chosen, choose } from './choose.js';
import { transactionNumber, wipe } from './reclaim.js';

/** The tables in which something of a person may be. */
const TABLES = [
  'leads',
  'enrichments',
  'results',
  'unread_answers',
  'deliveries',
  'delivery_bodies',
  'unknown_tickets',
  'events',
  'rejects',
];

type Removed = Omit<ForgetReport, 'isErased' | 'left'> & { readonly xid: string };

export async function forget(
  database: Database,
  match: PersonMatch,
  at: number,
  isForReal: boolean,
): Promise<ForgetReport> {
  const chosen = await database.perform((sql) => choose(sql, match), {
    kind: 'snapshot',
    isLong: true,
  });
  let counted: Removed | undefined;
  const work = async (sql: Sql): Promise<Removed> => {
    counted = await remove(sql, { match, chosen, at });
    if (!isForReal || !mayRemove(counted)) throw TAKEN_BACK;
    return counted;
  };
  try {
    counted = await database.perform(work, { kind: 'write', isLong: true });
  } catch (error) {
    if (error !== TAKEN_BACK) throw error;
  }
  const { xid, ...report } = counted as Removed;
  if (!isForReal || !mayRemove(report)) return { ...report, isErased: false, left: null };
  const left = await wipe(database, TABLES, xid);
  return { ...report, isErased: left === null, left };
}

/** Undoes a transaction, and is not a failure. */
const TAKEN_BACK = new Error('taken back');

interface Wish {
  readonly match: PersonMatch;
  readonly chosen: Chosen;
  readonly at: number;
}

async function remove(sql: Sql, wish: Wish): Promise<Removed> {
  const { chosen } = wish;
  await lockEveryAccount(sql);
  await addWhatBelongs(sql, chosen);
  // Whoever has an answer for one of them at this moment has recorded it before, or finds it forgotten.
  await sql.run('SELECT 1 FROM enrichments WHERE id = ANY ($1::bigint[]) ORDER BY id FOR UPDATE', [
    [...chosen.enrichments],
  ]);
  const blocks = await findBlocks(sql, chosen);
  const removed = mayRemove(blocks) ? await erase(sql, wish) : NOTHING_REMOVED;
  return { ...removed, ...blocks, names: chosen.names, xid: await transactionNumber(sql) };
}

/** What would bring a person back: open work on their leads, and deliveries that are not settled yet. */
async function findBlocks(sql: Sql, { deliveries, enrichments, leads }: Chosen): Promise<Blocks> {
  const open = await sql.rows<{ id: number }>(
    `SELECT id FROM runs WHERE state IN ('reading', 'working') AND (id = ANY ($1::bigint[])
       OR id IN (SELECT run_id FROM enrichments WHERE ${IS_REMEMBERED} AND id = ANY ($2::bigint[])))
     ORDER BY id`,
    [[...leads.keys()], [...enrichments]],
  );
  const pending = await sql.row<{ n: number }>(
    'SELECT count(*) AS n FROM pending_deliveries WHERE delivery_id = ANY ($1::bigint[])',
    [[...deliveries]],
  );
  return { openRuns: open.map(({ id }) => id), pendingDeliveries: pending?.n ?? 0 };
}

async function erase(sql: Sql, { match, chosen, at }: Wish) {
  const { enrichments, events, leads, rejects, tickets } = chosen;
  const ids = [...enrichments];
  const runs = await sql.rows<{ id: number }>(
    'SELECT id FROM runs WHERE id = ANY ($1::bigint[]) AND pruned_at IS NULL ORDER BY id',
    [[...leads.keys()]],
  );
  let emptied = 0;
  for (const [runId, positions] of leads) {
    // The line keeps its place in the table of its run, and its share of the bill.
    emptied += await sql.run(
      `UPDATE leads SET cells = '[]' WHERE run_id = $1 AND position = ANY ($2::integer[]) AND cells <> '[]'`,
      [runId, [...positions]],
    );
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
    // Only the event's id stays, so that the same event does not come back when it is reported again.
    events: await sql.run(
      `UPDATE events SET body = json_build_object('_id', event_id, 'type', type, 'forgotten', true)::text
       WHERE id = ANY ($1::bigint[])`,
      [[...events]],
    ),
    rejects: await sql.run(`UPDATE rejects SET raw = '' WHERE id = ANY ($1::bigint[])`, [
      [...rejects],
    ]),
    leads: emptied,
    results: results + unread,
    enrichments: await eraseEnrichments(sql, ids, at),
    runs: runs.map(({ id }) => id),
  };
}

/**
 * Each enrichment is replaced by one that ended. Its cost and its fingerprint, which is a digest, stay, so that it is
 * not paid for again while its answer would be fresh. The arrows do not lead there from every state, so the replacement
 * is another row with the same id; late answers to the old row do not change it.
 */
async function eraseEnrichments(sql: Sql, ids: readonly number[], at: number): Promise<number> {
  return sql.run(
    `WITH gone AS (DELETE FROM enrichments WHERE ${IS_REMEMBERED} AND id = ANY ($1::bigint[]) RETURNING *)
     INSERT INTO enrichments (id, fingerprint, is_current, run_id, paid_by, state, ask, inputs,
       ticket, reason, thousandths, submitted_at, settled_at, send_count, lost_sends, wanted)
     SELECT id, fingerprint, is_current, run_id, paid_by, 'failed', ask, '${NO_INPUTS}',
       ${TICKET_LEFT},
       $2, thousandths, coalesce(submitted_at, $3), coalesce(settled_at, $3), send_count, lost_sends, wanted
     FROM gone`,
    [ids, FORGOTTEN_REASON, at],
  );
}

/** A body is emptied, unless it names other people too: an entry of theirs may yet be settled. */
async function eraseDeliveries(
  sql: Sql,
  { deliveries }: Chosen,
  othersIn: (body: string) => string | undefined,
): Promise<number> {
  // What was delivered could be computed from nothing but all of it; still, no digest of it stays.
  await sql.run('UPDATE deliveries SET digest = NULL WHERE id = ANY ($1::bigint[])', [
    [...deliveries],
  ]);
  let count = 0;
  // One at a time: a body may have 8 MiB.
  for (const id of [...deliveries].sort((a, b) => a - b)) {
    const one = await sql.row<{ body: string; entries: number | null }>(
      `SELECT b.body, d.settled + d.unchanged + d.unknown AS entries
       FROM deliveries d JOIN delivery_bodies b ON b.delivery_id = d.id WHERE d.id = $1 AND b.body <> '{}'`,
      [id],
    );
    if (one === undefined) continue;
    count += 1;
    const rest = (one.entries ?? 0) > 1 ? othersIn(one.body) : undefined;
    await sql.run('UPDATE delivery_bodies SET body = $1 WHERE delivery_id = $2', [
      rest ?? '{}',
      id,
    ]);
    if (rest === undefined) {
      await sql.run('DELETE FROM unknown_tickets WHERE delivery_id = $1', [id]);
    }
  }
  return count;
}
