// How verbs of the port are written for this store: as functions of the statements of their transaction. Those that
// only read see one moment; those that write are performed exactly once (database/database.ts).
//
// What PostgreSQL does not do by itself, as SQLite does with its one writer:
// - Rows that a verb decides about are read `FOR UPDATE`, in the order of their ids: two verbs never wait for each other.
// - Verbs that look for what is not there, to add it, take their account for themselves (`lockAccount`).
import type { Store } from '../../ports/store/store.js';
import type { Sql } from './database/database.js';

type Work<Verb> = Verb extends (...args: infer A) => Promise<infer R>
  ? (sql: Sql, ...args: A) => Promise<R>
  : never;

export type Verbs = { readonly [Name in keyof Store]: Work<Store[Name]> };

/** Until the end of the transaction no other verb that takes it works on enrichments of this account. */
async function lockAccount(sql: Sql, account: string): Promise<void> {
  await sql.run('SELECT pg_advisory_xact_lock(hashtextextended($1, 7))', [account]);
}

/** The same, for the account of a run. Returns the account. */
export async function lockAccountOf(sql: Sql, runId: number): Promise<string> {
  const run = await sql.row<{ account: string }>('SELECT account FROM runs WHERE id = $1', [runId]);
  if (run === undefined) throw new Error(`run ${runId} does not exist`);
  await lockAccount(sql, run.account);
  return run.account;
}

/**
 * Until the end of the transaction, no verb notes a ticket as unknown while another saves it, unseen by the first. Those
 * that save tickets do not wait for each other. It comes before the rows of enrichments.
 */
export async function lockTickets(sql: Sql, how: 'to save' | 'to look'): Promise<void> {
  const mode = how === 'to save' ? '_shared' : '';
  await sql.run(`SELECT pg_advisory_xact_lock${mode}(hashtextextended('tickets', 8))`);
}

/** The same, for every account: work on the whole state. */
export async function lockEveryAccount(sql: Sql): Promise<void> {
  const accounts = await sql.rows<{ account: string }>(
    'SELECT DISTINCT account FROM runs ORDER BY account',
  );
  for (const { account } of accounts) await lockAccount(sql, account);
}
