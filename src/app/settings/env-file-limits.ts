// What the file .env must not decide, since a stranger may have written it: where secrets go, which command is run, and
// which files outside its folder are read or written.
import { lstatSync, realpathSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import { SluiceError } from '../../model/errors.js';

/** A part of a job's text after variables were filled in; `name` is the variable that gave this part, if one did. */
export interface FilledPart {
  readonly text: string;
  readonly name?: string;
}

const ADDRESSES: ReadonlySet<string> = new Set(['url', 'public-url', 'notify.url']);
const READ: ReadonlySet<string> = new Set(['input', 'dialect']);
const WRITTEN: ReadonlySet<string> = new Set(['out', 'metrics-file', 'state']);
/** The special characters of patterns: `{.,}./x` matches `../x` too. */
const PATTERN = /[\\{}()|[\],*?!@+]/g;
const ABSOLUTE_CHOICE = /[{(,|]\\*\//;

/**
 * Judges a text of a job under a key like `notify.url`; `isOfFile` says whether .env has set a variable.
 * @throws SluiceError `usage` where it contains a value from .env that is not allowed there
 */
export function refuseFilled(
  key: string,
  parts: readonly FilledPart[],
  isOfFile: (name: string) => boolean,
): void {
  const names = parts.flatMap(({ name }) => (name === undefined ? [] : [name]));
  const [own] = names.filter(isOfFile);
  if (own === undefined) return;
  if (key.startsWith('notify.command')) throw runsNothing(own);
  const other = names.find((name) => !isOfFile(name));
  if (ADDRESSES.has(key) && other !== undefined) throw mixedParts(own, other);
  const [top = ''] = key.split('.');
  if (!READ.has(top) && !WRITTEN.has(top)) return;
  const first = parts.findIndex(({ name }) => name !== undefined && isOfFile(name));
  const before = textOf(parts.slice(0, first));
  // The folder is the part that the job itself states, up to the last slash.
  const folder = resolve(
    before.slice(0, Math.max(before.lastIndexOf('/'), before.lastIndexOf(sep)) + 1),
  );
  if (leadsOut(textOf(parts), folder, WRITTEN.has(top))) throw outside(own, top);
}

function textOf(parts: readonly FilledPart[]): string {
  return parts.map(({ text }) => text).join('');
}

function leadsOut(path: string, folder: string, isWritten: boolean): boolean {
  const whole = resolve(path);
  if (path.startsWith('~') || !isInside(whole, folder)) return true;
  if (isWritten) return isLinkedOut(whole, folder);
  const isPattern = path.search(PATTERN) !== -1;
  return isPattern && (path.replace(PATTERN, '').includes('..') || ABSOLUTE_CHOICE.test(path));
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** Follows links, judging by the part of the path that exists: a link to a missing file may lead out as well. */
function isLinkedOut(path: string, folder: string): boolean {
  if (path === folder) return false;
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) {
    return isLinkedOut(dirname(path), folder);
  }
  try {
    return !isInside(realpathSync(path), realpathSync(folder));
  } catch {
    return true;
  }
}

/** The error for an address from .env with secrets from elsewhere. */
export function mixed(name: string, elsewhere: readonly string[]): SluiceError {
  return refusedOfFile(
    name,
    `${elsewhere.join(' and ')} from elsewhere: an address in .env gets only secrets that are in .env too. If the address is right, ${name === 'SLUICE_URL' ? 'give --url, or ' : ''}set ${name} in the environment; or write the secrets into .env as well.`,
  );
}

/** The error for the address of a database from .env, to which a password from elsewhere would go. */
export function toDatabase(name: string): SluiceError {
  return refusedOfFile(
    name,
    `PGPASSWORD of the environment would go to that database. If the address is right, set ${name} in the environment; or keep the password in ~/.pgpass, which says to whom it goes.`,
  );
}

function mixedParts(name: string, other: string): SluiceError {
  return refusedOfFile(
    name,
    `${other} from the environment: an address is not put together from both, since ${other} may be a secret. If the address is right, set ${name} in the environment; or write ${other} into .env as well.`,
  );
}

function runsNothing(name: string): SluiceError {
  return refusedOfFile(
    name,
    'that file must not decide which command is run. Set it in the environment, or write it into the job.',
  );
}

function outside(name: string, key: string): SluiceError {
  const what = WRITTEN.has(key) ? 'written' : 'read';
  const instead = name === 'SLUICE_STATE' ? 'give --state' : 'write it into the job';
  return refusedOfFile(
    name,
    `leads out of it: no file elsewhere is ${what} because .env says so. If the path is right, set ${name} in the environment, or ${instead}.`,
  );
}

function refusedOfFile(variable: string, problem: string): SluiceError {
  const message = `${variable} comes from the file .env of this folder, and ${problem}`;
  return new SluiceError('usage', message, { variable });
}

export function notRead(name: string): SluiceError {
  return new SluiceError(
    'usage',
    `${name} is not read from the file .env of this folder, since it steers programs. Set it in the environment, or take another name.`,
    { variable: name },
  );
}

export function namesNoFile(secret: string): SluiceError {
  const variable = `${secret}_FILE`;
  return new SluiceError(
    'usage',
    `${variable} is not read from the file .env of this folder, which names no file of a secret. Write ${secret} into it, or set ${variable} in the environment.`,
    { variable },
  );
}
