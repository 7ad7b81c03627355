// sluice init FILE: writes a job for a file of leads, and asks the questions that the flags leave open.
import { existsSync } from 'node:fs';
import { judgeFirst, lackOfFirst, lookAtInput } from '../../../app/plan/first-look.js';
import { tellMapping } from '../../../app/results/tell-line.js';
import { ENV_EXAMPLE, ENV_FILE } from '../../../app/settings/env-file.js';
import { type Environment, SANDBOX_URL } from '../../../app/settings/environment.js';
import {
  checkBaseUrl,
  checkJobName,
  guessesBefore,
  hopelessAsks,
  jobNameOf,
  type NewJob,
  refuseTaken,
  type SetUpJob,
  setUpJob,
  usualAsk,
  usualNeeds,
  usualOut,
  usualUrl,
} from '../../../app/settings/set-up-job.js';
import type { JobFile } from '../../../config/job-schema.js';
import { checkAsks, loadDialect } from '../../../config/load-dialect.js';
import { type Auth, secretVariables } from '../../../dialect/auth.js';
import type { Dialect } from '../../../dialect/dialect.js';
import { offeredAsks } from '../../../dialect/forms.js';
import {
  type Ask,
  explainLacking,
  INPUTS,
  type InputName,
  inputsOf,
  needsOf,
  nextInput,
} from '../../../model/ask.js';
import { SluiceError } from '../../../model/errors.js';
import type { Column } from '../../../model/lead.js';
import { nameOfMapped } from '../../../model/mapping/find-column.js';
import { describeLookAlikes } from '../../../model/mapping/look-alikes.js';
import type { MappedInput, MappingWish } from '../../../model/mapping/mapping.js';
import { columnsToTell } from '../../../model/mapping/tell-columns.js';
import { formatCount, formatNumber } from '../../../model/text/count.js';
import { printable, shellWord } from '../../../model/text/printable.js';
import { type Answer, type Asker, withAsker } from '../../ask.js';
import { command, SWITCH, TEXT } from '../../command.js';
import { commandEnvironment } from '../../command-environment.js';
import { type FlagValues, jobOfFlags, withJobFlags } from '../../job-flags.js';
import { describeDetection } from '../../print/describe-event.js';

interface InitArguments extends FlagValues {
  readonly file: string | undefined;
  readonly name: string | undefined;
  readonly yes: boolean;
  readonly force: boolean;
}

export const initCommand = command<InitArguments>({
  builder: (yargs) =>
    withJobFlags(yargs)
      .positional('file', { type: 'string', describe: 'Your file of leads: CSV, NDJSON or XLSX' })
      .nargs('file', 1) // so that - is not taken for no file
      .options({
        name: { ...TEXT, describe: 'Name of the job (default: after the file)' },
        yes: {
          ...SWITCH,
          alias: 'y',
          describe: 'Ask nothing, and take what is usual where no flag says otherwise',
        },
        force: { ...SWITCH, describe: 'Replace files that are there' },
      })
      .example('$0 init leads.csv', 'Asks a few questions, and writes jobs/leads.yaml')
      .example('$0 init leads.csv --yes', 'Asks none: a job for the sandbox, which costs nothing'),
  handler: async (args) =>
    withAsker(args.yes, async (asker) => {
      const environment = commandEnvironment();
      const wish = await gather(args, asker, environment);
      const done = await setUpJob({ ...wish, isForced: args.force }, environment);
      const { auth } = await loadDialect(wish.job.dialect);
      console.log(nextSteps(wish, done, { environment, auth }).join('\n'));
    }),
});

