// What comes of deliveries: what they do to enrichments (take-step.ts), and to their own rows. Enrichments are taken
// first, then deliveries, both in the order of their ids.
import type { DeliveryStep, HandledDelivery } from '../../../ports/store/deliveries.js';
import { enrichmentOf, isOutdated } from '../../deliveries/addressed.js';
import { addOutcome, outcomeOf } from '../../deliveries/journal-entry.js';
import { createSeriesNotes } from '../../runs/series.js';
import type { Sql } from '../database/database.js';
import { hold } from '../enrichments/held.js';
import { reviveTickets } from '../enrichments/submits.js';
import { writeSeries } from '../runs/series.js';
import { lockTickets, type Verbs } from '../verbs.js';
import { findAddressable, type Unwritten } from './addressed.js';
import { saveEnrichments, type Taking, takeStep } from './take-step.js';

/** A delivery as its row says, and what is decided about it. */
interface HeldDelivery {
  readonly id: number;
  readonly scope: string;
  readonly enrichmentId: number | null;
  readonly callId: number | null;
  handledAt: number | null;
  settled: number | null;
  unchanged: number | null;
  unknown: number | null;
}

/** What is decided besides. */
interface Decided {
  readonly rows: Set<HeldDelivery>;
  /** Enrichments that were settled besides the one of the key. */
  readonly others: Map<number, number[]>;
  readonly unread: number[];
  /** Their bodies leave. */
  readonly settled: HeldDelivery[];
}

export const handleWrites = {
  handleDeliveries: async (sql, account, handled) => {
    const steps = handled.flatMap((one) => one.steps);
    const hasNews = await tellsTickets(sql, steps);
    if (hasNews) await lockTickets(sql, 'to look');
    const held = await hold(
      sql,
      steps.flatMap((step) => enrichmentOf(step) ?? []),
    );
    const sets = {
      queued: new Set<never>(),
      learnt: new Map<string, never>(),
    };
    const notes = createSeriesNotes();
    const taking: Taking = { held, notes, ...sets, unknown: [] };
    const isLate = hasNews ? await findLate(sql, account, steps, taking) : () => false;
    const deliveries = await holdDeliveries(sql, handled);
    const decided: Decided = { rows: new Set(), others: new Map(), unread: [], settled: [] };
    const changed: number[] = [];
    for (const one of handled) {
      // A ticket that was saved since the caller looked: the delivery stays pending.
      if (one.steps.some(isLate)) continue;
      const row = deliveries.get(one.id);
      if (row === undefined) throw new Error(`there is no delivery ${one.id}`);
      const came = { ...row, at: one.at };
      const ids = one.steps.flatMap((step) => takeStep(taking, step, came) ?? []);
      note(decided, row, one, ids);
      changed.push(...ids);
    }
    await saveEnrichments(sql, taking);
    await saveDeliveries(sql, decided);
    await saveTickets(sql, taking);
    await writeSeries(sql, notes);
    return changed;
  },
} satisfies Partial<Verbs>;

/** Whether a step tells a ticket that nothing here has, or that is not known to be its enrichment's. */
async function tellsTickets(sql: Sql, steps: readonly DeliveryStep[]): Promise<boolean> {
  if (steps.some(({ kind }) => kind === 'unknown')) return true;
  const told = steps.flatMap((step) =>
    'ticket' in step && step.ticket !== null
      ? [{ id: enrichmentOf(step), ticket: step.ticket }]
      : [],
  );
  if (told.length === 0) return false;
  const news = await sql.row(
    `SELECT 1 FROM unnest($1::bigint[], $2::text[]) AS told (id, ticket) JOIN enrichments e ON e.id = told.id
     WHERE e.ticket IS DISTINCT FROM told.ticket LIMIT 1`,
    [told.map(({ id }) => id), told.map(({ ticket }) => ticket)],
  );
  return news !== undefined;
}

async function findLate(
  sql: Sql,
  account: string,
  steps: readonly DeliveryStep[],
  unwritten: Unwritten,
): Promise<(step: DeliveryStep) => boolean> {
  const names = {
    ids: [...unwritten.held.rows.keys()],
    tickets: steps.flatMap((step) => ('ticket' in step ? (step.ticket ?? []) : [])),
  };
  const enrichments = await findAddressable(sql, account, names, unwritten);
  return (step) => isOutdated(enrichments, step);
}

