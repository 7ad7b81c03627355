// Sets up a job with the help of a person, or without: what the flags leave open is asked, or taken as usual.
import { type Environment, readEnvironment } from '../app/environment.js';
import { checkJobName, hopelessAsks, jobNameOf, usualAsk } from '../app/propose-job.js';
import { type InputSample, sampleInput } from '../app/sample-input.js';
import { type NewJob, refuseTaken, setUpJob } from '../app/set-up-job.js';
import type { JobFile } from '../config/job-schema.js';
import { loadDialect } from '../config/load-dialect.js';
import { ASKS, INPUTS, type InputName } from '../domain/ask.js';
import { SluiceError } from '../domain/errors.js';
import { isTargetUrl } from '../domain/listen-address.js';
import { type MappedInput, type MappingWish, resolveMapping } from '../domain/mapping.js';
import { printable } from '../domain/printable.js';
import { explainLacking } from '../domain/sufficiency.js';
import type { Requirements } from '../domain/terms.js';
import { isDropFolder } from '../input/drop-folder.js';
import { type FlagValues, jobOfFlags } from './job-flags.js';
import { describeMapping } from './run-and-report.js';
import { nextSteps } from './tell-next-steps.js';

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

type Say = (line: string) => void;

const SANDBOX = 'sandbox';

const WORDS: Readonly<Record<InputName, string>> = {
  email: 'an e-mail address',
  socialUrl: 'the URL of a profile',
  firstName: 'the first name',
  lastName: 'the last name',
  companyDomain: "the company's website or domain",
  companyName: "the company's name",
};

export async function initJob(wish: InitWish, answer: Answer, say: Say): Promise<void> {
  const environment = readEnvironment();
  const { name, job, sources } = await gather(wish, answer, say, usualUrl(environment));
  const isForced = wish.force;
  const done = await setUpJob({ name, job, sources, isForced }, environment);
  for (const line of nextSteps(name, job, done, environment)) say(line);
}

/** One with a password in it would be shown, and could not be used. */
function usualUrl({ url }: Environment): string {
  return url !== undefined && isTargetUrl(url) ? url : SANDBOX;
}

async function gather(
  wish: InitWish,
  answer: Answer,
  say: Say,
  urlUsual: string,
): Promise<Omit<NewJob, 'isForced'>> {
  const { job: begun, sample } = await openInput(wish, answer);
  const name = wish.name ?? jobNameOf([begun.input].flat()[0] ?? '');
  checkJobName(name);
  refuseTaken(name, wish.force);
  const { columns, sources } = sample;
  const mapping = await mapColumns(columns, (begun.map ?? {}) as MappingWish, answer);
  say(`Columns: ${describeMapping(mapping)}`);

  let job: JobFile = { ...begun, map: { ...mapOf(mapping), ...begun.map } };
  /** Asks for a key that no flag gave. */
  const fill = async (key: Askable, question: string, usual: string) => {
    if (job[key] === undefined)
      job = await answer(question, usual, (text) => stated(key, text, job));
  };
  await fill('url', 'Base address of the platform (sandbox: try it for nothing)', urlUsual);
  const isReal = job.url !== SANDBOX;
  if (isReal) await fill('dialect', 'File that describes its names and paths, if it needs one', '');
  const { requires } = await loadDialect(job.dialect);
  job = await askWhat(job, mapping, requires, answer, say);
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
  if (text === SANDBOX || isAddress || text.includes('${')) return;
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

/** As the usual headers tell; where they tell nothing, and no flag does, somebody has to. */
async function mapColumns(
  columns: InputSample['columns'],
  wish: MappingWish,
  answer: Answer,
): Promise<readonly MappedInput[]> {
  try {
    return resolveMapping(columns, wish);
  } catch (problem) {
    if (!(problem instanceof SluiceError) || Object.keys(wish).length > 0) throw problem;
    return answerForColumns(columns, problem, answer);
  }
}

async function answerForColumns(
  columns: InputSample['columns'],
  problem: SluiceError,
  answer: Answer,
): Promise<readonly MappedInput[]> {
  const names = columns.map(({ key }) => printable(key)).join(', ');
  let about = `No header tells what is what. The columns are: ${names}.\n`;
  const map: Partial<Record<InputName, string>> = {};
  for (const input of INPUTS) {
    const question = `${about}Which column holds ${WORDS[input]}? (empty: none)`;
    about = '';
    const column = await answer(question, '', (text) => {
      if (text !== '') resolveMapping(columns, { [input]: text });
      return text;
    });
    if (column !== '') map[input] = column;
  }
  if (Object.keys(map).length === 0) throw problem;
  return resolveMapping(columns, map);
}

function mapOf(mapping: readonly MappedInput[]): JobFile['map'] {
  return Object.fromEntries(mapping.map(({ input, column }) => [input, column.key]));
}

async function askWhat(
  job: JobFile,
  mapping: readonly MappedInput[],
  requires: Requirements,
  answer: Answer,
  say: Say,
): Promise<JobFile> {
  const inputs = mapping.map(({ input }) => input);
  const judge = (asking: JobFile) => {
    const hopeless = hopelessAsks(asking.ask ?? ASKS, inputs, requires);
    if (hopeless.length > 0) {
      say(
        `No column suffices for all of it: ${explainLacking(hopeless, requires)}. The rest is asked.`,
      );
    }
    return asking;
  };
  if (job.ask !== undefined) return judge(job);
  const usual = usualAsk(inputs, requires);
  // Says what is lacking for each.
  if (usual === undefined) return judge(job);
  const question = `What to ask for, with commas between: ${ASKS.join(', ')}`;
  return answer(question, usual, async (text) => judge(await stated('ask', text, job)));
}

/** Beside the state file, and never the input itself. */
function usualOut(name: string, sources: readonly string[], isFolder: boolean): string {
  const out = `data/out/${name}.csv`;
  // Of a pattern, each run reads new files, and leaves the table of the others alone.
  if (isFolder) return out.replace('.csv', '-{date}-{run}.csv');
  return sources.some((source) => source.endsWith(out)) ? `data/out/${name}-enriched.csv` : out;
}
