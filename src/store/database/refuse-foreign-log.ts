// A copy that was put in the place of a state file, beside the log of the one before: SQLite would write the one into
// the other, and say nothing.
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { SluiceError } from '../../model/errors.js';

/** Where the header says how a file is written (sqlite.org/fileformat2.html): 1 without a log, 2 with one. */
const VERSION_AT = 18;
const WITHOUT_LOG = 1;

/** A backup is written without a log; a state file in use is not. @throws SluiceError `store` */
export function refuseForeignLog(path: string): void {
  const log = `${path}-wal`;
  const logBytes = statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  if (logBytes === 0 || versionOf(path) !== WITHOUT_LOG) return;
  throw new SluiceError(
    'store',
    `The state file ${path} is a copy beside the log of another one, ${log}: together they would be neither. If the copy shall count, end everything that uses it, remove ${log} and ${path}-shm, and start again.`,
    { path, log },
  );
}

function versionOf(path: string): number | undefined {
  const version = Buffer.alloc(1);
  const file = openSync(path, 'r');
  try {
    return readSync(file, version, 0, 1, VERSION_AT) === 1 ? version[0] : undefined;
  } finally {
    closeSync(file);
  }
}
