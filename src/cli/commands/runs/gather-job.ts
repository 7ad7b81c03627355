// Gathers a new job: from the flags, the input, and a person's answers to the questions that they leave open.

import {
  describeFirstLack,
  judgeFirst,
  lackOfFirst,
  lookAtInput,
} from '../../../app/plan/first-look.js';
import { type Environment, SANDBOX_URL } from '../../../app/settings/environment.js';
import {
  checkBaseUrl,
  checkJobName,
  guessesBefore,
  hopelessAsks,
  jobNameOf,
  usualAsk,
  usualOut,
  usualUrl,
} from '../../../app/settings/new-job.js';
import { type NewJob, refuseTaken } from '../../../app/settings/set-up-job.js';
import type { JobFile } from '../../../config/job-schema.js';
import { checkAsks, loadDialect } from '../../../config/load-dialect.js';
import { offeredAsks } from '../../../dialect/forms.js';
import {
  explainLacking,
  INPUTS,
  type InputName,
  inputsOf,
  needsOf,
  nextInput,
} from '../../../model/ask.js';
import { wrongUse } from '../../../model/errors.js';
import type { Column } from '../../../model/lead.js';
import { columnsToName, nameOfMapped } from '../../../model/mapping/find-column.js';
import { describeLookAlikes } from '../../../model/mapping/look-alikes.js';
import type { MappedInput, MappingWish } from '../../../model/mapping/mapping.js';
import { tellMapping } from '../../../model/mapping/tell-columns.js';
import { formatNumber } from '../../../model/text/count.js';
import { printable } from '../../../model/text/printable.js';
import { highestPrice } from '../../../model/verdict.js';
import { INPUT_WORDS } from '../../../tell/shared.js';
import type { Answer, Asker } from '../../ask.js';
import { type FlagValues, jobOfFlags } from '../../job-flags.js';
import { describeDetection } from '../../print/describe-event.js';

export interface JobArguments extends FlagValues {
  readonly file: string | undefined;
  readonly name: string | undefined;
  readonly force: boolean;
}

/** The job, from the flags and the answers to the questions that they leave open. */
export async function gatherJob(
  args: JobArguments,
  { answer, canAsk }: Asker,
  environment: Environment,
): Promise<NewJob> {
  const { job: begun, sources, ...first } = await openInput(args, answer);
  const { columns, records } = first;
  const name = args.name ?? jobNameOf([begun.input].flat()[0] ?? '');
  checkJobName(name);
  refuseTaken(name, args.force);

  let job: JobFile = begun;
  /** Asks for a key that no flag gave. */
  const fill = async (key: Askable, question: string, usual: string) => {
    if (job[key] === undefined)
      job = await answer(question, usual, (text) => stated(key, text, job));
  };
  const trial = 'Base address of the platform (sandbox: try it for free)';
  await fill('url', trial, usualUrl(environment));
  const isReal = job.url !== SANDBOX_URL;
  if (isReal) await fill('dialect', 'File that describes its names and paths, if it needs one', '');
  const dialect = await loadDialect(job.dialect);
  const { requires } = dialect;
  const map = (begun.map ?? {}) as MappingWish;
  const offered = offeredAsks(dialect);
  const usual = usualAsk(inputsOf(judgeFirst(first, { map }).mapping), requires, offered);
  await fill('ask', `The values to ask for, with commas between: ${offered.join(', ')}`, usual);
  const { ask = [] } = job;
  checkAsks(dialect, 'ask', ask);

  // Known only now: an address is no input for finding one, and guesses of an earlier run stay.
  const former = await guessesBefore(name, job, environment);
  let judged = judgeFirst(first, { ask, former, map });
  console.log(`Columns: ${tellMapping(judged.mapping)}`);
  if (canAsk) {
    const without = new Set(INPUTS.filter((input) => map[input] === ''));
    const goals = ask.map((one) => needsOf(requires, one));
    const mapping = await askColumns(judged.mapping, { columns, goals, without, answer });
    judged = { ...judged, mapping };
  }
  const lack = lackOfFirst(judged, ask, dialect);
  const hopeless = hopelessAsks(ask, inputsOf(judged.mapping), requires, {
    columns: columnsToName(columns, records),
    looksLike: lack.alike.length === 0 ? '' : printable(`${describeLookAlikes(lack.alike)}. `),
  });
  if (hopeless.length > 0) {
    const lacking = explainLacking(hopeless, requires);
    console.log(`No column suffices for all of it: ${lacking}. Only the rest is asked for.`);
  }
  const skipped = describeFirstLack(lack);
  if (skipped !== '') console.log(printable(skipped));
  job = { ...job, map: { ...wishOf(judged.mapping), ...begun.map } };
  const outUsual = await usualOut(name, begun.input, sources);
  await fill('out', 'The file of the table', outUsual);
  await fill('budget', 'Most credits that one run may spend (empty: no limit)', '');
  const most = highestPrice(ask, { ...dialect.prices, ...job.prices });
  if (typeof job.budget === 'number' && job.budget < most) {
    console.log(
      `The budget of ${formatNumber(job.budget)} is too little for one request, which may cost ${formatNumber(most)}: a run sends nothing.`,
    );
  }
  if (isReal && job.collect === undefined && job.listen === undefined) {
    const question = 'Public address at which results can be delivered here (empty: ask for them)';
    await fill('public-url', question, '');
  }
  return { name, job: { ...job, out: job.out ?? outUsual }, sources };
}

