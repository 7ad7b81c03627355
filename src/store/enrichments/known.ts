// The enrichments that a store holds for leads: those of their fingerprints, and those that share a key. They are read
// at once for a whole batch, and kept up to date in memory.
import { hash } from 'node:crypto';
import {
  change,
  type Enrichment,
  type KeptKey,
  openLocked,
} from '../../model/enrichment/locked.js';
import type { Candidate, Looked } from '../../model/enrichment/look.js';
import { type Known, peekRow, type SendState } from '../../model/enrichment/payable.js';
import {
  type Key,
  keyOfWhole,
  keysOf,
  type Traits,
  traitsOf,
} from '../../model/enrichment/person.js';
import { type Book, peek } from '../../model/enrichment/share.js';
import { isRemembered, toInputs } from '../../model/enrichment/stored-request.js';
import type { Result } from '../../model/result.js';
import type { Wanted } from '../../ports/store/enrichments.js';
import { signingKey } from '../deliveries/signing-key.js';
import type { Sql } from '../sql.js';
import { read, type Verbs } from '../verb.js';
import { IS_REMEMBERED } from './known-answers.js';
import { ROW_COLUMNS, readResults } from './lock-rows.js';

type PeekedRow = Looked & SendState & Pick<Enrichment, 'fingerprint'>;

const PEEKED = `e.id, e.run_id AS "runId", e.state, e.ask, e.sent, e.inputs, e.ticket, e.reason, e.poll_at AS "pollAt",
  e.submitted_at AS "submittedAt", e.settled_at AS "settledAt", e.fingerprint`;

export const knownVerbs = {
  peek: read('bounded', async (sql, account, leads, freshSince) => {
    const reader = readerOf<PeekedRow>(sql, PEEKED);
    const known = keep(await reader.current(leads.map(({ fingerprint }) => fingerprint)));
    const looking = leads.filter((lead) => mustLook(known, lead, freshSince));
    const keys = await digestAll(sql, account, looking, false);
    const sharing = await findSharing(sql, [...keys.values()].flat(), freshSince);
    for (const row of await reader.byId(sharing.ids)) known.keep(row);
    const results = await readResults(sql, sharing.ids);
    const candidates = openCandidates(sharing, known.byId, ({ id }) => results.get(id));
    const candidatesOf = (wanted: object) => candidates.of(keys.get(wanted) ?? []);
    return leads.map((lead) => peek({ ...known, candidatesOf }, lead, freshSince));
  }),
} satisfies Partial<Verbs>;

interface Opening {
  readonly account: string;
  readonly leads?: readonly Wanted[];
  readonly rows?: readonly Pick<Enrichment, 'id' | 'fingerprint'>[];
  readonly freshSince: number;
  /** The run of the leads. */
  readonly runId?: number;
}

/**
 * Opens a book inside another verb's transaction, under the lock of the account. These rows, those that have not ended,
 * and those that share a key are locked until the transaction ends. Other enrichments that have ended change under the
 * account's lock alone.
 */
