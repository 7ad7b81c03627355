// The job for a dropped file: a form may set these keys of it, and nothing else.
import { checkColumns } from '../../app/plan/check-columns.js';
import { type FirstLook, judgeFirst, lookAtInput } from '../../app/plan/first-look.js';
import { formerGuesses } from '../../app/run/asking-terms.js';
import { SANDBOX_URL } from '../../app/settings/environment.js';
import { resolveJobSettings, withoutUndefined } from '../../app/settings/job-settings.js';
import { ownJobs } from '../../app/settings/own-job.js';
import type { JobFile } from '../../config/job-schema.js';
import { loadJobDialect } from '../../config/load-dialect.js';
import { ASKS, type Ask, COLUMN_INPUTS, type ColumnInput, type Prices } from '../../model/ask.js';
import { parseColumns } from '../../model/columns/choose-columns.js';
import { SluiceError, unlessRefused, wrongUse } from '../../model/errors.js';
import type { Column } from '../../model/lead.js';
import { columnsToName, nameOfMapped } from '../../model/mapping/find-column.js';
import type { MappingWish } from '../../model/mapping/mapping.js';
import { cutText, formatNumber } from '../../model/text/count.js';
import { INPUT_WORDS } from '../../tell/shared.js';
import { loadOwnJob } from '../jobs/own-jobs.js';
import type { Choice } from '../links.js';
import { COLUMNS_MAX, NAME_MAX } from '../links.js';
import type { UiContext } from '../page.js';
import type { Upload } from './uploads.js';

export interface TriedJob extends JobFile {
  readonly url: string;
  readonly ask: Ask[];
  readonly map: MappingWish;
}

interface Place extends Choice {
  readonly prices: Prices;
}

/**
 * The places to run it: the sandbox, the platform of SLUICE_URL, or that of a job in jobs/ that can be read and is no
 * waterfall; `value` is in the form.
 */
export async function placesOf(context: UiContext): Promise<readonly Place[]> {
  const choices = [
    { value: SANDBOX_URL, words: 'the sandbox: costs nothing, and makes everything up' },
    ...(isReal(context.environment.url)
      ? [{ value: PLATFORM, words: 'the platform of SLUICE_URL, for real' }]
      : []),
    ...[...ownJobs().keys()].map((job) => ({
      value: JOB + job,
      words: `where the job ${job} asks`,
    })),
  ];
  const all = choices.map(async (choice) => {
    const prices = await pricesAt(context, choice.value);
    return prices === undefined ? [] : [{ ...choice, prices }];
  });
  return (await Promise.all(all)).flat();
}

function pricesAt(context: UiContext, place: string): Promise<Prices | undefined> {
  return unlessRefused(async () => {
    const { dialect, prices } = await placeOf(context, place);
    return (await loadJobDialect({ ask: [], dialect, prices })).prices;
  });
}

export const PLATFORM = 'platform';
const JOB = 'job ';

function isReal(url: string | undefined): url is string {
  return url !== undefined && url !== SANDBOX_URL;
}

/**
 * The form's wishes as a job; `form` has `ask`, `place`, the keys of `choicesIn`, and what columns are taken for.
 * Guesses are stated too: the run takes the columns that were shown.
 * @throws SluiceError `usage` if it states nothing of use
 */
export async function triedJob(
  context: UiContext,
  upload: Upload,
  first: FirstLook,
  form: URLSearchParams,
): Promise<TriedJob> {
  const ask = ASKS.filter((one) => form.getAll('ask').includes(one));
  if (ask.length === 0) throw wrongUse('Choose what to ask for.');
  const place = await placeOf(context, form.get('place') ?? SANDBOX_URL);
  const { environment, state, store } = context;
  const sheet = first.detected?.find(({ what }) => what === 'sheet')?.value;
  const job = {
    input: upload.file,
    out: upload.table,
    ask,
    state,
    ...readWish(form),
    ...(sheet !== undefined && { sheet }),
    ...choicesIn(form),
    ...place,
  };
  const wished = wishIn(form, first);
  const settings = resolveJobSettings(upload.job, { ...job, map: wished }, environment);
  const { mapping } = checkColumns(first, settings, {
    former: await formerGuesses(store, settings.job, settings.ask),
  });
  const named = mapping.map((mapped): [string, string] => [mapped.input, nameOfMapped(mapped)]);
  const tried = { ...job, map: { ...wished, ...Object.fromEntries(named) } };
  if (JSON.stringify(tried).includes('${')) {
    throw wrongUse(
      'A column, or what you have written, holds ${, which begins the name of an environment variable in a job file. Rename the column first.',
    );
  }
  return tried;
}

/** Which leads are asked, and which columns the table has. The schema of a job judges the values. */
function choicesIn(form: URLSearchParams) {
  const text = (name: string): string | undefined => form.get(name)?.trim() || undefined;
  const [sample, columns, email, phone] = ['sample', 'columns', 'fill-email', 'fill-phone'].map(
    text,
  );
  return {
    ...withoutUndefined({ where: text('where'), key: text('key') }),
    ...(sample !== undefined && { sample: Number(sample) }),
    ...(columns !== undefined && { columns: parseColumns([columns]) }),
    ...((email ?? phone) !== undefined && { fill: withoutUndefined({ email, phone }) }),
    ...(form.has('only-missing') && { 'only-missing': true }),
  };
}

