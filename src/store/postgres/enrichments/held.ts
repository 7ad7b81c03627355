// Enrichments whose rows a transaction has for itself. A verb takes all that it is about at once (`hold`), decides about
// each in memory, and writes what it decided at once (`save`): four statements, however many they are.
//
// Rows are taken in the order of their ids. What else a verb takes comes in this order, so that no two verbs wait for
// each other: the account, tickets (verbs.ts), enrichments, second looks, series.
import type { EnrichmentState } from '../../../model/enrichment.js';
import type { SecondLook } from '../../../ports/store/enrichments.js';
import type { Seen } from '../../runs/series.js';
import type { Sql } from '../database/database.js';

/** An enrichment as its row says; a verb changes it here, and then calls `change`. */
export interface HeldEnrichment {
  readonly id: number;
  readonly runId: number;
  readonly sendCount: number;
  state: EnrichmentState;
  paidBy: number | null;
  ticket: string | null;
  callId: number | null;
  reason: string | null;
  thousandths: number;
  submittedAt: number | null;
  pollAt: number | null;
  pollCount: number;
  wasEmpty: number;
  believed: number | null;
  deadlineAt: number | null;
  settledAt: number | null;
  answeredAt: number | null;
  lostSends: number;
  servedBy: number | null;
  readonly ask: string;
  /** Null where it serves none. */
  readonly inputs: string | null;
  /** Whether others wait for what comes of it. */
  readonly serves: boolean;
}

/** The columns that verbs write, with their types. */
const WRITTEN = {
  id: ['id', 'bigint'],
  state: ['state', 'text'],
  paidBy: ['paid_by', 'bigint'],
  ticket: ['ticket', 'text'],
  callId: ['call_id', 'bigint'],
  reason: ['reason', 'text'],
  thousandths: ['thousandths', 'bigint'],
  submittedAt: ['submitted_at', 'bigint'],
  pollAt: ['poll_at', 'bigint'],
  pollCount: ['poll_count', 'integer'],
  wasEmpty: ['was_empty', 'smallint'],
  believed: ['believed', 'bigint'],
  deadlineAt: ['deadline_at', 'bigint'],
  settledAt: ['settled_at', 'bigint'],
  answeredAt: ['answered_at', 'bigint'],
  lostSends: ['lost_sends', 'integer'],
  servedBy: ['served_by', 'bigint'],
} as const satisfies Readonly<Partial<Record<keyof HeldEnrichment, readonly [string, string]>>>;
const KEYS = Object.keys(WRITTEN) as (keyof typeof WRITTEN)[];
const COLUMNS = KEYS.map((key) => WRITTEN[key][0]);

function holdThose(column: 'id' | 'served_by'): string {
  return `SELECT run_id AS "runId", send_count AS "sendCount", ask, serves, CASE WHEN serves THEN inputs END AS inputs,
      ${KEYS.map((key) => `${WRITTEN[key][0]} AS "${key}"`).join(', ')}
    FROM enrichments WHERE ${column} = ANY($1) ORDER BY id FOR UPDATE`;
}
const HOLD = holdThose('id');
const HOLD_SERVED = holdThose('served_by');

const UPDATE = `UPDATE enrichments AS e SET ${COLUMNS.slice(1)
  .map((column) => `${column} = c.${column}`)
  .join(', ')}
  FROM unnest(${KEYS.map((key, i) => `$${i + 1}::${WRITTEN[key][1]}[]`).join(', ')}) AS c (${COLUMNS.join(', ')})
  WHERE e.id = c.id`;

/** What a verb holds, and what it has decided so far. */
export interface Held {
  readonly rows: ReadonlyMap<number, HeldEnrichment>;
  readonly changed: Set<HeldEnrichment>;
  /** They were being sent, and an answer may be taken for them: along the arrows that comes first. */
  readonly doubted: Set<HeldEnrichment>;
  /** As text, by the id of the enrichment. */
  readonly results: Map<number, string>;
  readonly unread: Map<number, string>;
  /** Those that have nothing unread any more. */
  readonly read: Set<number>;
  readonly looks: SecondLook[];
}

/**
 * Until the end of the transaction no other verb changes them, and those that wait for what comes of them. Ids that
 * nothing has are passed over.
 */
