// The page that compares two runs of a job, with the numbers of `sluice report --compare`.
import { html } from '../../html/markup.js';
import { SluiceError } from '../../model/errors.js';
import type { Run } from '../../model/run.js';
import { liveSection } from '../layout.js';
import { memoryOf } from '../memory.js';
import type { UiPage } from '../page.js';
import { PATHS } from '../paths.js';
import { numberIn } from '../read-query.js';
import { droppedName } from '../try/uploads.js';
import { askedComparison, nextComparison, type TwoRuns } from './asked-comparison.js';
import { layOutCompareForm, layOutComparison } from './compare-view.js';

/** The number of runs offered to choose from; the address may name others. */
const RUNS_MAX = 100;
const COLUMNS_MAX = 200;
const COLUMN_NAME_MAX = 500;

export const compareRunsPage: UiPage = {
  path: PATHS.compare,
  load: async (context, visit) => {
    const { clock, store } = context;
    const { job = '' } = visit.params;
    const runs = await store.listRuns(RUNS_MAX, { job });
    if (runs.length === 0) {
      throw new SluiceError('usage', `There is no run of a job ${job} in this state.`, { job });
    }
    const file = droppedName(context.state, job);
    const asked = await askedComparison(store, visit);
    const two = asked ?? (await nextComparison(store, visit, runs));
    const key = asked === null ? two && usualKey(two) : asked.key[0];
    const query = { before: two?.before.id, after: two?.after.id, key: key ?? undefined };
    const form = layOutCompareForm({
      job,
      file,
      runs: two === null ? [] : withBoth(runs, two),
      columns: two === null ? [] : columnsOfBoth(two),
      chosen: query,
      at: clock.now(),
    });
    if (asked === null) return { title: `Compare runs of ${file ?? job}`, body: form };
    const { after, before } = asked;
    const wish = { before: before.id, after: after.id, key: asked.key };
    const { comparisons } = memoryOf(context);
    const counted = comparisons.beginAfter(wish, numberIn(visit, 'again') ?? 0);
    const total = before.leadCount + after.leadCount;
    const part = liveSection('comparison', layOutComparison({ job, query, total, ...counted }));
    return {
      title: `Run ${before.id} and run ${after.id} of ${file ?? job} compared`,
      body: html`${form}${part.markup}`,
      live: [part],
      isFinal: counted.counting.at !== null,
    };
  },
};

function withBoth(runs: readonly Run[], { after, before }: TwoRuns): readonly Run[] {
  const known = new Set(runs.map(({ id }) => id));
  return [...runs, ...[after, before].filter(({ id }) => !known.has(id))];
}

function columnsOfBoth({ after, before }: TwoRuns): readonly string[] {
  const known = new Set(before.columns.map(({ key }) => key));
  const both = after.columns.filter(({ key }) => known.has(key) && key.length <= COLUMN_NAME_MAX);
  return both.slice(0, COLUMNS_MAX).map(({ key }) => key);
}

/** The key of the table, if it is one column that both inputs have. */
function usualKey(two: TwoRuns): string | undefined {
  const [only, ...more] = two.after.output.key ?? [];
  const isUsual = only !== undefined && more.length === 0 && columnsOfBoth(two).includes(only);
  return isUsual ? only : undefined;
}
