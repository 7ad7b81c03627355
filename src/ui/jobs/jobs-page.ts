// The list of jobs that can be run, and the page of one of them.
import type { JobFile } from '../../config/job-schema.js';
import { type Content, html, type Markup } from '../../html/markup.js';
import {
  badge,
  card,
  commandLine,
  dataTable,
  factList,
  firstNames,
  notice,
  stateBadge,
  timeElement,
} from '../../html/parts.js';
import { SluiceError } from '../../model/errors.js';
import { shellWord } from '../../model/text/printable.js';
import { asHtml } from '../../tell/as-html.js';
import { type RunLine, tellRuns } from '../../tell/tell-runs.js';
import { liveSection } from '../layout.js';
import { buttonLink, hrefOf, jobLink, link } from '../links.js';
import type { PageContent, UiContext, Visit } from '../page.js';
import { PATHS, pathTo, runPath } from '../paths.js';
import { seeRuns } from '../runs/see-runs.js';
import { type JobLine, seeJobs } from './see-jobs.js';

const RUNS_SHOWN = 10;

export async function showJobs(context: UiContext): Promise<PageContent> {
  return { title: 'Jobs', body: layOutJobs(await seeJobs(context), context.isReadOnly) };
}

export async function showJob(context: UiContext, visit: Visit): Promise<PageContent> {
  const { job = '' } = visit.params;
  const [seen] = await seeJobs(context, job);
  if (seen === undefined) {
    const message = `There is no job ${job}: no file of that name in jobs/, and no run.`;
    throw new SluiceError('usage', message);
  }
  const { lines } = await seeRuns(context, { job }, RUNS_SHOWN);
  const runs = liveSection('runs', layOutJobRuns(seen, lines));
  const head = layOutJob(seen, context.isReadOnly);
  return {
    title: `Job ${seen.dropped ?? job}`,
    body: html`${head}${runs.markup}`,
    live: [runs],
  };
}

/** The keys of a job file that are shown: a notice may hold a secret, and addresses may hold tokens. */
const SHOWN_KEYS = [
  'input',
  'out',
  'ask',
  'map',
  'where',
  'only-missing',
  'limit',
  'sample',
  'budget',
  'caps',
  'fresh-for',
  'deadline',
  'account',
  'dialect',
  'submit',
  'collect',
  'rate',
  'concurrency',
  'list',
  'key',
  'columns',
  'fill',
  'schedule',
  'timezone',
  'catch-up',
  'state',
] as const satisfies readonly (keyof JobFile)[];

function statedIn(stated: JobFile | undefined): readonly (readonly [string, string])[] {
  if (stated === undefined) return [];
  return SHOWN_KEYS.flatMap((key) => {
    const value = stated[key];
    return value === undefined ? [] : [[key, textOf(value)] as const];
  });
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value) && typeof value === 'object' && value !== null) {
    const parts = Object.entries(value).map(([name, one]) => `${name} = ${textOf(one)}`);
    return parts.join(', ');
  }
  return Array.isArray(value) ? value.map(textOf).join(', ') : JSON.stringify(value);
}

function layOutJobs(jobs: readonly JobLine[], isReadOnly: boolean): Markup {
  if (jobs.length === 0) {
    return html`<h1>Jobs</h1><div class="notice"><p>There is no job yet: no file in the folder jobs/, and nothing has run. This looks at the columns of your file and writes a job:</p>${commandLine(
      'sluice init leads.csv',
    )}</div>`;
  }
  const own = jobs.filter((one) => !isFileOnce(one));
  const once = jobs.filter(isFileOnce);
  return html`<h1>Jobs</h1>${own.length === 0 ? html`<p class="empty">No file in the folder jobs/, and no job of another name has run.</p>` : jobTable('Jobs', own, isReadOnly)}${
    once.length > 0 &&
    html`<h2>Files that were enriched</h2>${jobTable('Files that were enriched', once, isReadOnly)}`
  }`;
}

/** Whether it is a file that was dropped here, or given to `sluice enrich`, and no job that is run again. */
function isFileOnce({ dropped, file, isEnriched }: JobLine): boolean {
  return dropped !== null || (file === undefined && isEnriched);
}

function jobTable(caption: string, jobs: readonly JobLine[], isReadOnly: boolean): Markup {
  const isScheduled = jobs.some(({ pausedAt, schedule }) => schedule !== null || pausedAt !== null);
  const isStartable = !isReadOnly && jobs.some(canStart);
  // A file is called as it is read.
  const isNamedAlike = jobs.every(isFileOnce);
  const columns = [
    { name: isNamedAlike ? 'File' : 'Job' },
    ...(isNamedAlike ? [] : [{ name: 'Reads', isLong: true }]),
    { name: 'Asks', isLong: true },
    { name: 'Runs', isNumber: true },
    { name: 'Last run' },
    ...(isScheduled ? [{ name: 'Next run', isLong: true }] : []),
    ...(isStartable ? [{ name: 'Start' }] : []),
  ];
  const rows = jobs.map((one) => [
    html`${jobLink(one.job, one.dropped)}${isNamedAlike && brokenOf(one.problem)}`,
    ...(isNamedAlike ? [] : [brokenOf(one.problem) ?? firstNames(one.input)]),
    one.ask.join(', '),
    one.runs === 0 ? '0' : link(pathTo(PATHS.runs, {}, { job: one.job }), one.runs),
    lastOf(one),
    ...(isScheduled ? [nextOf(one)] : []),
    ...(isStartable ? [canStart(one) ? startLink(one) : ''] : []),
  ]);
  return dataTable({ caption, isCaptionHidden: true, isStacked: true, columns, rows });
}

