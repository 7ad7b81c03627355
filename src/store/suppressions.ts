// People who must never be asked for. A state keeps a digest of each identifier, under its own key: it knows a person
// again, and cannot tell who it is. The check of `claim` is what guarantees it, because every send begins there.
import { toInputs } from '../model/enrichment/stored-request.js';
import { groupBy } from '../model/group-by.js';
import type { Result } from '../model/result.js';
import {
  foundAddresses,
  foundPerson,
  type Identifier,
  type IdentifierKind,
  identifiersOf,
  identifiersOfLead,
  peopleInCells,
  personIn,
  SUPPRESSION_RULE,
  skipFor,
} from '../model/suppression.js';
import type { LeadEntry } from '../ports/store/enrichments.js';
import type { Suppression } from '../ports/store/suppressions.js';
import { keyedDigest, signingKey } from './deliveries/signing-key.js';
import { readResult } from './enrichments/result-format.js';
import { readCells } from './lead-cells.js';
import type { Sql } from './sql.js';
import { read, type Verbs, write } from './verb.js';

const CHUNK = 500;

export interface About {
  readonly id: number;
  readonly inputs: string;
  readonly result?: Result | undefined;
}

interface Match {
  readonly digest: string;
  readonly id: number;
  readonly isGiven: boolean;
}

export const suppressionVerbs = {
  suppressions: read((sql, after, limit) => readSuppressions(sql, 's.id > $1', after, limit)),
  suppressionsOf: read('bounded', async (sql, people) => {
    const found = await suppressionsOf(sql, async () => people);
    return people.map((_, i) => found[i] ?? []);
  }),
  suppress: write('bounded', async (sql, people, reason, at) => {
    const key = await signingKey(sql);
    const given = people.filter((identifiers) => identifiers.length > 0);
    // Twice in one list is once.
    const anew = new Map(given.map((identifiers) => [JSON.stringify(identifiers), identifiers]));
    const matches = await match(sql, async () => [...anew.values()]);
    const added = [...anew.values()].filter((identifiers, i) => {
      const known = new Set(
        matches[i]?.filter(({ isGiven }) => isGiven).map(({ digest }) => digest),
      );
      return !identifiers.every((one) => known.has(hex(digestOf(key, one))));
    });
    const ids = await sql.insertIds(
      'suppressions',
      added.map(() => ({ reason, at })),
    );
    for (const [i, identifiers] of added.entries()) {
      await keep(sql, key, { id: ids[i] as number, identifiers, isGiven: true });
    }
    return added.length;
  }),
  linkSuppressed: write('bounded', async (sql, after, most) => {
    // The rows are locked before their answers are read: who is about to save one has checked it, or has not read it.
    const rows = await sql.rows<{ id: number; by: number | null }>(
      'SELECT id, suppressed_by AS by FROM enrichments WHERE id > $1 ORDER BY id LIMIT $2 FOR UPDATE',
      [after, most],
    );
    const { ids, linked } = await withholdThose(
      sql,
      rows.map(({ id }) => id),
    );
    const anew = rows.filter(({ by, id }) => by === null && ids.has(id)).map(({ id }) => id);
    const leads = anew.length === 0 ? 0 : (await leadsOf(sql, anew)).length;
    return { last: rows.at(-1)?.id ?? null, linked, leads };
  }),
  unsuppress: write(async (sql, ids) => {
    const shown = await sql.list<number>(
      'SELECT id FROM enrichments WHERE suppressed_by = ANY ($1) ORDER BY id FOR UPDATE',
      [ids],
    );
    await sql.run('UPDATE enrichments SET suppressed_by = NULL WHERE suppressed_by = ANY ($1)', [
      ids,
    ]);
    await sql.run('DELETE FROM suppressed WHERE suppression_id = ANY ($1)', [ids]);
    const removed = await sql.run('DELETE FROM suppressions WHERE id = ANY ($1)', [ids]);
    // Others may apply to the same people.
    for (let from = 0; from < shown.length; from += CHUNK) {
      await withholdThose(sql, shown.slice(from, from + CHUNK));
    }
    return removed;
  }),
} satisfies Partial<Verbs>;

