// The page of a command that was started here: whether it is at work, and what it said where it could not do its work.
import { startedSection } from '../../../html/pages/started.js';
import { SluiceError } from '../../../model/errors.js';
import { shellWord } from '../../../model/text/printable.js';
import type { UiPage } from '../page.js';
import { droppedName } from '../try/uploads.js';
import { runPath } from './action.js';

const RUNS_LOOKED_AT = 20;

export const startedPage: UiPage = {
  path: '/started/:started',
  load: async ({ starter, state, store }, { params }) => {
    const command = starter.find(Number(params['started']));
    if (command === undefined) {
      throw new SluiceError(
        'usage',
        'What was started under this number is not known any more; its run is among the runs.',
      );
    }
    const { args, end, job, said, startedAt } = command;
    const runs = await store.listRuns(RUNS_LOOKED_AT);
    const newest = runs.find((run) => run.job === job);
    const isSeen = newest !== undefined && (end !== null || (await store.isLocked(job)));
    const title = `${droppedName(state, job) ?? job} was started`;
    const run = isSeen ? { path: runPath(newest.id), id: newest.id } : null;
    const shown = {
      title,
      startedAt,
      command: ['sluice', ...args].map(shellWord).join(' '),
      end,
      said,
      run,
    };
    const markup = startedSection('started', shown);
    return { title, body: markup, live: [{ id: 'started', markup }] };
  },
};
