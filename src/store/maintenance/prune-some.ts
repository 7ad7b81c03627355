// Removes a few rows of old runs in one short transaction: the same as prune, but for the rows of the runs themselves.
// New rows take the space of old ones, in PostgreSQL once the server has cleared them away.
import type { PruneTimes } from '../../ports/store/maintenance.js';
import { fieldOf, lockEveryAccount, type Scalar, type Sql } from '../sql.js';
import { type Verbs, write } from '../verb.js';
import { overwriting } from './disk.js';
import {
  FORGET_HASHES,
  FORGET_REFUSED,
  IS_LEAVING,
  IS_OLD_DELIVERY,
  markRuns,
  removeRows,
  TABLES_OF_RUN,
} from './leaving.js';

/** The weight of a row with the cells of many leads. */
const ROWS_A_BLOCK = 20;

/** Works on at most `most` rows, and returns how many it did: fewer than `most` mean that the step is at its end. */
type Step = (sql: Sql, times: PruneTimes, most: number) => Promise<number>;

const STEPS: readonly Step[] = [
  markRuns,
  clearRuns,
  (sql, { before }) => sql.run(FORGET_HASHES, [before]),
  (sql, { before }) => sql.run(FORGET_REFUSED, [before]),
  removeEnrichments,
  removeDeliveries,
  removeEvents,
];

export const pruneVerbs = {
  // Deleted rows are overwritten, because the file is not written anew afterwards. SQLite may leave copies of rows that
  // it moved before in the unused part of pages, until prune.
  pruneSome: write((sql, times, rowsMax) =>
    overwriting(sql, async () => {
      await lockEveryAccount(sql);
      let left = rowsMax;
      for (const step of STEPS) {
        left -= await step(sql, times, left);
        if (left <= 0) return { isDone: false };
      }
      return { isDone: true };
    }),
  ),
} satisfies Partial<Verbs>;

async function clearRuns(sql: Sql, _times: PruneTimes, most: number): Promise<number> {
  const runs = await sql.list<number>(
    'SELECT id FROM runs WHERE pruned_at IS NOT NULL AND NOT is_cleared ORDER BY id',
  );
  let left = most;
  for (const id of runs) {
    for (const [table, columns] of Object.entries(TABLES_OF_RUN)) {
      const weight = table === 'lead_cells' ? ROWS_A_BLOCK : 1;
      left -=
        weight * (await clearSome({ sql, table, columns, most: Math.ceil(left / weight) }, id));
      if (left <= 0) return most;
    }
    await sql.run('UPDATE runs SET is_cleared = true WHERE id = $1', [id]);
  }
  return most - left;
}

interface Piece {
  readonly sql: Sql;
  readonly table: string;
  readonly columns: readonly string[];
  readonly most: number;
}

async function clearSome({ sql, table, columns, most }: Piece, run: number): Promise<number> {
  if (columns.length === 0) return sql.run(`DELETE FROM ${table} WHERE run_id = $1`, [run]);
  const order = columns.join(', ');
  const rows = await sql.rows<Record<string, Scalar>>(
    `SELECT ${order} FROM ${table} WHERE run_id = $1 ORDER BY ${order} LIMIT $2`,
    [run, most],
  );
  const last = rows.at(-1);
  if (last === undefined) return 0;
  const bounds = columns.map((_, i) => `$${i + 2}::bigint`).join(', ');
  return sql.run(`DELETE FROM ${table} WHERE run_id = $1 AND (${order}) <= (${bounds})`, [
    run,
    ...columns.map((name) => last[fieldOf(name)] ?? null),
  ]);
}

type Place = 'enrichment_id' | 'delivery_id';

/** The id at which the last piece ended. The rows that it kept are looked at again only after all others. */
async function placeOf(sql: Sql, column: Place): Promise<number> {
  return (await sql.value<number>(`SELECT ${column} FROM pruning`)) ?? 0;
}

async function keepPlace(sql: Sql, column: Place, id: number): Promise<void> {
  await sql.run(
    `INSERT INTO pruning (id, ${column}) VALUES (1, $1)
     ON CONFLICT (id) DO UPDATE SET ${column} = excluded.${column} WHERE pruning.${column} <> excluded.${column}`,
    [id],
  );
}

async function removeEnrichments(
  sql: Sql,
  { freshSince }: PruneTimes,
  most: number,
): Promise<number> {
  const after = await placeOf(sql, 'enrichment_id');
  const looked = await sql.list<number>(
    'SELECT id FROM enrichments WHERE id > $1 ORDER BY id LIMIT $2',
    [after, most],
  );
  const last = looked.at(-1) ?? after;
  const leaving = await sql.list<number>(
    `SELECT id FROM enrichments WHERE id > $2 AND id <= $3 AND ${IS_LEAVING} ORDER BY id FOR UPDATE`,
    [freshSince, after, last],
  );
  await removeRows(sql, 'enrichments', leaving);
  await keepPlace(sql, 'enrichment_id', looked.length < most ? 0 : last);
  return looked.length;
}

interface Arrival {
  readonly id: number;
  readonly receivedAt: number;
}

function oldOf(rows: readonly Arrival[], before: number): readonly Arrival[] {
  const young = rows.findIndex(({ receivedAt }) => receivedAt >= before);
  return young === -1 ? rows : rows.slice(0, young);
}

async function removeDeliveries(sql: Sql, { before }: PruneTimes, most: number): Promise<number> {
  const after = await placeOf(sql, 'delivery_id');
  const rows = await sql.rows<Arrival>(
    'SELECT id, received_at FROM deliveries WHERE id > $1 ORDER BY id LIMIT $2',
    [after, most],
  );
  const old = oldOf(rows, before);
  const last = old.at(-1)?.id ?? after;
  const leaving = await sql.list<number>(
    `SELECT id FROM deliveries WHERE id > $2 AND id <= $3 AND ${IS_OLD_DELIVERY} ORDER BY id`,
    [before, after, last],
  );
  await removeRows(sql, 'deliveries', leaving);
  await keepPlace(sql, 'delivery_id', old.length < most ? 0 : last);
  return old.length;
}

async function removeEvents(sql: Sql, { before }: PruneTimes, most: number): Promise<number> {
  const rows = await sql.rows<Arrival>(
    `SELECT id, received_at FROM events
     WHERE id < (SELECT max(id) FROM events) ORDER BY id LIMIT $1`,
    [most],
  );
  const last = oldOf(rows, before).at(-1)?.id ?? 0;
  return sql.run('DELETE FROM events WHERE id <= $1', [last]);
}
