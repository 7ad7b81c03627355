// The flags that state a job, and the job of a command line. Everyday keys have a flag of their name; `--set` states the
// others.
import { existsSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { Options } from 'yargs';
import { type JobSettings, resolveJobSettings } from '../app/settings/job-settings.js';
import { ownJobs } from '../app/settings/own-job.js';
import type { Flag } from '../config/job-keys/key.js';
import {
  aboutKey,
  checkedJobSchema,
  type JobFile,
  type JobKeyName,
  jobKeys,
} from '../config/job-schema.js';
import { EVERY_KEY, loadJob } from '../config/load-job.js';
import { inPlainWords } from '../config/plain-words.js';
import { hasFlag, withSettings } from '../config/set-keys.js';
import { schemaProblem } from '../config/yaml-problem.js';
import { COLUMN_INPUTS } from '../model/ask.js';
import { parseColumns } from '../model/columns/choose-columns.js';
import { type SluiceError, wrongUse } from '../model/errors.js';
import type { OwnWish } from '../model/mapping/column-kinds.js';
import { didYouMean } from '../model/text/nearest.js';
import { shellWord } from '../model/text/printable.js';
import { commandEnvironment } from './command-environment.js';
import { texts } from './options.js';

const JOB_FILE = /\.ya?ml$/i;
const LEAD_FILE = /\.(csv|tsv|txt|ndjson|jsonl|xlsx|xlsm|gz)$/i;

/** The flags as yargs parses them: `map` is a list of INPUT=COLUMN, `ask` a comma-separated text. */
export type FlagValues = { readonly [K in JobKeyName | 'set']?: unknown };

const TEXT = { type: 'string', nargs: 1 } as const;
const FORMS: Readonly<Record<Flag, Options>> = {
  amount: TEXT,
  text: TEXT,
  number: { type: 'number', nargs: 1 },
  switch: { type: 'boolean' },
  words: TEXT,
  texts: { ...TEXT, array: true },
  pairs: { ...TEXT, array: true },
  columns: { ...TEXT, array: true },
};

export const SET_OPTION = texts('Another key of the job, as KEY=VALUE; "sluice keys" lists them');

/** The flags of the job, or only those of these keys, of which some must be given; `--set` states the other keys. */
export function jobFlags(names?: readonly JobKeyName[], must: readonly JobKeyName[] = []) {
  const own = jobKeys.filter(([name]) => names?.includes(name) ?? true);
  const flags = own.flatMap(([name, key]): [string, Options][] => {
    if (key.flag === undefined) return [];
    const option = { ...FORMS[key.flag], describe: aboutKey(key) };
    return [[name, { ...option, demandOption: must.includes(name) }]];
  });
  const grouped = [...flags, ['set', SET_OPTION] as const].map(([name, option]) => [
    name,
    { ...option, group: 'Job:' },
  ]);
  return Object.fromEntries(grouped) as { readonly [K in JobKeyName | 'set']: Options };
}

/**
 * The job that the flags state; they override `base`, which is a job file or just the input. `names` are the keys that
 * the command takes.
 * @throws SluiceError `usage` naming the flag
 */
export function jobOfFlags(
  flags: FlagValues,
  base: JobFile,
  names?: readonly JobKeyName[],
): JobFile {
  const stated = jobKeys.flatMap(([name, { flag, textPart }]) => {
    const value = flag && ofFlag(name, flag, flags[name], base[name]);
    if (value === undefined) return [];
    const before = base[name];
    if (textPart === undefined || typeof before !== 'object') return [[name, value]];
    return [[name, Object.assign({}, before, { [textPart]: value })]];
  });
  const { set = [] } = flags as { readonly set?: readonly string[] };
  const { variable } = commandEnvironment();
  const job = withSettings({ ...base, ...Object.fromEntries(stated) }, set, { names, variable });
  const parsed = checkedJobSchema.safeParse(job, { error: inPlainWords });
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  if (issue?.code === 'unrecognized_keys') {
    throw schemaProblem([issue], EVERY_KEY, { fail: unknownSetting });
  }
  const path = issue?.path ?? ['input'];
  const where = hasFlag(path) ? `--${String(path[0])}` : `--set ${path.join('.')}`;
  const key = `${path.join('.')}=`;
  const word = set.findLast((text) => text.startsWith(key))?.slice(key.length);
  if (issue?.code === 'invalid_type' && issue.expected === 'array' && word !== undefined) {
    throw wrongUse(`${where}: a list is wanted: write --set '${key}[${word}]'.`);
  }
  throw wrongUse(`${where}: ${issue?.message ?? 'is wrong'}.`);
}

function unknownSetting(_: unknown, message: string) {
  return wrongUse(`--set: ${message} "sluice keys" lists them.`);
}

/** The value that a flag states in the form of a job file; `base` is that of the job file. */
function ofFlag(name: JobKeyName, flag: Flag, value: unknown, base: unknown): unknown {
  if (value === undefined) return undefined;
  if (Array.isArray(value)) {
    const texts = value as readonly string[];
    if (flag === 'columns') return parseColumns(texts);
    if (flag !== 'pairs') return texts;
    return { ...(base as object | undefined), ...PAIRS[name as keyof typeof PAIRS](texts) };
  }
  if (flag === 'amount')
    return typeof value === 'string' && isNumeric(value) ? Number(value) : value;
  return typeof value === 'string' && flag === 'words'
    ? value.split(',').map((word) => word.trim())
    : value;
}

function isNumeric(text: string): boolean {
  return text.trim() !== '' && !Number.isNaN(Number(text));
}

const PAIRS = {
  map: (texts: readonly string[]) =>
    parseInputs('--map', { inputs: COLUMN_INPUTS, value: 'COLUMN' }, texts),
  fill: parseFill,
};

/** `email=Email` and `phone=Phone`, in several flags. @throws SluiceError `usage` */
function parseFill(texts: readonly string[]): OwnWish {
  const pairs = texts.map((text): [string, string] => {
    const [, kind = '', column = ''] = /^(email|phone)=(.*)$/s.exec(text) ?? [];
    if (column !== '') return [kind, column];
    throw wrongUse(`--fill ${text}: write email=COLUMN or phone=COLUMN.`);
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
      const hint = didYouMean(written, all);
      const names = all.join(', ');
      throw wrongUse(`${flag} ${text}: write INPUT=${value}, with one of ${names}.${hint}`);
    }
    if (Object.hasOwn(inputs, input)) {
      throw wrongUse(`${flag} ${input} is given twice. Give it once.`);
    }
    inputs[input] = text.slice(at + 1);
  }
  return inputs;
}

/** A job file by its path, or by its name in jobs/; flags override its keys. */
export async function loadJobSettings(job: string, flags: FlagValues): Promise<JobSettings> {
  const environment = commandEnvironment();
  const path = JOB_FILE.test(job) || isFile(job) ? job : `jobs/${job}.yaml`;
  if (LEAD_FILE.test(path) || (LEAD_FILE.test(job) && !existsSync(path))) {
    throw wrongUse(
      `${job} is a file of leads, not a job. Enrich it with: sluice enrich ${shellWord(job)}`,
    );
  }
  if (!existsSync(path)) throw noSuchJob(path);
  const file = await loadJob(path, environment.variable);
  const name = basename(path).replace(JOB_FILE, '');
  return { ...resolveJobSettings(name, jobOfFlags(flags, file), environment), file: path };
}

function noSuchJob(path: string): SluiceError {
  const hint = didYouMean(basename(path).replace(JOB_FILE, ''), [...ownJobs().keys()]);
  return wrongUse(
    `There is no job file ${path}; check its name and the folder you start from.${hint}`,
  );
}

/** A job of one input and flags. Its name is the input's, so that the same command finds its run again. */
export function settingsOfFlags(file: string, flags: FlagValues): JobSettings {
  const others = jobKeys.map(([name]) => name).filter((name) => name !== 'input');
  return settingsOfJob(file, { input: file }, flags, others);
}

/** A job without a file, of flags that override `base`. */
export function settingsOfJob(
  name: string,
  base: JobFile,
  flags: FlagValues,
  names?: readonly JobKeyName[],
): JobSettings {
  return resolveJobSettings(name, jobOfFlags(flags, base, names), commandEnvironment());
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