export async function openBook(
  sql: Sql,
  { account, freshSince, leads = [], rows = [], runId }: Opening,
): Promise<Book> {
  const reader = readerOf<Enrichment>(sql, ROW_COLUMNS);
  const locked = openLocked();
  const current = await reader.current([...leads, ...rows].map(({ fingerprint }) => fingerprint));
  const known = keep(current, locked.rows);
  const looking = leads.filter((lead) => mustLook(known, lead, freshSince, runId));
  const keys = await digestAll(sql, account, looking, true);
  const kept = await readKeys(sql, rows);
  const all = [...keys.values(), ...kept.values()].flat();
  const sharing = await findSharing(sql, all, freshSince);
  const open = current.filter(
    ({ settledAt, state }) => settledAt === null || state === 'timed_out',
  );
  const both = [...open, ...rows].map(({ id }) => id);
  const ids = [...new Set([...both, ...sharing.ids])];
  for (const row of await reader.byId(ids, 'FOR UPDATE')) known.keep(row);
  const results = await readResults(sql, sharing.ids);
  const candidates = openCandidates(
    sharing,
    known.byId,
    (row) => locked.results.get(row) ?? results.get(row.id),
  );
  const keysOfOne = (wanted: Wanted | Enrichment): readonly KeptKey[] =>
    keys.get(wanted) ?? ('id' in wanted ? (kept.get(wanted.id) ?? []) : []);
  return {
    ...locked,
    ...known,
    candidatesOf: (wanted) => candidates.of(keysOfOne(wanted)),
    put: (row, wanted) => {
      const own = keysOfOne(wanted).filter(({ isOfForgotten }) => isOfForgotten !== true);
      const others = candidates.sharing(own);
      for (const other of others) {
        if (other.state === 'queued' && !other.looks) change(locked, other, { looks: true });
      }
      if (others.length > 0) change(locked, row, { looks: true });
      known.put(row);
      locked.keys.set(row, own);
      candidates.add(row, own);
    },
  };
}

function readerOf<Row extends object>(sql: Sql, columns: string) {
  const rows = `SELECT ${columns} FROM enrichments e WHERE`;
  const byId = async (ids: readonly number[], lock = ''): Promise<Row[]> =>
    ids.length === 0 ? [] : sql.rows<Row>(`${rows} e.id = ANY ($1) ORDER BY e.id ${lock}`, [ids]);
  const current = async (fingerprints: readonly Uint8Array[]): Promise<Row[]> => {
    const distinct = [...new Map(fingerprints.map((one) => [nameOf(one), one])).values()];
    if (distinct.length === 0) return [];
    return sql.rows<Row>(`${rows} e.fingerprint = ANY ($1) AND e.is_current`, [distinct]);
  };
  return { byId, current };
}

