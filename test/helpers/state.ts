// What tests read from a state beside its commands and its verbs, and what they plant in it. Outside test/store/ nothing
// else knows the tables. A state is the path of its file, or a pool whose connections are in its schema.
import { readFileSync, writeFileSync } from 'node:fs';
import type { Pool } from 'pg';
import type { RunTally } from '../../src/model/tally.js';
import { STRAYS } from '../../src/store/maintenance/strays.js';
import {
  COUNT,
  COUNT_IN_PART,
  COUNT_REST,
  type CountedRow,
  type InPartRow,
  type RestRow,
  toTally,
} from '../../src/store/runs/count-leads.js';
import Database from '../../src/store/sqlite/database/better-sqlite3.js';

type State = string | Pool;
type Fields = Readonly<Record<string, unknown>>;

// --- What a state holds ---

const COUNTED = ['runs', 'leads', 'enrichments', 'results'] as const;

/** How many there are of each. */
export async function countRows(
  state: State,
): Promise<Readonly<Record<(typeof COUNTED)[number], number>>> {
  const each = COUNTED.map((table) => `SELECT '${table}' AS name, count(*) AS n FROM ${table}`);
  const rows = await ask<{ name: string; n: number | string }>(state, each.join(' UNION ALL '));
  return Object.fromEntries(rows.map(({ n, name }) => [name, Number(n)])) as never;
}

export async function countEnrichments(
  state: State,
  which: 'with a ticket' | 'found',
): Promise<number> {
  const is = which === 'found' ? "state = 'found'" : 'ticket IS NOT NULL';
  const text = `SELECT count(*) AS n FROM enrichments WHERE ${is}`;
  const [row] = await ask<{ n: number }>(state, text);
  return Number(row?.n);
}

export async function readRuns(
  state: State,
): Promise<readonly { readonly job: string; readonly state: string }[]> {
  return ask(state, 'SELECT job, state FROM runs ORDER BY id');
}

/** Those of at most so many characters. */
export async function deliveryBodies(state: State, lengthMax: number): Promise<string[]> {
  const rows = await ask<{ body: string }>(
    state,
    'SELECT body FROM deliveries WHERE length(body) <= $1',
    [lengthMax],
  );
  return rows.map(({ body }) => body);
}

/** The cells of leads as they are kept: many together, deflated. */
export async function keptCells(state: State): Promise<Buffer[]> {
  const rows = await ask<{ cells: Buffer }>(state, 'SELECT cells FROM lead_cells');
  return rows.map(({ cells }) => cells);
}

/** The columns of each table, by its name. */
export async function columnsOf(state: State): Promise<Readonly<Record<string, string[]>>> {
  const rows = await ask<{ name: string; column: string }>(
    state,
    typeof state === 'string'
      ? `SELECT t.name, c.name AS "column" FROM sqlite_schema t, pragma_table_info(t.name) c
         WHERE t.type = 'table'`
      : `SELECT table_name::text AS name, column_name::text AS "column"
         FROM information_schema.columns WHERE table_schema = current_schema()`,
  );
  const columns: Record<string, string[]> = {};
  for (const { column, name } of rows) (columns[name] ??= []).push(column);
  return columns;
}

/** Which files Sluice has written; in a database tokens of transactions and the times of leases, too. */
const PASSING = ['written_files', 'commits', 'leases'];

/** Everything in it, as text, but for what every look at it changes. */
export async function dumpState(state: State): Promise<string> {
  const tables = Object.keys(await columnsOf(state)).filter((name) => !PASSING.includes(name));
  const contents: unknown[] = [];
  for (const table of tables.toSorted()) {
    const rows =
      typeof state === 'string'
        ? await ask(state, `SELECT * FROM "${table}"`)
        : await ask(state, `SELECT t::text AS row FROM ${table} t ORDER BY 1`);
    contents.push([table, rows]);
  }
  return JSON.stringify(contents);
}

// --- For miscounts.ts ---

export interface KeptLead {
  readonly run: number;
  readonly note: string | null;
  readonly enrichment: number | null;
  readonly isFirst: 0 | 1;
  readonly isNotAsked: 0 | 1;
}

export interface KeptEnrichment {
  readonly id: number;
  readonly paidBy: number | null;
  readonly state: 'queued' | 'submitting' | 'awaiting' | 'found' | 'not_found' | 'failed';
  readonly reason: string | null;
  readonly thousandths: number;
  readonly settledAt: number | null;
  readonly answeredAt: number | null;
  readonly olderAnswer: number | null;
  readonly lostSends: number;
  readonly showsKnown: 0 | 1;
  readonly ask: string;
  readonly sent: string;
  readonly suppressedBy: number | null;
}

export interface KeptStand {
  readonly id: number;
  readonly from: number;
}