function brokenOf(problem: string | undefined): Markup | undefined {
  return problem === undefined ? undefined : html`${badge('broken', 'bad')} ${problem}`;
}

/** A waterfall is not started here: its steps take their credentials from a file, and its budget is money. */
function canStart({ stated }: JobLine): boolean {
  return stated !== undefined && stated.waterfall === undefined;
}

/** It leads to a page that says what the run would do and cost, and asks. */
function startLink({ job, pausedAt }: JobLine): Markup {
  return buttonLink(pathTo(PATHS.start, { job }), 'Start…', pausedAt === null);
}

function lastOf({ last }: JobLine): Content {
  if (last === undefined) return 'never';
  const { run, state } = last;
  return html`${link(runPath(run.id), `Run ${run.id}`)} ${stateBadge(state)} ${timeElement(run.startedAt)}`;
}

function nextOf({ job, pausedAt, schedule }: JobLine): Content {
  const paused = pausedAt !== null && html`${badge('paused', 'warn')} `;
  if (schedule === null) return html`${paused}–`;
  const { nextAt, pattern, timezone } = schedule;
  const at =
    nextAt === null
      ? html`none yet: <code>sluice schedule apply ${shellWord(job)}</code> begins it`
      : timeElement(nextAt);
  return html`${paused}${at}<div class="hint">by <code>${pattern}</code>, ${timezone}</div>`;
}

function layOutJob(job: JobLine, isReadOnly: boolean): Markup {
  const { file, problem } = job;
  const stated = statedIn(job.stated);
  return html`<p class="crumbs">${link(PATHS.jobs, 'Jobs')}</p>
<h1>${job.dropped ?? job.job}</h1>
${problem !== undefined && notice('bad', html`<p>${problem}</p><p>Until that is changed, the job does not run.</p>`)}
<h2>The job</h2>
<div class="cards">${card(
    'State',
    factList([
      ['job', job.dropped !== null && job.job],
      ['file', file ?? withoutFile(job)],
      ['reads', file === undefined && job.input.length > 0 && firstNames(job.input)],
      ['asks', file === undefined && job.ask.length > 0 && job.ask.join(', ')],
      [
        'paused',
        job.pausedAt !== null &&
          html`since ${timeElement(job.pausedAt)}; nothing is sent for it before it is resumed`,
      ],
      ['next run', nextOf({ ...job, pausedAt: null })],
      ['runs', link(pathTo(PATHS.runs, {}, { job: job.job }), job.runs)],
    ]),
  )}${stated.length > 0 && card('What the file states', factList(stated))}${file !== undefined && commandsOf(file, job)}</div>
<p class="row">${!isReadOnly && actionsOf(job)}</p>
<h2>Last runs</h2>`;
}

function withoutFile({ isEnriched }: JobLine): string {
  return isEnriched
    ? 'none: the same “sluice enrich” command continues it'
    : 'none in jobs/: start it as before; it continues';
}

function commandsOf(file: string, { stated }: JobLine): Markup {
  const word = shellWord(file);
  return card(
    'On the command line',
    html`${commandLine(`sluice plan ${word}`)}${commandLine(`sluice run ${word}`)}`,
    {
      about: `The first says what a run would cost, and sends nothing.${stated?.waterfall !== undefined ? ' A waterfall is not started here; if its steps name accounts, add --credentials and the file of these.' : ''}`,
    },
  );
}

/** The actions: each link leads to a page that says what it would do and cost, and asks. */
function actionsOf(one: JobLine): Markup {
  const { job, pausedAt, runs } = one;
  return html`${canStart(one) && startLink(one)}${
    pausedAt === null
      ? runs > 0 && buttonLink(pathTo(PATHS.pause, { job }), 'Pause…')
      : buttonLink(pathTo(PATHS.resume, { job }), 'Resume…', true)
  }`;
}

/** The last runs of the job, below the rest and kept up to date. */
function layOutJobRuns(job: JobLine, runs: readonly RunLine[]): Markup {
  if (runs.length === 0) return html`<p class="empty">It has not run with this state yet.</p>`;
  const all = link(pathTo(PATHS.runs, {}, { job: job.job }), 'All runs of this job');
  const compare =
    runs.length > 1 && link(pathTo(PATHS.compare, { job: job.job }), 'Compare two of them');
  return html`${asHtml(tellRuns(runs, { title: `Last runs of ${job.dropped ?? job.job}` }).parts, hrefOf)}<p class="row">${all}${compare}</p>`;
}
