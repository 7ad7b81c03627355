// The page of a run: the sections of the report, also while it goes on, with a link behind each number of leads.
import { gatherFigures } from '../../app/report/gather-figures.js';
import { nameCommands, runCommandLine } from '../../app/results/name-commands.js';
import { runOf } from '../../app/results/run-of.js';
import { html } from '../../html/markup.js';
import type { Way } from '../../html/report/trouble-section.js';
import { retryCommands } from '../../model/report/advice.js';
import type { RunFigures } from '../../model/report/run-figures.js';
import { isForUser, isOpen } from '../../model/run.js';
import { retriableLeads } from '../../model/tally.js';
import type { RowsAsked } from '../download-links.js';
import { isStartable } from '../jobs/own-jobs.js';
import { buttonLink } from '../links.js';
import { memoryOf } from '../memory.js';
import type { PageContent, UiContext, UiPage } from '../page.js';
import { PATHS, pathTo } from '../paths.js';
import { numberAt, numberIn } from '../read-query.js';
import { leftOf } from '../runs/see-runs.js';
import type { Visit } from '../server/routes.js';
import { droppedJobFile, droppedName } from '../try/uploads.js';
import { layOutRun } from './run-view.js';

export const runPage: UiPage = {
  path: PATHS.run,
  load: (context, visit) => showRun(context, visit, null),
};

/** Shows a run. If rows were asked for that cannot be given, the page stays as it is. */
export async function showRun(
  context: UiContext,
  visit: Visit,
  rows: RowsAsked | null,
): Promise<PageContent> {
  const id = numberAt(visit, 'run');
  const { job } = await runOf(context.store, id);
  const start = startOf(context, job);
  const figures = await seeFigures(context, id, start);
  const { run, state, tally } = figures;
  const { rows: counts } = memoryOf(context);
  const countAfter = numberIn(visit, 'count');
  if (countAfter !== undefined) counts.beginAfter(id, countAfter);
  const counted = counts.of(id);
  const { store } = context;
  const isGoing = isOpen(state) || isForUser(state);
  const now = isGoing ? await store.jobNow(run.job) : null;
  const pausedAt = now?.pausedAt ?? null;
  const counting = counted?.counting ?? null;
  const parts = layOutRun({
    file: droppedName(context.state, run.job),
    figures,
    counting,
    counted: counted?.figures?.figures ?? null,
    left: state === 'working' && pausedAt === null ? await leftOf(context, run, tally) : null,
    worker: now?.holder ?? null,
    pausedAt,
    isReadOnly: context.isReadOnly,
    rows,
    hasOtherRuns: (await store.listRuns(2, { job: run.job })).length > 1,
    isStartable: isStartable(context, run),
    way: wayOf(context, figures, start),
  });
  const isCounting = counting !== null && counting.at === null;
  return {
    title: `Run ${run.id} of ${droppedName(context.state, run.job) ?? run.job}`,
    body: html`${parts.map(({ markup }) => markup)}`,
    live: parts,
    isFinal: rows !== null || (!isGoing && !isCounting),
    ...(rows !== null && { status: 400 }),
  };
}

/** The command that starts the job of a dropped file; undefined for any other job. */
function startOf({ environment, state }: UiContext, job: string): string | undefined {
  const dropped = droppedJobFile(state, job);
  return dropped === undefined ? undefined : runCommandLine(dropped, state, environment);
}

function seeFigures(
  context: UiContext,
  id: number,
  start: string | undefined,
): Promise<RunFigures> {
  const { clock, environment, state, store } = context;
  const { tallyOf } = memoryOf(context);
  const remembering = { ...store, tally: async (run: number) => tallyOf(await runOf(store, run)) };
  return gatherFigures(remembering, id, {
    readsRows: false,
    state,
    environment,
    start,
    clock,
    place: 'page',
  });
}

/** The way to ask again for leads without an answer; null if there are none. */
function wayOf(
  context: UiContext,
  { run, state, tally }: RunFigures,
  start: string | undefined,
): Way | null {
  if (state !== 'finished') return null;
  if (retriableLeads(tally, 'failed') + retriableLeads(tally, 'timed_out') === 0) return null;
  const { environment, isReadOnly, state: path } = context;
  const names = nameCommands(run.job, path, environment, start);
  return {
    button: !isReadOnly && buttonLink(pathTo(PATHS.retry, { run: run.id }), 'Retry…'),
    command: retryCommands(run, names),
  };
}
