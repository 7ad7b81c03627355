// Sets up a job with the help of a person, or without: what the flags leave open is asked, or taken as usual.
import { type Environment, SANDBOX_URL } from '../../app/environment.js';
import { type InputSample, sampleInput } from '../../app/plan/read-input.js';
import {
  checkJobName,
  hopelessAsks,
  jobNameOf,
  usualAsk,
  usualNeeds,
} from '../../app/setup/propose-job.js';
import { type NewJob, refuseTaken, setUpJob } from '../../app/setup/set-up-job.js';
import type { JobFile } from '../../config/job-schema.js';
import { loadDialect } from '../../config/load-dialect.js';
import { isDropFolder } from '../../input/sources/drop-folder.js';
import { ASKS, explainLacking, INPUTS } from '../../model/ask.js';
import { SluiceError } from '../../model/errors.js';
import { type MappedInput, type MappingWish, mapColumns } from '../../model/mapping.js';
import { isTargetUrl } from '../../model/text/address.js';
import { commandEnvironment } from '../command-environment.js';
import { type FlagValues, jobOfFlags } from '../flags/job-flags.js';
import { nextSteps } from '../print/print-next-steps.js';
import { describeMapping } from '../run-and-report.js';
import { askColumns, type ColumnQuestions } from './ask-columns.js';

export interface InitWish extends FlagValues {
  readonly file: string | undefined;
  readonly name: string | undefined;
  readonly force: boolean;
}

/**
 * Takes the answer to a question, or what is usual where the answer is empty or nobody is asked.
 * @throws whatever `accept` throws where nobody can be asked again
 */
export type Answer = <T>(
  question: string,
  usual: string,
  accept: (text: string) => T | Promise<T>,
) => Promise<T>;

/** Who answers. */
export interface Asker {
  readonly answer: Answer;
  /** Whether a person is there, and wants to be asked. */
  readonly canAsk: boolean;
}

type Say = (line: string) => void;

export async function initJob(wish: InitWish, asker: Asker, say: Say): Promise<void> {
  const environment = commandEnvironment();
  const { name, job, sources } = await gather(wish, asker, say, usualUrl(environment));
  const isForced = wish.force;
  const done = await setUpJob({ name, job, sources, isForced }, environment);
  for (const line of nextSteps(name, job, done, environment)) say(line);
}

/** One with a password in it would be shown, and could not be used. */
function usualUrl({ url }: Environment): string {
  return url !== undefined && isTargetUrl(url) ? url : SANDBOX_URL;
}

async function gather(
  wish: InitWish,
  { answer, canAsk }: Asker,
  say: Say,
  urlUsual: string,
): Promise<Omit<NewJob, 'isForced'>> {
  const { job: begun, sample } = await openInput(wish, answer);
  const name = wish.name ?? jobNameOf([begun.input].flat()[0] ?? '');
  checkJobName(name);
  refuseTaken(name, wish.force);
  const { columns, sources } = sample;
  let mapping: readonly MappedInput[] = mapColumns(columns, (begun.map ?? {}) as MappingWish);
  const inputs = () => mapping.map(({ input }) => input);
  const without = new Set(INPUTS.filter((input) => begun.map?.[input] === ''));
  const findColumns = async (goals: ColumnQuestions['goals']) => {
    if (canAsk) mapping = await askColumns(mapping, { columns, goals, without, answer });
  };
  // Before anything else is asked, lest all of it was typed for nothing.
  const { requires: usually } = await loadDialect(begun.dialect);
  await findColumns(begun.ask?.map((one) => usually[one]) ?? [usualNeeds(usually)]);
  hopelessAsks(begun.ask ?? [usualAsk(inputs(), usually)], inputs(), usually, columns);
  say(`Columns: ${describeMapping(mapping)}`);

  let job: JobFile = begun;
  /** Asks for a key that no flag gave. */
  const fill = async (key: Askable, question: string, usual: string) => {
    if (job[key] === undefined)
      job = await answer(question, usual, (text) => stated(key, text, job));
  };
  await fill('url', 'Base address of the platform (sandbox: try it for nothing)', urlUsual);
  const isReal = job.url !== SANDBOX_URL;
  if (isReal) await fill('dialect', 'File that describes its names and paths, if it needs one', '');
  const { requires } = await loadDialect(job.dialect);
  const asks = `What to ask for, with commas between: ${ASKS.join(', ')}`;
  await fill('ask', asks, usualAsk(inputs(), requires));
  const { ask = [] } = job;
  await findColumns(ask.map((one) => requires[one]));
  const hopeless = hopelessAsks(ask, inputs(), requires, columns);
  if (hopeless.length > 0) {
    const lacking = explainLacking(hopeless, requires);
    say(`No column suffices for all of it: ${lacking}. The rest is asked.`);
  }
  job = { ...job, map: { ...mapOf(mapping), ...begun.map } };
  const isFolder = await isDropFolder([begun.input].flat());
  const outUsual = usualOut(name, sources, isFolder);
  await fill('out', 'Where the table goes', outUsual);
  await fill('budget', 'Most credits that one run may spend (empty: no limit)', '');
  if (isReal && job.collect === undefined && job.listen === undefined) {
    const question = 'Public address at which results can be delivered here (empty: ask for them)';
    await fill('public-url', question, '');
  }
  return { name, job: { ...job, out: job.out ?? outUsual }, sources };
}

type Askable = 'url' | 'dialect' | 'ask' | 'out' | 'budget' | 'public-url';

/** The job with one key more; an empty text leaves it out. */
async function stated(key: Askable, text: string, job: JobFile): Promise<JobFile> {
  if (text === '') return job;
  const filled = jobOfFlags({ [key]: key === 'budget' ? Number(text) : text }, job);
  if (key === 'dialect') await loadDialect(filled.dialect);
  if (key === 'url') refuseNoAddress(text);
  return filled;
}

/** What stands in a `${…}` is not known before it is run. */
function refuseNoAddress(text: string): void {
  const isAddress = /^https?:\/\/[^\s/?#@]+(\/[^\s?#@]*)?$/i.test(text);
  if (text === SANDBOX_URL || isAddress || text.includes('${')) return;
  throw new SluiceError(
    'usage',
    'The base address is written like https://host/path, without a user name and a password; or it is sandbox.',
    { key: 'url' },
  );
}

async function openInput(
  wish: InitWish,
  answer: Answer,
): Promise<{ readonly job: JobFile; readonly sample: InputSample }> {
  const open = async (file: string) => {
    if (file === '') throw new SluiceError('usage', 'Name your file of leads: sluice init FILE.');
    const job = jobOfFlags(wish, { input: file });
    return { job, sample: await sampleInput(job) };
  };
  return wish.file === undefined
    ? answer('Which file holds your leads?', '', open)
    : open(wish.file);
}

function mapOf(mapping: readonly MappedInput[]): JobFile['map'] {
  return Object.fromEntries(mapping.map(({ input, column }) => [input, column.key]));
}

/** Beside the state file, and never the input itself. */
function usualOut(name: string, sources: readonly string[], isFolder: boolean): string {
  const out = `data/out/${name}.csv`;
  // Of a pattern, each run reads new files, and leaves the table of the others alone.
  if (isFolder) return out.replace('.csv', '-{date}-{run}.csv');
  return sources.some((source) => source.endsWith(out)) ? `data/out/${name}-enriched.csv` : out;
}
