// The file `.env` of the folder a command is started in: variables for whoever sets none. What is set already
// stays, and a line that says nothing is told instead of being passed over.
import { readFileSync, statSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { SluiceError } from '../domain/errors.js';
import { twinOf } from './environment.js';

export const ENV_FILE = '.env';

export interface EnvFile {
  /** Names of the variables that it set. */
  readonly taken: readonly string[];
  /** Names of those that were set already, or said already in another way. */
  readonly left: readonly string[];
  /** Whether other users of the machine may read it. */
  readonly isOpen: boolean;
}

/** Some lines are usual; more is another file. */
const BYTES_MAX = 256 * 1_024;
const OTHERS_MAY_READ = 0o044;
/** `NAME='…'` over several lines counts as one. */
const QUOTED = /^([^#\n=]*=[ \t]*)(?:"[^"]*"|'[^']*'|`[^`]*`)/gm;
const LINE = /^\s*(?:export\s+)?[A-Za-z_][\w.-]*\s*=|^\s*(?:#|$)/;

/**
 * Sets in `variables` what the file says and they do not; undefined where there is no such file. A variable that
 * is set to nothing is set as well; and where a password is set, no file of a password is taken, nor the reverse.
 * @throws SluiceError `usage` for a file that cannot be read, or a line that is none
 */
export function loadEnvFile(
  path: string = ENV_FILE,
  variables: NodeJS.ProcessEnv = process.env,
): EnvFile | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  // Python keeps a folder of that name.
  if (found === undefined || found.isDirectory()) return undefined;
  if (found.size > BYTES_MAX) throw unreadable(path, `it is larger than ${BYTES_MAX} bytes`);
  const text = readText(path);
  refuseOddLine(path, text);
  const set = new Set(Object.keys(variables));
  const isSaid = (name: string): boolean => {
    const twin = twinOf(name);
    return set.has(name) || (twin !== undefined && set.has(twin) && variables[twin] !== '');
  };
  // One without a value is a line of the example that is not filled in yet.
  const said = Object.entries(parseEnv(text)).filter(([, value]) => (value ?? '') !== '');
  const taken = said.filter(([name]) => !isSaid(name));
  for (const [name, value] of taken) variables[name] = value;
  const isOpen = process.platform !== 'win32' && (found.mode & OTHERS_MAY_READ) !== 0;
  const left = said.filter((pair) => !taken.includes(pair));
  return { taken: taken.map(nameOf), left: left.map(nameOf), isOpen };
}

function nameOf([name]: readonly [string, unknown]): string {
  return name;
}

function readText(path: string): string {
  try {
    const text = readFileSync(path, 'utf8');
    if (text.includes('\0')) throw new Error('it is not UTF-8 text');
    return text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  } catch (cause) {
    throw unreadable(path, cause instanceof Error ? cause.message : String(cause), cause);
  }
}

function refuseOddLine(path: string, text: string): void {
  const emptied = text.replace(
    QUOTED,
    (whole, start: string) => start + '\n'.repeat(whole.split('\n').length - 1),
  );
  const lines = emptied.split('\n');
  const index = lines.findIndex((line) => !LINE.test(line));
  if (index === -1) return;
  // The line itself is not repeated: it may hold a password.
  throw new SluiceError(
    'usage',
    `${path}, line ${index + 1}: this says nothing. Write NAME=value, with '…' around a value that holds # or blanks, and # before a remark.`,
    { file: path, line: index + 1 },
  );
}

function unreadable(path: string, why: string, cause?: unknown): SluiceError {
  const message = `The file ${path} in this folder cannot be read: ${why}. Mend that, or remove it.`;
  return new SluiceError('usage', message, { file: path }, { cause });
}
