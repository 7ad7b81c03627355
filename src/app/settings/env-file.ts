// The file `.env` of the folder in which a command is started: credentials that the environment does not give, and the
// address that they belong to. A stranger may have written it, so it gives nothing else, and nothing in it becomes a
// variable of the process: Node, libraries and child processes never see it.
import { lstatSync, readFileSync, type Stats, statSync, writeFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { SluiceError, wrongUse } from '../../model/errors.js';
import { reasonOf } from '../../output/output-problem.js';
import { parseBaseUrl } from '../../platform/wire/request.js';
import { otherFormOf, readCredentials, SENT_SECRETS } from './credentials.js';
import {
  type FileSettings,
  isNotTaken,
  isReadFromFile,
  VARIABLES,
  type Variable,
} from './environment.js';

export const ENV_FILE = '.env';

export interface EnvFile extends FileSettings {
  /** Names of Sluice's variables that the file sets. */
  readonly taken: readonly string[];
  /** Names of variables that are set already, or whose secret is given in another way. */
  readonly left: readonly string[];
  readonly isReadByOthers: boolean;
}

/** The file usually has a few lines; a larger file is something else. */
const BYTES_MAX = 64 * 1_024;
const OTHERS_MAY_READ = 0o044;
/**
 * Reads the file; undefined if there is no such file. Values in `variables` win, even empty ones; and if they name a
 * file that holds a secret, that secret is not taken from here.
 * @throws SluiceError `usage` for a file that cannot be read, or another variable of Sluice
 */
export function readEnvFile(
  path: string = ENV_FILE,
  variables: NodeJS.ProcessEnv = process.env,
): EnvFile | undefined {
  const found = lookAt(path);
  // Python projects may have a folder of that name.
  if (found === undefined || found.isDirectory()) return undefined;
  // A device has no end, and a pipe waits for its writer.
  if (!found.isFile()) throw unreadable(path, 'it is no plain file');
  if (found.size > BYTES_MAX) throw unreadable(path, `it is larger than ${BYTES_MAX} bytes`);
  const text = readText(path);
  const file = {
    taken: [] as string[],
    others: [] as string[],
    left: [] as string[],
    emptied: [] as string[],
    values: new Map<string, string>(),
    isReadByOthers: process.platform !== 'win32' && (found.mode & OTHERS_MAY_READ) !== 0,
  };
  for (const [name, value = ''] of Object.entries(parseEnv(text))) {
    const otherForm = otherFormOf(name);
    if (value === '') file.emptied.push(name);
    else if (!isReadFromFile(name)) {
      if (name.startsWith('SLUICE_')) throw isNotTaken(name);
      file.others.push(name);
    } else if (variables[name] !== undefined || (otherForm !== undefined && variables[otherForm])) {
      file.left.push(name);
    } else {
      if (isCut(name, text)) {
        throw wrongUse(
          `The value of ${name} in ${path} holds #, after which it would be cut off as a comment. Write '…' around the value, or a blank before the comment.`,
        );
      }
      file.taken.push(name);
      file.values.set(name, value);
    }
  }
  return file;
}

/** Whether a value without quotes holds `#`, which begins a comment wherever it stands. */
function isCut(name: string, text: string): boolean {
  const cut = /^[ \t]*(?:export[ \t]+)?(\w+)[ \t]*=[ \t]*(?!['"`\s])[^#\n]*[^\s#]#/gm;
  return [...text.matchAll(cut)].some(([, found]) => found === name);
}

/** Undefined if nothing is there. */
function lookAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (cause) {
    throw unreadable(path, cause instanceof Error ? cause.message : String(cause), cause);
  }
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

function unreadable(path: string, why: string, cause?: unknown): SluiceError {
  const message = `The file ${path} in this folder cannot be read: ${why}. Fix it, or remove it.`;
  return new SluiceError('usage', message, {}, { cause });
}

/** The name of the file with the text of `renderEnvExample`. */
export const ENV_EXAMPLE = `${ENV_FILE}.example`;

/** The variables that a platform always needs; the others are comments in the example. */
const NEEDED: ReadonlySet<string> = new Set<Variable>(['SLUICE_USERNAME', 'SLUICE_PASSWORD']);

const HEAD = `# What Sluice reads from ${ENV_FILE}. In the folder where you start sluice:
#   cp ${ENV_EXAMPLE} ${ENV_FILE} && chmod 600 ${ENV_FILE}
# and fill in what you need. A variable that is set already wins over the file. Any other variable of Sluice belongs in the
# environment, or in a file that --env-file names.
# Write '…' around a value that holds # or blanks. Keep ${ENV_FILE} out of version control.
# If SLUICE_URL is in this file, only the secrets in this file are sent there.
`;

/** Every variable that is read from the file, without values. */
export function renderEnvExample(): string {
  const inFile = Object.entries(VARIABLES).filter(([name]) => isReadFromFile(name));
  const blocks = inFile.map(
    ([name, about]) => `# ${about}\n${NEEDED.has(name) ? '' : '# '}${name}=\n`,
  );
  return [HEAD, ...blocks].join('\n');
}

/** The lines of the file for a platform: its address, with user name and password or a key. */
export const PLATFORM_VARIABLES = [
  'SLUICE_URL',
  'SLUICE_USERNAME',
  'SLUICE_PASSWORD',
  'SLUICE_API_KEY',
] as const satisfies readonly Variable[];

/** Why the file is not made for the user, in a sentence; null if it can be. */
export function refusalOfEnvFile(): string | null {
  if (lstatSync(ENV_FILE, { throwIfNoEntry: false }) !== undefined) {
    return `There is a file ${ENV_FILE} in ${process.cwd()} already, which is never changed here. Add these lines to it yourself.`;
  }
  // They would win over the file, whose address gets no secret from elsewhere.
  const named = ['SLUICE_URL', ...SENT_SECRETS.flatMap((secret) => [secret, `${secret}_FILE`])];
  const found = named.filter((name) => process.env[name] !== undefined);
  if (found.length === 0) return null;
  return `The environment sets ${found.join(', ')}, which would win over ${ENV_FILE}. Set these there, and start again.`;
}

/**
 * Creates the file, which only its owner may read; `get` gives the values.
 * @throws SluiceError `usage` if a value is missing or wrong; `output` if it cannot be made, also where one is by now
 */
export function createEnvFile(get: (name: string) => string | undefined): void {
  parseBaseUrl(get('SLUICE_URL') ?? '');
  const source = { get, isEmptied: () => false };
  const hasKey = get('SLUICE_API_KEY') !== undefined;
  if (hasKey) readCredentials(source, { header: 'Authorization', scheme: null });
  if (!hasKey || (get('SLUICE_USERNAME') ?? get('SLUICE_PASSWORD')) !== undefined) {
    readCredentials(source, 'basic');
  }
  const lines = PLATFORM_VARIABLES.map((name) => lineOf(name, get(name)));
  try {
    // With this flag it follows no link, and replaces nothing.
    writeFileSync(ENV_FILE, lines.join(''), { flag: 'wx', mode: 0o600 });
  } catch (cause) {
    const message = `${ENV_FILE} was not written: ${reasonOf(cause)}. Open the page again.`;
    throw new SluiceError('output', message, {}, { cause });
  }
}

/** @throws SluiceError `usage` for a value that the file cannot hold, which is not repeated */
function lineOf(name: Variable, value: string | undefined): string {
  if (value === undefined) return '';
  const lines = ["'", '`', '"'].map((quote) => `${name}=${quote}${value}${quote}\n`);
  const line = lines.find((one) => parseEnv(one)[name] === value);
  if (line !== undefined && !/\p{Cc}/u.test(value)) return line;
  throw wrongUse(
    `${name} has a line break or another control character, or every quotation mark: ${ENV_FILE} cannot hold it.`,
  );
}
