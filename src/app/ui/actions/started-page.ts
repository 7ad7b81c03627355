// The page of a command that was started here: whether it is at work, and its output if it failed.
import { startedSection } from '../../../html/pages/started.js';
import { SluiceError } from '../../../model/errors.js';
import { shellWord } from '../../../model/text/printable.js';
import type { UiPage } from '../page.js';
import { called, runPath } from './action.js';

const RUNS_LOOKED_AT = 20;

export const startedPage: UiPage = {
  path: '/started/:started',
  load: async (context, { params }) => {
    const { starter, store } = context;
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
    const name = called(context, job);
    const title = `${name} was started`;
    const run = isSeen ? { path: runPath(newest.id), id: newest.id } : null;
    const shown = {
      title,
      startedAt,
      command: ['sluice', ...args].map(shellWord).join(' '),
      end,
      said: said.map((line) => withName(line, job, name)),
      run,
    };
    const markup = startedSection('started', shown);
    return { title, body: markup, live: [{ id: 'started', markup }] };
  },
};

/** A line with the job's name for its user; commands and paths stay as they are typed. */
function withName(line: string, job: string, name: string): string {
  return [' of ', ' job '].reduce(
    (told, before) => told.replaceAll(before + job, () => before + name),
    line,
  );
}