async function readSuppressions(
  sql: Sql,
  where: string,
  value: number | readonly number[],
  limit: number,
): Promise<Suppression[]> {
  const found = await sql.rows<Omit<Suppression, 'identifiers'>>(
    `SELECT s.id, s.reason, s.at FROM suppressions s WHERE ${where} ORDER BY s.id LIMIT $2`,
    [value, limit],
  );
  const counts = await sql.rows<{ id: number; kind: IdentifierKind; n: number }>(
    `SELECT suppression_id AS id, kind, count(*) AS n FROM suppressed
     WHERE suppression_id = ANY ($1) GROUP BY 1, 2 ORDER BY 1, 2`,
    [found.map(({ id }) => id)],
  );
  return found.map((one) => ({
    ...one,
    identifiers: Object.fromEntries(
      counts.filter(({ id }) => id === one.id).map(({ kind, n }) => [kind, n]),
    ),
  }));
}

/** The suppressions of each list of identifiers, the oldest first; an empty list if there are none at all. */
async function suppressionsOf(sql: Sql, wanted: Wanted): Promise<Suppression[][]> {
  const matches = await match(sql, wanted);
  const ids = [...new Set(matches.flat().map(({ id }) => id))];
  if (ids.length === 0) return [];
  const known = await readSuppressions(sql, 's.id = ANY ($1)', ids, ids.length);
  return matches.map((some) => known.filter(({ id }) => some.some((one) => one.id === id)));
}

/** Part of another verb's transaction. */
export async function skipSuppressed(
  sql: Sql,
  leads: readonly LeadEntry[],
): Promise<readonly LeadEntry[]> {
  const found = await suppressionsOf(sql, async () => leads.map(identifiersOfLead));
  return leads.map((lead, i) => skipFor(lead, found[i]?.[0]));
}

/**
 * Marks the enrichments of suppressed people, and suppresses all that they tell about a person who was given.
 * `readsCells`: the cells of leads may have been read before someone was suppressed. Part of another verb's
 * transaction, which has locked the rows. Returns the marked ones, and how many identifiers were added.
 */
export async function withhold(
  sql: Sql,
  rows: readonly About[],
  readsCells = false,
): Promise<{ readonly ids: ReadonlySet<number>; readonly linked: number }> {
  if (rows.length === 0) return { ids: new Set(), linked: 0 };
  const matches = await match(sql, async () => [
    ...rows.map(({ inputs, result = {} }) => [
      ...identifiersOf(toInputs(inputs)),
      ...identifiersOf(foundAddresses(result)),
    ]),
    ...(readsCells ? await peopleBeside(sql, rows) : []),
  ]);
  const ids = new Map<number, number[]>();
  let linked = 0;
  for (const [i, { id, inputs, result = {} }] of rows.entries()) {
    // A cell may hold the address of another person, so it tells nothing more about this one.
    const first = matches[i]?.[0] ?? matches[rows.length + i]?.[0];
    if (first === undefined) continue;
    ids.set(first.id, [...(ids.get(first.id) ?? []), id]);
    const given = matches[i]?.find(({ isGiven }) => isGiven);
    if (given === undefined) continue;
    const identifiers = [...personIn(toInputs(inputs)), ...personIn(foundPerson(result))];
    linked += await keep(sql, await signingKey(sql), { id: given.id, identifiers, isGiven: false });
  }
  for (const [by, some] of ids) {
    await sql.run(
      'UPDATE enrichments SET suppressed_by = $1 WHERE id = ANY ($2) AND suppressed_by IS NULL',
      [by, some],
    );
  }
  return { ids: new Set([...ids.values()].flat()), linked };
}

