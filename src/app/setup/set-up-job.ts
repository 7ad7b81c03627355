// Puts a new job into jobs/, and what it needs beside it: the folder of its table, and .env.example. Nothing that
// stands there is overwritten unless it is wanted so.
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import type { JobFile } from '../../config/job-schema.js';
import { parseJob } from '../../config/load-job.js';
import { writeJob } from '../../config/write-job.js';
import { SluiceError } from '../../model/errors.js';
import { errnoOf, reasonOf } from '../../output/output-problem.js';
import { checkWritable } from '../../output/target-file.js';
import { ENV_EXAMPLE, renderEnvExample } from '../env-file.js';
import type { Environment } from '../environment.js';
import { writesOf } from '../files/check-table.js';
import { refuseOwnFiles } from '../files/check-writes.js';
import type { Write } from '../files/target.js';
import { resolveJobSettings } from '../job-settings.js';

const JOBS = 'jobs';
const SCHEMA = 'job.schema.json';
/** Where the schema lies for a checkout, and for a project that has Sluice installed; seen from jobs/. */
const SCHEMA_PLACES = [`./${SCHEMA}`, `../node_modules/sluice/jobs/${SCHEMA}`];

export interface NewJob {
  readonly name: string;
  readonly job: JobFile & { readonly out: string };
  /** What its input was found to be. */
  readonly sources: readonly string[];
  /** Whether files that stand there are replaced. */
  readonly isForced: boolean;
}

export interface SetUpJob {
  readonly path: string;
  /** What was written, in order; folders end in a slash. */
  readonly written: readonly string[];
  /** Whether another .env.example stood there and was left alone. */
  readonly isExampleKept: boolean;
}

/** Where a job of that name stands. */
function jobPathOf(name: string): string {
  return posix.join(JOBS, `${name}.yaml`);
}

/** @throws SluiceError `usage` where a job of that name is there, and is not to be replaced */
export function refuseTaken(name: string, isForced: boolean): void {
  if (!isForced && existsSync(jobPathOf(name))) throw isTaken(jobPathOf(name));
}

/**
 * Everything is checked before the first file is written.
 * @throws SluiceError `usage` for a job that could not run, or a file that stands there; `output`
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
  const writes: Write[] = [
    ...writesOf(settings, job.out),
    { path, purpose: 'job' },
    { path: ENV_EXAMPLE, purpose: 'example' },
  ];
  refuseOwnFiles(writes, { ...settings, sources });
  refuseTaken(name, isForced);
  const folders = [...(await makeFolder(job.out)), ...(await makeFolder(path))];
  await checkWritable(job.out);
  await write(path, text, isForced);
  const isExampleKept = await keepsExample(isForced);
  const files = isExampleKept ? [path] : [path, ENV_EXAMPLE];
  return { path, written: [...folders, ...files], isExampleKept };
}

/** What is read from the text must be what was meant: a name may hold what a job file reads otherwise. */
function checkText(text: string, path: string, { job }: NewJob, environment: Environment): void {
  const names = [...[job.input].flat(), job.out, ...Object.values(job.map ?? {})];
  const odd = names.find((name) => name?.includes('${') === true);
  if (odd !== undefined) {
    throw new SluiceError(
      'usage',
      `"${odd}" cannot stand in a job file, where \${ begins the name of an environment variable. Rename it first.`,
      { name: odd },
    );
  }
  parseJob(text, path, environment.variable);
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

/** Whether an example of somebody else's stands there; writes ours otherwise. */
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
    `${path} is there already, and nothing was written. Give another name with --name, or --force to replace it.`,
    { path },
  );
}

function problem(path: string, cause: unknown): SluiceError {
  const message = `${path} cannot be written: ${reasonOf(cause)}. Mend that, and start again.`;
  return new SluiceError('output', message, { path, errno: errnoOf(cause) ?? null }, { cause });
}
