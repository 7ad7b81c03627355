// The list of runs.
import { html } from '../../html/markup.js';
import { SHOWN_STATES } from '../../model/run.js';
import { liveSection } from '../layout.js';
import type { UiPage } from '../page.js';
import { PATHS } from '../paths.js';
import { numberIn, textIn, wordIn } from '../read-query.js';
import { droppedName } from '../try/uploads.js';
import { layOutRuns, layOutRunsFilter } from './runs-view.js';
import { seeRuns } from './see-runs.js';

const SHOWN = 25;
/** The number of jobs offered to choose from; the runs of others are in the list. */
const JOBS_MAX = 200;

export const runsPage: UiPage = {
  path: PATHS.runs,
  load: async (context, visit) => {
    const query = {
      job: textIn(visit, 'job'),
      state: wordIn(visit, 'state', SHOWN_STATES),
      before: numberIn(visit, 'before'),
      after: numberIn(visit, 'after'),
    };
    const jobs = await context.store.listJobs(JOBS_MAX);
    const page = await seeRuns(context, query, SHOWN);
    const named = jobs.map(({ job }) => ({ job, file: droppedName(context.state, job) }));
    const view = { ...page, query, jobs: named };
    const list = liveSection('runs', layOutRuns(view));
    const filter = jobs.length === 0 ? null : layOutRunsFilter(view);
    return { title: 'Runs', body: html`<h1>Runs</h1>${filter}${list.markup}`, live: [list] };
  },
};
