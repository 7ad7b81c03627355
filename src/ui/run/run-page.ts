// The page of a run: the sections of the report, also while it goes on, with a link behind each number of leads.
import { gatherFigures } from '../../app/report/gather-figures.js';
import { reportRun } from '../../app/report/write-report.js';
import { exportRun } from '../../app/results/export-run.js';
import { runCommandLine } from '../../app/results/name-commands.js';
import { asSeen, costToGoOn } from '../../app/run/starting.js';
import { html, type Markup } from '../../html/markup.js';
import { notice, timeElement } from '../../html/parts.js';
import { isDropFolder } from '../../input/sources/drop-folder.js';
import { tellPrice } from '../../model/credits.js';
import { SluiceError, unlessRefused } from '../../model/errors.js';
import type { RunFigures } from '../../model/report/run-figures.js';
import { isForUser, isOpen, type Run } from '../../model/run.js';
import { describeLeft, type TimeLeft } from '../../model/schedule/pace.js';
import { leadsIn, openLeads, sentLeads } from '../../model/tally.js';
import { formatCount, formatNumber } from '../../model/text/count.js';
import { asHtml, contentsOf, numbersOf } from '../../tell/as-html.js';
import { reportFile } from '../../tell/report-file.js';
import { CHARTS } from '../../tell/tell-charts.js';
import { qualityOf, qualitySection } from '../../tell/tell-quality.js';
import { tellRun } from '../../tell/tell-run.js';
import { type Action, actionForm, askInPlace, called, runIn } from '../action.js';
import { exportMenu, makeFile, type RowsAsked, stemOf, tableIn } from '../download-links.js';
import { isStartable, loadOwnJob } from '../jobs/own-jobs.js';
import type { Counting } from '../keep-counts.js';
import { liveSection } from '../layout.js';
import { choiceOf, leadsQueryIn, SORTED_MAX } from '../leads/choose-leads.js';
import { buttonLink, hrefOf, link } from '../links.js';
import { memoryOf } from '../memory.js';
import type { Download, PageContent, UiContext, Visit } from '../page.js';
import { leadsPath, PATHS, pathTo, runPath } from '../paths.js';
import { numberIn } from '../read-query.js';
import { leftOf } from '../runs/runs-page.js';
import { droppedJobFile, droppedName } from '../try/uploads.js';
import { cancelAction, exportAction, retryAction } from './change-run.js';

/** If rows were asked for that cannot be given, the page stays as it is. */
export async function showRun(
  context: UiContext,
  visit: Visit,
  rows: RowsAsked | null = null,
): Promise<PageContent> {
  const { clock, environment, state: path, store } = context;
  const { id, job } = await runIn(context, visit);
  const memory = memoryOf(context);
  const dropped = droppedJobFile(path, job);
  const start = dropped && runCommandLine(dropped, path, environment);
  const wish = { readsRows: false, state: path, environment, start, clock };
  const seen = await gatherFigures(memory.store, id, wish);
  // A process that was started here has not begun yet.
  const isStarting = isForUser(seen.state) && context.starter.isAtWork(job);
  const begun = { state: seen.run.state, trouble: { ...seen.trouble, advice: [] } };
  const figures = isStarting ? { ...seen, ...begun } : seen;
  const { run, state, tally } = figures;
  const since = await memory.shownSince(run);
  const isRead = !isOpen(state) && run.leadCount <= SORTED_MAX;
  const countAfter = numberIn(visit, 'count') ?? (isRead ? since : undefined);
  const { rows: counts } = memory;
  const counting =
    countAfter === undefined ? counts.of(id) : await counts.countAfter(id, countAfter);
  const counted = counting?.figures?.figures ?? null;
  const isGoing = isOpen(state) || isForUser(state);
  const pausedAt = isGoing ? (figures.seen?.pausedAt ?? null) : null;
  const file = droppedName(path, job);
  const isFresh = (counting?.at ?? 0) >= since;
  const byAsk = (isFresh ? counted?.cost.byAsk : null) ?? figures.cost.byAsk;
  const cost = { ...figures.cost, byAsk };
  const told = { ...figures, file, cost, charts: CHARTS };
  const { parts, title } = tellRun(told);
  // While a run goes on, they are of the moment that is told.
  const known = isFresh || isOpen(state) ? counted : null;
  const [quality = qualityOf([])] = qualitySection({ ...told, ...known });
  const sections = parts
    .filter((part) => part.kind === 'section')
    .flatMap((one) => (one.id === 'time' ? [quality, one] : [one]));
  const isWorking = state === 'working' && pausedAt === null;
  const left = isWorking ? await leftOf(context, run, tally) : null;
  const waited = numberIn(visit, 'waited') ?? leadsIn(tally, 'queued');
  const steered = { context, visit, figures, pausedAt, waited };
  const wayOn = context.isReadOnly ? null : await wayOf(steered);
  const actions = !context.isReadOnly && html`${wayOn}${await actionsOf(steered)}`;
  const hasOthers = (await store.listRuns(2, { job })).length > 1;
  const [next] = state === 'replaced' ? await store.listRuns(1, { job, after: id }) : [];
  const compare = link(pathTo(PATHS.compare, { job }, { after: id }), 'Compare with another run');
  const canWrite = !context.isReadOnly && rows === null;
  const head = html`<p class="crumbs">${link(PATHS.runs, 'Runs')}</p>
<div class="stack">${asHtml(
    parts.filter((part) => part.kind !== 'section'),
    hrefOf,
  )}
${isOpen(state) && html`<p>${progressOf(figures, left)}</p>`}
${next === undefined ? doneOf(steered) : successorOf(next, visit)}
<div class="row">${buttonLink(leadsPath(id), 'Leads', wayOn === null)}${actions}${exportMenu(run, rows, canWrite && (await askInPlace(exportAction, 'Write the files again', context, visit)))}${hasOthers && compare}</div></div>`;
  const offer = layOutCounting(figures, counting, counted !== null && known === null);
  const live = [
    liveSection('now', html`${head}${contentsOf(sections)}`),
    ...sections.map((one) =>
      liveSection(`${one.id}-part`, html`${asHtml([one], hrefOf)}${one.id === 'quality' && offer}`),
    ),
    liveSection('numbers-part', numbersOf(sections)),
  ];
  return {
    title,
    body: html`${live.map(({ markup }) => markup)}`,
    live,
    isFinal: rows !== null || (!isGoing && counting?.at !== null),
    ...(rows !== null && { status: 400 }),
  };
}