/** The job, from the flags and the answers to the questions that they leave open. */
async function gather(
  args: InitArguments,
  { answer, canAsk }: Asker,
  environment: Environment,
): Promise<Omit<NewJob, 'isForced'>> {
  const { job: begun, sources, ...first } = await openInput(args, answer);
  const { columns } = first;
  const name = args.name ?? jobNameOf([begun.input].flat()[0] ?? '');
  checkJobName(name);
  refuseTaken(name, args.force);
  const wish = (begun.map ?? {}) as MappingWish;
  let judged = judgeFirst(first, { map: wish });
  const inputs = () => inputsOf(judged.mapping);
  const without = new Set(INPUTS.filter((input) => begun.map?.[input] === ''));
  const findColumns = async (goals: ColumnQuestions['goals']) => {
    if (!canAsk) return;
    const mapping = await askColumns(judged.mapping, { columns, goals, without, answer });
    judged = { ...judged, mapping };
  };
  // Asked first: if no column suffices, the other answers would be in vain.
  const usualDialect = await loadDialect(begun.dialect);
  const { requires: usually } = usualDialect;
  checkAsks(usualDialect, 'ask', begun.ask ?? []);
  const offered = offeredAsks(usualDialect);
  /** `Website 2 looks like it: …` */
  const looksLike = (ask: readonly Ask[], dialect: Dialect): string => {
    const { alike } = lackOfFirst(judged, ask, dialect);
    return alike.length === 0 ? '' : printable(`${describeLookAlikes(alike)}. `);
  };
  await findColumns(
    begun.ask?.map((one) => needsOf(usually, one)) ?? [usualNeeds(usually, offered)],
  );
  const usualAsks = begun.ask ?? [usualAsk(inputs(), usually, offered)];
  const hint = looksLike(usualAsks, usualDialect);
  const named = columnsToTell(columns, first.records);
  hopelessAsks(usualAsks, inputs(), usually, { columns: named, looksLike: hint });

  let job: JobFile = begun;
  /** Asks for a key that no flag gave. */
  const fill = async (key: Askable, question: string, usual: string) => {
    if (job[key] === undefined)
      job = await answer(question, usual, (text) => stated(key, text, job));
  };
  await fill(
    'url',
    'Base address of the platform (sandbox: try it for free)',
    usualUrl(environment),
  );
  const isReal = job.url !== SANDBOX_URL;
  if (isReal) await fill('dialect', 'File that describes its names and paths, if it needs one', '');
  const dialect = await loadDialect(job.dialect);
  const { requires } = dialect;
  const asks = offeredAsks(dialect);
  const question = `The values to ask for, with commas between: ${asks.join(', ')}`;
  await fill('ask', question, usualAsk(inputs(), requires, asks));
  const { ask = [] } = job;
  checkAsks(dialect, 'ask', ask);
  // Known only now: an address is no input for finding one, and guesses of an earlier run stay.
  const former = await guessesBefore(name, job, environment);
  const ofUser = judged.mapping.filter(({ isGuessed }) => !isGuessed);
  judged = judgeFirst(first, { ask, former, map: { ...wish, ...wishOf(ofUser) } });
  console.log(`Columns: ${tellMapping(judged.mapping)}`);
  await findColumns(ask.map((one) => needsOf(requires, one)));
  const hopeless = hopelessAsks(ask, inputs(), requires, {
    columns: named,
    looksLike: looksLike(ask, dialect),
  });
  if (hopeless.length > 0) {
    const lacking = explainLacking(hopeless, requires);
    console.log(`No column suffices for all of it: ${lacking}. Only the rest is asked for.`);
  }
  const lack = describeFirst(lackOfFirst(judged, ask, dialect));
  if (lack !== '') console.log(printable(lack));
  job = { ...job, map: { ...wishOf(judged.mapping), ...begun.map } };
  const outUsual = await usualOut(name, begun.input, sources);
  await fill('out', 'The file of the table', outUsual);
  await fill('budget', 'Most credits that one run may spend (empty: no limit)', '');
  if (isReal && job.collect === undefined && job.listen === undefined) {
    const question = 'Public address at which results can be delivered here (empty: ask for them)';
    await fill('public-url', question, '');
  }
  return { name, job: { ...job, out: job.out ?? outUsual }, sources };
}

/** A sentence about the first leads that a job would skip, if these are most of them. */
function describeFirst({ alike, leads, skipped }: ReturnType<typeof lackOfFirst>): string {
  if (skipped * 2 <= leads) return '';
  const would = `Of the first ${formatCount(leads, 'lead')} ${formatNumber(skipped)} would be skipped`;
  return alike.length === 0
    ? `${would}, since cells are empty or hold something else. Look at them with "sluice plan".`
    : `${would}: ${describeLookAlikes(alike)}`;
}

function wishOf(mapping: readonly MappedInput[]): MappingWish {
  return Object.fromEntries(mapping.map((mapped) => [mapped.input, nameOfMapped(mapped)]));
}

type Askable = 'url' | 'dialect' | 'ask' | 'out' | 'budget' | 'public-url';

/** The job with one more key; an empty text leaves it out. */
async function stated(key: Askable, text: string, job: JobFile): Promise<JobFile> {
  if (text === '') return job;
  const filled = jobOfFlags({ [key]: key === 'budget' ? Number(text) : text }, job);
  if (key === 'dialect') await loadDialect(filled.dialect);
  if (key === 'url') checkBaseUrl(text);
  return filled;
}

/** The job as far as the flags state it, and the first records of its input. */
async function openInput(args: InitArguments, answer: Answer) {
  const open = async (file: string) => {
    if (file === '') throw new SluiceError('usage', 'Name your file of leads: sluice init FILE.');
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

const WORDS: Readonly<Record<InputName, string>> = {
  email: 'an e-mail address',
  socialUrl: 'the URL of a profile',
  firstName: 'the first name',
  lastName: 'the last name',
  companyDomain: "the company's website or domain",
  companyName: "the company's name",
};
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
    const question = `${about}Which column holds ${WORDS[wanted]}? (its number or name; Enter: none)`;
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

/** The source of the credentials, and the kind that the platform asks for. */
interface Who {
  readonly environment: Environment;
  readonly auth: Auth;
}

/** The files that were written, and the next commands. */
function nextSteps(
  { name, job }: Omit<NewJob, 'isForced'>,
  { path, written, isExampleKept }: SetUpJob,
  { environment, auth }: Who,
): string[] {
  // If a file or folder has the job's name, the argument would mean that.
  const argument = shellWord(existsSync(name) ? path : name);
  const kept = `${ENV_EXAMPLE} was there already, and is left as it is; --force replaces it.`;
  const fill = `cp ${ENV_EXAMPLE} ${ENV_FILE} && chmod 600 ${ENV_FILE}   # then fill in ${secretVariables(auth)}`;
  const isSandbox = job.url === SANDBOX_URL;
  return [
    `Wrote ${printable(written.join(', '))}.`,
    ...(isExampleKept ? [kept] : []),
    '',
    'Next:',
    ...(isSandbox || hasCredentials({ environment, auth }) ? [] : [`  ${fill}`]),
    `  sluice plan ${argument}     what it would cost; sends nothing`,
    `  sluice doctor ${argument}   whether everything is ready`,
    `  sluice run ${argument}      do it`,
    ...(isSandbox
      ? [
          '',
          `This job asks the sandbox, which makes everything up. For the platform itself, write its address at url: in ${path}, and:`,
          `  ${fill}`,
        ]
      : []),
  ];
}

function hasCredentials({ environment, auth }: Who): boolean {
  try {
    environment.credentials(auth);
    return true;
  } catch {
    return false;
  }
}
