// The flags that state a job. Their names and meanings are the job file's keys; only how each is
// written on a command line stands here.
import type { Argv, Options } from 'yargs';
import { JOB_DEFAULTS } from '../../app/job-settings.js';
import { type JobFile, jobSchema } from '../../config/job-schema.js';
import { inPlainWords } from '../../config/plain-words.js';
import { INPUTS, type InputName } from '../../model/ask.js';
import { SluiceError } from '../../model/errors.js';
import { nearestNames } from '../../model/text/nearest.js';
import { NUMBER, TEXT } from '../command.js';

/** `list` has two parts, and a flag for each; an address of `notify` may be a secret, which is no flag. */
type Flag = Exclude<keyof JobFile, 'input' | 'list' | 'notify'>;

const WRITTEN: Readonly<Record<Flag, Options>> = {
  out: TEXT,
  ask: TEXT,
  map: { ...TEXT, array: true },
  url: TEXT,
  dialect: TEXT,
  concurrency: NUMBER,
  rate: TEXT,
  positions: TEXT,
  'fresh-for': TEXT,
  limit: NUMBER,
  deadline: TEXT,
  collect: TEXT,
  listen: TEXT,
  'public-url': TEXT,
  callback: TEXT,
  'claim-wait': TEXT,
  submit: TEXT,
  budget: NUMBER,
  'first-batch': NUMBER,
  state: TEXT,
  'metrics-file': TEXT,
  'metrics-listen': TEXT,
  format: TEXT,
  delimiter: TEXT,
  encoding: TEXT,
  bom: { type: 'boolean' },
  excel: { type: 'boolean' },
  'formula-guard': { type: 'boolean' },
};

const LIST_FLAGS = {
  list: { ...TEXT, describe: jobSchema.shape.list.unwrap().shape.name.description ?? '' },
  where: { ...TEXT, describe: jobSchema.shape.list.unwrap().shape.where.description ?? '' },
} as const;

/** What yargs makes of the flags: `map` is a list of INPUT=COLUMN, `ask` a comma-separated text. */
export type FlagValues = { readonly [K in Flag | keyof typeof LIST_FLAGS]?: unknown };

/** Adds every job flag to a command. */
export function withJobFlags<A>(yargs: Argv<A>): Argv<A & FlagValues> {
  const group = 'Job (also keys of a job file):';
  const options = Object.entries(WRITTEN).map(([name, written]) => {
    const about = jobSchema.shape[name as Flag].description ?? '';
    const value = Object.entries(JOB_DEFAULTS).find(([key]) => key === name)?.[1];
    const describe =
      value === undefined || written.type === 'boolean' ? about : `${about}; default: ${value}`;
    return [name, { ...written, describe, group }];
  });
  const list = Object.entries(LIST_FLAGS).map(([name, option]) => [name, { ...option, group }]);
  return yargs.options(Object.fromEntries([...options, ...list])) as Argv<A & FlagValues>;
}

/**
 * The flags as a piece of a job; `base` is what they override (a job file), or just the input.
 * @throws SluiceError `usage` naming the flag
 */
export function jobOfFlags(flags: FlagValues, base: JobFile): JobFile {
  const stated: Record<string, unknown> = {};
  for (const name of Object.keys(WRITTEN) as Flag[]) {
    const value = flags[name];
    if (value === undefined) continue;
    stated[name] = value;
  }
  if (typeof stated['ask'] === 'string')
    stated['ask'] = stated['ask'].split(',').map((ask) => ask.trim());
  if (stated['map'] !== undefined) {
    stated['map'] = { ...base.map, ...parseMapFlags(stated['map'] as string[]) };
  }
  const list = listOfFlags(flags, base);
  if (list !== undefined) stated['list'] = list;
  if (stated['delimiter'] === '\\t' || stated['delimiter'] === 'tab') stated['delimiter'] = '\t';
  const parsed = jobSchema.safeParse({ ...base, ...stated }, { error: inPlainWords });
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const [key = 'input', part] = issue?.path ?? [];
  const flag = String(part === 'where' ? part : key);
  throw new SluiceError('usage', `--${flag}: ${issue?.message ?? 'is wrong'}.`, { flag });
}

function listOfFlags({ list, where }: FlagValues, base: JobFile): object | undefined {
  if (list === undefined && where === undefined) return undefined;
  const name = list ?? base.list?.name;
  if (name === undefined) {
    throw new SluiceError('usage', '--where: nothing says which list they go into: give --list.', {
      flag: 'where',
    });
  }
  return { ...base.list, name, ...(where === undefined ? {} : { where }) };
}

function parseMapFlags(texts: readonly string[]): Partial<Record<InputName, string>> {
  const map: Partial<Record<InputName, string>> = {};
  for (const text of texts) {
    const at = text.indexOf('=');
    const input = text.slice(0, at === -1 ? undefined : at);
    if (at === -1 || !(INPUTS as readonly string[]).includes(input)) {
      const near = nearestNames(input, INPUTS)[0];
      const hint = near === undefined ? '' : ` Did you mean ${near}?`;
      throw new SluiceError(
        'usage',
        `--map ${text}: write INPUT=COLUMN, with one of ${INPUTS.join(', ')}.${hint}`,
        { flag: 'map' },
      );
    }
    if (Object.hasOwn(map, input)) {
      throw new SluiceError('usage', `--map ${input} is given twice. Give it once.`, {
        flag: 'map',
      });
    }
    map[input as InputName] = text.slice(at + 1);
  }
  return map;
}