/** The progress of a run, as a share of the leads that were read, with the remaining time if it goes on. */
function progressOf({ state, tally }: RunFigures, left: TimeLeft | null): Markup {
  const answered = tally.leads - openLeads(tally);
  const share = tally.leads === 0 ? 0 : Math.floor((answered / tally.leads) * 100);
  const of = `${formatNumber(answered)} of ${formatNumber(tally.leads)}${state === 'reading' ? '+' : ''}`;
  const sent = sentLeads(tally);
  // Before the first answers come, the sends are the progress.
  const awaited = answered === 0 && sent > 0 ? `, ${formatNumber(sent)} sent` : '';
  const told = describeLeft(left);
  return html`<progress max="100" value="${share}" aria-label="Done">${share} %</progress> ${share} %: ${of}${awaited}${told !== '' && `, ${told}`}`;
}

interface Steered {
  readonly context: UiContext;
  readonly visit: Visit;
  readonly figures: RunFigures;
  readonly pausedAt: number | null;
  /** The leads that waited to be sent when the user paused or resumed. */
  readonly waited: number;
}

/** What lets a run go on that does not, with what that may cost; null if it goes on by itself, or cannot. */
async function wayOf(steered: Steered): Promise<Markup | null> {
  const { context, figures, pausedAt, visit, waited } = steered;
  const { run, seen, state, tally } = figures;
  const { id, job } = run;
  const isPaused = pausedAt !== null;
  const canStart = isStartable(context, job);
  if (!isPaused && !(canStart && isForUser(state))) return null;
  const path = pathTo(PATHS.resume, { job });
  const fields = { run: id, waited };
  // A process or a worker goes on by itself, within the budget that was agreed to.
  if (!canStart || seen.isAtWork || seen.task !== null) {
    return actionForm(path, 'Resume', visit, fields);
  }
  const cost = (await costOfStart(context, figures)) ?? null;
  if (cost === null) {
    return buttonLink(pathTo(PATHS.start, { job }), isPaused ? 'Resume…' : 'Continue…', true);
  }
  const { budget, credits } = cost;
  const asked = { ...fields, budget, seen: await asSeen({ store: context.store, job }) };
  const said = `${formatCount(leadsIn(tally, 'queued'), 'lead')} to send: ${tellPrice(credits, run.credit)} at most${figures.cost.isMadeUp === true ? ', made up' : ''}`;
  return html`${actionForm(path, isPaused ? 'Resume' : 'Continue', visit, asked)}<span class="quiet">${said}</span>`;
}

/** Nothing if the page with the plan has to say it: a folder may have new files, and a job may be wrong by now. */
function costOfStart(context: UiContext, { run, tally }: RunFigures) {
  return unlessRefused(async () => {
    const { input } = await loadOwnJob(run.job, context);
    return (await isDropFolder(input)) ? null : costToGoOn(context.store, run, tally);
  });
}

