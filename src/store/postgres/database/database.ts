// Transactions in PostgreSQL. A verb is one transaction, and is performed exactly once, also if the connection fails. A
// write begins by adding a token of its own to `commits`. If the connection is lost, the write is performed again under
// the same token: if the first attempt was committed after all, the second is refused, and if it is about to be
// committed, the second waits for it. (`pg_xact_status` does not do: a server that was stopped hard may give a number
// again.)
//
// No statement has a name, and no setting outlives a transaction, so that PgBouncer may stand in between in its
// transaction mode.
import { randomBytes } from 'node:crypto';
import {
  Pool,
  type PoolClient,
  type QueryArrayConfig,
  type QueryArrayResult,
  TypeOverrides,
  types,
} from 'pg';
import { SluiceError } from '../../../model/errors.js';
import type { ArchiveKind } from '../../../ports/store/archive.js';
import { columnOf, type Row, rowMaker, type Scalar, type Sql, type Value } from '../../sql.js';
import { kindOf } from '../../tables.js';
import type { DatabaseAddress } from './address.js';
import { DatabaseClient } from './client.js';
import {
  isConflict,
  isLost,
  isReadOnly,
  NoConnection,
  noteRole,
  reasonOf,
  toStoreError,
} from './failures.js';

export type { Sql };

export interface TransactionOptions {
  /**
   * `snapshot`: reads that agree with one another, and nothing else. `setup`: the schema may not exist yet; it may be
   * performed twice. `statement`: one statement, which names the schema and may be performed twice; it takes one round
   * trip, and a transaction one for each statement and two more.
   */
  readonly kind: 'write' | 'snapshot' | 'setup' | 'statement';
  /** Runs before the work of each transaction; a write is refused if it throws. */
  readonly guard?: ((sql: Sql) => Promise<void>) | undefined;
  /** Work on the whole state, which may take hours. */
  readonly isLong?: boolean;
  /**
   * It touches no more rows than its arguments say, each by an index. The server's statistics of a growing table are
   * late, and it would read all of the table for a page.
   */
  readonly isBounded?: boolean;
  /** Its answer is good for seconds: it waits for a connection that was cut, but not for a database that is gone. */
  readonly isBrief?: boolean;
}

export interface DatabaseOptions {
  readonly connectionsMax?: number;
  readonly patienceMs?: number;
  /**
   * Called with a clause that says why, when the database has been gone for a second and is waited for; called with
   * null when it is back. Without this function, a server that takes no writes is not waited for.
   */
  readonly onTrouble?: (why: string | null) => void;
}

export interface Database {
  /** The connection string without the schema and without a password. */
  readonly connectionString: string;
  readonly shown: string;
  readonly schema: string;
  perform<R>(work: (sql: Sql) => Promise<R>, options: TransactionOptions): Promise<R>;
  /** Performs one statement that cannot run in a transaction, such as VACUUM. */
  alone(text: string): Promise<void>;
  /** Idempotent. */
  close(): Promise<void>;
}

const CONNECTIONS_MAX = 4;
const PATIENCE_MS = 120_000;
const CONNECT_MS_MAX = 10_000;
const QUERY_MS_MAX = 60_000;
const LONG_MS_MAX = 6 * 3_600_000;
/** The limit between two statements of a transaction: less than a statement may wait for a lock. */
const IDLE_MS_MAX = 30_000;
/** A time longer than any verb is repeated. */
const TOKENS_KEPT_MS = 15 * 60_000;
const TOLD_AFTER_MS = 1_000;
const PAUSE_MS_MIN = 50;
const PAUSE_MS_MAX = 2_000;
const CONFLICTS_MAX = 20;

// Counts and ids become numbers: none of ours is beyond 2^53.
const OVERRIDES = new TypeOverrides();
OVERRIDES.setTypeParser(types.builtins.INT8, Number);

