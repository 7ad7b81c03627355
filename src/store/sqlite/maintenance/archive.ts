// A state file as a whole, for copying it to another place.
import { realpathSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { SluiceError } from '../../../model/errors.js';
import type { ArchiveRow, ArchiveTable, StateArchive } from '../../../ports/store/archive.js';
import { ARCHIVE_TABLES } from '../../archive-tables.js';
import { guardDatabase } from '../database/failures.js';
import { openDatabase } from '../database/open-database.js';
import { atomic } from '../database/transactions.js';
import { countsOf } from '../runs/counts.js';
import { busyJobs } from '../state-checkup.js';
import { prepareMarks, prepareReadMark } from './mark.js';
import {
  type FileRow,
  type FileValue,
  packingsOf,
  toArchiveRow,
  toFileRow,
} from './packed-tables.js';

/** Of long texts in rows that are read together. */
const LENGTH_MAX = 8_000_000;

/**
 * Opens a state file whatever it is marked as; creates it where it is missing.
 * @throws SluiceError `store`
 */
export function openSqliteArchive(path: string): StateArchive {
  const db = openDatabase(path);
  // References are looked at when all rows are there.
  db.pragma('foreign_keys = OFF');
  const place = realpathSync(path);
  const guard = guardDatabase(path);
  const verbs: Omit<StateArchive, 'place' | 'close'> = {
    mark: async () => prepareReadMark(db)(),
    ...prepareMarks(db),
    busyJobs: async () => [path, place].flatMap((one) => busyJobs(db, one)),
    ...prepareTables(db, place),
    complete: async () => atomic(db, complete)(db),
  };
  const guarded = Object.entries(verbs).map(([name, verb]) => [
    name,
    guard(verb as (...args: unknown[]) => Promise<unknown>),
  ]);
  return {
    ...(Object.fromEntries(guarded) as typeof verbs),
    place,
    close: async () => void db.close(),
  };
}

type Tables = Pick<StateArchive, 'holds' | 'count' | 'read' | 'last' | 'write' | 'clear'>;

function prepareTables(db: Database.Database, path: string): Tables {
  const packings = packingsOf(db, path);
  const unpack = (row: FileRow, table: ArchiveTable): ArchiveRow =>
    toArchiveRow(packings[table.name]?.unpack?.(row) ?? row, table);
  const selectOf = ({ columns, name }: ArchiveTable): string => {
    const reads = packings[name]?.reads ?? {};
    const found = Object.keys(columns).map((one) => `${reads[one] ?? one} AS ${one}`);
    return `SELECT ${found.join(', ')} FROM ${name}`;
  };

  const write = atomic(db, (table: ArchiveTable, rows: readonly ArchiveRow[]): void => {
    const { lacks = [], pack, writes = {}, wrote } = packings[table.name] ?? {};
    const columns = [...new Set([...Object.keys(table.columns), ...Object.keys(writes)])];
    const kept = columns.filter((one) => !lacks.includes(one));
    const values = kept.map((one) => writes[one] ?? `@${one}`).join(', ');
    const insert = db.prepare<[FileRow]>(
      `INSERT OR IGNORE INTO ${table.name} (${kept.join(', ')}) VALUES (${values})`,
    );
    const added = rows.filter((row) => {
      const given = toFileRow(row);
      return insert.run({ ...given, ...pack?.(given) }).changes > 0;
    });
    wrote?.(added);
  });

  return {
    holds: async () =>
      ARCHIVE_TABLES.find(({ name }) => db.prepare(`SELECT 1 FROM ${name} LIMIT 1`).get())?.name ??
      null,
    count: async ({ name }) =>
      db.prepare<[], { n: number }>(`SELECT count(*) AS n FROM ${name}`).get()?.n ?? 0,
    read: async (table, after, limit) => {
      const { key, long } = table;
      const order = key.join(', ');
      const where = after === null ? '' : `WHERE (${order}) > (${key.map(() => '?').join(', ')})`;
      const rows = db.prepare<FileValue[], FileRow>(
        `${selectOf(table)} ${where} ORDER BY ${order} LIMIT ${limit}`,
      );
      const found: ArchiveRow[] = [];
      let length = 0;
      for (const row of rows.iterate(...keyOf(table, after))) {
        const one = unpack(row, table);
        found.push(one);
        length += long === undefined ? 0 : String(one[long]).length;
        if (length > LENGTH_MAX) break;
      }
      return found;
    },
    last: async (table) => {
      const order = table.key.map((one) => `${one} DESC`).join(', ');
      const row = db.prepare<[], FileRow>(`${selectOf(table)} ORDER BY ${order} LIMIT 1`).get();
      return row === undefined ? null : unpack(row, table);
    },
    write: async (table, rows) => write(table, rows),
    clear: async ({ name }) => {
      atomic(db, () => {
        if (name === 'leads') db.exec('DELETE FROM lead_cells');
        db.exec(`DELETE FROM ${name}`);
      })();
    },
  };
}

function keyOf({ key }: ArchiveTable, row: ArchiveRow | null): FileValue[] {
  return row === null ? [] : key.map((name) => row[name] as FileValue);
}

/** Which leads change with what has not ended, as step 24 of the schema found them, and the numbers of each run. */
function complete(db: Database.Database): void {
  db.exec(`
    DELETE FROM followers;
    INSERT INTO followers
      SELECT e.id, l.run_id, l.position FROM leads l JOIN enrichments e ON e.id = l.enrichment_id
      WHERE e.state NOT IN ('found', 'not_found', 'failed');
    INSERT OR IGNORE INTO followers
      SELECT o.id, l.run_id, l.position FROM leads l JOIN enrichments e ON e.id = l.enrichment_id
        JOIN enrichments o ON o.id = e.older_answer
      WHERE o.state NOT IN ('found', 'not_found', 'failed');`);
  countsOf(db).recountAll();
  const [broken] = db.pragma('foreign_key_check') as { table: string; parent: string }[];
  if (broken === undefined) return;
  throw new SluiceError(
    'store',
    `A row of ${broken.table} refers to one of ${broken.parent} that is not there: the state that is copied is damaged.`,
  );
}