function keep<Row extends PeekedRow>(all: readonly Row[], byId = new Map<number, Row>()) {
  const ids = new Map<string, number>();
  const current = (fingerprint: Uint8Array): Row | undefined => {
    const id = ids.get(nameOf(fingerprint));
    return id === undefined ? undefined : byId.get(id);
  };
  const keepOne = (row: Row): void => void byId.set(row.id, row);
  const put = (row: Row): void => {
    keepOne(row);
    ids.set(nameOf(row.fingerprint), row.id);
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

function nameOf(digest: Uint8Array): string {
  const { buffer, byteLength, byteOffset } = digest;
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
}

/** Whether a lead's own question does not answer it, so that others are looked at. */
function mustLook(
  known: Known<SendState & Pick<Enrichment, 'ask' | 'runId' | 'sent'>>,
  { fingerprint }: Wanted,
  freshSince: number,
  runId?: number,
): boolean {
  const own = known.current(fingerprint);
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
): Promise<Map<object, readonly KeptKey[]>> {
  const secret = leads.length === 0 ? undefined : await secretOf(sql, mayMake);
  if (secret === undefined) return new Map();
  return new Map(
    leads.map((lead) => [
      lead,
      keysOf(lead.request, account, lead.definitions).map((key) => toKept(key, secret)),
    ]),
  );
}

function toKept({ ask, isOfForgotten, text }: Key, secret: string): KeptKey {
  const digest = hash('sha256', `${secret}key\n${text}`, 'buffer').subarray(0, DIGEST_BYTES);
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
  await sql.insert(
    'keys',
    rows.map(({ account, id, inputs }) => {
      const { ask, digest } = toKept(keyOfWhole(toInputs(inputs), account), secret);
      return { digest, enrichment_id: id, ask };
    }),
  );
}

/** The key under which digests are made. One that is not there yet is made where that may be written. */
async function secretOf(sql: Sql, mayMake: boolean): Promise<string | undefined> {
  const known = SIGNING_KEYS.get(sql);
  if (known !== undefined) return known;
  const kept = (await sql.row<{ key: Uint8Array }>('SELECT key FROM signing_key'))?.key;
  const bytes = kept ?? (mayMake ? await signingKey(sql) : undefined);
  const key = bytes && Buffer.from(bytes).toString('hex');
  // One that this transaction has made may be taken back with it.
  if (kept !== undefined && key !== undefined) SIGNING_KEYS.set(sql, key);
  return key;
}

async function readKeys(
  sql: Sql,
  rows: readonly Pick<Enrichment, 'id'>[],
): Promise<ReadonlyMap<number, readonly KeptKey[]>> {
  const keys = new Map<number, KeptKey[]>();
  if (rows.length === 0) return keys;
  const all = await sql.rows<KeptKey & { readonly id: number }>(
    'SELECT enrichment_id AS id, digest, ask FROM keys WHERE enrichment_id = ANY ($1)',
    [rows.map(({ id }) => id)],
  );
  for (const { ask, digest, id } of all) keys.set(id, [...(keys.get(id) ?? []), { ask, digest }]);
  return keys;
}

interface SharingRow extends KeptKey {
  readonly id: number;
}

interface Sharing {
  readonly rows: readonly SharingRow[];
  readonly ids: readonly number[];
}

const NONE_SHARING: Sharing = { rows: [], ids: [] };

async function findSharing(
  sql: Sql,
  keys: readonly KeptKey[],
  freshSince: number,
): Promise<Sharing> {
  if (keys.length === 0) return NONE_SHARING;
  const digests = new Map(keys.map(({ digest }) => [nameOf(digest), digest]));
  // PostgreSQL, which learns late how large a table is, would begin a join with all enrichments.
  const rows = await sql.rows<SharingRow>(
    `SELECT k.digest, k.ask, k.enrichment_id AS id FROM keys k
     WHERE k.digest = ANY ($1) AND
       (SELECT e.suppressed_by IS NULL AND (e.settled_at IS NULL OR e.settled_at >= $2 OR e.state = 'timed_out')
        FROM enrichments e WHERE e.id = k.enrichment_id)`,
    [[...digests.values()], freshSince],
  );
  return { rows, ids: [...new Set(rows.map(({ id }) => id))] };
}

type Shareable = Looked & Pick<Enrichment, 'fingerprint'>;

function openCandidates<Row extends Shareable>(
  { rows }: Sharing,
  byId: (id: number) => Row | undefined,
  resultOf: (row: Row) => Result | undefined,
) {
  const byKey = new Map<string, Row[]>();
  const add = (row: Row, keys: readonly KeptKey[]): void => {
    for (const key of keys) {
      const name = nameOf(key.digest);
      byKey.set(name, [...(byKey.get(name) ?? []), row]);
    }
  };
  for (const key of rows) {
    const row = byId(key.id);
    if (row !== undefined) add(row, [key]);
  }
  const traits = new Map<Row, Traits>();
  const traitsOfRow = (row: Row): Traits => {
    const known = traits.get(row);
    if (known !== undefined) return known;
    const result = row.state === 'found' ? resultOf(row) : undefined;
    const made = traitsOf(isRemembered(row) ? toInputs(row.inputs) : undefined, result);
    traits.set(row, made);
    return made;
  };
  const sharedBy = (keys: readonly KeptKey[]) => {
    const shared = new Map<Row, Set<KeptKey['ask']>>();
    for (const { ask, digest } of keys) {
      for (const row of byKey.get(nameOf(digest)) ?? []) {
        shared.set(row, (shared.get(row) ?? new Set()).add(ask));
      }
    }
    return shared;
  };
  return {
    add,
    sharing: (keys: readonly KeptKey[]): Row[] => [...sharedBy(keys).keys()],
    /** Those of them that may have an answer. */
    of: (keys: readonly KeptKey[]): Candidate<Row>[] =>
      Array.from(sharedBy(keys), ([row, asks]) => ({ row, asks })).flatMap(({ asks, row }) =>
        row.state === 'queued'
          ? []
          : { row, keys: asks, traits: traitsOfRow(row), result: resultOf(row) ?? {} },
      ),
  };
}
