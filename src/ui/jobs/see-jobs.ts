// The jobs of the folder jobs/ and those that have run, with the times of their next runs.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { JobFile } from '../../config/job-schema.js';
import { loadJob } from '../../config/load-job.js';
import { SluiceError } from '../../model/errors.js';
import type { ShownState } from '../../model/run.js';
import type { KeptSchedule } from '../../ports/store/jobs.js';
import type { UiContext } from '../page.js';
import { seeRuns } from '../runs/see-runs.js';
import { droppedJobFile, droppedName } from '../try/uploads.js';

const FOLDER = 'jobs';
const JOB_FILE = /\.ya?ml$/i;
const JOBS_MAX = 200;

interface ScheduleView {
  readonly pattern: string;
  readonly timezone: string;
  /** The time of its next run; null if no worker has been told of it. */
  readonly nextAt: number | null;
}

/** A job with a file, or with runs, or both. */
export interface JobLine {
  readonly job: string;
  /** The name of the dropped file of the job; null for any other job. */
  readonly dropped: string | null;
  /** Null if there is none in jobs/, and none of a dropped file. */
  readonly file: string | null;
  /** The reason why the file cannot be used; null if it can. */
  readonly problem: string | null;
  readonly input: readonly string[];
  readonly ask: readonly string[];
  readonly isWaterfall: boolean;
  readonly out: readonly string[];
  readonly schedule: ScheduleView | null;
  readonly pausedAt: number | null;
  readonly runs: number;
  /** Whether `sluice enrich` began its last run, without a job file. */
  readonly isEnriched: boolean;
  readonly last: {
    readonly id: number;
    readonly state: ShownState;
    readonly startedAt: number;
  } | null;
}

/** A job and the contents of its file; undefined if there is no file, or it cannot be read. */
export interface SeenJob {
  readonly line: JobLine;
  readonly stated: JobFile | undefined;
}

/** The names of the jobs in jobs/. */
function jobFiles(): readonly { readonly job: string; readonly file: string }[] {
  const names = existsSync(FOLDER) ? readdirSync(FOLDER) : [];
  return names
    .filter((name) => JOB_FILE.test(name))
    .sort()
    .slice(0, JOBS_MAX)
    .map((name) => ({ job: name.replace(JOB_FILE, ''), file: join(FOLDER, name) }));
}

/** The jobs, those with a file first, by their names. */
export async function seeJobs(context: UiContext, only?: string): Promise<readonly SeenJob[]> {
  const known = await context.store.listJobs(JOBS_MAX);
  const files = new Map(jobFiles().map(({ file, job }) => [job, file]));
  const runs = new Map(known.map((one) => [one.job, one.runs]));
  const names = [...new Set([...files.keys(), ...runs.keys()])].filter(
    (job) => only === undefined || job === only,
  );
  const schedules = await context.store.schedules();
  const jobs: SeenJob[] = [];
  for (const job of names) {
    const scheduled = schedules.find((one) => one.job === job);
    const file = files.get(job) ?? droppedJobFile(context.state, job) ?? null;
    jobs.push(await seeJob(context, { job, file, scheduled }, runs.get(job)));
  }
  return jobs;
}

async function seeJob(
  context: UiContext,
  {
    file,
    job,
    scheduled,
  }: { job: string; file: string | null; scheduled: KeptSchedule | undefined },
  runs = 0,
): Promise<SeenJob> {
  const read = file === null ? {} : await readJob(context, file);
  const { problem = null, stated } = read;
  const [last] = runs === 0 ? [] : (await seeRuns(context, { job }, 1)).lines;
  // Without a file, its last run shows what it reads and asks.
  const ran = file === null ? last?.run : undefined;
  const pattern = scheduled?.pattern ?? stated?.schedule;
  const line: JobLine = {
    job,
    dropped: droppedName(context.state, job),
    file,
    problem,
    input: [stated?.input ?? ran?.sources ?? []].flat(),
    ask: [stated?.ask ?? ran?.ask ?? []].flat(),
    isWaterfall: stated?.waterfall !== undefined,
    out: tablesOf(stated?.out),
    schedule:
      pattern === undefined
        ? null
        : {
            pattern,
            timezone: scheduled?.timezone ?? stated?.timezone ?? 'UTC',
            nextAt: scheduled?.nextAt ?? null,
          },
    pausedAt: (await context.store.jobNow(job)).pausedAt,
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
    return { stated: await loadJob(file, environment.variable) };
  } catch (error) {
    if (error instanceof SluiceError) return { problem: error.message };
    throw error;
  }
}
