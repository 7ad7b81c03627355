// Sets up a new job: finds its name and its asks if no flag gives them, and writes it into jobs/, with the folder of
// its table and .env.example. Files are overwritten only with `isForced`.
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, posix } from 'node:path';
import type { JobFile } from '../../config/job-schema.js';
import { parseJob } from '../../config/load-job.js';
import { writeJob } from '../../config/write-job.js';
import { isDropFolder } from '../../input/sources/drop-folder.js';
import {
  type Alternatives,
  ASKS,
  type Ask,
  explainLacking,
  type InputName,
  type Inputs,
  isStandard,
  needsOf,
  nextInput,
  type Requirements,
  type Sufficiency,
  sufficientAsks,
} from '../../model/ask.js';
import { SluiceError } from '../../model/errors.js';
import type { Column } from '../../model/lead.js';
import type { FormerGuess } from '../../model/mapping/mapping.js';
import { tellColumns } from '../../model/mapping/tell-columns.js';
import { isTargetUrl } from '../../model/text/address.js';
import { errnoOf, reasonOf } from '../../output/output-problem.js';
import { isStateThere, openStore } from '../../store/open-store.js';
import { writesOf } from '../files/check-table.js';
import { checkPlaces, refuseOwnFiles } from '../files/check-writes.js';
import { tableWrites, type Write } from '../files/target.js';
import { formerGuesses } from '../run/asking-terms.js';
import { stateOf } from './command-settings.js';
import { ENV_EXAMPLE, renderEnvExample } from './env-file.js';
import { type Environment, SANDBOX_URL } from './environment.js';
import { resolveJobSettings } from './job-settings.js';

const JOBS = 'jobs';
const SCHEMA = 'job.schema.json';
/** The places of the schema in a checkout, and in a project that has Sluice installed; relative to jobs/. */
const SCHEMA_PLACES = [`./${SCHEMA}`, `../node_modules/sluice/jobs/${SCHEMA}`];
const ENDINGS = /(\.(csv|tsv|txt|ndjson|jsonl|json|xlsx|xlsm))?(\.gz)?$/i;
const NAME_LENGTH_MAX = 60;
const NAME = /^[a-z0-9][\w.-]*$/i;

export interface NewJob {
  readonly name: string;
  readonly job: JobFile & { readonly out: NonNullable<JobFile['out']> };
  /** The files that its input matches. */
  readonly sources: readonly string[];
  /** Whether existing files are replaced. */
  readonly isForced: boolean;
}

export interface SetUpJob {
  readonly path: string;
  /** The files and folders that were written, in order; folders end in a slash. */
  readonly written: readonly string[];
  /** Whether a different .env.example existed, which was left alone. */
  readonly isExampleKept: boolean;
}

/** The path of the job with that name. */
function jobPathOf(name: string): string {
  return posix.join(JOBS, `${name}.yaml`);
}

/** @throws SluiceError `usage` if a job of that name exists and must not be replaced */
export function refuseTaken(name: string, isForced: boolean): void {
  if (!isForced && existsSync(jobPathOf(name))) throw isTaken(jobPathOf(name));
}

/**
 * Everything is checked before the first file is written.
 * @throws SluiceError `usage` for a job that could not run, or a file that exists; `output`
 */
export async function setUpJob(wish: NewJob, environment: Environment): Promise<SetUpJob> {
  const { name, job, sources, isForced } = wish;
  const path = jobPathOf(name);
  const text = writeJob(
    name,
    job,
    SCHEMA_PLACES.find((place) => existsSync(join(JOBS, place))),
  );
  checkText(text, path, wish, environment);
  const settings = resolveJobSettings(name, job, environment);
  const { further, report } = settings;
  const tables = { out: settings.out ?? '-', further, report };
  const writes: Write[] = [
    ...writesOf(settings, tables),
    { path, purpose: 'job' },
    { path: ENV_EXAMPLE, purpose: 'example' },
  ];
  refuseOwnFiles(writes, { ...settings, sources });
  refuseTaken(name, isForced);
  const folders: string[] = [];
  for (const file of [tables.out, ...Object.values(further), report, path]) {
    if (file !== undefined) folders.push(...(await makeFolder(file)));
  }
  await checkPlaces(tableWrites(tables, null));
  await write(path, text, isForced);
  const isExampleKept = await keepsExample(isForced);
  const files = isExampleKept ? [path] : [path, ENV_EXAMPLE];
  return { path, written: [...folders, ...files], isExampleKept };
}

