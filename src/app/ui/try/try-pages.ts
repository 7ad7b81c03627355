// Trying a file: it is dropped on a page, its columns are shown and corrected, then what it would cost, and only then it
// is run, in the sandbox or for real with a budget.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { writeJob } from '../../../config/write-job.js';
import { confirmationForm } from '../../../html/pages/confirmation.js';
import { costOfForecast, layOutForecast } from '../../../html/pages/forecast.js';
import { layOutColumns, layOutDrop } from '../../../html/pages/try.js';
import { ASKS, COLUMN_INPUTS } from '../../../model/ask.js';
import { SluiceError } from '../../../model/errors.js';
import { type MappedInput, mapColumns, nameOfMapped } from '../../../model/mapping/mapping.js';
import { planJob } from '../../plan/plan-job.js';
import { firstValuesOf, lookAtInput } from '../../plan/read-input.js';
import { SANDBOX_URL } from '../../settings/environment.js';
import { resolveJobSettings } from '../../settings/job-settings.js';
import { budgetIn, checkStanding, standingOf } from '../actions/start-job.js';
import type { UiAction, UiPage } from '../page.js';
import { NO_COLUMN, placesOf, triedJob } from './tried-job.js';
import { findUpload, keepUpload, UPLOAD_BYTES_MAX } from './uploads.js';

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
  load: async (context, { params }) => {
    const upload = findUpload(context.state, params['upload'] ?? '');
    const first = await lookAtInput({ input: upload.file });
    const { columns } = first;
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
      columns: columns.map(({ name }) => name),
      inputs: COLUMN_INPUTS.map((input) => ({
        input,
        guess: nameIn(guessed, input),
      })),
      noColumn: NO_COLUMN,
      asks: ASKS,
      places: placesOf(context),
    });
    return { title, body };
  },
};

function nameIn(mapping: readonly MappedInput[], input: string): string | null {
  const found = mapping.find((one) => one.input === input);
  return found === undefined ? null : nameOfMapped(found);
}

export const tryPlanPage: UiPage = {
  path: '/try/:upload/plan',
  load: async (context, { params, query, token }) => {
    const { environment, isReadOnly, state, store } = context;
    const upload = findUpload(state, params['upload'] ?? '');
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
      cost: isSandbox
        ? 'nothing: the credits of the sandbox are made up.'
        : costOfForecast(forecast),
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
  },
};

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
