// Another state file in the same folder: where a new one is made beside it, its name may have been mistyped.
import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { isInUse } from './database/in-use.js';
import { APPLICATION_ID } from './database/open-database.js';

/** Where the header of an SQLite file holds the id of its program, as 32 bits (sqlite.org/fileformat2.html). */
const ID_AT = 68;
/** Nobody waits for a folder of many thousand files. */
const FILES_MAX = 1_000;

/** What stands beside a state file; to open that and close it would drop locks on it (in-use.ts). */
const OF_A_STATE = /-(?:wal|shm|journal)$|-(?:lock|senders|reserve)-[\da-f]+$/;

/** Its path, or null. */
export function stateBeside(path: string): string | null {
  try {
    const files = readdirSync(dirname(path), { withFileTypes: true }).slice(0, FILES_MAX);
    const others = files.filter((file) => file.isFile() && file.name !== basename(path));
    const states = others.filter(
      ({ name }) => extname(name) === extname(path) && !OF_A_STATE.test(name),
    );
    const other = states.map(({ name }) => join(dirname(path), name)).find(isState);
    return other ?? null;
  } catch {
    // What cannot be looked at is not told of.
    return null;
  }
}

function isState(path: string): boolean {
  if (isInUse(path)) return true;
  const id = Buffer.alloc(4);
  const file = openSync(path, 'r');
  try {
    return readSync(file, id, 0, 4, ID_AT) === 4 && id.readUInt32BE() === APPLICATION_ID;
  } finally {
    closeSync(file);
  }
}
