// The task of a run, by which a worker on another machine goes on with it: the job as it was stated, without secrets
// and places of one machine, and the content of the dialect's file. It is kept with the run.
import * as z from 'zod';
import {
  type JOB_KEYS,
  type JobFile,
  type JobKeyName,
  jobKeys,
  jobSchema,
} from '../../config/job-schema.js';
import { dialectOf } from '../../config/load-dialect.js';
import { fileOf } from '../../config/stated-keys.js';
import type { Dialect, DialectFile } from '../../dialect/dialect.js';
import { SluiceError, wrongUse } from '../../model/errors.js';
import { NO_ENVIRONMENT } from '../settings/environment.js';
import { type JobSettings, resolveJobSettings } from '../settings/job-settings.js';

const VERSION = 1;
const BYTES_MAX = 1_000_000;

type LocalKey = {
  [K in JobKeyName]: (typeof JOB_KEYS)[K] extends { readonly isLocal: true } ? K : never;
}[JobKeyName];

const LEFT_OUT = Object.fromEntries(
  jobKeys.flatMap(([name, { isLocal }]) => (isLocal === true ? [[name, true]] : [])),
) as Readonly<Record<LocalKey, true>>;

const dialectSchema = z.record(z.string(), z.unknown());

const taskSchema = z
  .strictObject({
    version: z.literal(VERSION),
    job: jobSchema.omit(LEFT_OUT),
    dialect: dialectSchema,
    steps: z.array(z.strictObject({ account: z.string(), dialect: dialectSchema })).optional(),
  })
  .refine(({ job: { waterfall = [] }, steps = [] }) => {
    // Each step has its dialect here, and names no file.
    return (
      steps.length === waterfall.length && waterfall.every(({ dialect }) => dialect === undefined)
    );
  });

/** A step of a waterfall, as far as the job does not state it. */
export interface TaskStep {
  readonly dialect: Dialect;
  /** The account that pays, as the store knows it. */
  readonly account: string;
}
export type NamedStep = TaskStep & { readonly name: string };

export interface DialectJob {
  readonly settings: JobSettings;
  readonly dialect: Dialect;
}

export interface TaskJob extends DialectJob {
  /** The steps of its waterfall, in order; none without one. */
  readonly steps: readonly TaskStep[];
}

/** @throws SluiceError `usage` for a job and its dialects of more than a megabyte */
export function writeTask(
  { settings, dialect }: DialectJob,
  steps: readonly NamedStep[] = [],
): string {
  const job: Partial<JobFile> = { ...settings.stated };
  for (const key of Object.keys(LEFT_OUT) as LocalKey[]) delete job[key];
  const waterfall = job.waterfall?.map(({ dialect: _file, ...step }, i) => ({
    ...step,
    name: steps[i]?.name,
  }));
  const kept = steps.map(({ account, dialect: own }) => ({ account, dialect: fileOf(own) }));
  const text = JSON.stringify({
    version: VERSION,
    job: { ...job, waterfall },
    dialect: fileOf(dialect),
    ...(kept.length > 0 && { steps: kept }),
  });
  if (text.length <= BYTES_MAX) return text;
  throw wrongUse(
    `The job ${settings.job} and its dialect are too long to be kept for a worker: ${text.length} characters, of ${BYTES_MAX} at most.`,
  );
}

/** `state` is the place of the worker's state. @throws SluiceError `usage` for a form that only another Sluice knows */
export function readTask(text: string, job: string, state: string): TaskJob {
  try {
    const task = taskSchema.parse(JSON.parse(text));
    const settings = resolveJobSettings(job, { ...task.job, state }, NO_ENVIRONMENT);
    const steps = (task.steps ?? []).map(({ account, dialect }) => ({
      account,
      dialect: dialectOf(dialect as DialectFile),
    }));
    return { settings, dialect: dialectOf(task.dialect as DialectFile), steps };
  } catch (cause) {
    throw new SluiceError(
      'usage',
      `The job ${job}, as it is kept for a worker, cannot be read by this Sluice: use the same version on every machine, or put the job into the queue again with "sluice enqueue".`,
      {},
      { cause },
    );
  }
}
