// The pages for trying a file: it is dropped, its columns are shown and corrected, then its cost is shown, and only
// then it is run, in the sandbox or for real with a budget.
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type FirstLook, firstValuesOf } from '../../app/plan/read-input.js';
import { SANDBOX_URL } from '../../app/settings/environment.js';
import { writeJob } from '../../config/write-job.js';
import { detectFormat } from '../../input/sources/probe-source.js';
import { ASKS, COLUMN_INPUTS } from '../../model/ask.js';
import { SluiceError } from '../../model/errors.js';
import {
  cellAt,
  type FoundColumn,
  findMapped,
  nameOfMapped,
} from '../../model/mapping/find-column.js';
import { type MappedInput, mapColumns } from '../../model/mapping/mapping.js';
import { cutText } from '../../model/text/count.js';
import { exactText } from '../../model/text/json.js';
import { confirmationForm } from '../confirmation.js';
import type { PageContent, UiAction, UiContext, UiPage } from '../page.js';
import { PATHS, pathTo } from '../paths.js';
import type { Visit } from '../server/routes.js';
import { costOfForecast, layOutForecast } from '../start/forecast-view.js';
import { budgetIn, checkStanding, planApart, standingOf } from '../start/start-job.js';
import {
  columnsOffered,
  type LookedAt,
  lookAgain,
  lookAtUpload,
  NO_COLUMN,
  placesOf,
  type ReadWish,
  readWish,
  type TriedJob,
  triedJob,
} from './tried-job.js';
import { type Columns, layOutColumns, layOutDrop, NAME_MAX } from './try-view.js';
import { findUpload, keepUpload, UPLOAD_BYTES_MAX, type Upload } from './uploads.js';

const VALUES_SHOWN = 3;
/** The number of lines that are shown as possible headers. */
const LINES_SHOWN = 5;
/** The limit for a job's name: a job file has 64 KiB at most. */
const JOB_NAME_MAX = 1_000;

export const tryPage: UiPage = {
  path: PATHS.drop,
  load: async ({ isReadOnly }, { token }) => ({
    title: 'Try a file',
    body: layOutDrop({ token, isReadOnly, bytesMax: UPLOAD_BYTES_MAX }),
  }),
};

export const dropAction: UiAction = {
  path: PATHS.drop,
  bodyBytesMax: UPLOAD_BYTES_MAX,
  act: async ({ clock, state }, { body, query }) => {
    const { id } = keepUpload(state, { body, name: query.get('name') ?? '', at: clock.now() });
    return { goto: pathTo(PATHS.columns, { upload: id }) };
  },
};

export const columnsPage: UiPage = {
  path: PATHS.columns,
  load: (context, visit) =>
    withLook(context, visit, async (upload, first, query) => {
      // The form's values, if the user comes back from the plan or reads it in another way.
      const chosen = query.has('where') ? query : null;
      const wish = readWish(query);
      return showColumns(context, { upload, first, wish, chosen, trouble: null });
    }),
};

/** Shows a file, or the place to drop another if the file is wrong. */
async function withLook(
  { isReadOnly, state }: UiContext,
  { params, query, token }: Visit,
  show: (upload: Upload, first: FirstLook, query: URLSearchParams) => Promise<PageContent>,
): Promise<PageContent> {
  const upload = findUpload(state, params['upload'] ?? '');
  let looked: LookedAt;
  try {
    looked = await lookAgain(upload, query);
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error;
    const trouble = tellTrouble(error, upload);
    const drop = { token, isReadOnly, bytesMax: UPLOAD_BYTES_MAX, trouble };
    return { title: 'Try a file', body: layOutDrop(drop), status: 400 };
  }
  return show(upload, looked.first, looked.form);
}

interface ColumnsShown extends Pick<Columns, 'chosen' | 'trouble'> {
  readonly upload: Upload;
  readonly first: FirstLook;
  /** The chosen way to read the file. */
  readonly wish: ReadWish;
}

