// The jobs of the folder jobs/ and those that have run, with the times of their next runs.
import { ownJobs } from '../../app/settings/own-job.js';
import type { JobFile } from '../../config/job-schema.js';
import { loadJob } from '../../config/load-job.js';
import { SluiceError } from '../../model/errors.js';
import type { RunLine } from '../../tell/tell-runs.js';
import type { UiContext } from '../page.js';
import { seeRuns } from '../runs/see-runs.js';
import { droppedJobFile, droppedName } from '../try/uploads.js';

const JOBS_MAX = 200;

/** A job with a file, or with runs, or both. */
export interface JobLine {
  readonly job: string;
  /** The name of the dropped file of the job; null for any other job. */
  readonly dropped: string | null;
  /** Undefined if there is none in jobs/, and none of a dropped file. */
  readonly file: string | undefined;
  /** Undefined if there is no file, or it cannot be used, as `problem` says. */
  readonly stated?: JobFile;
  readonly problem?: string;
  readonly input: readonly string[];
  readonly ask: readonly string[];
  readonly schedule: {
    readonly pattern: string;
    readonly timezone: string;
    /** The time of its next run; null if no worker has been told of it. */
    readonly nextAt: number | null;
  } | null;
  readonly pausedAt: number | null;
  readonly runs: number;
  /** Whether `sluice enrich` began its last run, without a job file. */
  readonly isEnriched: boolean;
  readonly last: RunLine | undefined;
}

/** The jobs, those with a file first, by their names. */
export async function seeJobs(context: UiContext, only?: string): Promise<readonly JobLine[]> {
  const known = await context.store.listJobs(JOBS_MAX);
  const files = ownJobs();
  const runs = new Map(known.map((one) => [one.job, one.runs]));
  const names = [...new Set([...files.keys(), ...runs.keys()])];
  const jobs: JobLine[] = [];
  for (const job of names) {
    if (only !== undefined && job !== only) continue;
    const file = files.get(job) ?? droppedJobFile(context.state, job);
    jobs.push(await seeJob(context, job, file, runs.get(job)));
  }
  return jobs;
}

async function seeJob(
  context: UiContext,
  job: string,
  file: string | undefined,
  runs = 0,
): Promise<JobLine> {
  const { environment, state, store } = context;
  const read = file === undefined ? {} : await readJob(file, environment.variable);
  const { stated } = read;
  const [last] = runs === 0 ? [] : (await seeRuns(context, { job }, 1)).lines;
  // Without a file, its last run shows what it reads and asks.
  const ran = file === undefined ? last?.run : undefined;
  const scheduled = (await store.schedules()).find((one) => one.job === job);
  const pattern = scheduled?.pattern ?? stated?.schedule;
  const timezone = scheduled?.timezone ?? stated?.timezone ?? 'UTC';
  return {
    job,
    dropped: droppedName(state, job),
    file,
    ...read,
    input: [stated?.input ?? ran?.sources ?? []].flat(),
    ask: [stated?.ask ?? ran?.ask ?? []].flat(),
    schedule:
      pattern === undefined ? null : { pattern, timezone, nextAt: scheduled?.nextAt ?? null },
    pausedAt: (await store.jobNow(job)).pausedAt,
    runs,
    isEnriched: last?.run.sources.includes(job) === true,
    last,
  };
}

async function readJob(
  file: string,
  variable: UiContext['environment']['variable'],
): Promise<Pick<JobLine, 'stated' | 'problem'>> {
  try {
    return { stated: await loadJob(file, variable) };
  } catch (error) {
    if (error instanceof SluiceError) return { problem: error.message };
    throw error;
  }
}