export async function hold(sql: Sql, ids: readonly number[]): Promise<Held> {
  const rows = ids.length === 0 ? [] : await sql.rows<HeldEnrichment>(HOLD, [[...new Set(ids)]]);
  const held = new Map(rows.map((row) => [row.id, row]));
  for (let some = rows; some.some(({ serves }) => serves); ) {
    const serving = some.flatMap(({ id, serves }) => (serves ? [id] : []));
    // Only now: what was served by them, while these rows were waited for, is there.
    some = (await sql.rows<HeldEnrichment>(HOLD_SERVED, [serving])).filter(
      ({ id }) => !held.has(id),
    );
    for (const row of some) held.set(row.id, row);
  }
  return {
    rows: held,
    changed: new Set(),
    doubted: new Set(),
    results: new Map(),
    unread: new Map(),
    read: new Set(),
    looks: [],
  };
}

/** Writes what was decided since the last time: each step of an enrichment that goes more than one. */
export async function save(sql: Sql, held: Held): Promise<void> {
  const { changed, doubted, looks, read, results, unread } = held;
  await doubt(
    sql,
    [...doubted].map(({ id }) => id),
  );
  if (changed.size > 0) {
    const rows = [...changed];
    await sql.run(
      UPDATE,
      KEYS.map((key) => rows.map((row) => row[key])),
    );
  }
  await keepTexts(sql, 'results', results);
  await keepTexts(sql, 'unread_answers', unread);
  if (read.size > 0) {
    await sql.run('DELETE FROM unread_answers WHERE enrichment_id = ANY($1)', [[...read]]);
  }
  if (looks.length > 0) await countLooks(sql, looks);
  for (const decided of [changed, doubted, results, unread, read]) decided.clear();
  looks.length = 0;
}

export const CLAIMED = 'claimed by a webhook';

/** An answer may be taken for those of them that count as being sent. */
export async function doubt(sql: Sql, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await sql.run(
    `UPDATE enrichments SET state = 'uncertain', reason = $2 WHERE id = ANY($1) AND state = 'submitting'`,
    [ids, CLAIMED],
  );
}

/** Those that wait for what comes of it. */
export function servedBy({ rows }: Held, { id, serves }: HeldEnrichment): HeldEnrichment[] {
  return serves ? [...rows.values()].filter((row) => row.servedBy === id) : [];
}

export async function keepTexts(
  sql: Sql,
  table: 'results' | 'unread_answers',
  texts: ReadonlyMap<number, string>,
): Promise<void> {
  if (texts.size === 0) return;
  await sql.run(
    `INSERT INTO ${table} (enrichment_id, body) SELECT * FROM unnest($1::bigint[], $2::text[])
     ON CONFLICT (enrichment_id) DO UPDATE SET body = excluded.body`,
    [[...texts.keys()], [...texts.values()]],
  );
}

/** Looks in the order in which they were taken: one that found something begins the count again. */
async function countLooks(sql: Sql, looks: readonly SecondLook[]): Promise<void> {
  const counts = new Map<string, { look: SecondLook; isAnew: boolean; count: number }>();
  for (const look of looks) {
    const key = JSON.stringify([look.account, look.dialect, look.kind]);
    const { count = 0, isAnew = false } = counts.get(key) ?? {};
    counts.set(
      key,
      look.isSame ? { look, isAnew, count: count + 1 } : { look, isAnew: true, count: 0 },
    );
  }
  const sorted = [...counts].sort(([one], [other]) => (one < other ? -1 : 1));
  for (const [, { count, isAnew, look }] of sorted) {
    await sql.run(
      `INSERT INTO empty_answers AS a (account, dialect, kind, confirmed) VALUES ($1, $2, $3, $4)
       ON CONFLICT (account, dialect, kind) DO UPDATE SET
         confirmed = excluded.confirmed + CASE WHEN $5 THEN 0 ELSE a.confirmed END,
         id = CASE WHEN $5 THEN excluded.id ELSE a.id END`,
      [look.account, look.dialect, look.kind, count, isAnew],
    );
  }
}

/** What the series need to know of an enrichment before it changes. */
export function seenOf(row: HeldEnrichment): Seen {
  const { paidBy, pollCount, runId, state, submittedAt, thousandths } = row;
  return [state === 'awaiting' ? 1 : 0, runId, paidBy, submittedAt, pollCount, thousandths];
}