/** The form of the columns, with the error in the choice. */
async function showColumns(
  context: UiContext,
  { chosen, first, trouble, upload, wish }: ColumnsShown,
): Promise<PageContent> {
  const { columns, records } = first;
  const firstValues = firstValuesOf(first);
  const guessed = mapColumns(columns, {}, { ask: ['find_email'], firstValues });
  const others = mapColumns(columns, {}, { ask: ASKS, firstValues });
  const title = 'Which column is which?';
  const body = layOutColumns({
    title,
    path: pathTo(PATHS.tryPlan, { upload: upload.id }),
    again: pathTo(PATHS.columns, { upload: upload.id }),
    file: upload.label,
    sheets: await sheetsOf(upload, first, wish),
    header: headerOf(upload, first, wish),
    columns: columnsOffered(first).map(({ key, name }) => ({
      name,
      values: valuesIn(records, findMapped(columns, key)),
    })),
    inputs: COLUMN_INPUTS.map((input) => ({
      input,
      guess: nameIn(guessed, input),
      other: nameIn(others, input),
    })),
    noColumn: NO_COLUMN,
    asks: ASKS,
    places: placesOf(context),
    chosen,
    trouble,
  });
  return { title, body, status: trouble === null ? 200 : 400 };
}

/** The sheets of a workbook with several; the one that is shown comes first. */
async function sheetsOf(
  upload: Upload,
  first: FirstLook,
  { sheet: chosen }: ReadWish,
): Promise<Columns['sheets']> {
  const guess = chosen === undefined ? first : await lookAtUpload(upload, {});
  const found = guess.detected?.find(({ what }) => what === 'sheet');
  if (found === undefined) return [];
  const names = [found.value, ...(found.others ?? []).map(({ sheet }) => sheet)];
  const shown = chosen ?? found.value;
  return [shown, ...names.filter((name) => name !== shown)];
}

/** The line with the names of the columns, as far as it is known, and the first lines below it. */
function headerOf(
  { file }: Upload,
  { detected = [], records }: FirstLook,
  { 'header-row': chosen }: ReadWish,
): Columns['header'] {
  if (detectFormat(file, '') === 'ndjson') return null;
  const guessed = detected.find(({ what }) => what === 'header')?.value;
  return {
    chosen: chosen ?? null,
    line: chosen === undefined ? (guessed ?? null) : String(chosen),
    below: records.slice(0, LINES_SHOWN).map(({ cells, line }) => ({
      line,
      cells: cells.map((cell) => exactText(cell ?? '').trim()).filter((text) => text !== ''),
    })),
  };
}

/** The first different values of a column. */
function valuesIn(
  records: FirstLook['records'],
  found: FoundColumn | undefined,
): readonly string[] {
  const values = new Set<string>();
  for (const { cells } of records) {
    const text = exactText((found && cellAt(found, cells)) ?? '').trim();
    if (text !== '') values.add(text);
    if (values.size === VALUES_SHOWN) break;
  }
  return [...values];
}