export interface KeptCounts {
  readonly runs: readonly {
    readonly rejects: number;
    readonly isFinished: boolean;
    readonly leads: readonly KeptLead[];
    /** As the statements of the verb `tally` count it. */
    readonly tally: RunTally;
  }[];
  readonly enrichments: readonly KeptEnrichment[];
  readonly stands: readonly KeptStand[];
  readonly suppressions: readonly { readonly id: number; readonly reason: string }[];
  /** Rows that refer to none, which no database refuses. */
  readonly strays: readonly unknown[];
  /** The spending of an account that its enrichments tell, and its sums do not. */
  readonly undercounted: readonly unknown[];
}

/** Enrichments that have left are in the sums alone. */
const UNDERCOUNTED = `SELECT * FROM
  (SELECT r.account, e.counted_at AS quarter, sum(iif(e.is_open, 0, e.thousandths)) AS spent,
     sum(iif(e.is_open, e.price_max, 0)) AS reserved
   FROM (SELECT *, state IN ('submitting', 'awaiting', 'timed_out', 'uncertain') AS is_open FROM enrichments) e
     JOIN runs r ON r.id = e.paid_by
   WHERE e.counted_at IS NOT NULL AND e.state <> 'queued' GROUP BY 1, 2) AS live
  LEFT JOIN spending s USING (account, quarter)
  WHERE live.spent > coalesce(s.spent, 0) OR live.reserved > coalesce(s.reserved, 0)`;

/** All of one moment; undefined where a process was killed while it made the file, so that nothing is in it. */
export function readCounts(path: string): KeptCounts | undefined {
  return inFile(path, { readonly: true }, (db) => {
    if (db.pragma('user_version', { simple: true }) === 0) return undefined;
    const all = <Row>(text: string, run?: number): Row[] => {
      const statement = db.prepare<unknown[], Row>(text.replaceAll(/::\w+/g, ''));
      return statement.all(...numbered(run === undefined ? [] : [run]));
    };
    const tally = (run: number): RunTally =>
      toTally(
        all<CountedRow>(COUNT, run),
        all<InPartRow>(COUNT_IN_PART, run),
        all<RestRow>(COUNT_REST, run)[0],
      );
    return db.transaction(() => ({
      runs: all<{ id: number; rejects: number; state: string }>(
        'SELECT id, reject_count AS rejects, state FROM runs WHERE pruned_at IS NULL',
      ).map(({ id, rejects, state }) => ({
        rejects,
        isFinished: state === 'finished',
        leads: all<KeptLead>(
          `SELECT run_id AS run, note, enrichment_id AS enrichment, is_first AS isFirst,
             not_asked AS isNotAsked FROM leads WHERE run_id = $1 ORDER BY position`,
          id,
        ),
        tally: tally(id),
      })),
      enrichments: all<KeptEnrichment>(
        `SELECT id, paid_by AS paidBy, state, reason, thousandths, settled_at AS settledAt,
           answered_at AS answeredAt, older_answer AS olderAnswer, lost_sends AS lostSends, shows_known AS showsKnown,
           ask, sent, suppressed_by AS suppressedBy FROM enrichments`,
      ),
      stands: all<KeptStand>('SELECT enrichment_id AS id, from_id AS "from" FROM stands'),
      suppressions: all<{ id: number; reason: string }>('SELECT id, reason FROM suppressions'),
      strays: all(STRAYS),
      undercounted: all(UNDERCOUNTED),
    }))();
  });
}

// --- As if time had passed ---

/** All runs began and ended so much earlier. */
export async function ageRuns(path: string, ms: number): Promise<void> {
  await change(path, 'UPDATE runs SET started_at = started_at - $1, ended_at = ended_at - $1', [
    ms,
  ]);
}

/** Enrichments were sent and settled so much earlier, as their ticket says. */
export function ageEnrichments(path: string, msOf: (ticket: string) => number): void {
  inFile(path, {}, (db) => {
    db.function('age', (ticket: string) => msOf(ticket));
    db.exec(`UPDATE enrichments SET submitted_at = submitted_at - age(ticket),
      settled_at = settled_at - age(ticket) WHERE ticket IS NOT NULL`);
  });
}

/** The size of the state was noted so much earlier, and was this. */
export async function plantSize(path: string, bytes: number, ageMs = 0): Promise<void> {
  await change(path, 'UPDATE sizes SET bytes = $1, noted_at = noted_at - $2', [bytes, ageMs]);
}

// --- What a stranger may have written into it ---

interface PlantedRun {
  /** In the plan. */
  readonly output?: object;
  /** In the task of the run for workers. */
  readonly job?: object;
  readonly dialect?: object;
}

/** Changes fields of what each run, or one of them, was begun with. */
export async function plantInRuns(state: State, planted: PlantedRun, run?: number): Promise<void> {
  const rows = await ask<Record<'id' | 'plan', string> & { task: string | null }>(
    state,
    'SELECT id, plan, task FROM runs',
  );
  for (const row of rows) {
    if (run !== undefined && Number(row.id) !== run) continue;
    const plan = JSON.parse(row.plan) as Fields;
    const task = JSON.parse(row.task ?? 'null') as Fields | null;
    await change(state, 'UPDATE runs SET plan = $1, task = $2 WHERE id = $3', [
      JSON.stringify({
        ...plan,
        ...(planted.output && { output: { ...(plan['output'] as Fields), ...planted.output } }),
      }),
      task &&
        JSON.stringify({
          ...task,
          ...(planted.job && { job: { ...(task['job'] as Fields), ...planted.job } }),
          ...(planted.dialect && {
            dialect: { ...(task['dialect'] as Fields), ...planted.dialect },
          }),
        }),
      row.id,
    ]);
  }
}

