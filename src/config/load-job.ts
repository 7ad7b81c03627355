// Reads a job file: YAML, `${NAME}` filled in from the environment, secrets refused, every key checked.
import { COLUMN_INPUTS } from '../model/ask.js';
import { SluiceError, wrongUse } from '../model/errors.js';
import { parseUrl } from '../model/text/address.js';
import { SECRET_VARIABLE } from '../model/text/placeholders.js';
import { STEP_KEYS } from './job-keys/waterfall.js';
import { checkedJobSchema, type JobFile, jobSchema } from './job-schema.js';
import { inPlainWords } from './plain-words.js';
import { parseYaml, readYaml, type YamlReading } from './read-yaml.js';
import { isPlainName, schemaProblem } from './yaml-problem.js';

/** Keys of secrets, which do not belong in a file that may be shared and committed. */
const SECRET_KEY =
  /^(password|passwd|username|user|secret|token|api[-_]?key|auth|authorization|credentials)$/i;
const DATABASE = /^postgres(?:ql)?:\/\//;
const PLACEHOLDER = /\$\{([^}]*)\}/;
const ADDRESS_WITH_CREDENTIALS = /^\s*[a-z][a-z0-9+.-]*:\/\/[^/?#]*@/i;
/** A job is three levels deep. An anchor that contains itself would never end. */
const DEPTH_MAX = 8;

export const EVERY_KEY = {
  ...jobSchema.shape,
  map: Object.fromEntries(COLUMN_INPUTS.map((input) => [input, ''])),
  list: jobSchema.shape.list.unwrap().shape,
  notify: jobSchema.shape.notify.unwrap().shape,
  accept: jobSchema.shape.accept.unwrap().shape,
  waterfall: [STEP_KEYS],
};

/** The value of `${NAME}`; may throw a SluiceError. */
export type Variable = (name: string) => string | undefined;
type Path = readonly PropertyKey[];
type Fail = (path: Path, message: string) => SluiceError;

/** @throws SluiceError `usage` naming the file, the line and the key */
export async function loadJob(file: string, variable: Variable): Promise<JobFile> {
  return readYaml(file, readingOf(variable));
}

/** As `loadJob`, for a text that will be written to `file`. */
export function parseJob(text: string, file: string, variable: Variable): JobFile {
  return parseYaml(text, file, readingOf(variable));
}

/** @throws SluiceError `usage` naming the job and the key */
export function checkJob(job: unknown, name: string): JobFile {
  const parsed = checkedJobSchema.safeParse(job, { error: inPlainWords });
  if (parsed.success) return parsed.data;
  const fail: Fail = (_path, message) => wrongUse(`Job ${name}: ${message}`);
  throw schemaProblem(parsed.error.issues, EVERY_KEY, { fail });
}

function readingOf(variable: Variable): YamlReading<typeof checkedJobSchema> {
  return {
    what: 'Job',
    schema: checkedJobSchema,
    example: EVERY_KEY,
    prepare: (value, fail) => prepareNode(value, [], variable, fail),
  };
}

/** Fills in variables, and refuses secrets. @throws SluiceError of `fail` */
export function prepareNode(node: unknown, path: Path, variable: Variable, fail: Fail): unknown {
  if (typeof node === 'string') return fillIn(node, path, variable, fail);
  if (typeof node !== 'object' || node === null) return node;
  if (path.length > DEPTH_MAX) throw fail(path, 'a job is not nested as deeply as this.');
  if (Array.isArray(node)) {
    return node.map((item, i) => prepareNode(item, [...path, i], variable, fail));
  }
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => {
      const here = [...path, key];
      if (SECRET_KEY.test(key)) throw secretIn(fail, here, `the key "${key}"`);
      return [key, prepareNode(value, here, variable, fail)];
    }),
  );
}

function fillIn(text: string, path: Path, variable: Variable, fail: Fail): string {
  // Every second piece is the name in a placeholder.
  const parts = text
    .split(PLACEHOLDER)
    .map((piece, i) => (i % 2 === 0 ? piece : valueOf(piece, path, variable, fail)));
  const filled = parts.join('');
  // A database has a user; the code that opens it refuses a password.
  const isDatabase = path[0] === 'state' && DATABASE.test(filled);
  if (isDatabase || !hasCredentials(filled)) return filled;
  throw secretIn(fail, path, 'an address with a user name or password');
}

function valueOf(name: string, path: Path, variable: Variable, fail: Fail): string {
  if (SECRET_VARIABLE.test(name)) throw secretIn(fail, path, `\${${name}}`);
  try {
    const value = variable(name);
    if (value !== undefined) return value;
  } catch (error) {
    throw error instanceof SluiceError ? fail(path, error.message) : error;
  }
  const placeholder = name === '' || isPlainName(name) ? `\${${name}}` : '${…}';
  throw fail(path, `${placeholder} is an environment variable that is not set, or set to nothing.`);
}

/** Also finds credentials in forms that only the URL parser accepts: `https:me:pw@host`. */
function hasCredentials(text: string): boolean {
  if (ADDRESS_WITH_CREDENTIALS.test(text)) return true;
  const url = parseUrl(text);
  return url !== undefined && (url.username !== '' || url.password !== '');
}

function secretIn(fail: Fail, path: Path, what: string): SluiceError {
  return fail(
    path,
    `${what} has no place in a job: credentials come from SLUICE_USERNAME and SLUICE_PASSWORD, or SLUICE_API_KEY, or the files that SLUICE_USERNAME_FILE, SLUICE_PASSWORD_FILE and SLUICE_API_KEY_FILE name.`,
  );
}