/** Makes sure that the written text is read back as the same job: `${` in a name would be a variable. */
function checkText(text: string, path: string, { job }: NewJob, environment: Environment): void {
  const names = [...[job.input].flat(), ...namesIn(job.out), ...Object.values(job.map ?? {})];
  const odd = names.find((name) => name?.includes('${') === true);
  if (odd !== undefined) {
    throw new SluiceError(
      'usage',
      `"${odd}" cannot be used in a job file, where \${ begins the name of an environment variable. Rename it first.`,
      { name: odd },
    );
  }
  parseJob(text, path, environment.variable);
}

function namesIn(out: JobFile['out']): readonly (string | undefined)[] {
  return typeof out === 'object' ? Object.values(out) : [out];
}

async function makeFolder(path: string): Promise<string[]> {
  const folder = dirname(path);
  if (path === '-' || existsSync(folder)) return [];
  try {
    await mkdir(folder, { recursive: true });
    return [`${folder}/`];
  } catch (cause) {
    throw problem(`${folder}/`, cause);
  }
}

async function write(path: string, text: string, isForced: boolean): Promise<void> {
  try {
    await writeFile(path, text, { flag: isForced ? 'w' : 'wx' });
  } catch (cause) {
    if (errnoOf(cause) === 'EEXIST') throw isTaken(path);
    throw problem(path, cause);
  }
}

/** Whether a different .env.example exists and is kept; otherwise writes ours. */
async function keepsExample(isForced: boolean): Promise<boolean> {
  const text = renderEnvExample();
  if (!isForced && existsSync(ENV_EXAMPLE)) {
    return (await readFile(ENV_EXAMPLE, 'utf8').catch(() => '')) !== text;
  }
  await write(ENV_EXAMPLE, text, isForced);
  return false;
}

function isTaken(path: string): SluiceError {
  return new SluiceError(
    'usage',
    `${path} exists already, and nothing was written. Give another name with --name, or --force to replace it.`,
    { path },
  );
}

function problem(path: string, cause: unknown): SluiceError {
  const message = `${path} cannot be written: ${reasonOf(cause)}. Fix that, and start again.`;
  return new SluiceError('output', message, { path, errno: errnoOf(cause) ?? null }, { cause });
}

/** `data/CRM Export (März).csv.gz` → `crm-export-marz`; a pattern without a word is `leads`. */
export function jobNameOf(input: string): string {
  const slug = basename(input)
    .replace(ENDINGS, '')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, NAME_LENGTH_MAX)
    .replace(/^-+|-+$/g, '');
  if (slug === '') return 'leads';
  // A number alone names a run.
  return /^\d+$/.test(slug) ? `job-${slug}` : slug;
}

/** @throws SluiceError `usage` for a name that would not be a plain file in jobs/, or would be the number of a run */
export function checkJobName(name: string): void {
  if (NAME.test(name) && !/^\d+$/.test(name) && name.length <= NAME_LENGTH_MAX) return;
  throw new SluiceError(
    'usage',
    `--name: a job is named by letters, digits, dots and dashes, at most ${NAME_LENGTH_MAX}, and not by a number alone.`,
    { flag: 'name' },
  );
}

/** The guesses about columns by runs that asked the same, in the state file that the new job will use. */
export async function guessesBefore(
  name: string,
  { ask = [], state: stated }: JobFile,
  environment: Environment,
): Promise<readonly FormerGuess[]> {
  const state = stateOf(stated, environment);
  if (!isStateThere(state)) return [];
  const store = await openStore(state);
  try {
    return await formerGuesses(store, { ask, job: name });
  } finally {
    await store.close();
  }
}

