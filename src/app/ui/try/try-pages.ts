// Trying a file: it is dropped on a page, its columns are shown and corrected, then what it would cost, and only then it
// is run, in the sandbox or for real with a budget.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { writeJob } from '../../../config/write-job.js';
import { confirmationForm } from '../../../html/pages/confirmation.js';
import { costOfForecast, layOutForecast } from '../../../html/pages/forecast.js';
import { type Columns, layOutColumns, layOutDrop } from '../../../html/pages/try.js';
import { ASKS, COLUMN_INPUTS } from '../../../model/ask.js';
import { SluiceError } from '../../../model/errors.js';
import { nameOfMapped } from '../../../model/mapping/find-column.js';
import { type MappedInput, mapColumns } from '../../../model/mapping/mapping.js';
import { exactText } from '../../../model/text/json.js';
import type { Visit } from '../../../ui/routes.js';
import { planJob } from '../../plan/plan-job.js';
import { type FirstLook, firstValuesOf, lookAtInput } from '../../plan/read-input.js';
import { SANDBOX_URL } from '../../settings/environment.js';
import { resolveJobSettings } from '../../settings/job-settings.js';
import { budgetIn, checkStanding, standingOf } from '../actions/start-job.js';
import type { PageContent, UiAction, UiContext, UiPage } from '../page.js';
import { NO_COLUMN, placesOf, triedJob } from './tried-job.js';
import { findUpload, keepUpload, UPLOAD_BYTES_MAX, type Upload } from './uploads.js';

const VALUES_SHOWN = 3;

export const tryPage: UiPage = {
  path: '/try',
  load: async ({ isReadOnly }, { token }) => ({
    title: 'Try a file',
    body: layOutDrop({ token, isReadOnly, bytesMax: UPLOAD_BYTES_MAX }),
  }),
};

export const dropAction: UiAction = {
  path: '/try',
  bodyBytesMax: UPLOAD_BYTES_MAX,
  act: async ({ clock, state }, { body, query }) => {
    const { id } = keepUpload(state, { body, name: query.get('name') ?? '', at: clock.now() });
    return { goto: `/try/${id}` };
  },
};

export const columnsPage: UiPage = {
  path: '/try/:upload',
  load: (context, visit) => {
    const upload = findUpload(context.state, visit.params['upload'] ?? '');
    return showColumns(context, visit, upload, { chosen: null, trouble: null });
  },
};

/** The form of the columns, with what is wrong with what was chosen; where the file is wrong, the place to drop another. */
async function showColumns(
  context: UiContext,
  { token }: Visit,
  upload: Upload,
  { chosen, trouble }: Pick<Columns, 'chosen' | 'trouble'>,
): Promise<PageContent> {
  let first: FirstLook;
  try {
    first = await lookAtInput({ input: upload.file });
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error;
    const { isReadOnly } = context;
    const said = tellTrouble(error, upload);
    const drop = { token, isReadOnly, bytesMax: UPLOAD_BYTES_MAX, trouble: said };
    return { title: 'Try a file', body: layOutDrop(drop), status: 400 };
  }
  const { columns, records } = first;
  const guessed = mapColumns(
    columns,
    {},
    { ask: ['find_email'], firstValues: firstValuesOf(first) },
  );
  const title = 'Which column is which?';
  const body = layOutColumns({
    title,
    path: `/try/${upload.id}/plan`,
    file: upload.label,
    columns: columns.map(({ name }, n) => ({ name, values: valuesIn(records, n) })),
    inputs: COLUMN_INPUTS.map((input) => ({
      input,
      guess: nameIn(guessed, input),
    })),
    noColumn: NO_COLUMN,
    asks: ASKS,
    places: placesOf(context),
    chosen,
    trouble,
  });
  return { title, body, status: trouble === null ? 200 : 400 };
}

/** The first values of a column that differ. */
function valuesIn(records: FirstLook['records'], column: number): readonly string[] {
  const values = new Set<string>();
  for (const { cells } of records) {
    const text = exactText(cells[column] ?? '').trim();
    if (text !== '') values.add(text);
    if (values.size === VALUES_SHOWN) break;
  }
  return [...values];
}

/** What is wrong, about the file as its user calls it, and without what only a command can be told. */
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
  path: '/try/:upload/plan',
  load: async (context, visit) => {
    const upload = findUpload(context.state, visit.params['upload'] ?? '');
    try {
      return await showPlan(context, visit, upload);
    } catch (error) {
      const isOfForm = error instanceof SluiceError && ['usage', 'input'].includes(error.code);
      if (!isOfForm) throw error;
      const trouble = tellTrouble(error, upload);
      return showColumns(context, visit, upload, { chosen: visit.query, trouble });
    }
  },
};

async function showPlan(
  context: UiContext,
  { query, token }: Visit,
  upload: Upload,
): Promise<PageContent> {
  const { environment, isReadOnly, store } = context;
  // Before the plan: what changes meanwhile is then noticed.
  const seen = await standingOf(store, upload.job);
  const job = await triedJob(context, upload, query);
  let mapping: readonly MappedInput[] = [];
  const settings = resolveJobSettings(upload.job, job, environment);
  const forecast = await planJob(settings, {
    environment,
    onMapped: (mapped) => {
      mapping = mapped;
    },
  });
  const isSandbox = job.url === SANDBOX_URL;
  const columns = mapping.map((one) => `${one.input} = ${nameOfMapped(one)}`).join(', ');
  const isPartly = forecast.inPart.length > 0;
  const title = isSandbox ? 'Run it in the sandbox?' : 'Run it for real?';
  const confirmation = {
    title,
    sentences: [
      `File: ${upload.label}.`,
      `Columns: ${columns}.`,
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
    path: `/try/${upload.id}/start?${query.toString()}`,
    back: `/try/${upload.id}`,
  };
  return { title, body: confirmationForm(confirmation, token) };
}

export const tryStartAction: UiAction = {
  path: '/try/:upload/start',
  act: async (context, { form, params, query }) => {
    const { starter, state } = context;
    const upload = findUpload(state, params['upload'] ?? '');
    const job = { ...(await triedJob(context, upload, query)), budget: budgetIn(form) };
    await checkStanding(context, upload.job, form);
    const { id } = starter.start(upload.job, ['run', upload.jobFile, '--quiet'], () => {
      mkdirSync(dirname(upload.jobFile), { recursive: true });
      writeFileSync(upload.jobFile, textOf(upload.jobFile, job), { mode: 0o600 });
    });
    return { goto: `/started/${id}` };
  },
};

/** @throws SluiceError `usage` for a column that a job file cannot name */
function textOf(path: string, job: Parameters<typeof writeJob>[1]): string {
  const odd = Object.values(job.map ?? {}).find((name) => name?.includes('${') === true);
  if (odd === undefined) return writeJob(path, job, undefined);
  throw new SluiceError(
    'usage',
    `"${odd}" cannot be used in a job file, where \${ begins the name of an environment variable. Rename the column first.`,
  );
}
