// Compares the schema of a state file with the schema that the steps make. An added part changes what Sluice reads and
// may write: a unique index refuses rows, a default fills in missing values. A missing part no longer prevents a second
// payment.
import { createHash } from 'node:crypto';
import Database from 'better-sqlite3';
import { SluiceError } from '../../../model/errors.js';
import { printable } from '../../../model/text/printable.js';
import { stepsAfter, versionOf } from '../../schema.js';
import { NEW_ONE, RESTORE } from './failures.js';
import { STEPS } from './steps.js';

/**
 * The digest of the schema that all steps make; `npm run generate` writes it. It saves running the steps at each start,
 * which takes 10 ms. It refuses nothing: a schema with another digest is compared with the steps.
 */
export const NEWEST_DIGEST = '2b786effa9704af925d61db1d2c1282c39b4c53b8e4a613076b7959c7041d53d';

const NAME_LENGTH_MAX = 80;

/** A row of sqlite_schema. Its columns may hold anything: people can edit it by hand. */
interface Item {
  type: unknown;
  name: unknown;
  tbl_name: unknown;
  sql: unknown;
}

/**
 * The tables of ANALYZE, which some database browsers run by themselves: they change how SQLite searches, not what it
 * finds.
 */
const STATISTICS: ReadonlySet<string> = new Set(
  ['sqlite_stat1(tbl,idx,stat)', 'sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)'].map((table) => {
    const [name] = table.split('(');
    return textOf({ type: 'table', name, tbl_name: name, sql: `CREATE TABLE ${table}` });
  }),
);

/** @throws SluiceError `store` if the steps up to `version` make another schema */
export function checkSchema(db: Database.Database, path: string, version: number): void {
  const found = itemsOf(db);
  if (digestOf(found) === NEWEST_DIGEST && version === versionOf(STEPS)) return;
  const made = itemsMade(STEPS.slice(0, STEPS.length - stepsAfter(version, STEPS).length));
  const missing = new Map(made.map((item) => [textOf(item), item]));
  const odd = found.find((item) => !missing.delete(textOf(item)));
  const [lacking] = missing.values();
  if (odd !== undefined) {
    const isChanged = made.some(({ type, name }) => type === odd.type && name === odd.name);
    throw isChanged
      ? refusal(path, odd, (what) => `In ${path} ${what} is not the one that Sluice made`)
      : refusal(path, odd, (what) => `${path} holds ${what}, which no Sluice made`);
  }
  if (lacking !== undefined) {
    throw refusal(path, lacking, (what) => `${path} lacks ${what}, which Sluice made`);
  }
}

export function hasTablesOfOurs(db: Database.Database): boolean {
  const found = tableNames(itemsOf(db));
  return [...tableNames(itemsMade(STEPS))].every((name) => found.has(name));
}

function tableNames(items: readonly Item[]): Set<unknown> {
  return new Set(items.filter(({ type }) => type === 'table').map(({ name }) => name));
}

export function newestDigest(): string {
  return digestOf(itemsMade(STEPS));
}

function refusal(path: string, item: Item, say: (what: string) => string): SluiceError {
  const [type, name] = [item.type, item.name].map((value) =>
    printable(String(value).slice(0, NAME_LENGTH_MAX)),
  );
  return new SluiceError(
    'store',
    `${say(`the ${type} "${name}"`)}: the file was changed from outside. ${RESTORE}, or undo the change if it was yours. ${NEW_ONE}`,
    { path, type: type ?? '', name: name ?? '' },
  );
}

function itemsMade(steps: readonly string[]): Item[] {
  const db = new Database(':memory:');
  try {
    for (const step of steps) db.exec(step);
    return itemsOf(db);
  } finally {
    db.close();
  }
}

/**
 * The items, sorted: a copy has its tables and indexes in another order than its original. Those that SQLite added come
 * last.
 */
function itemsOf(db: Database.Database): Item[] {
  return db
    .prepare<[], Item>(
      'SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY sql IS NULL, type, name, tbl_name, sql',
    )
    .all()
    .filter((item) => !STATISTICS.has(textOf(item)));
}

function digestOf(items: readonly Item[]): string {
  return createHash('sha256').update(items.map(textOf).join('\n')).digest('hex');
}

function textOf({ type, name, tbl_name, sql }: Item): string {
  return JSON.stringify([type, name, tbl_name, sql]);
}
