// The enrichments that a store holds for leads: those of their fingerprints, and those that share a key. They are read
// at once for a whole batch, and kept up to date in memory.
import { hash } from 'node:crypto';
import {
  change,
  type Enrichment,
  type KeptKey,
  openLocked,
} from '../../model/enrichment/locked.js';
import { type Key, keyOfWhole, keysOf, traitsOf } from '../../model/enrichment/person.js';
import { type Book, lookOnce, peek, peekRow } from '../../model/enrichment/share.js';
import { isRemembered, toInputs } from '../../model/enrichment/stored-request.js';
import { groupBy } from '../../model/group-by.js';
import { madeOnce } from '../../model/made-once.js';
import type { Wanted } from '../../ports/store/enrichments.js';
import { keptKey, signingKey } from '../deliveries/signing-key.js';
import type { Scalar, Sql } from '../sql.js';
import { read, type Verbs } from '../verb.js';
import { IS_REMEMBERED } from './known-answers.js';
import { readResults } from './lock-rows.js';

export const knownVerbs = {
  peek: read('bounded', async (sql, account, leads, freshSince) => {
    const book = await openBook(sql, { account, leads, freshSince, isRead: true });
    return leads.map((lead) => peek(book, lead, freshSince));
  }),
} satisfies Partial<Verbs>;

interface Opening {
  readonly account: string;
  readonly leads?: readonly Wanted[];
  readonly rows?: readonly Pick<Enrichment, 'id' | 'fingerprint'>[];
  readonly freshSince: number;
  /** The run of the leads. */
  readonly runId?: number | undefined;
  /** Nothing is locked, nor made. */
  readonly isRead?: boolean;
}

/**
 * Opens a book inside another verb's transaction, under the lock of the account. These rows, those that have not ended,
 * and those that share a key are locked until the transaction ends. Other enrichments that have ended change under the
 * account's lock alone.
 */
export async function openBook(
  sql: Sql,
  { account, freshSince, isRead = false, leads = [], rows = [], runId }: Opening,
): Promise<Book> {
  const locked = openLocked();
  const byId = locked.rows;
  const ids = new Map<string, number>();
  const current: Book['current'] = (fingerprint) => byId.get(ids.get(nameOf(fingerprint)) ?? 0);
  const count = (row: Enrichment): void => {
    byId.set(row.id, row);
    ids.set(nameOf(row.fingerprint), row.id);
  };
  const asked = new Map([...leads, ...rows].map(({ fingerprint: one }) => [nameOf(one), one]));
  const own = await readRows(sql, 'e.fingerprint = ANY ($1) AND e.is_current', [...asked.values()]);
  for (const row of own) count(row);
  const looking = leads.filter((lead) =>
    mustLook(current(lead.fingerprint), { freshSince, runId }),
  );
  const rowIds = rows.map(({ id }) => id);
  const keys = new Map<Wanted | number, readonly KeptKey[]>([
    ...(await digestAll(sql, account, looking, !isRead)),
    ...groupBy(await readKeys(sql, 'k.enrichment_id = ANY ($1)', rowIds), ({ id }) => id),
  ]);
  const keysOfOne = (wanted: Wanted | Enrichment) =>
    keys.get('id' in wanted ? wanted.id : wanted) ?? [];
  const digests = new Set([...keys.values()].flat().map(({ digest }) => digest));
  const sharing = await readKeys(sql, MAY_SAY, Array.from(digests, toBytes), freshSince);
  const sharingIds = [...new Set(sharing.map(({ id }) => id))];
  const open = own.filter(({ settledAt, state }) => settledAt === null || state === 'timed_out');
  const openIds = isRead ? [] : [...open.map(({ id }) => id), ...rowIds];
  const named = [...new Set([...openIds, ...sharingIds])];
  const lock = `e.id = ANY ($1) ORDER BY e.id ${isRead ? '' : 'FOR UPDATE'}`;
  for (const row of await readRows(sql, lock, named)) byId.set(row.id, row);

  const byKey = groupBy<Pick<Kept, 'id' | 'digest'>, string>(sharing, ({ digest }) => digest);
  const having = ({ digest }: KeptKey): Enrichment[] =>
    (byKey.get(digest) ?? []).flatMap(({ id }) => byId.get(id) ?? []);
  const results = await readResults(sql, sharingIds);
  const resultOf = (row: Enrichment) => locked.results.get(row) ?? results.get(row.id) ?? {};
  const traitsOfRow = madeOnce((row: Enrichment) => {
    const inputs = isRemembered(row) ? toInputs(row.inputs) : undefined;
    return traitsOf(inputs, row.state === 'found' ? resultOf(row) : {});
  });
  return {
    ...locked,
    current,
    candidatesOf: (wanted) => {
      const found = keysOfOne(wanted).flatMap((key) =>
        having(key).map((row) => [row, key.ask] as const),
      );
      const others = groupBy(
        found.filter(([{ state }]) => state !== 'queued'),
        ([row]) => row,
      );
      return Array.from(others, ([row, some]) => {
        const asks = new Set(some.map(([, ask]) => ask));
        return { row, keys: asks, traits: traitsOfRow(row), result: resultOf(row) };
      });
    },
    put: (row, wanted) => {
      const itsKeys = keysOfOne(wanted).filter(({ isOfForgotten }) => isOfForgotten !== true);
      const others = itsKeys.flatMap(having);
      for (const other of others) {
        if (other.state === 'queued' && !other.looks) change(locked, other, { looks: true });
      }
      if (others.length > 0) change(locked, row, { looks: true });
      count(row);
      locked.keys.set(row, itsKeys);
      for (const { digest } of itsKeys) {
        const same = byKey.get(digest) ?? [];
        byKey.set(digest, same);
        same.push({ id: row.id, digest });
      }
    },
  };
}

