// Handles deliveries: changes enrichments (src/model/enrichment/answer.ts) and the deliveries' own rows. Enrichments
// are locked first, then deliveries, both in the order of their ids.
import { dueNow, postponeDelivered, settleDelivered } from '../../model/enrichment/answer.js';
import type { Locked } from '../../model/enrichment/locked.js';
import type { DeliveryStep, HandledDelivery, JournalEntry } from '../../ports/store/deliveries.js';
import { lockRows } from '../enrichments/lock-rows.js';
import { changedIn, save } from '../enrichments/save.js';
import { judgeShared } from '../enrichments/shared-tickets.js';
import { reviveTickets } from '../enrichments/submits.js';
import { lockTickets, type Sql } from '../sql.js';
import { type Verbs, write } from '../verb.js';
import { enrichmentOf, findAddressable, isOutdated } from './addressed.js';
import { emptyBodies } from './deliveries.js';

interface KeptDelivery
  extends Pick<JournalEntry, 'id' | 'handledAt' | 'settled' | 'unchanged' | 'unknown'> {
  readonly enrichmentId: number | null;
  readonly callId: number | null;
  state: 'pending' | 'unread' | 'handled';
  /** Enrichments that were settled besides the one of the key, each between two blanks. */
  alsoSettled: string;
}

type Outcome = Readonly<Record<'settled' | 'unchanged' | 'unknown', number>>;

interface UnknownTicket {
  readonly ticket: string;
  readonly deliveryId: number;
}

interface Decided {
  readonly rows: Set<KeptDelivery>;
  readonly settled: KeptDelivery[];
  readonly unknown: UnknownTicket[];
}

export const handleVerbs = {
  handleDeliveries: write('hot', async (sql, account, handled) => {
    const steps = handled.flatMap((one) => one.steps);
    const hasNews = await tellsTickets(sql, steps);
    if (hasNews) await lockTickets(sql, 'to look');
    const locked = await lockRows(
      sql,
      steps.flatMap((step) => enrichmentOf(step) ?? []),
    );
    const isLate = hasNews ? await findLate(sql, account, steps, locked) : () => false;
    // Where a step names a ticket that was saved since the caller looked, the delivery stays pending.
    const taken = handled.filter((one) => !one.steps.some(isLate));
    const judged = await judgeSteps(sql, locked, taken);
    const deliveries = await holdDeliveries(sql, taken);
    const decided: Decided = { rows: new Set(), settled: [], unknown: [] };
    const changed: number[] = [];
    for (const one of taken) {
      const row = deliveries.get(one.id);
      if (row === undefined) throw new Error(`there is no delivery ${one.id}`);
      const ids = one.steps.flatMap(
        (step) => takeStep(locked, judged.get(step) ?? step, { ...row, at: one.at }) ?? [],
      );
      note(decided, row, one, ids);
      changed.push(...ids);
    }
    await save(sql, locked);
    await saveDeliveries(sql, decided);
    await sql.insert(
      'unknown_tickets',
      decided.unknown.map((one) => ({ ...one })),
      'ON CONFLICT DO NOTHING',
    );
    await reviveTickets(sql, [...locked.learnt.keys()]);
    return changedIn(
      locked,
      changed.map((id) => ({ id })),
    );
  }),
} satisfies Partial<Verbs>;

async function judgeSteps(
  sql: Sql,
  locked: Locked,
  deliveries: readonly HandledDelivery[],
): Promise<ReadonlyMap<DeliveryStep, DeliveryStep>> {
  const settling = deliveries
    .flatMap(({ steps }) => steps)
    .flatMap((step) => (step.kind === 'settle' ? step : []));
  const judged = await judgeShared(sql, locked, settling);
  return new Map(
    settling.map((step, i) => [step, { ...step, settlement: judged[i] ?? step.settlement }]),
  );
}

/** Whether a step names an unknown ticket, or one that is not known to be the ticket of its enrichment. */
async function tellsTickets(sql: Sql, steps: readonly DeliveryStep[]): Promise<boolean> {
  if (steps.some(({ kind }) => kind === 'unknown')) return true;
  const told = steps.flatMap((step) =>
    'ticket' in step && step.ticket !== null
      ? [{ id: enrichmentOf(step), ticket: step.ticket }]
      : [],
  );
  if (told.length === 0) return false;
  const rows = await sql.rows<{ id: number; ticket: string | null }>(
    'SELECT id, ticket FROM enrichments WHERE id = ANY ($1)',
    [told.map(({ id }) => id)],
  );
  const known = new Map(rows.map(({ id, ticket }) => [id, ticket]));
  return told.some(({ id, ticket }) => id !== null && known.has(id) && known.get(id) !== ticket);
}

