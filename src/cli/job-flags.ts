// The flags that state a job, and the job of a command line. The flags have the names and meanings of the job file's
// keys; this file adds only how each is written on a command line.
import { existsSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';
import type { Argv, Options } from 'yargs';
import {
  JOB_DEFAULTS,
  type JobSettings,
  resolveJobSettings,
  withoutUndefined,
} from '../app/settings/job-settings.js';
import { type JobFile, jobSchema } from '../config/job-schema.js';
import { loadJob } from '../config/load-job.js';
import { inPlainWords } from '../config/plain-words.js';
import { ASKS, COLUMN_INPUTS, type ColumnInput } from '../model/ask.js';
import { COLUMN_WORDS, type ColumnWish } from '../model/columns/choose-columns.js';
import { SluiceError } from '../model/errors.js';
import type { OwnWish } from '../model/mapping/own-columns.js';
import { FURTHER_TABLES, type FurtherTable } from '../model/run.js';
import { nearestNames } from '../model/text/nearest.js';
import { shellWord } from '../model/text/printable.js';
import { NUMBER, TEXT } from './command.js';
import { commandEnvironment } from './command-environment.js';
import { wrongFlag } from './misuse.js';

const JOB_FILE = /\.ya?ml$/i;
const LEAD_FILE = /\.(csv|tsv|txt|ndjson|jsonl|xlsx|xlsm|gz)$/i;

/**
 * `list` has two parts with a flag for each, and `out` three; `notify` has no flag, since its address may be a secret,
 * nor has the schedule, which is of a file. */
type Flag = Exclude<
  keyof JobFile,
  'input' | 'list' | 'notify' | 'schedule' | 'timezone' | 'catch-up'
>;

/** The groups of `--help`, in its order. */
const GROUPS = {
  job: 'Job (every flag of it is also a key of a job file):',
  leads: 'Job, which leads:',
  table: 'Job, table:',
  files: 'Job, files and formats:',
  payment: 'Job, payment:',
  platform: 'Job, platform and speed:',
  webhooks: 'Job, webhooks:',
  list: 'Job, contact list:',
  metrics: 'Job, metrics:',
} as const;

/** How a flag is written, and in which group of `--help` it stands: by order in the list below. */
interface Written extends Options {
  readonly group: keyof typeof GROUPS;
}

const WRITTEN: Readonly<Record<Flag, Written>> = {
  out: { ...TEXT, group: 'job' },
  ask: { ...TEXT, group: 'job' },
  map: { ...TEXT, array: true, group: 'job' },
  url: { ...TEXT, group: 'job' },
  limit: { ...NUMBER, group: 'job' },
  where: { ...TEXT, group: 'leads' },
  'only-missing': { type: 'boolean', group: 'leads' },
  sample: { ...NUMBER, group: 'leads' },
  seed: { ...NUMBER, group: 'leads' },
  budget: { ...NUMBER, group: 'job' },
  state: { ...TEXT, group: 'job' },
  columns: { ...TEXT, array: true, group: 'table' },
  key: { ...TEXT, array: true, group: 'table' },
  fill: { ...TEXT, array: true, group: 'table' },
  positions: { ...TEXT, group: 'table' },
  excel: { type: 'boolean', group: 'table' },
  dictionary: { type: 'boolean', group: 'table' },
  report: { ...TEXT, group: 'table' },
  format: { ...TEXT, group: 'files' },
  sheet: { ...TEXT, group: 'files' },
  'header-row': { ...NUMBER, group: 'files' },
  delimiter: { ...TEXT, group: 'files' },
  encoding: { ...TEXT, group: 'files' },
  'delimiter-out': { ...TEXT, group: 'files' },
  bom: { type: 'boolean', group: 'files' },
  'formula-guard': { type: 'boolean', group: 'files' },
  'fresh-for': { ...TEXT, group: 'payment' },
  prices: { ...TEXT, group: 'payment' },
  'pay-anew': { type: 'boolean', group: 'payment' },
  'first-batch': { ...NUMBER, group: 'payment' },
  dialect: { ...TEXT, group: 'platform' },
  account: { ...TEXT, group: 'platform' },
  concurrency: { ...NUMBER, group: 'platform' },
  rate: { ...TEXT, group: 'platform' },
  deadline: { ...TEXT, group: 'platform' },
  submit: { ...TEXT, group: 'platform' },
  collect: { ...TEXT, group: 'webhooks' },
  listen: { ...TEXT, group: 'webhooks' },
  'public-url': { ...TEXT, group: 'webhooks' },
  callback: { ...TEXT, group: 'webhooks' },
  'claim-wait': { ...TEXT, group: 'webhooks' },
  keep: { ...TEXT, group: 'files' },
  'keep-deliveries': { ...TEXT, group: 'webhooks' },
  'metrics-file': { ...TEXT, group: 'metrics' },
  'metrics-listen': { ...TEXT, group: 'metrics' },
};

const LIST = jobSchema.shape.list.unwrap().shape;
const LIST_FLAGS = {
  list: { ...TEXT, describe: LIST.name.description ?? '', group: 'list' },
  'list-where': { ...TEXT, describe: LIST.where.description ?? '', group: 'list' },
} as const;

const TABLES = jobSchema.shape.out.unwrap().options[1].shape;
/** The flags of the tables beside that of `--out`. */
export const TABLE_FLAGS = {
  'out-positions': { ...TEXT, describe: TABLES.positions.description ?? '', group: 'table' },
  'out-companies': { ...TEXT, describe: TABLES.companies.description ?? '', group: 'table' },
} as const;

/** The flags as yargs parses them: `map` is a list of INPUT=COLUMN, `ask` a comma-separated text. */
export type FlagValues = {
  readonly [K in Flag | keyof typeof TABLE_FLAGS | keyof typeof LIST_FLAGS]?: unknown;
};

/** Adds every job flag to a command, or only those of these names. */
export function withJobFlags<A>(yargs: Argv<A>, names?: readonly Flag[]): Argv<A & FlagValues> {
  const all: Readonly<Record<string, Written>> = {
    ...WRITTEN,
    ...TABLE_FLAGS,
    ...LIST_FLAGS,
  };
  const wanted = Object.entries(all).filter(
    ([name]) => names === undefined || names.some((one) => one === name),
  );
  const groups = Object.keys(GROUPS) as (keyof typeof GROUPS)[];
  const options = groups.flatMap((group) =>
    wanted
      .filter(([, written]) => written.group === group)
      .map(([name, written]): [string, Options] => {
        const describe = written.describe ?? aboutFlag(name as Flag, written);
        return [name, { ...written, describe, group: GROUPS[group] }];
      }),
  );
  // The arguments of a command stand above its flags, though yargs learns them later.
  const begun = yargs.group([], 'Positionals:');
  return begun.options(Object.fromEntries(options)) as Argv<A & FlagValues>;
}

function aboutFlag(name: Flag, { type }: Written): string {
  const about = jobSchema.shape[name].description ?? '';
  const value = Object.entries(JOB_DEFAULTS).find(([key]) => key === name)?.[1];
  return value === undefined || type === 'boolean' ? about : `${about}; default: ${value}`;
}

/**
 * The job that the flags state; they override `base`, which is a job file or just the input.
 * @throws SluiceError `usage` naming the flag
 */
export function jobOfFlags(flags: FlagValues, base: JobFile): JobFile {
  const stated: Record<string, unknown> = {};
  for (const name of Object.keys(WRITTEN) as Flag[]) {
    if (flags[name] !== undefined) stated[name] = flags[name];
  }
  if (typeof stated['ask'] === 'string')
    stated['ask'] = stated['ask'].split(',').map((ask) => ask.trim());
  if (stated['map'] !== undefined) {
    const form = { inputs: COLUMN_INPUTS, value: 'COLUMN' };
    const texts = stated['map'] as string[];
    stated['map'] = { ...base.map, ...parseInputs('--map', form, texts) };
  }
  if (stated['fill'] !== undefined) {
    stated['fill'] = { ...base.fill, ...parseFill(stated['fill'] as string[]) };
  }
  if (typeof stated['prices'] === 'string')
    stated['prices'] = { ...base.prices, ...parsePrices(stated['prices']) };
  if (stated['columns'] !== undefined)
    stated['columns'] = parseColumns(stated['columns'] as string[]);
  const out = outOfFlags(flags, base);
  if (out !== undefined) stated['out'] = out;
  const list = listOfFlags(flags, base);
  if (list !== undefined) stated['list'] = list;
  for (const name of ['delimiter', 'delimiter-out']) {
    if (stated[name] === '\\t' || stated[name] === 'tab') stated[name] = '\t';
  }
  const parsed = jobSchema.safeParse({ ...base, ...stated }, { error: inPlainWords });
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const [key = 'input', part] = issue?.path ?? [];
  const isFurther = key === 'out' && FURTHER_TABLES.some((table) => table === part);
  const flag = isFurther ? `out-${String(part)}` : String(part === 'where' ? 'list-where' : key);
  throw wrongFlag(flag, `--${flag}: ${issue?.message ?? 'is wrong'}.`);
}

/** `asked`, `all`, `used`, or names and `New name=column`, by commas and in several flags. A job file takes names with `,` or `=`. */
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
    throw wrongFlag('fill', `--fill ${text}: write email=COLUMN or phone=COLUMN.`);
  });
  return Object.fromEntries(pairs);
}

