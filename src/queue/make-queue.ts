// The tables of the queue: makes them if they are missing and the role may; and examines the rights of a role that may
// not.
import type * as BullMq from 'bullmq';
import type { Pool, PoolClient } from 'pg';
import { errnoOf, SluiceError } from '../model/errors.js';

const NO_RIGHT = '42501';

/**
 * Makes the tables; other processes wait for it meanwhile. The sequences of `queues` are made here too, so that workers
 * need no right to make anything.
 * @throws SluiceError `store` if the role lacks rights; any error of the database
 */
export async function makeQueue(
  bullmq: typeof BullMq,
  pool: Pool,
  { queues, shown }: { readonly queues: readonly string[]; readonly shown: string },
): Promise<void> {
  const client = await pool.connect();
  try {
    await bullmq.assertSchemaCompatibility(client).catch(async (error: unknown) => {
      if (!(error instanceof bullmq.SchemaMigrationRequiredError)) throw error;
      await bullmq.runMigrations(client);
    });
    await client.query(
      `SELECT next_job_id(queue) FROM unnest($1::text[]) AS queue
       WHERE to_regclass(job_id_seq_name(queue)) IS NULL`,
      [queues],
    );
    const lacking = await lackingRights(client);
    if (lacking !== null) throw noRights(shown, `permission denied for ${lacking}`);
  } catch (error) {
    throw isNoRight(error) ? noRights(shown, (error as Error).message) : error;
  } finally {
    client.release();
  }
}

/** The first table or sequence on which this role lacks a right that a worker needs. */
async function lackingRights(client: PoolClient): Promise<string | null> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND CASE relkind
       WHEN 'S' THEN NOT has_sequence_privilege(oid, 'USAGE')
       WHEN 'r' THEN NOT (has_table_privilege(oid, 'SELECT') AND has_table_privilege(oid, 'INSERT')
         AND has_table_privilege(oid, 'UPDATE') AND has_table_privilege(oid, 'DELETE'))
       ELSE false END
     ORDER BY relname LIMIT 1`,
  );
  return rows[0]?.name ?? null;
}

export function isNoRight(error: unknown): boolean {
  return errnoOf(error) === NO_RIGHT;
}

export function noRights(shown: string, reason: string): SluiceError {
  return new SluiceError(
    'store',
    `The queue in ${shown} cannot be used: its role lacks rights in the schema bullmq (${reason}). "sluice state migrate" as an owner makes the schema; what to grant to other roles is in docs/several-machines.md, Rights.`,
  );
}

const NONE_LEFT = '53300';

/** Whether an error of the database, or one of ours that it caused, says that no connection is left. */
export function isNoneLeft(error: unknown): boolean {
  return errnoOf(error) === NONE_LEFT || (error instanceof SluiceError && isNoneLeft(error.cause));
}

/** Two connections of the queue listen, and one asks; with fewer no run is taken. */
export const NEEDED_BY_WORKER =
  'A worker needs four: one for the state, and three for the queue. It waits for them.';
