// Opens a state of the schema before the baseline: a file, or a schema of a database.
import { existsSync, realpathSync } from 'node:fs';
import Database from 'better-sqlite3';
import { marksOf } from '../../dist/store/maintenance/mark.js';
import { toMark } from '../../dist/store/moved.js';
import { isDatabase, parseDatabaseAddress } from '../../dist/store/open-store.js';
import { connect } from '../../dist/store/sqlite/driver.js';
import {
  BLOCKS_OF_LEADS,
  oldArchive,
  packCells,
  QUARTER,
  spendingOf,
  toResult,
} from './old-archive.mjs';
import { readResult } from './read-result.mjs';

/** The last schemas before the baseline, the later ones with samples and with schedules; and a commit that brings older ones there. */
const FILE_VERSIONS = [30, 31, 32];
const DATABASE_VERSIONS = [3, 4, 5];
const COMMIT = '6b1fb098447e938e52d63609a6ec6c02638be2f6';
const APPLICATION_ID = 0x536c7569;

export function openOld(state) {
  return isDatabase(state) ? openOldDatabase(state) : openOldFile(state);
}

/** @throws Error for a schema that this script does not read */
function checkVersion(state, version, known) {
  if (known.includes(version)) return;
  const newest = known.join(' or ');
  if (version < known[0]) {
    throw new Error(
      `${state} has schema ${version}, and scripts/bring-state.mjs reads schema ${newest}. Commit ${COMMIT} brings it there: check that commit out, build it, and say node dist/bundle/sluice.js ${isDatabase(state) ? 'state migrate' : 'status'} --state ${state}. Then run this script again.`,
    );
  }
  throw new Error(
    `${state} has schema ${version}, and scripts/bring-state.mjs reads schema ${newest}: it needs no bringing, or was made by a checkout that is newer than this one.`,
  );
}

async function openOldFile(path) {
  if (!existsSync(path)) throw new Error(`${path} is not there.`);
  const db = new Database(path, { fileMustExist: true, timeout: 1_000 });
  try {
    // Nobody else has the file open as long as this is: no process pays for leads meanwhile.
    db.pragma('locking_mode = EXCLUSIVE');
    if (db.pragma('application_id', { simple: true }) !== APPLICATION_ID) {
      throw new Error(`${path} is no state file.`);
    }
    checkVersion(path, db.pragma('user_version', { simple: true }), FILE_VERSIONS);
    db.exec('BEGIN IMMEDIATE; COMMIT');
    const { read, write } = connect(db);
    const database = {
      shown: realpathSync(path),
      perform: (work, { kind }) => (kind === 'write' ? write(work) : read(work)),
      close: async () => void db.close(),
    };
    return await oldArchive(database, OF_FILE, marksOfFile(database));
  } catch (error) {
    db.close();
    if (error.code !== 'SQLITE_BUSY') throw error;
    throw new Error(`Another process uses ${path}. Nothing was changed: end it, and try again.`, {
      cause: error,
    });
  }
}

const OF_FILE = {
  made: { spending: spendingOf("coalesce(json_extract(r.plan, '$.account'), '')") },
  reads: {
    runs: {
      account: "coalesce(json_extract(plan, '$.account'), '')",
      is_cleared: '0',
      step_of: 'NULL',
    },
    enrichments: { suppressed_by: 'NULL', price_max: '0', counted_at: QUARTER },
    results: { body: 'coalesce(packed, body)' },
    deliveries: {
      digest: `CASE WHEN digest IS NOT NULL
        THEN unhex(printf('%012x', digest) || coalesce(hex(digest_rest), '')) END`,
      also_settled: "coalesce(also_settled, '')",
    },
  },
  change: {
    results: (row) => toResult(row, readResult(row.body)),
    lead_cells: (row) => ({
      ...row,
      cells: typeof row.cells === 'string' ? packCells(row.cells) : row.cells,
    }),
  },
};

/** In a table of its own. */
function marksOfFile({ perform }) {
  const change = async (text, ...values) =>
    (await perform((sql) => sql.run(text, values), { kind: 'write' })) > 0;
  return {
    mark: async () =>
      toMark(await perform((sql) => sql.row('SELECT * FROM moved'), { kind: 'snapshot' })),
    setMark: ({ place, token }) =>
      change(
        'INSERT INTO moved (id, moved_to, copy_token) VALUES (1, $1, $2) ON CONFLICT DO NOTHING',
        place,
        token,
      ),
    noteWhole: (token) =>
      change('UPDATE moved SET is_whole = 1 WHERE moved_to IS NOT NULL AND copy_token = $1', token),
    removeMark: async (token) =>
      void (await change('DELETE FROM moved WHERE copy_token = $1 AND is_whole = 0', token)),
    busyJobs: async () => [],
  };
}

async function openOldDatabase(address) {
  const { openDatabase } = await import('../../dist/store/postgres/database/database.js');
  const { busyJobs } = await import('../../dist/store/postgres/state-checkup.js');
  const database = openDatabase(parseDatabaseAddress(address));
  try {
    const identity = await database.perform(
      async (sql) => {
        const table = await sql.row('SELECT to_regclass($1)::text AS is', [
          `${database.schema}.identity`,
        ]);
        return table.is === null ? undefined : sql.row('SELECT version FROM identity');
      },
      { kind: 'snapshot' },
    );
    if (identity === undefined) throw new Error(`There is no state in ${database.shown}.`);
    checkVersion(database.shown, identity.version, DATABASE_VERSIONS);
    return await oldArchive(database, OF_DATABASE, {
      ...marksOf(database),
      busyJobs: () => database.perform(busyJobs, { kind: 'snapshot' }),
    });
  } catch (error) {
    await database.close();
    throw error;
  }
}

const OF_DATABASE = {
  made: { spending: spendingOf('r.account') },
  reads: {
    runs: { step_of: 'NULL' },
    enrichments: { suppressed_by: 'NULL', price_max: '0', counted_at: QUARTER },
    deliveries: {
      also_settled: "concat(' ' || nullif(array_to_string(also_settled, ' '), '') || ' ')",
    },
  },
  change: { results: (row) => toResult(row, JSON.parse(row.body)) },
  blocks: BLOCKS_OF_LEADS,
};
