import { SluiceError } from '../../../model/errors.js';
import { shellWord } from '../../../model/text/printable.js';
import type { StateMark } from '../../../ports/store/archive.js';
import { refuseUnpublished, schemaFor, stepsAfter, versionOf } from '../../schema.js';
import type { Sql } from '../../sql.js';
import type { Database } from './database.js';

/** The tables beside the steps: the number of applied steps, and the tokens of transactions (database.ts). */
const BASE = `
  CREATE TABLE IF NOT EXISTS identity (
    id          integer PRIMARY KEY CHECK (id = 1),
    version     integer NOT NULL,
    -- The server, and its timeline, which each promotion of a standby begins anew.
    server      text NOT NULL,
    timeline    text NOT NULL,
    -- The state that this one was moved to: nothing is paid for from here.
    moved_to    text,
    -- The state that this one is being filled from: until it is whole nothing can be done with it.
    filled_from text
  );
  CREATE TABLE IF NOT EXISTS commits (
    token uuid PRIMARY KEY
  );`;

export interface Identity extends StateMark {
  readonly version: number;
  readonly server: string;
  readonly timeline: string;
}

export const SERVER_NOW = `SELECT (SELECT system_identifier::text FROM pg_control_system()) AS server,
  CASE WHEN pg_is_in_recovery() THEN '' ELSE left(pg_walfile_name(pg_current_wal_lsn()), 8) END AS timeline`;

/**
 * Other processes may do the same at this moment. Returns how many steps were applied.
 * @throws SluiceError `store` if it is newer than this program, or the schema holds tables of another program
 */
export async function migrate(database: Database): Promise<number> {
  const { schema, shown } = database;
  const make = async (sql: Sql): Promise<number> => {
    await sql.run(`SELECT pg_advisory_xact_lock(hashtextextended('sluice migrate ${schema}', 0))`);
    await sql.run(`CREATE SCHEMA IF NOT EXISTS "${schema}"`);
    const known = await readIdentity(sql, schema);
    if (known === undefined) await refuseForeign(sql, schema, shown);
    const version = known?.version ?? 0;
    if (version > versionOf(STEPS)) throw isNewer(shown, version);
    if (known === undefined) await sql.run(BASE);
    refuseUnpublished(shown, version);
    const missing = stepsAfter(version, STEPS);
    for (const step of missing) await sql.run(step);
    await sql.run(
      `INSERT INTO identity (id, version, server, timeline) SELECT 1, ${versionOf(STEPS)}, server, timeline
       FROM (${SERVER_NOW}) AS now ON CONFLICT (id) DO UPDATE SET version = excluded.version`,
    );
    return missing.length;
  };
  return database.perform(make, { kind: 'setup' });
}

/** @throws SluiceError `store` if there is no state, or another program, or another release, has made it */
export async function checkSchema(database: Database): Promise<Identity> {
  const { schema, shown } = database;
  const known = await database.perform((sql) => readIdentity(sql, schema), { kind: 'snapshot' });
  const command = `sluice state migrate --state ${shellWord(shown)}`;
  if (known === undefined) {
    throw new SluiceError(
      'store',
      `There is no state in the database ${shown} yet. To make one, as the owner of the database: ${command}`,
    );
  }
  refuseUnpublished(shown, known.version);
  if (known.version > versionOf(STEPS)) throw isNewer(shown, known.version);
  if (known.version < versionOf(STEPS)) {
    throw new SluiceError(
      'store',
      `The state in the database ${shown} was made by an earlier Sluice (schema ${known.version} of ${versionOf(STEPS)}). To bring it up to date, once no earlier Sluice works with it, as the owner of the database: ${command}`,
    );
  }
  return known;
}

async function readIdentity(sql: Sql, schema: string): Promise<Identity | undefined> {
  const table = await sql.value('SELECT to_regclass($1)::text', [`${schema}.identity`]);
  if (table === null) return undefined;
  return sql.row<Identity>('SELECT * FROM identity');
}

async function refuseForeign(sql: Sql, schema: string, shown: string): Promise<void> {
  const table = await sql.value<string>(
    'SELECT tablename FROM pg_tables WHERE schemaname = $1 LIMIT 1',
    [schema],
  );
  if (table === undefined) return;
  throw new SluiceError(
    'store',
    `The schema ${schema} of the database ${shown} holds tables of another program (${table}), and nothing was changed. Name another one: ?schema=NAME behind the address.`,
  );
}

function isNewer(shown: string, version: number): SluiceError {
  return new SluiceError(
    'store',
    `The state in the database ${shown} was written by a newer Sluice (schema ${version}; this one knows ${versionOf(STEPS)}). Upgrade Sluice.`,
  );
}

const STEPS: readonly string[] = [schemaFor('postgres')];