/** The newest value of the same person that came after an enrichment ended, or while it waits; null if none has. */
export async function foundSince(sql: Sql, id: number) {
  const [row] = await readRows(sql, 'e.id = ANY ($1)', [id]);
  if (row === undefined || !isRemembered(row)) return null;
  const freshSince = (row.settledAt ?? -1) + 1;
  // The account is that of leads, of which there are none.
  const book = await openBook(sql, { account: '', rows: [row], freshSince, isRead: true });
  const found = lookOnce(book, row, { freshSince, deadlineAt: 0 }).stands.flatMap(({ from, is }) =>
    is === 'value' ? from.row : [],
  );
  const [newest] = found.toSorted((a, b) => (b.settledAt ?? 0) - (a.settledAt ?? 0));
  if (newest === undefined) return null;
  return { runId: newest.paidBy ?? newest.runId, at: newest.answeredAt ?? newest.settledAt ?? 0 };
}

async function readRows(sql: Sql, where: string, values: readonly Scalar[]): Promise<Enrichment[]> {
  if (values.length === 0) return [];
  return sql.rows(`SELECT e.* FROM enrichments e WHERE ${where}`, [values]);
}

function nameOf(digest: Uint8Array): string {
  const { buffer, byteLength, byteOffset } = digest;
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
}

/** Whether a lead's own question does not answer it, so that others are looked at. */
function mustLook(
  own: Enrichment | undefined,
  { freshSince, runId }: Pick<Opening, 'freshSince' | 'runId'>,
): boolean {
  // Its run looks when it sends it.
  if (own?.state === 'queued' && own.runId === runId) return false;
  if (own === undefined || own.sent !== own.ask || own.state === 'uncertain') return true;
  return peekRow(own, freshSince) === 'new';
}

const DIGEST_BYTES = 16;
const SIGNING_KEYS = new WeakMap<Sql, string>();

/** The keys of leads; none where there is no key of the state yet, and none may be made. */
async function digestAll(
  sql: Sql,
  account: string,
  leads: readonly Wanted[],
  mayMake: boolean,
): Promise<(readonly [Wanted, readonly KeptKey[]])[]> {
  const secret = leads.length === 0 ? undefined : await secretOf(sql, mayMake);
  if (secret === undefined) return [];
  return leads.map((lead) => [
    lead,
    keysOf(lead.request, account, lead.definitions).map((key) => toKept(key, secret)),
  ]);
}

function toKept({ ask, isOfForgotten, text }: Key, secret: string): KeptKey {
  const digest = hash('sha256', `${secret}key\n${text}`, 'binary').slice(0, DIGEST_BYTES);
  return { ask, digest, isOfForgotten };
}

/** Leaves enrichments whose people are forgotten only the key of their whole inputs. */
export async function keepWholeKeys(sql: Sql, ids: readonly number[]): Promise<void> {
  const rows = await sql.rows<{ id: number; inputs: string; account: string }>(
    `SELECT e.id, e.inputs, r.account FROM enrichments e JOIN runs r ON r.id = e.run_id
     WHERE e.id = ANY ($1::bigint[]) AND e.${IS_REMEMBERED}`,
    [ids],
  );
  const secret = rows.length === 0 ? undefined : await secretOf(sql, true);
  if (secret === undefined) return;
  await sql.run('DELETE FROM keys WHERE enrichment_id = ANY ($1::bigint[])', [
    rows.map(({ id }) => id),
  ]);
  await addKeys(
    sql,
    rows.map(({ account, id, inputs }) => [
      { id },
      [toKept(keyOfWhole(toInputs(inputs), account), secret)],
    ]),
  );
}

/** The key under which digests are made. One that is not there yet is made where that may be written. */
async function secretOf(sql: Sql, mayMake: boolean): Promise<string | undefined> {
  const known = SIGNING_KEYS.get(sql);
  if (known !== undefined) return known;
  const kept = await keptKey(sql);
  const bytes = kept ?? (mayMake ? await signingKey(sql) : undefined);
  const key = bytes && Buffer.from(bytes).toString('hex');
  // One that this transaction has made may be taken back with it.
  if (kept !== undefined && key !== undefined) SIGNING_KEYS.set(sql, key);
  return key;
}

interface Kept extends KeptKey {
  readonly id: number;
}

/** Of enrichments of which something may be known. PostgreSQL, which learns late how large a table is, would begin a join with all. */
const MAY_SAY = `k.digest = ANY ($1) AND
  (SELECT e.suppressed_by IS NULL AND (e.settled_at IS NULL OR e.settled_at >= $2 OR e.state = 'timed_out')
   FROM enrichments e WHERE e.id = k.enrichment_id)`;

async function readKeys(
  sql: Sql,
  where: string,
  values: readonly Scalar[],
  ...others: readonly Scalar[]
): Promise<Kept[]> {
  if (values.length === 0) return [];
  const rows = await sql.rows<Omit<Kept, 'digest'> & { readonly digest: Uint8Array }>(
    `SELECT k.enrichment_id AS id, k.digest, k.ask FROM keys k WHERE ${where}`,
    [values, ...others],
  );
  return rows.map((row) => ({ ...row, digest: nameOf(row.digest) }));
}

export async function addKeys(
  sql: Sql,
  keys: readonly (readonly [Pick<Enrichment, 'id'>, readonly KeptKey[]])[],
): Promise<void> {
  await sql.insert(
    'keys',
    keys.flatMap(([{ id }, some]) =>
      some.map(({ ask, digest }) => ({ digest: toBytes(digest), enrichmentId: id, ask })),
    ),
  );
}

function toBytes(digest: string): Uint8Array {
  return Buffer.from(digest, 'latin1');
}