/** A question about a company is that of all its people. */
async function peopleBeside(sql: Sql, rows: readonly About[]): Promise<Identifier[][]> {
  const people = new Map<number, Identifier[]>();
  for (const { id, inputs } of rows) if (personIn(toInputs(inputs)).length > 0) people.set(id, []);
  const leads = await leadsOf(sql, [...people.keys()]);
  for (const runId of new Set(leads.map((lead) => lead.runId))) {
    const own = leads.filter((lead) => lead.runId === runId);
    const cellsOf = await readCells(
      sql,
      runId,
      own.map(({ position }) => position),
    );
    for (const { id, position } of own) people.get(id)?.push(...peopleInCells(cellsOf(position)));
  }
  return rows.map(({ id }) => people.get(id) ?? []);
}

/** A line of a waterfall once for each of its enrichments. */
function leadsOf(sql: Sql, enrichments: readonly number[]) {
  return sql.rows<{ id: number; runId: number; position: number }>(
    `SELECT l.enrichment_id AS id, coalesce(r.step_of, r.id) AS run_id, l.position
     FROM leads l JOIN runs r ON r.id = l.run_id WHERE l.enrichment_id = ANY ($1)
     ORDER BY run_id, l.position`,
    [enrichments],
  );
}

async function withholdThose(sql: Sql, ids: readonly number[]) {
  const rows = await sql.rows<Omit<About, 'result'> & { body: Uint8Array | null }>(
    `SELECT e.id, e.inputs, r.body FROM enrichments e LEFT JOIN results r ON r.enrichment_id = e.id
     WHERE e.id = ANY ($1) ORDER BY e.id`,
    [ids],
  );
  const told = rows.map(({ body, ...row }) => ({
    ...row,
    result: body === null ? undefined : readResult(body),
  }));
  return withhold(sql, told, true);
}

type Wanted = () => Promise<readonly (readonly Identifier[])[]>;

/**
 * The oldest suppression first; one look at the state for all. Most states have no suppression, and every claim
 * asks: then no identifier is made, and the list is empty.
 */
async function match(sql: Sql, wanted: Wanted): Promise<(readonly Match[])[]> {
  const key = await sql.value<Uint8Array>(
    'SELECT key FROM signing_key WHERE id = 1 AND EXISTS (SELECT 1 FROM suppressed WHERE suppression_id > 0)',
  );
  if (key === undefined) return [];
  const digests = (await wanted()).map((some) => some.map((one) => digestOf(key, one)));
  const found = await sql.rows<Omit<Match, 'digest'> & { digest: Uint8Array }>(
    `SELECT digest, suppression_id AS id, is_given FROM suppressed
     WHERE digest = ANY ($1) ORDER BY suppression_id`,
    [[...new Map(digests.flat().map((one) => [hex(one), one])).values()]],
  );
  const matches = found.map((one) => ({ ...one, digest: hex(one.digest) }));
  const byDigest = groupBy(matches, ({ digest }) => digest);
  return digests.map((some) =>
    [...new Set(some.map(hex))]
      .flatMap((one) => byDigest.get(one) ?? [])
      .toSorted((a, b) => a.id - b.id),
  );
}

/** Returns how many were new. */
async function keep(
  sql: Sql,
  key: Uint8Array,
  {
    id,
    identifiers,
    isGiven,
  }: {
    readonly id: number;
    readonly identifiers: readonly Identifier[];
    readonly isGiven: boolean;
  },
): Promise<number> {
  const rows = new Map(
    identifiers.map((one) => [
      one.text,
      {
        digest: digestOf(key, one),
        suppressionId: id,
        kind: one.kind,
        rule: SUPPRESSION_RULE,
        isGiven,
      },
    ]),
  );
  return sql.insert('suppressed', [...rows.values()], 'ON CONFLICT DO NOTHING');
}

function digestOf(key: Uint8Array, { text }: Identifier): Uint8Array {
  return keyedDigest(key, 'suppressed', text);
}

function hex(digest: Uint8Array): string {
  return Buffer.from(digest).toString('hex');
}