async function findLate(
  sql: Sql,
  account: string,
  steps: readonly DeliveryStep[],
  locked: Locked,
): Promise<(step: DeliveryStep) => boolean> {
  const names = {
    ids: [...locked.rows.keys()],
    tickets: steps.flatMap((step) => ('ticket' in step ? (step.ticket ?? []) : [])),
  };
  const enrichments = await findAddressable(sql, account, names, locked);
  return (step) => isOutdated(enrichments, step);
}

async function holdDeliveries(
  sql: Sql,
  handled: readonly HandledDelivery[],
): Promise<ReadonlyMap<number, KeptDelivery>> {
  const rows = await sql.rows<KeptDelivery>(
    `SELECT id, enrichment_id, call_id, state, handled_at, settled, unchanged, unknown, also_settled
     FROM deliveries WHERE id = ANY ($1) ORDER BY id FOR UPDATE`,
    [handled.map(({ id }) => id)],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns the enrichment's id if it changed. */
function takeStep(
  locked: Locked,
  step: DeliveryStep,
  { at, callId }: KeptDelivery & { readonly at: number },
): number | undefined {
  switch (step.kind) {
    case 'settle': {
      const { settlement, ticket } = step;
      return settleDelivered(locked, settlement, { ticket, callId, at })
        ? settlement.id
        : undefined;
    }
    case 'postpone': {
      const { deadlineAt, postponement, ticket } = step;
      const isNews = postponeDelivered(locked, postponement, { ticket, callId, at, deadlineAt });
      return isNews ? postponement.id : undefined;
    }
    case 'stray': {
      const row = step.enrichmentId === null ? undefined : locked.rows.get(step.enrichmentId);
      if (row !== undefined) dueNow(locked, row, at);
      return undefined;
    }
    case 'unknown':
    case 'nothing':
      return undefined;
  }
}

function note(
  { rows, settled, unknown }: Decided,
  row: KeptDelivery,
  { at, steps, isUnread = false, keepsBody = false }: HandledDelivery,
  ids: readonly number[],
): void {
  const outcome = outcomeOf(steps, ids.length);
  Object.assign(row, addOutcome(row, outcome), {
    handledAt: at,
    state: isUnread ? 'unread' : 'handled',
  });
  rows.add(row);
  for (const id of ids) {
    if (id !== row.enrichmentId) row.alsoSettled = `${row.alsoSettled || ' '}${id} `;
  }
  for (const step of steps) {
    if (step.kind === 'unknown') unknown.push({ ticket: step.ticket, deliveryId: row.id });
  }
  const isSettled = (row.settled ?? 0) > 0 && outcome.unknown === 0;
  if (isSettled && !isUnread && !keepsBody) settled.push(row);
}

/** Adds an outcome to the earlier one, or to null: a delivery that is handled again keeps what it had. */
function addOutcome(before: KeptDelivery, now: Outcome): Outcome {
  const settled = Math.max(before.settled ?? 0, now.settled);
  const unknown = Math.min(before.unknown ?? now.unknown, now.unknown);
  const entries = now.settled + now.unchanged + now.unknown;
  return { settled, unknown, unchanged: Math.max(0, entries - settled - unknown) };
}

/** `changed`: the number of steps that have changed an enrichment. */
function outcomeOf(steps: readonly DeliveryStep[], changed: number): Outcome {
  const unknown = steps.filter(({ kind }) => kind === 'unknown' || kind === 'stray').length;
  return { settled: changed, unknown, unchanged: steps.length - changed - unknown };
}

async function saveDeliveries(sql: Sql, { rows, settled }: Decided): Promise<void> {
  await sql.update(
    'deliveries',
    ['id'],
    Array.from(rows, ({ enrichmentId: _key, callId: _call, ...outcome }) => outcome),
  );
  if (settled.length > 0) await dropBodies(sql, settled);
}

async function dropBodies(sql: Sql, settled: readonly KeptDelivery[]): Promise<void> {
  await emptyBodies(
    sql,
    settled.map(({ id }) => id),
  );
  const keys = settled.flatMap(({ enrichmentId }) => enrichmentId ?? []);
  if (keys.length === 0) return;
  await sql.run(
    `DELETE FROM delivery_keys WHERE id IN (SELECT id FROM delivery_keys
       WHERE id = ANY ($1) AND unkept = 0 ORDER BY id FOR UPDATE)`,
    [keys],
  );
}