/** `find_email=0.5,find_phone=10`. @throws SluiceError `usage` */
function parsePrices(text: string): Record<string, number> {
  const pairs = text.split(',').map((pair): [string, number] => {
    const [, ask = '', price = ''] = /^\s*([a-z_]+)\s*=\s*(\d+(?:\.\d+)?)\s*$/.exec(pair) ?? [];
    if ((ASKS as readonly string[]).includes(ask)) return [ask, Number(price)];
    throw wrongFlag(
      'prices',
      `--prices ${pair}: write ASK=CREDITS, with one of ${ASKS.join(', ')}, like find_email=0.5,find_phone=10.`,
    );
  });
  return Object.fromEntries(pairs);
}

/** The tables; each flag replaces one of the job's. */
function outOfFlags(flags: FlagValues, { out: base }: JobFile): unknown {
  const own: Partial<Record<'people' | FurtherTable, string | undefined>> =
    typeof base === 'object' ? base : { people: base };
  const {
    out: people = own.people,
    'out-positions': positions = own.positions,
    'out-companies': companies = own.companies,
  } = flags;
  if (positions === undefined && companies === undefined) return people;
  if (people !== undefined) return withoutUndefined({ people, positions, companies });
  const flag = positions === undefined ? 'out-companies' : 'out-positions';
  throw wrongFlag(flag, `--${flag}: the table of the people is missing: give --out.`);
}

