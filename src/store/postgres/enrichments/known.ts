// What the store holds for leads and their fingerprints: read at once for a whole batch, and kept as it becomes.
import type { Fingerprints } from '../../../ports/store/enrichments.js';
import { KNOWN_ROW, type Known, type KnownRow } from '../../enrichments/known.js';
import { peekOne } from '../../enrichments/share.js';
import type { Sql } from '../database/database.js';
import type { Verbs } from '../verbs.js';

export type HeldRow = { -readonly [Key in keyof KnownRow]: KnownRow[Key] } & {
  fingerprint: Uint8Array;
  readonly wanted: string | null;
};

/** Rows that a verb may change; their changes are its own to write. */
export interface Held extends Known {
  current(fingerprint: Uint8Array): HeldRow | undefined;
  byId(id: number): HeldRow | undefined;
  /** It counts for its fingerprint from now on. */
  put(row: HeldRow): void;
  /** It is known by another fingerprint from now on. */
  rename(row: HeldRow, fingerprint: Uint8Array): void;
}

const ROWS = `SELECT ${KNOWN_ROW}, fingerprint, wanted FROM enrichments`;

/**
 * Inside another verb's transaction. With `locks`, under the lock of the account: what had not ended stays as it is until
 * the transaction does. Enrichments that had ended change under that lock alone.
 */
export async function readHeld(
  sql: Sql,
  leads: readonly Fingerprints[],
  { locks }: { readonly locks: boolean },
): Promise<Held> {
  const held = createHeld();
  const fingerprints = new Map(leads.flatMap(fingerprintsOf).map((one) => [keyOf(one), one]));
  const rows = await sql.rows<HeldRow>(`${ROWS} WHERE fingerprint = ANY($1) AND is_current`, [
    [...fingerprints.values()],
  ]);
  for (const row of rows) held.put(row);
  const before = rows.flatMap(({ predecessor }) => (predecessor === null ? [] : [predecessor]));
  const open = rows.filter(({ settled_at, state }) => settled_at === null || state === 'timed_out');
  const again = locks ? [...before, ...open.map(({ id }) => id)] : before;
  if (again.length === 0) return held;
  const lock = locks ? ' ORDER BY id FOR UPDATE' : '';
  for (const row of await sql.rows<HeldRow>(`${ROWS} WHERE id = ANY($1)${lock}`, [again])) {
    held.keep(row);
  }
  return held;
}

function fingerprintsOf(lead: Fingerprints): Uint8Array[] {
  const { fingerprint, formerFingerprint: former, lesser, wider = [] } = lead;
  const own = former === undefined ? [fingerprint] : [fingerprint, former];
  return [...own, ...wider, ...(lesser?.fingerprints ?? [])];
}

/** A fingerprint as the key of a map. */
export function keyOf(fingerprint: Uint8Array): string {
  const { buffer, byteLength, byteOffset } = fingerprint;
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
}

function createHeld() {
  const rows = new Map<number, HeldRow>();
  const ids = new Map<string, number>();
  const byId = (id: number) => rows.get(id);
  const current = (fingerprint: Uint8Array): HeldRow | undefined => {
    const id = ids.get(keyOf(fingerprint));
    return id === undefined ? undefined : rows.get(id);
  };
  const keep = (row: HeldRow) => void rows.set(row.id, row);
  const put = (row: HeldRow): void => {
    keep(row);
    ids.set(keyOf(row.fingerprint), row.id);
  };
  return {
    byId,
    current,
    askedForLess: (fingerprint: Uint8Array, wanted: string) => {
      const row = current(fingerprint);
      return row?.wanted?.includes(` ${wanted} `) === true ? row : undefined;
    },
    keep,
    put,
    rename: (row: HeldRow, fingerprint: Uint8Array): void => {
      ids.delete(keyOf(row.fingerprint));
      row.fingerprint = fingerprint;
      put(row);
    },
  };
}

export const knownReads = {
  peek: async (sql, leads, freshSince) => {
    const held = await readHeld(sql, leads, { locks: false });
    return leads.map((lead) => peekOne(held, lead, freshSince));
  },
} satisfies Partial<Verbs>;