function wishOf(mapping: readonly MappedInput[]): MappingWish {
  return Object.fromEntries(mapping.map((mapped) => [mapped.input, nameOfMapped(mapped)]));
}

type Askable = 'url' | 'dialect' | 'ask' | 'out' | 'budget' | 'public-url';

/** The job with one more key; an empty text leaves it out. */
async function stated(key: Askable, text: string, job: JobFile): Promise<JobFile> {
  if (text === '') return job;
  const flags =
    key === 'public-url'
      ? { set: [`${key}=${text}`] }
      : { [key]: key === 'budget' ? Number(text) : text };
  const filled = jobOfFlags(flags, job);
  if (key === 'dialect') await loadDialect(filled.dialect);
  if (key === 'url') checkBaseUrl(text);
  return filled;
}

/** The job as far as the flags state it, and the first records of its input. */
async function openInput(args: JobArguments, answer: Answer) {
  const open = async (file: string) => {
    if (file === '') throw wrongUse('Name your file of leads: sluice init FILE.');
    const job = jobOfFlags(args, { input: file });
    const look = await lookAtInput(job);
    const sheet = look.detected?.find(({ what }) => what === 'sheet');
    if (sheet === undefined) return { job, ...look };
    console.log(describeDetection(sheet));
    // The job reads the sheet that is seen now, whatever sheets are added.
    return { ...look, job: { ...job, sheet: sheet.value } };
  };
  return args.file === undefined ? answer('The file with your leads', '', open) : open(args.file);
}

/** Thousands of columns would push the question off the screen. Columns that are not shown can be named. */
const COLUMNS_SHOWN_MAX = 60;

interface ColumnQuestions {
  readonly columns: readonly Column[];
  /** For each goal, the alternative sets of inputs that suffice. */
  readonly goals: readonly (readonly (readonly InputName[])[])[];
  /** Inputs without a column; an input is added if the user names no column for it. */
  readonly without: Set<InputName>;
  readonly answer: Answer;
}

/** Asks for the columns of inputs until the inputs suffice for the goals. Returns `mapping` with the answers. */
async function askColumns(
  mapping: readonly MappedInput[],
  { columns, goals, without, answer }: ColumnQuestions,
): Promise<readonly MappedInput[]> {
  let mapped = mapping;
  let about = `The headers do not name every input that is needed. The columns are:\n${listOf(columns)}\n`;
  const next = () => {
    const inputs = inputsOf(mapped);
    return goals.map((goal) => nextInput(goal, inputs, without)).find((one) => one !== undefined);
  };
  for (let input = next(); input !== undefined; input = next()) {
    const wanted = input;
    const question = `${about}Which column holds the ${INPUT_WORDS[wanted].toLowerCase()}? (its number or name; Enter: none)`;
    about = '';
    const found = await answer(question, '', (text) =>
      text === '' ? undefined : columnOf(columns, wanted, text),
    );
    if (found === undefined) without.add(wanted);
    else mapped = [...mapped, found];
  }
  return mapped;
}

/** @throws SluiceError if there is no such column */
function columnOf(
  columns: readonly Column[],
  input: InputName,
  text: string,
): MappedInput | undefined {
  const isName = columns.some(({ key, name }) => key === text || name === text);
  const numbered = /^\d+$/.test(text) && !isName ? columns[Number(text) - 1]?.key : undefined;
  const { mapping } = judgeFirst({ columns, records: [] }, { map: { [input]: numbered ?? text } });
  return mapping.find((one) => one.input === input);
}

function listOf(columns: readonly Column[]): string {
  const shown = columns.slice(0, COLUMNS_SHOWN_MAX);
  const lines = shown.map(({ key }, at) => `${String(at + 1).padStart(4)}  ${printable(key)}`);
  const more = columns.length - shown.length;
  return [...lines, ...(more === 0 ? [] : [`      and ${more} more`])].join('\n');
}
