// The jobs of the folder jobs/ and those that have run, with when they run next.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { JobFile } from '../../../config/job-schema.js';
import { loadJob } from '../../../config/load-job.js';
import type { JobLine } from '../../../html/pages/jobs.js';
import { SluiceError } from '../../../model/errors.js';
import type { Schedule } from '../../../ports/dispatcher.js';
import { isDatabase } from '../../../store/open-store.js';
import { openDispatcher } from '../../queue/open-dispatcher.js';
import type { UiContext } from '../page.js';
import { droppedJobFile, droppedName } from '../try/uploads.js';
import { seeRuns } from './see-runs.js';

const FOLDER = 'jobs';
const JOB_FILE = /\.ya?ml$/i;
const JOBS_MAX = 200;
/** How long a queue that does not answer keeps a page waiting. */
const QUEUE_MS_MAX = 2_000;

/** A job and what its file states; undefined where there is no file, or it cannot be read. */
export interface SeenJob {
  readonly line: JobLine;
  readonly stated: JobFile | undefined;
}

type Scheduled = Schedule & { readonly nextAt: number | null };

/** The names of the jobs in jobs/. */
export function jobFiles(): readonly { readonly job: string; readonly file: string }[] {
  const names = existsSync(FOLDER) ? readdirSync(FOLDER) : [];
  return names
    .filter((name) => JOB_FILE.test(name))
    .sort()
    .slice(0, JOBS_MAX)
    .map((name) => ({ job: name.replace(JOB_FILE, ''), file: join(FOLDER, name) }));
}

/** Those with a file first, by their names. `trouble`: why the times of the workers are not known. */
export async function seeJobs(
  context: UiContext,
  only?: string,
): Promise<{ readonly jobs: readonly SeenJob[]; readonly trouble: string | null }> {
  const known = await context.store.listJobs(JOBS_MAX);
  const files = new Map(jobFiles().map(({ file, job }) => [job, file]));
  const runs = new Map(known.map((one) => [one.job, one.runs]));
  const names = [...new Set([...files.keys(), ...runs.keys()])].filter(
    (job) => only === undefined || job === only,
  );
  const { schedules, trouble } = await seeSchedules(context);
  const jobs: SeenJob[] = [];
  for (const job of names) {
    const scheduled = schedules.find((one) => one.job === job);
    const file = files.get(job) ?? droppedJobFile(context.state, job) ?? null;
    jobs.push(await seeJob(context, { job, file, scheduled }, runs.get(job)));
  }
  return { jobs, trouble };
}

async function seeJob(
  context: UiContext,
  { file, job, scheduled }: { job: string; file: string | null; scheduled: Scheduled | undefined },
  runs = 0,
): Promise<SeenJob> {
  const read = file === null ? {} : await readJob(context, file);
  const { problem = null, stated } = read;
  const [last] = runs === 0 ? [] : (await seeRuns(context, { job }, 1)).lines;
  const pattern = scheduled?.pattern ?? stated?.schedule;
  const line: JobLine = {
    job,
    dropped: droppedName(context.state, job),
    file,
    problem,
    input: [stated?.input ?? []].flat(),
    ask: [stated?.ask ?? []].flat(),
    out: tablesOf(stated?.out),
    schedule:
      pattern === undefined
        ? null
        : {
            pattern,
            timezone: scheduled?.timezone ?? stated?.timezone ?? 'UTC',
            nextAt: scheduled?.nextAt ?? null,
          },
    pausedAt: await context.store.pausedSince(job),
    runs,
    isEnriched: last?.run.sources.includes(job) === true,
    last:
      last === undefined
        ? null
        : { id: last.run.id, state: last.state, startedAt: last.run.startedAt },
  };
  return { line, stated };
}

function tablesOf(out: JobFile['out']): readonly string[] {
  if (out === undefined) return [];
  return typeof out === 'string' ? [out] : Object.values(out).filter((one) => one !== undefined);
}

async function readJob(
  { environment }: UiContext,
  file: string,
): Promise<{ readonly stated?: JobFile; readonly problem?: string }> {
  try {
    return { stated: await loadJob(file, environment.variable, environment.checkFilled) };
  } catch (error) {
    if (error instanceof SluiceError) return { problem: error.message };
    throw error;
  }
}

/** Only a database has a queue, whose workers keep to schedules. */
async function seeSchedules({ environment, state }: UiContext): Promise<{
  readonly schedules: readonly Scheduled[];
  readonly trouble: string | null;
}> {
  if (!isDatabase(environment.queue ?? state)) return { schedules: [], trouble: null };
  try {
    return { schedules: await withinTime(readSchedules(environment, state)), trouble: null };
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error;
    return { schedules: [], trouble: `When workers begin runs is not known. ${error.message}` };
  }
}

async function withinTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new SluiceError('usage', 'The queue of the workers does not answer.');
    timer = setTimeout(() => reject(error), QUEUE_MS_MAX);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function readSchedules(
  environment: UiContext['environment'],
  state: string,
): Promise<readonly Scheduled[]> {
  const dispatcher = await openDispatcher(state, environment);
  try {
    return await dispatcher.schedules();
  } finally {
    await dispatcher.close();
  }
}
