// The list of runs: fewer facts than about one run, so that a page of them costs little.
import { findDisturbances } from '../../app/results/see-run.js';
import { html, type Markup } from '../../html/markup.js';
import { commandLine } from '../../html/parts.js';
import {
  isForUser,
  isForWorker,
  isOpen,
  type Run,
  type RunState,
  SHOWN_STATES,
  type ShownState,
  shownState,
  wordsOfState,
} from '../../model/run.js';
import { doneLeads, type TimeLeft } from '../../model/schedule/pace.js';
import type { RunTally } from '../../model/tally.js';
import type { OpenTask } from '../../ports/store/jobs.js';
import type { RunChoice } from '../../ports/store/runs.js';
import { asHtml } from '../../tell/as-html.js';
import { type RunLine, tellRuns } from '../../tell/tell-runs.js';
import { liveSection } from '../layout.js';
import { hrefOf, link, pager, selectField } from '../links.js';
import { type Looker, memoryOf } from '../memory.js';
import type { PageContent, UiContext, Visit } from '../page.js';
import { PATHS, pathTo } from '../paths.js';
import { numberIn, textIn, wordIn } from '../read-query.js';
import { droppedName } from '../try/uploads.js';

const SHOWN = 25;
/** The number of jobs offered to choose from; the runs of others are in the list. */
const JOBS_MAX = 200;
/** The number of runs that are looked at for a page of those in a state that the store does not hold. */
const LOOKED_AT_MAX = 500;

export async function showRuns(context: UiContext, visit: Visit): Promise<PageContent> {
  const query = {
    job: textIn(visit, 'job'),
    state: wordIn(visit, 'state', SHOWN_STATES),
    before: numberIn(visit, 'before'),
    after: numberIn(visit, 'after'),
  };
  const list = liveSection('runs', layOutRuns(await seeRuns(context, query, SHOWN), query));
  const jobs = (await context.store.listJobs(JOBS_MAX)).map(({ job }) => {
    const file = droppedName(context.state, job);
    return { value: job, words: file === null ? job : `${file} (${job})` };
  });
  const states = SHOWN_STATES.map((state) => ({ value: state, words: wordsOfState(state) }));
  // The form does not change while a user fills it in.
  const form = html`<form class="filters" method="get" action="${PATHS.runs}" data-at-once>${selectField(
    'job',
    'Job',
    query.job,
    jobs,
  )}${selectField('state', 'State', query.state, states)}<button class="unscripted">Show</button></form>`;
  const body = html`<h1>Runs</h1>${jobs.length > 0 && form}${list.markup}`;
  return { title: 'Runs', body, live: [list] };
}

/** The runs with links to other pages, or advice if there is nothing to show. */
function layOutRuns({ lines, newer, older }: Awaited<ReturnType<typeof seeRuns>>, query: RunsWish) {
  const to = (bounds: RunsWish): string =>
    pathTo(PATHS.runs, {}, { ...query, before: null, after: null, ...bounds });
  const pages = pager('Pages of runs', [
    [newer === null ? null : to({ after: newer }), 'Newer', 'prev'],
    [older === null ? null : to({ before: older }), 'Older', 'next'],
  ]);
  if (lines.length > 0) return html`${asHtml(tellRuns(lines).parts, hrefOf)}${pages}`;
  if (Object.values(query).some((one) => one !== undefined)) {
    return html`<p class="empty">No run matches. ${link(PATHS.runs, 'All runs')}</p>${pages}`;
  }
  return NOTHING_YET;
}

const NOTHING_YET: Markup = html`<div class="notice"><p>Nothing has run with this state yet. ${link(PATHS.drop, 'Try a file')} takes a file of leads and says what it would cost. A job says what to read, what to ask and where to write, for more than one run; this writes one from your file:</p>${commandLine(
  'sluice init leads.csv',
)}<p>Both cost nothing. Its runs appear here as soon as they begin. ${link(PATHS.jobs, 'Jobs')} shows what can be run, and <code>sluice doctor</code> whether all is ready for it.</p></div>`;

interface RunsWish {
  readonly job?: string | undefined;
  readonly state?: ShownState | undefined;
  readonly before?: number | undefined;
  readonly after?: number | undefined;
}

/** A page of runs, with the beginnings of that with newer runs and of that with older ones. */
export async function seeRuns(context: UiContext, wish: RunsWish, size: number) {
  const { after, before, job, state } = wish;
  const choice = { job, states: storedStates(state) };
  const isUp = after !== undefined;
  let found: RunLine[] = [];
  let bounds: Pick<RunChoice, 'before' | 'after'> = isUp ? { after } : { before };
  for (let looked = 0; found.length <= size && looked < LOOKED_AT_MAX; looked += size + 1) {
    const runs = await context.store.listRuns(size + 1, { ...choice, ...bounds });
    const lines = await seeAll(context, runs);
    const alike = lines.filter((line) => state === undefined || line.state === state);
    found = isUp ? [...alike, ...found] : [...found, ...alike];
    const last = isUp ? runs.at(0) : runs.at(-1);
    if (runs.length <= size || last === undefined) break;
    bounds = isUp ? { after: last.id } : { before: last.id };
  }
  const hasMore = found.length > size;
  const lines = isUp ? found.slice(-size) : found.slice(0, size);
  const [first, last] = [lines.at(0)?.run.id ?? null, lines.at(-1)?.run.id ?? null];
  if (isUp) return { lines, newer: hasMore ? first : null, older: last };
  return { lines, newer: before === undefined ? null : first, older: hasMore ? last : null };
}

function storedStates(state: ShownState | undefined): readonly RunState[] | undefined {
  if (state === undefined) return undefined;
  if (isForUser(state) || isForWorker(state)) return ['reading', 'working'];
  return [state as RunState];
}

async function seeAll(context: UiContext, runs: readonly Run[]): Promise<RunLine[]> {
  const tasks = runs.some(({ state }) => isOpen(state)) ? await context.store.openTasks() : [];
  return Promise.all(runs.map((run) => seeOne(context, run, tasks)));
}

async function seeOne(
  context: UiContext,
  listed: Run,
  tasks: readonly OpenTask[],
): Promise<RunLine> {
  const { clock, store } = context;
  const memory = memoryOf(context);
  const file = droppedName(context.state, listed.job);
  if (!isOpen(listed.state)) {
    const { state } = listed;
    const seen = { worker: null, pausedAt: null, task: null, disturbances: [] };
    return { run: listed, file, state, tally: await memory.tallyOf(listed), left: null, seen };
  }
  const { holder, isLocked: isAtWork, pausedAt } = await store.jobNow(listed.job);
  // A process that has just released the job may have ended the run before.
  const run = (isAtWork ? null : await store.findRun(listed.id)) ?? listed;
  const task = tasks.find((one) => one.run === run.id) ?? null;
  const state = shownState(run, { isAtWork, pausedAt, task });
  const tally = await memory.tallyOf(run);
  return {
    run,
    file,
    state,
    tally,
    left: state === 'working' && pausedAt === null ? await leftOf(context, run, tally) : null,
    seen: {
      worker: holder,
      pausedAt,
      task,
      disturbances: await findDisturbances(store, run, clock),
    },
  };
}

export async function leftOf(looker: Looker, run: Run, tally: RunTally): Promise<TimeLeft | null> {
  const at = looker.clock.now();
  const caps = await looker.store.caps(run.account, at, run.caps);
  const pace = memoryOf(looker).paceOf(run.id);
  return pace.left(at, doneLeads(run, tally, caps), run.pace);
}