export function openDatabase(address: DatabaseAddress, options: DatabaseOptions = {}): Database {
  const { connectionString, schema, shown } = address;
  const { connectionsMax = CONNECTIONS_MAX, patienceMs = PATIENCE_MS, onTrouble } = options;
  const pool = new Pool({
    connectionString,
    Client: DatabaseClient,
    max: connectionsMax,
    connectionTimeoutMillis: CONNECT_MS_MAX,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    application_name: 'sluice',
    types: OVERRIDES,
    allowExitOnIdle: true,
  });
  pool.on('error', passOver);
  pool.on('connect', (client) => client.on('error', passOver));
  let wasReached = false;
  /** Once the patience of a kind is used up, its next transactions do not wait again. */
  const goneSince = new Map<TransactionOptions['kind'], number>();
  let closing: Promise<void> | undefined;

  const perform = async <R>(
    work: (sql: Sql) => Promise<R>,
    how: TransactionOptions,
  ): Promise<R> => {
    const attempt = prepareAttempt(pool, schema, work, how);
    let isTold = false;
    let pauseMs = PAUSE_MS_MIN;
    for (let conflicts = 0; ; ) {
      try {
        const result = await attempt();
        wasReached = true;
        goneSince.delete(how.kind);
        if (isTold) onTrouble?.(null);
        return result;
      } catch (error) {
        const isOverrun = isConflict(error) && (conflicts += 1) <= CONFLICTS_MAX;
        if (!isOverrun) {
          const problem = toStoreError(error, shown, how.kind === 'setup');
          if (!isLost(error) || !wasReached) throw problem;
          // A caller without `onTrouble` could not be told what it waits for, so it gets the error at once.
          if (isReadOnly(error) && onTrouble === undefined) throw problem;
          const since = goneSince.get(how.kind) ?? performance.now();
          goneSince.set(how.kind, since);
          const goneMs = performance.now() - since;
          if (goneMs > patienceMs || (how.isBrief && goneMs > TOLD_AFTER_MS)) throw problem;
          if (!isTold && goneMs > TOLD_AFTER_MS) {
            isTold = true;
            onTrouble?.(reasonOf(error));
          }
        }
      }
      await pause(pauseMs * (1 + Math.random()));
      pauseMs = Math.min(pauseMs * 2, PAUSE_MS_MAX);
    }
  };
  const alone = async (text: string): Promise<void> => {
    try {
      await withClient(pool, (client) => statementsOn(client, LONG_MS_MAX).run(text));
    } catch (error) {
      throw toStoreError(error, shown);
    }
  };
  return { connectionString, shown, schema, perform, alone, close: () => (closing ??= pool.end()) };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}