/** The error, with the file's name for its user, and without parts that only a command can be told. */
function tellTrouble({ logged }: SluiceError, { file, label }: Upload): string {
  const sentences = logged.replaceAll(file, label).split(/(?<=\.) (?=[A-Z])/);
  const told = sentences.filter((sentence) => !/(^|[\s"])--[a-z]/.test(sentence));
  if (told.length === sentences.length || told.length === 0) return sentences.join(' ');
  return [...told, 'Choose the columns below.'].join(' ');
}

function nameIn(mapping: readonly MappedInput[], input: string): string | null {
  const found = mapping.find((one) => one.input === input);
  return found === undefined ? null : nameOfMapped(found);
}

export const tryPlanPage: UiPage = {
  path: PATHS.tryPlan,
  load: (context, visit) =>
    withLook(context, visit, async (upload, first) => {
      try {
        return await showPlan(context, visit, upload, first);
      } catch (error) {
        const isOfForm = error instanceof SluiceError && ['usage', 'input'].includes(error.code);
        if (!isOfForm) throw error;
        const trouble = tellTrouble(error, upload);
        const wish = readWish(visit.query);
        return showColumns(context, { upload, first, wish, chosen: visit.query, trouble });
      }
    }),
};

async function showPlan(
  context: UiContext,
  { gone, query, token }: Visit,
  upload: Upload,
  first: FirstLook,
): Promise<PageContent> {
  const { isReadOnly, store } = context;
  // The state is read before the plan, so that changes in between are noticed.
  const seen = await standingOf(store, upload.job);
  const job = await triedJob(context, { upload, first, form: query });
  const inFolder = (folder: string) => writeTried(join(folder, basename(upload.jobFile)), job);
  const forecast = await planApart(context, inFolder, gone);
  const isSandbox = job.url === SANDBOX_URL;
  const columns = Object.entries(job.map).filter(([, name]) => name !== '');
  const isPartly = forecast.inPart.length > 0;
  const title = isSandbox ? 'Run it in the sandbox?' : 'Run it for real?';
  const confirmation = {
    title,
    sentences: [
      `File: ${upload.label}.`,
      `Columns: ${columns.map(([input, name]) => `${input} = ${cutText(name, NAME_MAX)}`).join(', ')}.`,
      isSandbox
        ? 'The sandbox makes everything up: its answers are of no use but to see how it goes.'
        : `The leads are sent to ${job.url}.`,
      'It runs in a process of its own: it goes on if these pages are closed.',
    ],
    cost: isSandbox ? 'nothing: the credits of the sandbox are made up.' : costOfForecast(forecast),
    facts: layOutForecast(forecast),
    choices: [
      {
        kind: 'number' as const,
        name: 'budget',
        label: 'Spend at most, in credits',
        hint: 'The run stops before it could cost more.',
        value: isPartly ? null : forecast.creditsMax,
        isRequired: true,
      },
    ],
    seen,
    button: isReadOnly ? null : isSandbox ? 'Run it in the sandbox' : 'Run it for real',
    isDangerous: !isSandbox,
    path: `${pathTo(PATHS.tryStart, { upload: upload.id })}?${query.toString()}`,
    back: `${pathTo(PATHS.columns, { upload: upload.id })}?${query.toString()}`,
  };
  return { title, body: confirmationForm(confirmation, token) };
}

export const tryStartAction: UiAction = {
  path: PATHS.tryStart,
  act: async (context, { form, params, query }) => {
    const { starter, state } = context;
    const upload = findUpload(state, params['upload'] ?? '');
    const first = await lookAtUpload(upload, readWish(query));
    const tried = await triedJob(context, { upload, first, form: query });
    const job = { ...tried, budget: budgetIn(form) };
    await checkStanding(context, upload.job, form);
    const { id } = starter.start(upload.job, ['run', upload.jobFile, '--quiet'], () => {
      mkdirSync(dirname(upload.jobFile), { recursive: true });
      writeTried(upload.jobFile, job);
    });
    return { goto: pathTo(PATHS.started, { started: id }) };
  },
};

/**
 * Writes the job file; returns its path.
 * @throws SluiceError `usage` for a column that a job file cannot name
 */
function writeTried(path: string, job: TriedJob): string {
  const names = Object.values(job.map);
  const odd = names.find((name) => name.includes('${') || name.length > JOB_NAME_MAX);
  if (odd !== undefined) {
    const why =
      odd.length > JOB_NAME_MAX
        ? `its name has more than ${JOB_NAME_MAX} characters`
        : '${ begins the name of an environment variable there';
    throw new SluiceError(
      'usage',
      `"${cutText(odd, NAME_MAX)}" cannot be used in a job file: ${why}. Rename the column first.`,
    );
  }
  writeFileSync(path, writeJob(path, job, undefined), { mode: 0o600 });
  return path;
}