/** The default is one of these among the asks that a dialect offers; find_phone, the dearest, is never the default. */
function usualAsks(offered: readonly Ask[]): readonly Ask[] {
  const standard = ['find_email', 'verify_email', 'social_enrichment'];
  return offered.filter((one) => standard.includes(one) || !isStandard(one));
}

/** The ask of a job by default, if its leads have these inputs; the first usual one if they suffice for nothing. */
export function usualAsk(
  inputs: readonly InputName[],
  requires: Requirements,
  offered: readonly Ask[] = ASKS,
): Ask {
  const usual = usualAsks(offered);
  // People of whom only the address is known need no other one.
  const others = inputs.filter((input) => input !== 'email');
  const findable = usual.filter((one) => one === 'find_email');
  const [found] = askable(findable, others, requires).asked;
  const [other] = askable(
    usual.filter((one) => one !== 'find_email'),
    inputs,
    requires,
  ).asked;
  return found ?? other ?? usual[0] ?? 'find_email';
}

/** The sets of inputs, one of which a job needs to ask for something by default. */
export function usualNeeds(requires: Requirements, offered: readonly Ask[] = ASKS): Alternatives {
  return usualAsks(offered).flatMap((one) => needsOf(requires, one));
}

/**
 * The asks that are impossible with these inputs.
 * @throws SluiceError `usage` if all of them are impossible; it lists the columns, behind the sentence `looksLike`
 */
export function hopelessAsks(
  ask: readonly Ask[],
  inputs: readonly InputName[],
  requires: Requirements,
  { columns, looksLike = '' }: { readonly columns: readonly Column[]; readonly looksLike?: string },
): readonly Ask[] {
  const { asked, lacking } = askable(ask, inputs, requires);
  if (asked.length > 0) return lacking;
  const given =
    inputs.length === 0
      ? 'no column of the input looks like any of these'
      : `the columns of the input hold no more than ${inputs.join(', ')}`;
  const next = nextInput(
    lacking.flatMap((one) => needsOf(requires, one)),
    inputs,
    new Set(),
  );
  throw new SluiceError(
    'usage',
    `Nothing could be asked: ${explainLacking(lacking, requires)}, and ${given}. Say which column is which, as with --map ${next ?? 'INPUT'}=COLUMN, or ask for something else.`,
    { key: 'ask' },
    { aside: looksLike + tellColumns(columns, inputs.length > 0) },
  );
}

function askable(
  ask: readonly Ask[],
  inputs: readonly InputName[],
  requires: Requirements,
): Sufficiency {
  const all: Inputs = Object.fromEntries(inputs.map((input) => [input, '']));
  return sufficientAsks(ask, all, requires);
}

/** The platform of a new job: SLUICE_URL unless it contains a password, which would be shown, and could not be used. */
export function usualUrl({ url }: Environment): string {
  return url !== undefined && isTargetUrl(url) ? url : SANDBOX_URL;
}

/** @throws SluiceError `usage` for an unusable base address; one that contains `${…}` is checked by the run */
export function checkBaseUrl(text: string): void {
  const isAddress = /^https?:\/\/[^\s/?#@]+(\/[^\s?#@]*)?$/i.test(text);
  if (text === SANDBOX_URL || isAddress || text.includes('${')) return;
  throw new SluiceError(
    'usage',
    'The base address is written like https://host/path, without a user name and a password; or it is sandbox.',
    { key: 'url' },
  );
}

/** The table of a new job: never its own input; with a drop folder, each run has its own table. */
export async function usualOut(
  name: string,
  input: JobFile['input'],
  sources: readonly string[],
): Promise<string> {
  const out = `data/out/${name}.csv`;
  if (await isDropFolder([input].flat())) return out.replace('.csv', '-{date}-{run}.csv');
  return sources.some((source) => source.endsWith(out)) ? `data/out/${name}-enriched.csv` : out;
}