/** The file that was written there is another one now, of the same size, and changed when it was. */
export async function plantWritten(path: string, file: string, size: number): Promise<void> {
  const changed = await change(
    path,
    'UPDATE written_files SET path = $1, from_state = NULL, looks = $2',
    [file, JSON.stringify([{ size, modifiedAt: size }])],
  );
  if (changed !== 1) throw new Error(`${changed} files were written`);
}

/** A process on another machine has the job, and its lease lasts so long. */
export async function plantLease(pool: Pool, job: string, ms: number): Promise<void> {
  await change(
    pool,
    `INSERT INTO leases (job, epoch, pid, host, since, expires_at)
     VALUES ($1, 1, 4711, 'there', 0, clock_timestamp() + $2 * interval '1 ms')`,
    [job, ms],
  );
}

// --- What may befall a state ---

/** Overwrites what the file holds of leads, and returns its bytes. */
export function damageLeads(path: string): Buffer {
  const { page, size } = inFile(path, { readonly: true }, (db) => ({
    page: Number(
      db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'leads'").pluck().get(),
    ),
    size: Number(db.pragma('page_size', { simple: true })),
  }));
  const bytes = readFileSync(path).fill(0xa5, (page - 1) * size, page * size);
  writeFileSync(path, bytes);
  return bytes;
}

/** A file with a schema that only a later release knows, and nothing beside it. */
export function makeNewer(path: string): void {
  inFile(path, {}, (db) => {
    db.pragma('wal_checkpoint(TRUNCATE)');
    db.pragma('journal_mode = DELETE');
    db.pragma('user_version = 999');
  });
}

/** A database file that is no state: it is made, or changed, by its own statements. */
export function changeForeign(path: string, text: string): void {
  inFile(path, {}, (db) => {
    // Rows may come before those that they refer to.
    db.pragma('foreign_keys = OFF');
    db.exec(text);
  });
}

/** No delivery can be kept, until the returned function is called. */
export function refuseDeliveries(path: string): () => void {
  changeForeign(
    path,
    "CREATE TRIGGER no_room BEFORE INSERT ON deliveries BEGIN SELECT RAISE(ABORT, 'no room'); END",
  );
  return () => changeForeign(path, 'DROP TRIGGER no_room');
}

/** The disk of the database is full for enrichments, until the returned function is called. */
export async function fillDisk(pool: Pool): Promise<() => Promise<unknown>> {
  await pool.query(`
    CREATE FUNCTION be_full() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$;
    CREATE TRIGGER be_full BEFORE INSERT OR UPDATE ON enrichments EXECUTE FUNCTION be_full();`);
  return () => pool.query('DROP TRIGGER be_full ON enrichments');
}

/** The file in which a server keeps a table that `forget` writes anew, in its folder of data. */
export async function fileOfRejects(pool: Pool): Promise<string> {
  const [row] = await ask<{ path: string }>(pool, `SELECT pg_relation_filepath('rejects') AS path`);
  return row?.path ?? '';
}

/** What empties all tables, as if the database had just been made. */
export async function openEmptier(pool: Pool): Promise<() => Promise<void>> {
  const tables = Object.keys(await columnsOf(pool)).filter((name) => name !== 'identity');
  return async () => {
    await pool.query(`TRUNCATE ${tables.join()} RESTART IDENTITY`);
    await pool.query('UPDATE identity SET moved_to = NULL, filled_from = NULL');
  };
}

// --- Statements ---

function inFile<R>(path: string, options: Database.Options, work: (db: Database.Database) => R): R {
  const db = new Database(path, options);
  try {
    return work(db);
  } finally {
    db.close();
  }
}

async function ask<Row extends object>(
  state: State,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  if (typeof state !== 'string') return (await state.query<Row>(text, [...values])).rows;
  return inFile(state, { readonly: true }, (db) => {
    const statement = db.prepare<unknown[], Row>(text);
    return statement.all(...numbered(values));
  });
}

/** How many rows it changed. */
async function change(
  state: State,
  text: string,
  values: readonly unknown[] = [],
): Promise<number> {
  if (typeof state !== 'string') return (await state.query(text, [...values])).rowCount ?? 0;
  return inFile(state, {}, (db) => {
    const statement = db.prepare(text);
    return statement.run(...numbered(values)).changes;
  });
}

/** As SQLite takes the values of `$1`, `$2` and so on. */
function numbered(values: readonly unknown[]): readonly object[] {
  if (values.length === 0) return [];
  return [Object.fromEntries(values.map((value, i) => [i + 1, value]))];
}