/** A UUID that begins with the time (RFC 9562, version 7): later ones are greater. */
function tokenAt(ms: number): string {
  const random = randomBytes(10).toString('hex');
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-8${random.slice(3, 6)}-${random.slice(6, 18)}`;
}

/** Removes the tokens that no verb can use any more. It is one statement. */
export async function dropTokens(sql: Sql, schema: string): Promise<void> {
  const oldest = tokenAt(Date.now() - TOKENS_KEPT_MS);
  await sql.run(`DELETE FROM "${schema}".commits WHERE token < $1`, [oldest]);
}

/** Each attempt is a transaction; all of them together have an effect at most once. */
function prepareAttempt<R>(
  pool: Pool,
  schema: string,
  work: (sql: Sql) => Promise<R>,
  { guard, isBounded = false, isLong = false, kind }: TransactionOptions,
): () => Promise<R> {
  const addToken = `INSERT INTO commits (token) VALUES ('${tokenAt(Date.now())}') ON CONFLICT DO NOTHING`;
  const msMax = isLong ? LONG_MS_MAX : QUERY_MS_MAX;
  const begin = beginning(schema, { kind, msMax, isBounded });
  /** The result of an attempt whose COMMIT was sent and not answered. */
  let unanswered: { readonly result: R } | undefined;

  return () =>
    withClient(pool, async (client) => {
      const sql = statementsOn(client, msMax);
      if (kind === 'statement') return work(sql);
      try {
        const begun = await sql.run(`${begin};${kind === 'write' ? addToken : ''}`);
        if (kind === 'write' && begun === 0 && unanswered !== undefined) {
          await sql.run('ROLLBACK');
          return unanswered.result;
        }
        if (kind === 'write') await guard?.(sql);
        const result = await work(sql);
        if (kind === 'write') unanswered = { result };
        await sql.run('COMMIT');
        return result;
      } catch (error) {
        if (!isLost(error)) {
          unanswered = undefined;
          await sql.run('ROLLBACK');
        }
        throw error;
      }
    });
}

/**
 * Ignores errors of a connection: when an idle one dies, the next transaction uses another; one that is cut between two
 * statements fails the next statement as well; and one that is given up may fail again.
 */
function passOver(): void {}

async function connect(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw error instanceof SluiceError ? error : new NoConnection(error);
  }
}

/** Works on a connection. A connection that fails is not used again. */
async function withClient<R>(pool: Pool, work: (client: PoolClient) => Promise<R>): Promise<R> {
  const client = await connect(pool);
  let isBroken = false;
  try {
    return await work(client);
  } catch (error) {
    isBroken = isLost(error);
    noteRole(error, client.user);
    throw error;
  } finally {
    client.release(isBroken);
  }
}

const BY_INDEX = ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin', 'enable_sort', 'jit']
  .map((way) => `; SET LOCAL ${way} TO off`)
  .join('');

/** The first message of a transaction, with every setting that it needs: none outlives it. */
function beginning(
  schema: string,
  { isBounded, kind, msMax }: { readonly msMax: number } & TransactionOptions,
): string {
  // A write that has waited for a lock sees what its holder has committed, whatever the server's default is.
  const mode = kind === 'snapshot' ? 'REPEATABLE READ READ ONLY' : 'READ COMMITTED';
  return `BEGIN ISOLATION LEVEL ${mode}; SET LOCAL search_path TO "${schema}"; SET LOCAL statement_timeout TO ${msMax};
    SET LOCAL lock_timeout TO 0; SET LOCAL idle_in_transaction_session_timeout TO ${IDLE_MS_MAX}${isBounded === true ? BY_INDEX : ''}`;
}

/** PostgreSQL keeps no U+0000 in a text. JSON escapes it, and keeps it. */
function withoutNul(value: Value): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '\u{fffd}');
  if (!Array.isArray(value)) return value;
  const values = value as readonly Scalar[];
  return values.some(hasNul) ? values.map(withoutNul) : values;
}

function hasNul(value: Value): boolean {
  return typeof value === 'string' && value.includes('\0');
}

function statementsOn(client: PoolClient, msMax: number): Sql {
  const query = (text: string, values?: readonly Value[]) =>
    // A connection whose packets vanish never fails by itself: our own limit is a little later than the server's.
    client.query({
      text,
      values: values?.map(withoutNul),
      rowMode: 'array',
      query_timeout: msMax + 5_000,
    } as QueryArrayConfig);
  const rows = async <R extends object>(text: string, values?: readonly Value[]) => {
    const { fields, rows: found } = await query(text, values);
    return found.map(rowMaker(fields)) as R[];
  };
  const list = async <T extends Scalar>(text: string, values?: readonly Value[]) => {
    const { rows: found }: QueryArrayResult<T[]> = await query(text, values);
    return found.map(([cell]) => cell as T);
  };
  const run = async (text: string, values?: readonly Value[]): Promise<number> => {
    // A text of several statements has several results.
    const results: QueryArrayResult | readonly QueryArrayResult[] = await query(text, values);
    return [results].flat().at(-1)?.rowCount ?? 0;
  };
  return {
    kind: 'postgres',
    rows,
    row: async <R extends object>(text: string, values?: readonly Value[]) =>
      (await rows<R>(text, values))[0],
    list,
    value: async <T extends Scalar>(text: string, values?: readonly Value[]) =>
      (await list<T>(text, values))[0],
    run,
    insert: async (table, rows, conflict) =>
      rows.length === 0 ? 0 : run(...inserting(table, rows, conflict)),
    insertIds: async (table, rows) => {
      if (rows.length === 0) return [];
      const ids = await list<number>(...inserting(table, rows, 'RETURNING id'));
      return ids.sort((a, b) => a - b);
    },
    update: async (table, key, rows, condition = 'true') => {
      const { columns, lists, names, values } = unnested(table, rows);
      if (rows.length === 0) return [];
      const keys = key.map(columnOf);
      const set = columns.filter((name) => !keys.includes(name));
      const places = await list<number>(
        `UPDATE ${table} AS t SET ${set.map((name) => `${name} = given.${name}`).join(', ')}
         FROM unnest(${lists}) WITH ORDINALITY AS given (${names}, given_place)
         WHERE ${keyed(keys)} AND ${condition} RETURNING given_place`,
        values,
      );
      return places.map((place) => place - 1);
    },
    remove: async (table, rows) => {
      const { columns, lists, names, values } = unnested(table, rows);
      if (rows.length === 0) return 0;
      return run(
        `DELETE FROM ${table} AS t USING unnest(${lists}) AS given (${names}) WHERE ${keyed(columns)}`,
        values,
      );
    },
    lock: async (name, mode) => {
      const shared = mode === undefined ? '' : '_shared';
      await run(`SELECT pg_advisory_xact_lock${shared}(hashtextextended($1, 7))`, [name]);
    },
  };
}

const TYPES: Readonly<Record<ArchiveKind, string>> = {
  int: 'bigint',
  bool: 'boolean',
  text: 'text',
  bytes: 'bytea',
};

function unnested(table: string, rows: readonly Row[]) {
  const fields = Object.keys(rows[0] ?? {});
  const columns = fields.map(columnOf);
  return {
    columns,
    names: columns.join(', '),
    lists: columns.map((name, i) => `$${i + 1}::${TYPES[kindOf(table, name)]}[]`).join(', '),
    values: fields.map((name) => rows.map((row) => row[name] ?? null)),
  };
}

function inserting(table: string, rows: readonly Row[], rest = '') {
  const { lists, names, values } = unnested(table, rows);
  const text = `INSERT INTO ${table} (${names}) SELECT ${names}
    FROM unnest(${lists}) WITH ORDINALITY AS given (${names}, given_place) ORDER BY given_place ${rest}`;
  return [text, values] as const;
}

function keyed(key: readonly string[]): string {
  return key.map((name) => `t.${name} = given.${name}`).join(' AND ');
}