/** The way to read a file, if it is not to be guessed. */
export type ReadWish = Pick<JobFile, 'sheet' | 'header-row'>;

export function readWish(query: URLSearchParams): ReadWish {
  const sheet = query.get('sheet');
  const wished = query.get('header-row');
  const row = wished === 'none' ? wished : Number(wished);
  return {
    ...(sheet !== null && { sheet }),
    ...((row === 'none' || (Number.isSafeInteger(row) && row > 0)) && { 'header-row': row }),
  };
}

/** @throws SluiceError `input` if it cannot be read, or has too many columns */
export async function lookAtUpload({ file }: Upload, wish: ReadWish): Promise<FirstLook> {
  const first = await lookAtInput({ input: file, ...wish });
  const { length } = first.columns;
  if (length <= COLUMNS_MAX) return first;
  throw new SluiceError(
    'input',
    `${file} has ${formatNumber(length)} columns, and these pages take ${formatNumber(COLUMNS_MAX)} at most. Leave out those that are not needed.`,
  );
}

/** The columns from which an input may be taken; the values inside in place of a column of objects or lists. */
export function columnsOffered({ columns, records }: FirstLook): readonly Column[] {
  return columnsToName(columns, records).slice(0, COLUMNS_MAX);
}

async function placeOf(
  context: UiContext,
  value: string,
): Promise<Pick<JobFile, 'dialect' | 'account' | 'rate' | 'prices'> & { readonly url: string }> {
  const { url } = context.environment;
  if (value === SANDBOX_URL) return { url: SANDBOX_URL };
  if (value === PLATFORM && isReal(url)) return { url };
  if (!value.startsWith(JOB)) throw wrongUse('Choose where to run it.');
  const { stated } = await loadOwnJob(value.slice(JOB.length), context);
  if (stated.waterfall !== undefined) {
    throw wrongUse('A waterfall asks in several places. Choose where to run it.');
  }
  const { account, dialect, prices, rate } = stated;
  return {
    url: stated.url ?? url ?? SANDBOX_URL,
    ...(account !== undefined && { account }),
    ...(dialect !== undefined && { dialect }),
    ...(prices !== undefined && { prices }),
    ...(rate !== undefined && { rate }),
  };
}

/** The guesses for columns, by their keys; a column that is not guessed is left out. */
export function guessesOf(first: FirstLook): ReadonlyMap<string, ColumnGuess['guesses']> {
  const usual = judgeFirst(first, { ask: ['find_email'] }).mapping.map(({ input }) => input);
  const guesses = new Map<string, ColumnGuess['guesses']>();
  for (const mapped of judgeFirst(first, { ask: ASKS }).mapping) {
    const { input } = mapped;
    const key = nameOfMapped(mapped);
    const guess = { input, isToVerify: !usual.includes(input) };
    guesses.set(key, [...(guesses.get(key) ?? []), guess]);
  }
  return guesses;
}

/** The column that is guessed for each input, by its key. */
export function guessedColumns(first: FirstLook): ReadonlyMap<ColumnInput, string> {
  return new Map(
    [...guessesOf(first)].flatMap(([key, all]) => all.map(({ input }) => [input, key] as const)),
  );
}

/** Says that a column replaces the guess; empty if it does not. */
export function insteadOf(guess: string | undefined, column: string): string {
  if (guess === undefined || guess === column) return '';
  return ` (not “${cutText(guess, NAME_MAX)}”, which was guessed)`;
}

function wishIn(form: URLSearchParams, first: FirstLook): MappingWish {
  const guesses = guessesOf(first);
  const refused: ColumnInput[] = [];
  const wished = new Map<ColumnInput, Column>();
  for (const [place, column] of columnsOffered(first).entries()) {
    const as = takenAt(form, place);
    if (as === undefined) continue;
    if (as === 'nothing') {
      refused.push(...(guesses.get(column.key) ?? []).map(({ input }) => input));
      continue;
    }
    const other = wished.get(as);
    if (other !== undefined) {
      const names = [other, column].map(({ name }) => `“${cutText(name, NAME_MAX)}”`).join(' and ');
      throw wrongUse(
        `${names} are both taken for the same: ${INPUT_WORDS[as]}. Take one of them for nothing.`,
      );
    }
    wished.set(as, column);
  }
  return {
    ...Object.fromEntries(refused.map((input) => [input, ''])),
    ...Object.fromEntries([...wished].map(([input, { key }]) => [input, key])),
  };
}

export type Taken = ColumnInput | 'nothing';

/** The inputs that a column is taken for unless the form says otherwise. `isToVerify`: only if an address is to be verified. */
export interface ColumnGuess {
  readonly guesses: readonly { readonly input: ColumnInput; readonly isToVerify: boolean }[];
}

export function takenName(place: number): string {
  return `as-${place}`;
}

/** What the form takes a column for; undefined if it says nothing of it. */
export function takenAt(form: URLSearchParams | null, place: number): Taken | undefined {
  const as = form?.get(takenName(place));
  return ([...COLUMN_INPUTS, 'nothing'] as const).find((one) => one === as);
}