async function holdDeliveries(
  sql: Sql,
  handled: readonly HandledDelivery[],
): Promise<ReadonlyMap<number, HeldDelivery>> {
  const rows = await sql.rows<HeldDelivery>(
    `SELECT id, scope, enrichment_id AS "enrichmentId", call_id AS "callId", handled_at AS "handledAt",
       settled, unchanged, unknown
     FROM deliveries WHERE id = ANY ($1::bigint[]) ORDER BY id FOR UPDATE`,
    [handled.map(({ id }) => id)],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** `ids`: of the enrichments that changed. */
function note(
  { others, rows, settled, unread }: Decided,
  row: HeldDelivery,
  { at, steps, isUnread = false, keepsBody = false }: HandledDelivery,
  ids: readonly number[],
): void {
  const outcome = outcomeOf(steps, ids.length);
  Object.assign(row, addOutcome(row, outcome), { handledAt: at });
  rows.add(row);
  const besides = ids.filter((id) => id !== row.enrichmentId);
  others.set(row.id, [...(others.get(row.id) ?? []), ...besides]);
  if (isUnread) unread.push(row.id);
  else if ((row.settled ?? 0) > 0 && outcome.unknown === 0 && !keepsBody) settled.push(row);
}

async function saveDeliveries(
  sql: Sql,
  { others, rows: handled, settled, unread }: Decided,
): Promise<void> {
  const rows = [...handled];
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  await sql.run(
    `UPDATE deliveries d SET handled_at = done.at, settled = done.settled, unchanged = done.unchanged,
       unknown = done.unknown, also_settled = d.also_settled || done.others::bigint[]
     FROM unnest($1::bigint[], $2::bigint[], $3::int[], $4::int[], $5::int[], $6::text[])
       AS done (id, at, settled, unchanged, unknown, others)
     WHERE d.id = done.id`,
    [
      ids,
      rows.map(({ handledAt }) => handledAt),
      rows.map((row) => row.settled),
      rows.map(({ unchanged }) => unchanged),
      rows.map(({ unknown }) => unknown),
      ids.map((id) => `{${others.get(id)?.join(',') ?? ''}}`),
    ],
  );
  await sql.run(
    `DELETE FROM pending_deliveries p USING unnest($1::text[], $2::bigint[]) AS done (scope, id)
     WHERE p.scope = done.scope AND p.delivery_id = done.id`,
    [rows.map(({ scope }) => scope), ids],
  );
  if (unread.length > 0) {
    await sql.run(
      `INSERT INTO unread_deliveries (delivery_id) SELECT id FROM unnest($1::bigint[]) AS id ORDER BY id
       ON CONFLICT DO NOTHING`,
      [unread],
    );
  }
  if (settled.length > 0) await dropBodies(sql, settled);
}

async function dropBodies(sql: Sql, settled: readonly HeldDelivery[]): Promise<void> {
  await sql.run('DELETE FROM delivery_bodies WHERE delivery_id = ANY ($1::bigint[])', [
    settled.map(({ id }) => id),
  ]);
  const keys = settled.flatMap(({ enrichmentId }) => enrichmentId ?? []);
  if (keys.length === 0) return;
  // Nothing is kept under these keys any more.
  await sql.run(
    `DELETE FROM delivery_keys WHERE id IN (SELECT id FROM delivery_keys
       WHERE id = ANY ($1::bigint[]) AND unkept = 0 ORDER BY id FOR UPDATE)`,
    [keys],
  );
}

async function saveTickets(sql: Sql, { learnt, unknown }: Taking): Promise<void> {
  if (unknown.length > 0) {
    await sql.run(
      `INSERT INTO unknown_tickets (ticket, delivery_id) SELECT * FROM unnest($1::text[], $2::bigint[])
       ON CONFLICT DO NOTHING`,
      [unknown.map(({ ticket }) => ticket), unknown.map(({ deliveryId }) => deliveryId)],
    );
  }
  if (learnt.size > 0) await reviveTickets(sql, [...learnt.keys()]);
}