function listOfFlags({ list, 'list-where': where }: FlagValues, base: JobFile): object | undefined {
  if (list === undefined && where === undefined) return undefined;
  const name = list ?? base.list?.name;
  if (name === undefined) {
    throw wrongFlag('list-where', '--list-where: the list is missing: give --list.');
  }
  return { ...base.list, name, ...(where === undefined ? {} : { where }) };
}

/**
 * Texts like `firstName=Ada`, by the name before the first `=`; `flag` and `value` are the words for an error.
 * @throws SluiceError `usage` for another name, or a name given twice
 */
export function parseInputs<Name extends ColumnInput>(
  flag: string,
  { inputs: all, value }: { readonly inputs: readonly Name[]; readonly value: string },
  texts: readonly string[],
): Partial<Record<Name, string>> {
  const inputs: Partial<Record<Name, string>> = {};
  const wrong = (message: string) => wrongFlag(flag.replace(/^--/, ''), message);
  for (const text of texts) {
    const at = text.indexOf('=');
    const written = text.slice(0, at === -1 ? undefined : at);
    const input = all.find((one) => one === written);
    if (at === -1 || input === undefined) {
      const near = nearestNames(written, all)[0];
      const hint = near === undefined ? '' : ` Did you mean ${near}?`;
      const names = all.join(', ');
      throw wrong(`${flag} ${text}: write INPUT=${value}, with one of ${names}.${hint}`);
    }
    if (Object.hasOwn(inputs, input)) {
      throw wrong(`${flag} ${input} is given twice. Give it once.`);
    }
    inputs[input] = text.slice(at + 1);
  }
  return inputs;
}

/** A job file by its path, or by its name in jobs/; flags override its keys. */
export async function loadJobSettings(job: string, flags: FlagValues): Promise<JobSettings> {
  const environment = commandEnvironment();
  const path = JOB_FILE.test(job) || existsSync(job) ? job : `jobs/${job}.yaml`;
  if (!existsSync(path)) throw noSuchJob(job, path);
  if (LEAD_FILE.test(path)) throw notAJob(path);
  const file = await loadJob(path, environment.variable, environment.checkFilled);
  const name = basename(path).replace(JOB_FILE, '');
  return { ...resolveJobSettings(name, jobOfFlags(flags, file), environment), file: path };
}

function notAJob(path: string): SluiceError {
  return new SluiceError(
    'usage',
    `${path} is a file of leads, not a job. Enrich it with: sluice enrich ${shellWord(path)}`,
    { path },
  );
}

function noSuchJob(job: string, path: string): SluiceError {
  const files = existsSync('jobs') ? readdirSync('jobs') : [];
  const names = files
    .filter((file) => JOB_FILE.test(file))
    .map((file) => file.replace(JOB_FILE, ''));
  const [near] = nearestNames(basename(path).replace(JOB_FILE, ''), names);
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
  return new SluiceError(
    'usage',
    `There is no job file ${path}; check its name and the folder you start from.${hint}`,
    { job, path },
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
  const isInput = argument === '-' || existsSync(argument) || /[*?{[.]/.test(argument);
  return !isInput;
}
