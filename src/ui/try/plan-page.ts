// The cost of a tried file, and the form that runs it: in the sandbox, or for real with a budget.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { FirstLook } from '../../app/plan/first-look.js';
import { planJob } from '../../app/plan/plan-job.js';
import { SANDBOX_URL } from '../../app/settings/environment.js';
import { resolveJobSettings } from '../../app/settings/job-settings.js';
import { writeJob } from '../../config/write-job.js';
import type { ColumnInput } from '../../model/ask.js';
import { SluiceError } from '../../model/errors.js';
import { cutText } from '../../model/text/count.js';
import type { Action, Confirmation } from '../action.js';
import type { UiContext } from '../page.js';
import { PATHS, pathTo } from '../paths.js';
import { askedOf, asSeen, budgetIn, checkSeen } from '../start/start-job.js';
import { showColumns, tellTrouble, withLook } from './columns-page.js';
import { INPUT_WORDS, lookAtUpload, NAME_MAX, readWish, triedJob } from './tried-job.js';
import { findUpload, type Upload } from './uploads.js';

export const tryAction: Action = {
  path: PATHS.tryPlan,
  ask: (context, visit) =>
    withLook(context, visit, async (upload, first) => {
      const { query } = visit;
      try {
        return await planOf(context, query, upload, first);
      } catch (error) {
        const isOfForm = error instanceof SluiceError && ['usage', 'input'].includes(error.code);
        if (!isOfForm) throw error;
        const trouble = tellTrouble(error, upload);
        return showColumns(context, upload, first, query, trouble);
      }
    }),
  perform: async (context, { form, params, query }) => {
    const { starter, state } = context;
    const upload = findUpload(state, params['upload'] ?? '');
    const first = await lookAtUpload(upload, readWish(query));
    const tried = await triedJob(context, upload, first, query);
    const job = { ...tried, budget: budgetIn(form) };
    await checkSeen(context, upload.job, form);
    const { id } = starter.start(upload.job, ['run', upload.jobFile, '--quiet'], () => {
      mkdirSync(dirname(upload.jobFile), { recursive: true });
      writeFileSync(upload.jobFile, writeJob(upload.jobFile, job, undefined), { mode: 0o600 });
    });
    return { goto: pathTo(PATHS.started, { started: id }) };
  },
};

async function planOf(
  context: UiContext,
  query: URLSearchParams,
  upload: Upload,
  first: FirstLook,
): Promise<Confirmation> {
  const { environment, store } = context;
  // The state is read before the plan, so that changes in between are noticed.
  const seen = await asSeen(store, upload.job);
  const job = await triedJob(context, upload, first, query);
  const settings = resolveJobSettings(upload.job, job, environment);
  const forecast = await planJob(settings, { environment });
  const isSandbox = job.url === SANDBOX_URL;
  const columns = Object.entries(job.map).filter(([, name]) => name !== '');
  // The budget counts each request at the price of all asks of the job.
  const value = forecast.inPart.length > 0 ? null : forecast.creditsMax;
  const { budget, ...asked } = askedOf(forecast, settings, { value });
  return {
    ...asked,
    title: isSandbox ? 'Run it in the sandbox?' : 'Run it for real?',
    sentences: [
      `File: ${upload.label}.`,
      `Columns: ${columns.map(([input, name]) => `${INPUT_WORDS[input as ColumnInput]} = ${cutText(name, NAME_MAX)}`).join(', ')}.`,
      isSandbox
        ? 'The sandbox makes everything up: its answers are of no use but to see how it goes.'
        : `The leads are sent to ${job.url}.`,
      'It runs in a process of its own: it goes on if these pages are closed.',
    ],
    choices: [budget],
    seen,
    button: isSandbox ? 'Run it in the sandbox' : 'Run it for real',
    back: `${pathTo(PATHS.columns, { upload: upload.id })}?${query.toString()}`,
  };
}
