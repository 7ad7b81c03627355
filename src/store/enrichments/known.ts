// The enrichments that a store holds for leads and their fingerprints: read at once for a whole batch, and kept up to
// date in memory.
import type { Ask } from '../../model/ask.js';
import { type Enrichment, openHeld } from '../../model/enrichment/held.js';
import { type Known, peekRow, type Standing } from '../../model/enrichment/payable.js';
import { type Book, peek } from '../../model/enrichment/share.js';
import { type RequestRow, toAskSets } from '../../model/enrichment/stored-request.js';
import type { Result } from '../../model/result.js';
import type { Fingerprints } from '../../ports/store/enrichments.js';
import type { Sql } from '../sql.js';
import { read, type Verbs } from '../verb.js';
import { HELD } from './held.js';
import { readResult } from './result-format.js';

type StandingRow = Standing & Pick<Enrichment, 'fingerprint'>;

const STANDING = `e.id, e.state, e.ticket, e.settled_at AS "settledAt", e.answered_at AS "answeredAt",
  e.served_by AS "servedBy", e.older_answer AS "olderAnswer", e.predecessor, e.fingerprint`;

export const knownVerbs = {
  asked: read((sql) => readAsked(sql)),
  peek: read('bounded', async (sql, leads, freshSince) => {
    const read = reader<StandingRow>(sql, STANDING);
    const known = keep(await read.current(fingerprintsOf(leads)));
    for (const row of await read.byId(predecessorsOf(known.all()))) known.keep(row);
    return leads.map((lead) => peek(known, lead, freshSince));
  }),
} satisfies Partial<Verbs>;

/** The sets of asks that enrichments have asked for so far. */
export async function readAsked(sql: Sql): Promise<(readonly Ask[])[]> {
  return toAskSets(await sql.rows<Pick<RequestRow, 'ask'>>('SELECT ask FROM asked ORDER BY ask'));
}

/**
 * Opens a book inside another verb's transaction, under the lock of the account. Rows of enrichments that have not
 * ended are locked until the transaction ends, and so are those with these ids. Enrichments that have ended change under
 * the account's lock alone.
 */
export async function openBook(
  sql: Sql,
  leads: readonly Fingerprints[],
  freshSince: number,
  ids: readonly number[] = [],
): Promise<Book> {
  const read = reader<Enrichment>(sql, HELD);
  const held = openHeld();
  const known = keep(await read.current(fingerprintsOf(leads)), held.rows);
  const rows = known.all();
  const open = rows.filter(({ settledAt, state }) => settledAt === null || state === 'timed_out');
  const locked = [...predecessorsOf(rows), ...open.map(({ id }) => id), ...ids];
  for (const row of await read.byId(locked, 'FOR UPDATE')) known.keep(row);
  const wides = widesOf(known, leads, freshSince);
  const results = await readResults(sql, [...wides]);
  return {
    ...held,
    ...known,
    resultOf: (row) => {
      // A result that was taken in this transaction is not in the table yet.
      const result = held.results.get(row) ?? results.get(row.id);
      if (result === undefined && row.id > 0 && !wides.has(row.id)) {
        throw new Error(`enrichment ${row.id} was not read whole`);
      }
      return result;
    },
  };
}

function reader<Row extends object>(sql: Sql, columns: string) {
  const rows = `SELECT ${columns} FROM enrichments e WHERE`;
  const byId = async (ids: readonly number[], lock = ''): Promise<Row[]> =>
    ids.length === 0 ? [] : sql.rows<Row>(`${rows} e.id = ANY ($1) ORDER BY e.id ${lock}`, [ids]);
  const current = async (fingerprints: readonly Uint8Array[]): Promise<Row[]> =>
    fingerprints.length === 0
      ? []
      : sql.rows<Row>(`${rows} e.fingerprint = ANY ($1) AND e.is_current`, [fingerprints]);
  return { byId, current };
}

function fingerprintsOf(leads: readonly Fingerprints[]): Uint8Array[] {
  const all = leads.flatMap(({ fingerprint, wider = [] }) => [fingerprint, ...wider]);
  return [...new Map(all.map((one) => [keyOf(one), one])).values()];
}

function predecessorsOf(rows: readonly Standing[]): number[] {
  return rows.flatMap(({ predecessor }) => predecessor ?? []);
}

/** Keeps rows by id and fingerprint; all rows in `all` count for their fingerprint. */
function keep<Row extends StandingRow>(all: readonly Row[], byId = new Map<number, Row>()) {
  const ids = new Map<string, number>();
  const current = (fingerprint: Uint8Array): Row | undefined => {
    const id = ids.get(keyOf(fingerprint));
    return id === undefined ? undefined : byId.get(id);
  };
  const keepOne = (row: Row): void => void byId.set(row.id, row);
  const put = (row: Row): void => {
    keepOne(row);
    ids.set(keyOf(row.fingerprint), row.id);
  };
  for (const row of all) put(row);
  return {
    byId: (id: number) => byId.get(id),
    current,
    keep: keepOne,
    put,
    all: () => [...byId.values()],
  };
}

function keyOf(fingerprint: Uint8Array): string {
  const { buffer, byteLength, byteOffset } = fingerprint;
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
}

/**
 * The ids of the wider questions that may serve leads, and of their predecessors; none for leads with a fresh answer.
 */
function widesOf(
  known: Known<Enrichment>,
  leads: readonly Fingerprints[],
  freshSince: number,
): Set<number> {
  const ids = new Set<number>();
  for (const { fingerprint, wider = [] } of leads) {
    const own = wider.length === 0 ? undefined : known.current(fingerprint);
    if (own !== undefined && peekRow(known, own, freshSince) === 'fresh') continue;
    for (const wide of wider) {
      const row = known.current(wide);
      if (row === undefined) continue;
      ids.add(row.id);
      if (row.predecessor !== null) ids.add(row.predecessor);
    }
  }
  return ids;
}

async function readResults(sql: Sql, ids: readonly number[]): Promise<Map<number, Result>> {
  if (ids.length === 0) return new Map();
  const rows = await sql.rows<{ id: number; body: Uint8Array }>(
    'SELECT enrichment_id AS id, body FROM results WHERE enrichment_id = ANY ($1)',
    [ids],
  );
  return new Map(rows.map(({ body, id }) => [id, readResult(body)]));
}
