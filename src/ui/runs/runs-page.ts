// The list of runs.

import { html, type Markup } from '../../html/markup.js';
import { commandLine } from '../../html/parts.js';
import { SHOWN_STATES, wordsOfState } from '../../model/run.js';
import { describeLeft } from '../../model/schedule/pace.js';
import { openLeads, sentLeads } from '../../model/tally.js';
import { formatNumber } from '../../model/text/count.js';
import { asHtml } from '../../tell/as-html.js';
import { type RunLine, tellRuns } from '../../tell/tell-runs.js';
import { liveSection } from '../layout.js';
import { hrefOf, link, pager, selectField } from '../links.js';
import type { PageContent, UiContext, Visit } from '../page.js';
import { PATHS, pathTo } from '../paths.js';
import { numberIn, textIn, wordIn } from '../read-query.js';
import { droppedName } from '../try/uploads.js';
import { type RunsPage, type RunsWish, seeRuns } from './see-runs.js';

const SHOWN = 25;
/** The number of jobs offered to choose from; the runs of others are in the list. */
const JOBS_MAX = 200;

export async function showRuns(context: UiContext, visit: Visit): Promise<PageContent> {
  const query = {
    job: textIn(visit, 'job'),
    state: wordIn(visit, 'state', SHOWN_STATES),
    before: numberIn(visit, 'before'),
    after: numberIn(visit, 'after'),
  };
  const jobs = await context.store.listJobs(JOBS_MAX);
  const list = liveSection('runs', layOutRuns(await seeRuns(context, query, SHOWN), query));
  const jobChoices = jobs.map(({ job }) => {
    const file = droppedName(context.state, job);
    return { value: job, words: file === null ? job : `${file} (${job})` };
  });
  const stateChoices = SHOWN_STATES.map((state) => ({
    value: state,
    words: wordsOfState(state),
  }));
  // The form does not change while a user fills it in.
  const form = html`<form class="filters" method="get" action="${PATHS.runs}" data-at-once>${selectField(
    'job',
    'Job',
    query.job,
    jobChoices,
  )}${selectField('state', 'State', query.state, stateChoices)}<button class="unscripted">Show</button></form>`;
  const body = html`<h1>Runs</h1>${jobs.length > 0 && form}${list.markup}`;
  return { title: 'Runs', body, live: [list] };
}

/** The runs with links to other pages, or advice if there is nothing to show. */
function layOutRuns({ lines, newer, older }: RunsPage, query: RunsWish): Markup {
  const pages = pager('Pages of runs', [
    [
      newer === null ? null : pathTo(PATHS.runs, {}, { ...query, before: null, after: newer }),
      'Newer',
      'prev',
    ],
    [
      older === null ? null : pathTo(PATHS.runs, {}, { ...query, after: null, before: older }),
      'Older',
      'next',
    ],
  ]);
  if (lines.length > 0) return html`${asHtml(tellRuns(lines).parts, hrefOf)}${pages}`;
  const isFiltered = query.job !== undefined || query.state !== undefined;
  if (isFiltered || query.before !== undefined || query.after !== undefined) {
    return html`<p class="empty">No run is like this. ${link(PATHS.runs, 'All runs')}</p>${pages}`;
  }
  return html`<div class="notice"><p>Nothing has run with this state yet. ${link(PATHS.drop, 'Try a file')} takes a file of leads and says what it would cost. A job says what to read, what to ask and where to write, for more than one run; this writes one from your file:</p>${commandLine(
    'sluice init leads.csv',
  )}<p>Both cost nothing. Its runs appear here as soon as they begin. ${link(PATHS.jobs, 'Jobs')} shows what can be run, and <code>sluice doctor</code> whether all is ready for it.</p></div>`;
}

/** The progress of a run, as a share of the leads that were read, with the remaining time if it goes on. */
export function progressOf({
  left,
  state,
  tally,
}: Pick<RunLine, 'left' | 'state' | 'tally'>): Markup {
  const answered = tally.leads - openLeads(tally);
  const share = tally.leads === 0 ? 0 : Math.floor((answered / tally.leads) * 100);
  const of = `${formatNumber(answered)} of ${formatNumber(tally.leads)}${state === 'reading' ? '+' : ''}`;
  const sent = sentLeads(tally);
  // Before the first answers come, the sends are the progress.
  const awaited = answered === 0 && sent > 0 ? `, ${formatNumber(sent)} sent` : '';
  const told = describeLeft(left);
  return html`<progress max="100" value="${share}" aria-label="Answered">${share} %</progress> ${share} %: ${of}${awaited}${told !== '' && `, ${told}`}`;
}
