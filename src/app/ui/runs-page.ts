// The list of runs.

import { liveSection } from '../../html/pages/layout.js';
import { layOutRuns } from '../../html/pages/runs.js';
import type { UiPage } from './page.js';

const SHOWN = 50;

export const runsPage: UiPage = {
  path: '/',
  load: async ({ store }) => {
    const runs = await store.listRuns(SHOWN);
    const seen = await Promise.all(
      runs.map(async (run) => ({ run, tally: await store.tally(run.id) })),
    );
    const list = liveSection('runs', layOutRuns(seen));
    return { title: 'Runs', body: list.markup, live: [list] };
  },
};
