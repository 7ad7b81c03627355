// Files that were dropped on a page: each has a folder of its own beside the state, and a name of our own. Nothing in a
// sent file sets a path, an address, a dialect or a command: its former name is kept only to be shown.
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { folderBeside } from '../../app/state/state-file.js';
import { wrongUse } from '../../model/errors.js';
import { fileLabel } from '../../model/text/file-label.js';

export type Upload = ReturnType<typeof uploadAt>;

export const UPLOAD_BYTES_MAX = 20_000_000;
/** The time after which a file that was not started is removed. */
const KEPT_MS = 24 * 3_600_000;
const ID = /^[0-9a-f]{12}$/;
const JOB = /^try-([0-9a-f]{12})$/;
const NAME_FILE = 'name.txt';
/** The endings of the names that browsers give; any other file is read as CSV. */
const ENDINGS = ['.csv', '.tsv', '.ndjson', '.jsonl', '.xlsx'] as const;

/** @throws SluiceError `usage` if it is empty */
export function keepUpload(
  state: string,
  { body, name, at }: { readonly body: Buffer; readonly name: string; readonly at: number },
): Upload {
  if (body.length === 0) throw wrongUse('The file is empty. Drop another one.');
  const folder = folderOf(state);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  removeOld(state, at);
  const id = randomBytes(6).toString('hex');
  const ending = ENDINGS.find((one) => name.toLowerCase().endsWith(one)) ?? '.csv';
  const own = join(folder, id);
  mkdirSync(own, { mode: 0o700 });
  const label = fileLabel(name);
  if (label !== '') writeFileSync(join(own, NAME_FILE), label, { mode: 0o600 });
  writeFileSync(join(own, `leads${ending}`), body, { mode: 0o600 });
  return uploadAt(own, id, ending);
}

/** @throws SluiceError `usage` if there is none of that id */
export function findUpload(state: string, id: string): Upload {
  const own = join(folderOf(state), id);
  const ending = ID.test(id)
    ? ENDINGS.find((one) => existsSync(join(own, `leads${one}`)))
    : undefined;
  if (ending !== undefined) return uploadAt(own, id, ending);
  throw wrongUse('This file is no longer there. Drop it again.');
}

function uploadAt(own: string, id: string, ending: string) {
  const job = `try-${id}`;
  return {
    id,
    job,
    label: labelIn(own) ?? job,
    file: join(own, `leads${ending}`),
    /** Neither exists before it is started. */
    jobFile: join(own, `${job}.yaml`),
    table: join(own, 'table.csv'),
  };
}

/** The name of the dropped file of a job; null for any other job, and if it is not known. */
export function droppedName(state: string, job: string): string | null {
  const id = JOB.exec(job)?.[1];
  return id === undefined ? null : labelIn(join(folderOf(state), id));
}

/** The job file of a dropped file; undefined for any other job, and if it was not started or was removed. */
export function droppedJobFile(state: string, job: string): string | undefined {
  const id = JOB.exec(job)?.[1];
  if (id === undefined) return undefined;
  const file = join(folderOf(state), id, `${job}.yaml`);
  return existsSync(file) ? file : undefined;
}

/** Reads the label. The file may have been removed, or changed by others. */
function labelIn(own: string): string | null {
  try {
    return fileLabel(readFileSync(join(own, NAME_FILE), 'utf8')) || null;
  } catch {
    return null;
  }
}

function folderOf(state: string): string {
  return join(folderBeside(state), 'dropped');
}

function removeOld(state: string, at: number): void {
  const folder = folderOf(state);
  for (const id of readdirSync(folder).filter((name) => ID.test(name))) {
    const own = join(folder, id);
    const isStarted = existsSync(join(own, `try-${id}.yaml`));
    // Other pages may have removed it meanwhile; a link is judged by itself, not by its target.
    const found = lstatSync(own, { throwIfNoEntry: false });
    if (found === undefined || isStarted || at - found.mtimeMs < KEPT_MS) continue;
    rmSync(own, { recursive: true, force: true });
  }
}