/** What the user has just done, and how to undo it. */
function doneOf({ context, figures, pausedAt, visit, waited }: Steered) {
  const did = memoryOf(context).told(numberIn(visit, 'did'));
  if (did !== undefined) {
    const sentences = did.sentences.map((sentence) => html`<p>${sentence}</p>`);
    return notice('good', html`<p role="status"><strong>${did.title}.</strong></p>${sentences}`);
  }
  if (!visit.query.has('waited') || context.isReadOnly) return null;
  const { id, job } = figures.run;
  const left = leadsIn(figures.tally, 'queued');
  const sent = `${formatNumber(Math.max(0, waited - left))} of ${formatCount(waited, 'lead')}`;
  if (pausedAt !== null) {
    const before = waited > left && `${sent} had been sent. `;
    return notice(
      'warn',
      html`<p role="status">Paused. ${before}${formatCount(left, 'lead waits', 'leads wait')} to be sent.</p>`,
    );
  }
  const undo = actionForm(pathTo(PATHS.pause, { job }), 'Undo', visit, { run: id, waited }, false);
  const isGoing = isOpen(figures.state);
  return notice(
    'wait',
    html`<div class="row"><p role="status">${isGoing ? 'It goes on' : 'Resumed'}: ${sent} are sent.</p>${isGoing && left > 0 && undo}</div>`,
  );
}

/** Who has let the replaced run go on is led to the run that began in its place. */
function successorOf({ id }: Run, { query }: Visit): Markup {
  const goto = query.has('waited') && html` data-goto`;
  return html`<p><a href="${runPath(id)}"${goto}>Run ${id}</a> took its place.</p>`;
}

async function actionsOf({ context, figures, pausedAt, visit }: Steered) {
  const { run, state } = figures;
  const { id, job } = run;
  const inPlace = (action: Action, label: string) => askInPlace(action, label, context, visit);
  const isGoing = isOpen(state) || isForUser(state);
  const pause = pathTo(PATHS.pause, { job });
  return html`${isOpen(state) && pausedAt === null && actionForm(pause, 'Pause', visit, { run: id, waited: leadsIn(figures.tally, 'queued') }, false)}${
    isGoing && (await inPlace(cancelAction, 'Cancel…'))
  }${state === 'finished' && (await inPlace(retryAction, 'Retry…'))}`;
}

/**
 * The progress of reading `total` rows; `path` begins once more. `again` are the words of its link, `done` those before
 * the time at which they were read.
 */
export function layOutCounted(
  { at, leads, trouble }: Counting,
  total: number,
  path: string,
  { again = 'Count again', done = 'Counted' } = {},
): Markup {
  if (trouble !== null) return notice('warn', html`<p>${trouble}</p>${buttonLink(path, again)}`);
  if (at === null) {
    return html`<p role="status"><progress max="${total}" value="${leads}" aria-label="Rows that were read"></progress> ${formatNumber(leads)} of ${formatCount(total, 'row')} read</p>`;
  }
  return html`<p class="row"><span class="quiet">${done} at ${timeElement(at)}.</span>${buttonLink(path, again)}</p>`;
}

/** `areOld`: the counts are those of rows that have changed since, and are not shown. */
function layOutCounting(
  { run, tally }: RunFigures,
  counting: Counting | null,
  areOld: boolean,
): Markup {
  const path = pathTo(PATHS.run, { run: run.id }, { count: counting?.at ?? 0 });
  if (counting === null || areOld) {
    return html`<p class="row"><span>How full the columns are, and how good what was found is, takes a look at every row.</span>${buttonLink(path, 'Count now')}</p>`;
  }
  return layOutCounted(counting, tally.leads, path);
}

/** `?as=` names the format; `?excel`: a CSV for a double click in Excel; `?where=`: the rows that it chooses. */
export async function openTable(context: UiContext, visit: Visit): Promise<Download | PageContent> {
  const { query } = visit;
  const run = await runIn(context, visit);
  const { id, job } = run;
  const { file, format } = tableIn(visit, `${stemOf(context, job)}-run-${id}`);
  const where = query.get('where')?.trim() || undefined;
  try {
    return await makeFile(context, visit, file, (store, standardOutput) => {
      const excel = query.has('excel') && { excel: true };
      const chooses = choiceOf(leadsQueryIn(visit, run));
      return exportRun(store, id, { out: '-', format, ...excel, standardOutput, where, chooses });
    });
  } catch (error) {
    const isOfForm = error instanceof SluiceError && error.facts['where'] === where;
    if (where === undefined || !isOfForm) throw error;
    return showRun(context, visit, { where, trouble: error.message });
  }
}

export async function openReport(context: UiContext, visit: Visit): Promise<Download> {
  const { id, job } = await runIn(context, visit);
  const { clock, environment, state } = context;
  const file = {
    name: `${stemOf(context, job)}-run-${id}.html`,
    type: 'text/html; charset=utf-8',
  };
  return makeFile(context, visit, file, async (store, body) => {
    const figures = await reportRun(store, id, { clock, environment, state });
    const run = { ...figures.run, job: called(context, job) };
    body.write(String(reportFile({ ...figures, run })));
  });
}
