// The flags that state a job, and the job of a command line. The flags have the names and meanings of the job file's
// keys; this file adds only how each is written on a command line.
import { existsSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { Argv, Options } from 'yargs';
import * as z from 'zod';
import { type JobSettings, resolveJobSettings } from '../app/settings/job-settings.js';
import { ownJobs } from '../app/settings/own-job.js';
import {
  type Flag as FlagForm,
  HEADINGS,
  type JobKey,
  type KeyGroup,
  type Parts,
} from '../config/job-keys/key.js';
import {
  aboutKey,
  checkedJobSchema,
  JOB_KEYS,
  type JobFile,
  type JobKeyName,
  jobKeys,
  KEY_GROUPS,
} from '../config/job-schema.js';
import { loadJob } from '../config/load-job.js';
import { inPlainWords } from '../config/plain-words.js';
import { COLUMN_INPUTS } from '../model/ask.js';
import { COLUMN_WORDS, type ColumnWish } from '../model/columns/choose-columns.js';
import { SluiceError } from '../model/errors.js';
import type { OwnWish } from '../model/mapping/mapping.js';
import { nearestNames } from '../model/text/nearest.js';
import { shellWord } from '../model/text/printable.js';
import { NUMBER, TEXT } from './command.js';
import { commandEnvironment } from './command-environment.js';
import { wrongFlag } from './misuse.js';

const JOB_FILE = /\.ya?ml$/i;
const LEAD_FILE = /\.(csv|tsv|txt|ndjson|jsonl|xlsx|xlsm|gz)$/i;

/** The keys of a job by which flags are named; those of a key's parts among them. */
type Flag = JobKeyName | PartFlag;
type PartsOf<K extends 'out' | 'list'> = (typeof JOB_KEYS)[K]['flag']['parts'];
type PartFlag = PartsOf<'out'>[keyof PartsOf<'out'>] | PartsOf<'list'>[keyof PartsOf<'list'>];

/** The flags as yargs parses them: `map` is a list of INPUT=COLUMN, `ask` a comma-separated text. */
export type FlagValues = { readonly [K in Flag]?: unknown };

const FORMS: Readonly<Record<Exclude<FlagForm, Parts>, Options>> = {
  text: TEXT,
  number: NUMBER,
  switch: { type: 'boolean' },
  character: TEXT,
  words: TEXT,
  texts: { ...TEXT, array: true },
  pairs: { ...TEXT, array: true },
  prices: TEXT,
  columns: { ...TEXT, array: true },
};

interface WrittenFlag {
  readonly name: string;
  readonly option: Options;
  readonly group: KeyGroup;
}

/** How each flag of a key is written and explained; none for a key that stands in files alone. */
function flagsOf([name, key]: readonly [string, JobKey], group: KeyGroup): WrittenFlag[] {
  const { flag } = key;
  if (flag === undefined) return [];
  if (typeof flag === 'string')
    return [{ name, option: { ...FORMS[flag], describe: aboutKey(key) }, group }];
  const schemas = partsOf(key.schema);
  return Object.entries(flag.parts).map(([part, own], i) => {
    const about = i === 0 && flag.isText ? aboutKey(key) : schemas[part]?.description;
    return {
      name: own,
      option: { ...TEXT, describe: about ?? '' },
      group: i === 0 ? group : (flag.otherGroup ?? group),
    };
  });
}

/** The schemas of the parts of a key that may be an object. */
function partsOf(schema: z.ZodType): Readonly<Record<string, z.ZodType>> {
  const all = schema instanceof z.ZodUnion ? schema.options : [schema];
  const object = all.find((one) => one instanceof z.ZodObject);
  return object?.shape ?? {};
}

/** Adds every job flag to a command, or only those of these names. */
export function withJobFlags<A>(yargs: Argv<A>, names?: readonly Flag[]): Argv<A & FlagValues> {
  const groups = Object.keys(HEADINGS) as KeyGroup[];
  const wanted = groups
    .flatMap((group) => Object.entries(KEY_GROUPS[group]).flatMap((key) => flagsOf(key, group)))
    .filter(({ name }) => names === undefined || names.some((one) => one === name));
  const options = groups.flatMap((group) =>
    wanted
      .filter((flag) => flag.group === group)
      .map(({ name, option }): [string, Options] => [name, { ...option, group: HEADINGS[group] }]),
  );
  // The arguments of a command stand above its flags, though yargs learns them later.
  const begun = yargs.group([], 'Positionals:');
  return begun.options(Object.fromEntries(options)) as Argv<A & FlagValues>;
}

/** The flags of the tables beside that of `--out`. */
export const TABLE_FLAGS = Object.fromEntries(
  flagsOf(['out', JOB_KEYS.out], 'job')
    .filter(({ name }) => name !== 'out')
    .map(({ name, option }) => [name, option]),
) as Readonly<Record<'out-positions' | 'out-companies', Options & typeof TEXT>>;

/**
 * The job that the flags state; they override `base`, which is a job file or just the input.
 * @throws SluiceError `usage` naming the flag
 */
export function jobOfFlags(flags: FlagValues, base: JobFile): JobFile {
  const stated = Object.fromEntries(
    jobKeys.flatMap(([name, { flag }]) => {
      const value =
        typeof flag === 'object'
          ? ofParts(flag, flags, base[name])
          : flag && ofFlag(name, flag, flags[name], base[name]);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const parsed = checkedJobSchema.safeParse({ ...base, ...stated }, { error: inPlainWords });
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const flag = flagAt(issue?.path ?? ['input']);
  throw wrongFlag(`--${flag}: ${issue?.message ?? 'is wrong'}.`);
}

/** The flag that states the value at a path of a job. */
function flagAt([name, part]: readonly PropertyKey[]): string {
  const flag = jobKeys.find(([key]) => key === name)?.[1].flag;
  const own = typeof flag === 'object' ? flag.parts[String(part)] : undefined;
  return own ?? String(name);
}

/** The value that a flag states in the form of a job file; `base` is that of the job file. */
function ofFlag(
  name: JobKeyName,
  flag: Exclude<FlagForm, Parts>,
  value: unknown,
  base: unknown,
): unknown {
  if (value === undefined) return undefined;
  if (Array.isArray(value)) {
    const texts = value as readonly string[];
    if (flag === 'columns') return parseColumns(texts);
    if (flag !== 'pairs') return texts;
    return { ...(base as object | undefined), ...PAIRS[name as keyof typeof PAIRS](texts) };
  }
  if (typeof value !== 'string') return value;
  if (flag === 'words') return value.split(',').map((word) => word.trim());
  if (flag === 'prices') return { ...(base as object | undefined), ...parsePrices(value) };
  return flag === 'character' && (value === '\\t' || value === 'tab') ? '\t' : value;
}

const PAIRS = {
  map: (texts: readonly string[]) =>
    parseInputs('--map', { inputs: COLUMN_INPUTS, value: 'COLUMN' }, texts),
  fill: parseFill,
};

/** A key of several flags; each replaces one part of the job's. */
function ofParts({ isText, lacking, parts }: Parts, flags: FlagValues, base: unknown): unknown {
  const given = Object.entries(parts).flatMap(([part, flag]) => {
    const value = flags[flag as Flag];
    return value === undefined ? [] : [[part, value] as const];
  });
  const [last] = given.toReversed();
  if (last === undefined) return undefined;
  const [first = ''] = Object.keys(parts);
  const whole = {
    ...(typeof base === 'object' ? base : base === undefined ? {} : { [first]: base }),
    ...Object.fromEntries(given),
  } as Readonly<Record<string, unknown>>;
  if (whole[first] === undefined) {
    const flag = parts[last[0]] ?? '';
    throw wrongFlag(`--${flag}: ${lacking}: give --${parts[first]}.`);
  }
  return isText && Object.keys(whole).length === 1 ? whole[first] : whole;
}

/**
 * `asked`, `all`, `used`, or names and `New name=column`, by commas and in several flags. A job file takes names with
 * `,` or `=`.
 */
export function parseColumns(texts: readonly string[]): ColumnWish {
  const names = texts.flatMap((text) => text.split(',')).map((name) => name.trim());
  const word = COLUMN_WORDS.find((one) => one === names[0]);
  if (names.length === 1 && word !== undefined) return word;
  return names.map((name) => {
    const at = name.indexOf('=');
    return at === -1 ? name : { [name.slice(0, at).trim()]: name.slice(at + 1).trim() };
  });
}

/** `email=Email` and `phone=Phone`, in several flags. @throws SluiceError `usage` */
export function parseFill(texts: readonly string[]): OwnWish {
  const pairs = texts.map((text): [string, string] => {
    const [, kind = '', column = ''] = /^(email|phone)=(.*)$/s.exec(text) ?? [];
    if (column !== '') return [kind, column];
    throw wrongFlag(`--fill ${text}: write email=COLUMN or phone=COLUMN.`);
  });
  return Object.fromEntries(pairs);
}

/** `find_email=0.5,find_phone=10`. @throws SluiceError `usage` */
function parsePrices(text: string): Record<string, number> {
  const pairs = text.split(',').map((pair): [string, number] => {
    const [, ask = '', price = ''] =
      /^\s*([a-z][a-z0-9_]{0,39})\s*=\s*(\d+(?:\.\d+)?)\s*$/.exec(pair) ?? [];
    if (ask !== '') return [ask, Number(price)];
    throw wrongFlag(`--prices ${pair}: write ASK=CREDITS, like find_email=0.5,find_phone=10.`);
  });
  return Object.fromEntries(pairs);
}

/**
 * Texts like `firstName=Ada`, by the name before the first `=`; `flag` and `value` are the words for an error.
 * @throws SluiceError `usage` for another name, or a name given twice
 */
export function parseInputs<Name extends string>(
  flag: string,
  { inputs: all, value }: { readonly inputs: readonly Name[]; readonly value: string },
  texts: readonly string[],
): Partial<Record<Name, string>> {
  const inputs: Partial<Record<Name, string>> = {};
  for (const text of texts) {
    const at = text.indexOf('=');
    const written = text.slice(0, at === -1 ? undefined : at);
    const input = all.find((one) => one === written);
    if (at === -1 || input === undefined) {
      const near = nearestNames(written, all)[0];
      const hint = near === undefined ? '' : ` Did you mean ${near}?`;
      const names = all.join(', ');
      throw wrongFlag(`${flag} ${text}: write INPUT=${value}, with one of ${names}.${hint}`);
    }
    if (Object.hasOwn(inputs, input)) {
      throw wrongFlag(`${flag} ${input} is given twice. Give it once.`);
    }
    inputs[input] = text.slice(at + 1);
  }
  return inputs;
}

/** A job file by its path, or by its name in jobs/; flags override its keys. */
export async function loadJobSettings(job: string, flags: FlagValues): Promise<JobSettings> {
  const environment = commandEnvironment();
  const path = JOB_FILE.test(job) || isFile(job) ? job : `jobs/${job}.yaml`;
  if (!existsSync(path)) throw noSuchJob(path);
  if (LEAD_FILE.test(path)) throw notAJob(path);
  const file = await loadJob(path, environment.variable);
  const name = basename(path).replace(JOB_FILE, '');
  return { ...resolveJobSettings(name, jobOfFlags(flags, file), environment), file: path };
}

function notAJob(path: string): SluiceError {
  return new SluiceError(
    'usage',
    `${path} is a file of leads, not a job. Enrich it with: sluice enrich ${shellWord(path)}`,
  );
}

function noSuchJob(path: string): SluiceError {
  const [near] = nearestNames(basename(path).replace(JOB_FILE, ''), [...ownJobs().keys()]);
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
  return new SluiceError(
    'usage',
    `There is no job file ${path}; check its name and the folder you start from.${hint}`,
  );
}

/** A job of one input and flags. Its name is the input's, so that the same command finds its run again. */
export function settingsOfFlags(file: string, flags: FlagValues): JobSettings {
  return settingsOfJob(file, { input: file }, flags);
}

/** A job without a file, of flags that override `base`. */
export function settingsOfJob(name: string, base: JobFile, flags: FlagValues): JobSettings {
  return resolveJobSettings(name, jobOfFlags(flags, base), commandEnvironment());
}

/** A job file, by its path or name, or the one input of a job stated by flags. */
export async function settingsOf(argument: string, flags: FlagValues): Promise<JobSettings> {
  return isJobFile(argument) ? loadJobSettings(argument, flags) : settingsOfFlags(argument, flags);
}

/** Whether an argument names a job file rather than an input; if it is neither, a missing job is reported. */
function isJobFile(argument: string): boolean {
  if (JOB_FILE.test(argument)) return true;
  const isInput = argument === '-' || isFile(argument) || /[*?{[.]/.test(argument);
  return !isInput;
}

/** A folder may have the name of the job that reads it. */
function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === false;
}
