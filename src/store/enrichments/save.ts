// Enrichments that a transaction has locked: a verb locks all rows that it needs at once, the rules of
// src/model/enrichment/ decide about each in memory, and the decisions are saved at once, in a few statements for any
// number of rows.
//
// Rows are locked in the order of their ids. A verb locks in this order, so that no two verbs wait for each other: the
// account, tickets (sql.ts), enrichments, spending.
import { type SendEvent, statesOf, targetOf } from '../../model/enrichment/arrows.js';
import type { Change, Enrichment, Locked } from '../../model/enrichment/locked.js';
import { groupBy } from '../../model/group-by.js';
import type { Changed } from '../../ports/store/enrichments.js';
import { keepCharges } from '../charges.js';
import type { Row, Sql, Value } from '../sql.js';
import { withhold } from '../suppressions.js';
import { addKeys } from './known.js';
import { lockRows } from './lock-rows.js';
import { writeResult } from './result-format.js';
import { keepSpending } from './spending.js';
import { followAll, keepStands } from './stands.js';

const NAMED_MAX = 20_000;
const CHUNK = 500;

/** Names enrichments `e` of the leads of run $2, by a condition on them. `joined`: what else the condition is about. */
export function namedByLeads(where: string, joined = ''): string {
  return `SELECT e.id, l.position AS place FROM leads l JOIN enrichments e ON e.id = l.enrichment_id ${joined}
    WHERE l.position > $1 AND l.run_id = $2 AND ${where} ORDER BY l.position LIMIT ${NAMED_MAX}`;
}

export function named(where: string): string {
  return `SELECT e.id, e.id AS place FROM enrichments e WHERE e.id > $1 AND ${where} ORDER BY e.id LIMIT ${NAMED_MAX}`;
}

/** Some hundred rows at a time. They are not locked when they are named, so the work looks at each again. */
export async function nameEach(
  sql: Sql,
  text: string,
  values: readonly Value[],
  work: (ids: readonly number[]) => Promise<void>,
): Promise<void> {
  for (let after = 0; ; ) {
    const all = await sql.rows<{ id: number; place: number }>(text, [after, ...values]);
    const ids = [...new Set(all.map(({ id }) => id))];
    for (let from = 0; from < ids.length; from += CHUNK) await work(ids.slice(from, from + CHUNK));
    const last = all.at(-1);
    if (last === undefined || all.length < NAMED_MAX) return;
    after = last.place;
  }
}

/** As `nameEach`, with each enrichment locked before and saved after. */
export function holdEach(
  sql: Sql,
  text: string,
  values: readonly (string | number)[],
  decide: (locked: Locked, row: Enrichment) => void,
): Promise<void> {
  return nameEach(sql, text, values, async (ids) => {
    const locked = await lockRows(sql, ids);
    for (const id of ids) {
      const row = locked.rows.get(id);
      if (row !== undefined) decide(locked, row);
    }
    await save(sql, locked);
  });
}

/** Once for each `Locked`. */
export async function save(sql: Sql, locked: Locked): Promise<void> {
  await followAll(sql, locked);
  const { changes, costs, givenUp, results, unread } = locked;
  await keepCharges(sql, givenUp);
  // An enrichment that does not count any more is saved first: a new one may take its place.
  const steps = groupBy(changes, ([{ id, isCurrent }]) => id > 0 && !isCurrent);
  await saveSteps(sql, steps.get(true));
  await create(sql, locked);
  await saveSteps(sql, steps.get(false));
  await keepBodies(
    sql,
    'results',
    Array.from(results, ([{ id }, result]) => ({ enrichmentId: id, body: writeResult(result) })),
  );
  const answered = Array.from(results, ([{ id, inputs }, result]) => ({ id, inputs, result }));
  if (answered.length > 0) await withhold(sql, answered);
  const bodies = Array.from(unread, ([{ id }, body]) => ({ enrichmentId: id, body }));
  await keepBodies(
    sql,
    'unread_answers',
    bodies.filter(({ body }) => body !== null),
  );
  const read = bodies.flatMap(({ body, enrichmentId }) => (body === null ? [enrichmentId] : []));
  if (read.length > 0) {
    await sql.run('DELETE FROM unread_answers WHERE enrichment_id = ANY ($1)', [read]);
  }
  await keepStands(sql, locked);
  await keepSpending(sql, costs);
}

/**
 * Moves enrichments along an arrow that the state alone decides, by one guarded statement: nothing is read before, and a
 * row in another state stays as it is. In the order of their ids; returns those that moved. `key`: what each is found by.
 */
export async function moveAll<One extends { readonly id: number }>(
  sql: Sql,
  event: SendEvent,
  all: readonly One[],
  toRow: (one: One) => Row,
  key: readonly string[] = ['id'],
): Promise<One[]> {
  const state = targetOf(event);
  const ones = all.toSorted((a, b) => a.id - b.id);
  const from = statesOf(event).map((one) => `t.state = '${one}'`);
  const places = await sql.update(
    'enrichments',
    key,
    ones.map((one) => ({ ...toRow(one), state })),
    `(${from.join(' OR ')})`,
  );
  const moved = new Set(places);
  return ones.filter((_, i) => moved.has(i));
}

export function changedIn(locked: Locked, changed: readonly { readonly id: number }[]): Changed[] {
  return changed.flatMap(({ id }) => {
    const row = locked.rows.get(id);
    return row === undefined ? [] : [{ id, state: row.state }];
  });
}

/** Saves the first step of each enrichment, then the second of those that have one, and so on. */
async function saveSteps(
  sql: Sql,
  changes: readonly (readonly [Enrichment, readonly Change[]])[] = [],
): Promise<void> {
  const most = Math.max(0, ...changes.map(([, steps]) => steps.length));
  for (let i = 0; i < most; i += 1) {
    const rows = changes.flatMap(([{ id }, { [i]: step }]): Row[] =>
      step === undefined ? [] : [{ id, ...step }],
    );
    // One statement writes all rows with the same columns: a verb has few kinds of changes.
    const alike = groupBy(rows, (row) => Object.keys(row).join());
    for (const some of alike.values()) await sql.update('enrichments', ['id'], some);
  }
}

async function create(sql: Sql, { created, keys }: Locked): Promise<void> {
  if (created.length === 0) return;
  const ids = await sql.insertIds(
    'enrichments',
    created.map(({ ask, fingerprint, inputs, isCurrent, olderAnswer, runId, sent }) => {
      return { fingerprint, isCurrent, runId, ask, sent, inputs, olderAnswer };
    }),
  );
  for (const [i, row] of created.entries()) row.id = ids[i] as number;
  await addKeys(sql, [...keys]);
}

async function keepBodies(
  sql: Sql,
  table: 'results' | 'unread_answers',
  rows: readonly Row[],
): Promise<void> {
  await sql.insert(table, rows, 'ON CONFLICT (enrichment_id) DO UPDATE SET body = excluded.body');
}
