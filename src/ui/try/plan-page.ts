// The cost of a tried file, and the form that runs it: in the sandbox, or for real with a budget.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { FirstLook } from '../../app/plan/first-look.js';
import { budgetIn, starting } from '../../app/run/starting.js';
import { SANDBOX_URL } from '../../app/settings/environment.js';
import { resolveJobSettings } from '../../app/settings/job-settings.js';
import { writeJob } from '../../config/write-job.js';
import type { ColumnInput } from '../../model/ask.js';
import { SluiceError } from '../../model/errors.js';
import { cutText } from '../../model/text/count.js';
import { INPUT_WORDS } from '../../tell/shared.js';
import type { Action, Confirmation } from '../action.js';
import { NAME_MAX } from '../links.js';
import type { UiContext } from '../page.js';
import { PATHS, pathTo } from '../paths.js';
import { startForm, toStarted } from '../start/start-job.js';
import { showColumns, tellTrouble, withLook } from './columns-page.js';
import { guessedColumns, insteadOf, lookAtUpload, readWish, triedJob } from './tried-job.js';
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
    const upload = findUpload(context.state, params['upload'] ?? '');
    const { job, jobFile, label: name } = upload;
    const first = await lookAtUpload(upload, readWish(query));
    const tried = await triedJob(context, upload, first, query);
    const stated = { ...tried, budget: budgetIn(form.get('budget') ?? '') };
    const prepare = () => {
      mkdirSync(dirname(jobFile), { recursive: true });
      writeFileSync(jobFile, writeJob(jobFile, stated, undefined), { mode: 0o600 });
    };
    const wish = { seen: form.get('seen'), args: ['run', jobFile, '--quiet'], prepare };
    return toStarted(await starting.perform({ ...context, job, name }, wish));
  },
};

async function planOf(
  context: UiContext,
  query: URLSearchParams,
  upload: Upload,
  first: FirstLook,
): Promise<Confirmation> {
  const job = await triedJob(context, upload, first, query);
  const settings = resolveJobSettings(upload.job, job, context.environment);
  const of = { ...context, job: upload.job, name: upload.label, settings };
  const asked = await starting.ask(of);
  const isSandbox = job.url === SANDBOX_URL;
  const guessed = guessedColumns(first);
  const columns = Object.entries(job.map).map(([name, column]) => {
    const input = name as ColumnInput;
    const words = column === '' ? 'nothing' : cutText(column, NAME_MAX);
    return `${INPUT_WORDS[input]} = ${words}${insteadOf(guessed.get(input), column)}`;
  });
  const where = isSandbox ? 'in the sandbox' : 'for real';
  return {
    ...startForm(asked, `Run it ${where}`),
    title: `Run it ${where}?`,
    sentences: [
      `File: ${upload.label}.`,
      `Columns: ${columns.join(', ')}.`,
      isSandbox
        ? 'The sandbox makes everything up: its answers are of no use but to see how it goes.'
        : `The leads are sent to ${job.url}.`,
      ...asked.sentences,
    ],
    back: `${pathTo(PATHS.columns, { upload: upload.id })}?${query.toString()}`,
  };
}
