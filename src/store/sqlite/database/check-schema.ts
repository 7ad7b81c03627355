// Compares the schema of a state file with the schema that the steps make. An added part changes what Sluice reads and
// may write. A missing part no longer prevents a second payment.
import { createHash } from 'node:crypto';
import { SluiceError } from '../../../model/errors.js';
import { stepsAfter, versionOf } from '../../schema.js';
import Database from './better-sqlite3.js';
import { NEW_ONE, RESTORE } from './failures.js';
import { STEPS } from './steps.js';

/**
 * The digest of the schema that all steps make; `npm run generate` writes it. It saves running the steps at each start,
 * which takes 10 ms. It refuses nothing: a schema with another digest is compared with the steps.
 */
export const NEWEST_DIGEST = '4d6752a6bd4ae64eaba5e92649d9b1b108cca60f01c202adb8c42498350cc42e';

/** A row of sqlite_schema. Its columns may hold anything: people can edit it by hand. */
interface Item {
  type: unknown;
  name: unknown;
  tbl_name: unknown;
  sql: unknown;
}

/** The tables of ANALYZE, which some database browsers run: they change how SQLite searches, not what it finds. */
const STATISTICS = `'CREATE TABLE sqlite_stat1(tbl,idx,stat)',
  'CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)'`;

/** @throws SluiceError `store` if the steps up to `version` make another schema */
export function checkSchema(db: Database.Database, path: string, version: number): void {
  const found = digestOf(itemsOf(db));
  if (found === NEWEST_DIGEST && version === versionOf(STEPS)) return;
  const steps = STEPS.slice(0, STEPS.length - stepsAfter(version, STEPS).length);
  if (found === digestOf(itemsMade(steps))) return;
  throw new SluiceError(
    'store',
    `The tables of ${path} are not those that this Sluice makes: the file was changed from outside, or another checkout made it. ${RESTORE}, or undo the change if it was yours. ${NEW_ONE}`,
  );
}

export function newestDigest(): string {
  return digestOf(itemsMade(STEPS));
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

/** Sorted: a copy has them in another order than its original. Those that SQLite added come last. */
function itemsOf(db: Database.Database): Item[] {
  return db
    .prepare<[], Item>(
      `SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NULL OR sql NOT IN (${STATISTICS})
       ORDER BY sql IS NULL, type, name, tbl_name, sql`,
    )
    .all();
}

function digestOf(items: readonly Item[]): string {
  return createHash('sha256').update(items.map(textOf).join('\n')).digest('hex');
}

function textOf({ type, name, tbl_name, sql }: Item): string {
  return JSON.stringify([type, name, tbl_name, sql]);
}
