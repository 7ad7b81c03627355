// The page of a run: the sections of the report, also while it goes on, with a link behind each number of leads.
import { html, type Markup } from '../../html/markup.js';
import type { RowsAsked } from '../../html/pages/downloads.js';
import { liveSection } from '../../html/pages/layout.js';
import { buttonLink, runPath } from '../../html/pages/links.js';
import { layOutCounting, layOutRunLeads, layOutRunNow } from '../../html/pages/run.js';
import { costSection } from '../../html/report/cost-section.js';
import { outcomeSection } from '../../html/report/outcome-section.js';
import { qualitySection } from '../../html/report/quality-section.js';
import { timeSection } from '../../html/report/time-section.js';
import { troubleSection, type Way } from '../../html/report/trouble-section.js';
import { retryCommands } from '../../model/report/advice.js';
import type { RunFigures } from '../../model/report/run-figures.js';
import { isForUser, isOpen } from '../../model/run.js';
import { retriableLeads } from '../../model/tally.js';
import type { Visit } from '../../ui/routes.js';
import { gatherFigures } from '../report/gather-figures.js';
import { nameCommands, runCommandLine } from '../results/name-commands.js';
import { runOf } from '../results/run-of.js';
import { findJobFile } from './actions/own-jobs.js';
import type { PageContent, UiContext, UiPage } from './page.js';
import { memoryOf } from './reading/memory.js';
import { numberAt, numberIn } from './reading/read-query.js';
import { leftOf } from './reading/see-runs.js';
import { droppedJobFile, droppedName } from './try/uploads.js';

export const runPage: UiPage = {
  path: '/runs/:run',
  load: (context, visit) => showRun(context, visit, null),
};

/** Shows a run. If rows were asked for that cannot be given, the page stays as it is. */
export async function showRun(
  context: UiContext,
  visit: Visit,
  rows: RowsAsked | null,
): Promise<PageContent> {
  const id = numberAt(visit, 'run');
  const figures = await seeFigures(context, id);
  const { run, state, tally } = figures;
  const { rows: counts } = memoryOf(context);
  const countAfter = numberIn(visit, 'count');
  if (countAfter !== undefined) counts.beginAfter(id, countAfter);
  const counted = counts.of(id);
  const { store } = context;
  const isGoing = isOpen(state) || isForUser(state);
  const now = {
    file: droppedName(context.state, run.job),
    figures,
    left: state === 'working' ? leftOf(context, run, tally) : null,
    worker: isGoing ? await store.holderOf(run.job) : null,
    pausedAt: isGoing ? await store.pausedSince(run.job) : null,
    isReadOnly: context.isReadOnly,
    rows,
    hasOtherRuns: (await store.listRuns(2, { job: run.job })).length > 1,
    isStartable: findJobFile(context, run.job) !== undefined,
  };
  const counting = counted?.counting ?? null;
  const parts = [
    liveSection('now', layOutRunNow(now)),
    liveSection('outcome-part', outcomeSection(figures)),
    liveSection('leads-part', layOutRunLeads(figures)),
    liveSection('cost-part', costSection({ ...figures, cost: costOf(figures, counted?.figures) })),
    liveSection(
      'quality-part',
      qualityOf(figures, counted?.figures, layOutCounting(figures, counting)),
    ),
    liveSection('trouble-part', troubleSection(figures, wayOf(context, figures))),
    liveSection('time-part', timeSection(figures)),
  ];
  const isCounting = counting !== null && counting.at === null;
  return {
    title: `Run ${run.id} of ${now.file ?? run.job}`,
    body: html`${parts.map(({ markup }) => markup)}`,
    live: parts,
    isFinal: rows !== null || (!isGoing && !isCounting),
    ...(rows !== null && { status: 400 }),
  };
}

function seeFigures(context: UiContext, id: number): Promise<RunFigures> {
  const { clock, environment, state, store } = context;
  const { tallyOf } = memoryOf(context);
  const remembering = { ...store, tally: async (run: number) => tallyOf(await runOf(store, run)) };
  return gatherFigures(remembering, id, {
    readsRows: false,
    state,
    environment,
    clock,
    place: 'page',
  });
}

/** The way to ask again for leads without an answer; null if there are none. */
function wayOf(context: UiContext, { run, state, tally }: RunFigures): Way | null {
  if (state !== 'finished') return null;
  if (retriableLeads(tally, 'failed') + retriableLeads(tally, 'timed_out') === 0) return null;
  const { environment, isReadOnly, state: path } = context;
  const dropped = droppedJobFile(path, run.job);
  const start = dropped === undefined ? undefined : runCommandLine(dropped, path, environment);
  const names = nameCommands(run.job, path, environment, start);
  return {
    button: !isReadOnly && buttonLink(`${runPath(run.id)}/retry`, 'Retry…'),
    command: retryCommands(run, names),
  };
}

/** The cost by the rows, unless the run has paid since. */
function costOf(now: RunFigures, counted: RunFigures | null | undefined): RunFigures['cost'] {
  const isSame = counted?.cost.paid === now.cost.paid;
  return { ...now.cost, byAsk: (isSame ? counted?.cost.byAsk : null) ?? now.cost.byAsk };
}

function qualityOf(now: RunFigures, counted: RunFigures | null | undefined, offer: Markup): Markup {
  const quality = counted?.quality ?? null;
  if (quality === null) return html`<h2 id="quality">How good is the data?</h2>${offer}`;
  return html`${qualitySection({ ...now, tally: counted?.tally ?? now.tally, quality })}${offer}`;
}
