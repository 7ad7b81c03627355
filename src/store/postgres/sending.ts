// The conditions that a database must meet before anything is paid for: it keeps committed rows, it is the same server
// as before, and its clock agrees with this machine's.
import { SluiceError } from '../../model/errors.js';
import { shellWord } from '../../model/text/printable.js';
import { refuseHalf, refuseMoved } from '../moved.js';
import { parsed } from '../sql.js';
import type { Database, Sql } from './database/database.js';
import { checkSchema, SERVER_NOW } from './database/schema.js';

const CLOCK_MS_MAX = 2_000;

interface ServerState {
  readonly settings: Readonly<Record<string, string>>;
  readonly isSameServer: boolean;
}

const SERVER_STATE = `SELECT json_build_object('fsync', current_setting('fsync'),
    'full_page_writes', current_setting('full_page_writes'),
    'synchronous_commit', current_setting('synchronous_commit'))::text AS settings,
  identity.server = now.server AND identity.timeline = now.timeline AS is_same_server
  FROM identity, (${SERVER_NOW}) AS now`;

/** @throws SluiceError `store` for a database from which nothing may be paid */
export async function checkSending(database: Database, now?: () => number): Promise<void> {
  const { shown } = database;
  const state = await database.perform((sql) => readServerState(sql), { kind: 'snapshot' });
  refuseState(state, shown);
  const lost = Object.entries(state.settings).find(([, value]) => value === 'off');
  if (lost !== undefined) throw forgets(shown, lost[0]);
  const aheadMs = await clockAhead(database, now);
  if (Math.abs(aheadMs) > CLOCK_MS_MAX) throw hasOtherTime(shown, aheadMs);
}

interface Look {
  readonly version: string;
  readonly role: string;
  readonly isReadOnly: boolean;
  /** The first table or sequence on which this user lacks a right that a run needs. */
  readonly lacking: string | null;
}

const LOOK = `SELECT current_setting('server_version') AS version, current_user AS role,
  pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on' AS is_read_only,
  (SELECT min(relname) FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND CASE relkind
     WHEN 'S' THEN NOT has_sequence_privilege(oid, 'USAGE')
     WHEN 'r' THEN NOT (has_table_privilege(oid, 'SELECT') AND has_table_privilege(oid, 'INSERT')
       AND has_table_privilege(oid, 'UPDATE') AND has_table_privilege(oid, 'DELETE'))
     ELSE false END) AS lacking`;

export interface ServerLook {
  /** The server's version: `18.4`. */
  readonly server: string;
  /** Why nothing may be paid from it; null if it may. */
  readonly problem: SluiceError | null;
}

/** @throws SluiceError `store` if it cannot be reached, or holds no state */
export async function lookAtServer(database: Database): Promise<ServerLook> {
  const identity = await checkSchema(database);
  const row = await database.perform((sql) => sql.row<Look>(LOOK), { kind: 'snapshot' });
  const { isReadOnly = false, lacking = null, role = '', version = '' } = row ?? {};
  const server = version.split(' ', 1)[0] ?? '';
  try {
    refuseHalf(database.shown, identity);
    refuseMoved(database.shown, identity);
    if (isReadOnly) throw takesNoWrites(database.shown);
    if (lacking !== null) throw lacksRights(database.shown, role, lacking);
    await checkSending(database);
    return { server, problem: null };
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error;
    return { server, problem: error };
  }
}

/** The same check within a verb before a payment: another server may have taken over meanwhile. */
export async function refuseOtherServer(sql: Sql, shown: string): Promise<void> {
  refuseState(await readServerState(sql), shown);
}

/** Returns whether another one was before. */
export async function trustServer(sql: Sql): Promise<boolean> {
  const changed = await sql.run(
    `UPDATE identity SET server = now.server, timeline = now.timeline FROM (${SERVER_NOW}) AS now
     WHERE identity.server <> now.server OR identity.timeline <> now.timeline`,
  );
  return changed > 0;
}

/** The least time in ms: that of the round trip counts for neither. */
async function clockAhead(database: Database, now = Date.now): Promise<number> {
  return database.perform(
    async (sql) => {
      const [before, since] = [now(), performance.now()];
      const there = await sql.value<number>(
        'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8',
      );
      const tookMs = performance.now() - since;
      const ahead = before - (there ?? before);
      // The server read its clock at some time in between.
      if (ahead > 0) return ahead;
      return Math.min(0, ahead + tookMs);
    },
    { kind: 'snapshot' },
  );
}

async function readServerState(sql: Sql): Promise<ServerState> {
  const row = await sql.row(SERVER_STATE);
  if (row === undefined) throw new Error('the state has no identity');
  return parsed<ServerState>(row, 'settings');
}

function refuseState({ isSameServer }: ServerState, shown: string): void {
  if (!isSameServer) throw isOtherServer(shown);
}

function isOtherServer(shown: string): SluiceError {
  return new SluiceError(
    'store',
    `The database ${shown} is not on the server that this state was written on: a standby was promoted, or a backup was restored. Answers and tickets of the last moments before that may be missing, and what was paid for then could be paid for twice, so nothing is sent. Once you know that nothing is missing, or accept it, say: sluice state trust --state ${shellWord(shown)}`,
  );
}

function forgets(shown: string, setting: string): SluiceError {
  return new SluiceError(
    'store',
    `The server of the database ${shown} has ${setting} = off: what it has answered can be lost when it stops, and then be paid for twice, so nothing is sent. Set ${setting} = on, for ${setting === 'synchronous_commit' ? 'this user or database or in' : 'the server in'} postgresql.conf, and reload it.`,
  );
}

function takesNoWrites(shown: string): SluiceError {
  return new SluiceError(
    'store',
    `The database ${shown} can be read, and it takes no writes: it is a standby, or read-only. Name the server that takes them, or wait until it does.`,
  );
}

function lacksRights(shown: string, role: string, lacking: string): SluiceError {
  return new SluiceError(
    'store',
    `The role ${role} has not all rights that a run needs in the database ${shown}: the first that it lacks are those on ${lacking}. docs/several-machines.md says what to grant, under Rights.`,
  );
}

function hasOtherTime(shown: string, aheadMs: number): SluiceError {
  const how = `${(Math.abs(aheadMs) / 1_000).toFixed(1)} s ${aheadMs > 0 ? 'ahead of' : 'behind'}`;
  return new SluiceError(
    'store',
    `The clock of this machine is ${how} that of the database ${shown}, and more than ${CLOCK_MS_MAX / 1_000} s is too much: deadlines and the rate limit would be judged wrongly, so nothing is sent. Let both machines keep their clocks by NTP.`,
  );
}
