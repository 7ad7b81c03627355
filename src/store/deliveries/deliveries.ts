// The delivery journal: deliveries as they came, what is to be done with each, and their outcomes.
import { isJsonObject, type JsonValue } from '../../model/text/json.js';
import type {
  EnrichmentMarks,
  JournalEntry,
  PendingDelivery,
} from '../../ports/store/deliveries.js';
import { countOf, fewOf, type Row, type Sql } from '../sql.js';
import { read, type Verbs, write } from '../verb.js';
import { signingKey } from './signing-key.js';

const PENDING = `deliveries WHERE scope = $1 AND state = 'pending' ORDER BY id LIMIT $2`;

/** A column of the outcome, which is null before the delivery is handled and while it waits to be handled again. */
function onceHandled(column: string): string {
  return `CASE WHEN d.state <> 'pending' THEN d.${column} END AS ${column}`;
}

const JOURNAL_ENTRY = `SELECT d.id, d.scope, d.received_at,
    ${['handled_at', 'settled', 'unchanged', 'unknown'].map(onceHandled).join(', ')},
    octet_length(d.body) AS bytes, d.times
  FROM deliveries d`;

export const deliveryVerbs = {
  pendingDeliveries: read('bounded', async (sql, scope, limit) => {
    const ids = await fewOf(sql, 'id', 'body', PENDING, [scope, limit]);
    // Another process may have handled one meanwhile.
    return sql.rows<PendingDelivery>(
      `SELECT id, scope, enrichment_id, call_id, received_at, body FROM deliveries
       WHERE id = ANY ($1) AND body IS NOT NULL ORDER BY id`,
      [ids],
    );
  }),
  listDeliveries: read('bounded', async (sql, limit, about) => {
    if (about === undefined) {
      return sql.rows<JournalEntry>(`${JOURNAL_ENTRY} ORDER BY d.id DESC LIMIT $1`, [limit]);
    }
    const ids = await findAbout(sql, about, limit);
    return sql.rows<JournalEntry>(
      `${JOURNAL_ENTRY} WHERE d.id = ANY ($1::bigint[]) ORDER BY d.id`,
      [ids],
    );
  }),
  countPending: read((sql) => countOf(sql, `deliveries WHERE state = 'pending'`)),
  signingKey: write(signingKey),
  replayDeliveries: write(async (sql, scope) => {
    const pending = await sql.run(
      `UPDATE deliveries SET state = 'pending'
       WHERE scope = $1 AND state <> 'pending' AND body IS NOT NULL`,
      [scope],
    );
    const which = 'deliveries WHERE scope = $1 AND body IS NULL';
    return { pending, withoutBody: await countOf(sql, which, [scope]) };
  }),
  dropBodies: write(async (sql, before) => {
    let count = 0;
    for (let last = 0; ; ) {
      const ids = await sql.list<number>(
        `SELECT id FROM deliveries WHERE id > $1 AND handled_at < $2 AND settled > 0 AND unknown = 0
           AND state = 'handled' AND body IS NOT NULL ORDER BY id LIMIT 1000`,
        [last, before],
      );
      last = ids.at(-1) ?? 0;
      if (last === 0) return count;
      count += await emptyBodies(sql, ids);
    }
  }),
} satisfies Partial<Verbs>;

const WITHOUT_BODY = `id, scope, enrichment_id, call_id, received_at, times, digest, state, handled_at, settled,
  unchanged, unknown, also_settled`;

/** In SQLite a row that shrinks leaves the rest of its page unused: there it is written again. */
export async function emptyBodies(sql: Sql, ids: readonly number[]): Promise<number> {
  if (sql.kind === 'postgres') {
    return sql.run('UPDATE deliveries SET body = NULL WHERE id = ANY ($1)', [ids]);
  }
  const rows = await sql.rows<Row>(
    `SELECT ${WITHOUT_BODY} FROM deliveries WHERE id = ANY ($1) ORDER BY id`,
    [ids],
  );
  await sql.remove(
    'deliveries',
    rows.map(({ id = null }) => ({ id })),
  );
  return sql.insert('deliveries', rows);
}

/**
 * A mark must be a value of its own: a body that names enr_10 does not name enr_1. A delivery without its body still
 * knows the enrichments that it settled.
 */
async function findAbout(sql: Sql, about: EnrichmentMarks, limit: number): Promise<number[]> {
  const marks = new Set(about.marks);
  const isKnown = `(d.enrichment_id IS NOT DISTINCT FROM $1 OR d.also_settled LIKE $2)`;
  const mayName = [...marks].map((_, i) => `d.body LIKE $${i + 3} ESCAPE '!'`);
  const candidates = await sql.rows<{ id: number; isKnown: boolean }>(
    `SELECT d.id, ${isKnown} AS is_known FROM deliveries d WHERE ${[isKnown, ...mayName].join(' OR ')} ORDER BY d.id`,
    [about.id, `% ${about.id} %`, ...Array.from(marks, toPattern)],
  );
  const ids: number[] = [];
  for (const { id, isKnown } of candidates) {
    if (ids.length >= limit) break;
    // Bodies are read one at a time: each may have 8 MiB.
    if (isKnown || (await isNamedIn(sql, id, marks))) ids.push(id);
  }
  return ids;
}

function toPattern(mark: string): string {
  return `%${mark.replaceAll(/[!%_]/g, '!$&')}%`;
}

async function isNamedIn(sql: Sql, id: number, marks: ReadonlySet<string>): Promise<boolean> {
  const body = await sql.value<string | null>('SELECT body FROM deliveries WHERE id = $1', [id]);
  try {
    return typeof body === 'string' && holdsValue(JSON.parse(body) as JsonValue, marks);
  } catch {
    // The body is not JSON.
    return false;
  }
}

/** The search is not recursive, however deep the nesting is. */
function holdsValue(value: JsonValue, wanted: ReadonlySet<string>): boolean {
  const open: JsonValue[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'string' && wanted.has(next)) return true;
    if (Array.isArray(next)) for (const one of next) open.push(one);
    else if (isJsonObject(next)) for (const one of Object.values(next)) open.push(one);
  }
  return false;
}
