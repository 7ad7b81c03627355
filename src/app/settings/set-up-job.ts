// Writes a new job into jobs/, with the folder of its table and .env.example. Files are overwritten only with
// `isForced`.

import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import type { JobFile } from '../../config/job-schema.js';
import { parseJob } from '../../config/load-job.js';
import { writeJob } from '../../config/write-job.js';
import { errnoOf, SluiceError, wrongUse } from '../../model/errors.js';
import { filesAtEnd } from '../../model/run.js';
import { reasonOf } from '../../output/output-problem.js';
import { writesOf } from '../files/check-table.js';
import { checkPlaces, refuseOwnFiles } from '../files/check-writes.js';
import { tableWrites, type Write } from '../files/target.js';
import { ENV_EXAMPLE, renderEnvExample } from './env-file.js';
import type { Environment } from './environment.js';
import { resolveJobSettings } from './job-settings.js';

const JOBS = 'jobs';
const SCHEMA = 'job.schema.json';
/** The places of the schema in a checkout, and in a project that has Sluice installed; relative to jobs/. */
const SCHEMA_PLACES = [`./${SCHEMA}`, `../node_modules/sluice/jobs/${SCHEMA}`];

export interface NewJob {
  readonly name: string;
  readonly job: JobFile & { readonly out: NonNullable<JobFile['out']> };
  readonly sources: readonly string[];
}

export interface SetUpJob {
  readonly path: string;
  /** The files and folders that were written, in order; folders end in a slash. */
  readonly written: readonly string[];
  /** Whether a different .env.example existed, which was left alone. */
  readonly isExampleKept: boolean;
}

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
export async function setUpJob(
  { name, job, sources }: NewJob,
  isForced: boolean,
  environment: Environment,
): Promise<SetUpJob> {
  const path = jobPathOf(name);
  const text = writeJob(
    name,
    job,
    SCHEMA_PLACES.find((place) => existsSync(join(JOBS, place))),
  );
  checkText(text, path, job, environment);
  const settings = resolveJobSettings(name, job, environment);
  const { further } = settings;
  const atEnd = filesAtEnd(settings);
  const tables = { out: settings.out ?? '-', further, ...atEnd };
  const writes: Write[] = [
    ...writesOf(settings, tables),
    { path, purpose: 'job' },
    { path: ENV_EXAMPLE, purpose: 'example' },
  ];
  refuseOwnFiles(writes, { ...settings, sources });
  refuseTaken(name, isForced);
  const folders: string[] = [];
  for (const file of [tables.out, ...Object.values(further), ...Object.values(atEnd), path]) {
    if (file !== undefined) folders.push(...(await makeFolder(file)));
  }
  await checkPlaces(tableWrites(tables, null));
  await write(path, text, isForced);
  const isExampleKept = await keepsExample(isForced);
  const files = isExampleKept ? [path] : [path, ENV_EXAMPLE];
  return { path, written: [...folders, ...files], isExampleKept };
}

/** Makes sure that the written text is read back as the same job: `${` in a name would be a variable. */
function checkText(text: string, path: string, job: JobFile, environment: Environment): void {
  const names = [...[job.input].flat(), ...namesIn(job.out), ...Object.values(job.map ?? {})];
  const odd = names.find((name) => name?.includes('${') === true);
  if (odd !== undefined) {
    throw wrongUse(
      `"${odd}" cannot be used in a job file, where \${ begins the name of an environment variable. Rename it first.`,
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
  return wrongUse(
    `${path} exists already, and nothing was written. Give another name with --name, or --force to replace it.`,
  );
}

function problem(path: string, cause: unknown): SluiceError {
  const message = `${path} cannot be written: ${reasonOf(cause)}. Fix that, and start again.`;
  return new SluiceError('output', message, {}, { cause });
}
