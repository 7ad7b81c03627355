// The keys of a job file, from their entries: the schema by which a job is checked, its defaults, and the JSON Schema.
import * as z from 'zod';
import { ASKS, type Ask, isStandard } from '../model/ask.js';
import { didYouMean } from '../model/text/nearest.js';
import { type JobKey, plain, usualOf } from './job-keys/key.js';
import { choice, job } from './job-keys/leads.js';
import { ofFiles, payment, platform, webhooks } from './job-keys/platform.js';
import { files, list, metrics, table } from './job-keys/tables.js';
import { waterfallKeys } from './job-keys/waterfall.js';

export const JOB_KEYS = {
  ...job,
  ...choice,
  ...table,
  ...files,
  ...payment,
  ...platform,
  ...webhooks,
  ...waterfallKeys,
  ...list,
  ...metrics,
  ...ofFiles,
};
export type JobKeyName = keyof typeof JOB_KEYS;

export const KEY_GROUPS: Readonly<Record<string, Readonly<Record<string, JobKey>>>> = {
  Job: job,
  'Which leads': choice,
  Table: table,
  'Files and formats': files,
  Payment: payment,
  'Platform and speed': platform,
  Webhooks: webhooks,
  Waterfall: waterfallKeys,
  'After the run': { ...list, ...metrics },
  'Every run of the job': ofFiles,
};

export const jobKeys = Object.entries(JOB_KEYS) as readonly (readonly [JobKeyName, JobKey])[];

type Shape = {
  [K in JobKeyName]: K extends 'input'
    ? (typeof JOB_KEYS)[K]['schema']
    : z.ZodOptional<(typeof JOB_KEYS)[K]['schema']>;
};

/** Every key but `input` may be left out. */
export const jobSchema = z.strictObject(
  Object.fromEntries(
    jobKeys.map(([name, key]) => [name, described(name, key)]),
  ) as unknown as Shape,
);

/** The same: a job that names no dialect asks for nothing that only a dialect knows, so a misspelt ask is told at once. */
export const checkedJobSchema = jobSchema.superRefine(({ ask = [], dialect, prices }, context) => {
  if (dialect !== undefined) return;
  const check = (one: Ask, path: PropertyKey[]) => {
    if (isStandard(one)) return;
    const message = `"${one}" is not known.${didYouMean(one, ASKS)} Without a dialect that offers more, a job can ask for ${ASKS.join(', ')}`;
    context.addIssue({ code: 'custom', path, message });
  };
  for (const [i, one] of ask.entries()) check(one, ['ask', i]);
  for (const one of Object.keys(prices ?? {})) check(one, ['prices', one]);
});

/** A job as its file or the flags state it, without defaults. */
export type JobFile = z.output<typeof jobSchema>;

type Defaults = {
  readonly [K in JobKeyName as (typeof JOB_KEYS)[K] extends { readonly default: infer D }
    ? D extends (...stated: never[]) => unknown
      ? never
      : K
    : never]: (typeof JOB_KEYS)[K] extends { readonly default: infer D } ? D : never;
};

/** The defaults that do not depend on the rest of a job, as a job would state them. */
export const JOB_DEFAULTS = Object.fromEntries(
  jobKeys.flatMap(([name, { default: value }]) =>
    value === undefined || typeof value === 'function' ? [] : [[name, value]],
  ),
) as Defaults;

/** The JSON Schema of a job file, for editors. */
export function jobJsonSchema(): object {
  return {
    ...z.toJSONSchema(jobSchema, { io: 'input' }),
    title: 'A Sluice job',
    description:
      'The leads to read, the values to ask for, and the table to write. ${NAME} is an environment variable.',
  };
}

/** A line about a key: its meaning, and its default. */
export function aboutKey(key: JobKey): string {
  if (key.default === true || key.default === false)
    return `${plain(key.meaning)}${key.default ? ' (on by default)' : ''}`;
  const usual = usualOf(key);
  return plain(usual === undefined ? key.meaning : `${key.meaning}; default: ${usual}`);
}

function described(name: JobKeyName, key: JobKey): z.ZodType {
  const own = name === 'input' ? key.schema : key.schema.optional();
  return own.describe(aboutKey(key));
}
