// The limits of the file .env, which a stranger may have written: it must not decide where secrets go, which command is
// run, and which files outside its folder are read or written.
import { resolve, sep } from 'node:path';
import type { Place } from '../../config/places.js';
import { SluiceError } from '../../model/errors.js';
import { isDatabase } from '../../store/open-store.js';
import { isOutside, leadsOut } from './inside.js';

/** A part of a job's text after variables were filled in; `name` is the variable that gave this part, if one did. */
export interface FilledPart {
  readonly text: string;
  readonly name?: string;
}

/** The special characters of patterns: `{.,}./x` matches `../x` too. */
const PATTERN = /[\\{}()|[\],*?!@+]/g;
const ABSOLUTE_CHOICE = /[{(,|]\\*\//;

/**
 * Judges a text by the place it leads to; `isOfFile` says whether .env has set a variable.
 * @throws SluiceError `usage` if it contains a value from .env that is not allowed there
 */
export function refuseFilled(
  place: Place | undefined,
  parts: readonly FilledPart[],
  isOfFile: (name: string) => boolean,
): void {
  const names = parts.flatMap(({ name }) => (name === undefined ? [] : [name]));
  const [own] = names.filter(isOfFile);
  if (own === undefined || place === undefined) return;
  if (place === 'program') throw runsNothing(own);
  if (place === 'address' || place === 'platform') {
    const other = names.find((name) => !isOfFile(name));
    if (other !== undefined) throw mixedParts(own, other);
    return;
  }
  const text = textOf(parts);
  if (place === 'state' && isDatabase(text)) throw namesNoDatabase(own);
  const first = parts.findIndex(({ name }) => name !== undefined && isOfFile(name));
  const before = textOf(parts.slice(0, first));
  // The folder is the part that the job itself states, up to the last slash.
  const end = Math.max(before.lastIndexOf('/'), before.lastIndexOf(sep)) + 1;
  const folder = resolve(before.slice(0, end));
  const isRead = place === 'read';
  const isOut = isRead ? isOutside(text, folder) || matchesOutside(text) : leadsOut(text, folder);
  if (isOut) throw outside(own, isRead);
}

function textOf(parts: readonly FilledPart[]): string {
  return parts.map(({ text }) => text).join('');
}

function matchesOutside(pattern: string): boolean {
  if (pattern.search(PATTERN) === -1) return false;
  return pattern.replace(PATTERN, '').includes('..') || ABSOLUTE_CHOICE.test(pattern);
}

/** The error for an address from .env with secrets from elsewhere. */
export function mixed(name: string, elsewhere: readonly string[]): SluiceError {
  return refusedOfFile(
    name,
    `${elsewhere.join(' and ')} from elsewhere: an address in .env gets only secrets that are in .env too. If the address is right, ${name === 'SLUICE_URL' ? 'give --url, or ' : ''}set ${name} in the environment; or write the secrets into .env as well.`,
  );
}

/** The error for a database that .env names: leads, results and the key of webhooks would be kept there. */
export function namesNoDatabase(name: string): SluiceError {
  return refusedOfFile(
    name,
    `that file names no database: whoever wrote it would read every lead there. If the address is right, set ${name} in the environment${name === 'SLUICE_STATE' ? ', or give --state' : ''}.`,
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

function outside(name: string, isRead: boolean): SluiceError {
  const what = isRead ? 'read' : 'written';
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
