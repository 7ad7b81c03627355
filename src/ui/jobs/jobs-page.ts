import { ownJobs } from '../../app/settings/own-job.js';
import { nameOfStep } from '../../config/job-keys/waterfall.js';
import { type JobFile, jobKeys } from '../../config/job-schema.js';
import { loadJob } from '../../config/load-job.js';
import { html, type Markup } from '../../html/markup.js';
import { commandLine, firstNames, notice } from '../../html/parts.js';
import { SluiceError, wrongUse } from '../../model/errors.js';
import { cutText, formatNumber } from '../../model/text/count.js';
import { shellWord } from '../../model/text/printable.js';
import { asHtml } from '../../tell/as-html.js';
import type { Value } from '../../tell/page.js';
import { factPart, table } from '../../tell/shared.js';
import { jobRef, marksOf, type RunLine, tellRuns } from '../../tell/tell-runs.js';
import { liveSection } from '../layout.js';
import { buttonLink, hrefOf, link } from '../links.js';
import type { PageContent, UiContext, Visit } from '../page.js';
import { PATHS, pathTo } from '../paths.js';
import { seeRuns } from '../runs/runs-page.js';
import { droppedJobFile, droppedName } from '../try/uploads.js';

const JOBS_MAX = 200;
const RUNS_SHOWN = 10;
/** The characters of what is wrong with a job that the list shows; its page has all. */
const PROBLEM_MAX = 120;

export async function showJobs(context: UiContext): Promise<PageContent> {
  const jobs = await seeJobs(context);
  const own = jobs.filter((one) => !isFileOnce(one));
  const once = jobs.filter(isFileOnce);
  const shown = (title: string, some: readonly JobLine[]): Markup =>
    jobTable(title, some, context.isReadOnly);
  const none = html`<p class="empty">No file in the folder jobs/, and no job of another name has run.</p>`;
  const all = html`${own.length === 0 ? none : shown('Jobs', own)}${
    once.length > 0 &&
    html`<h2>Files that were enriched</h2>${shown('Files that were enriched', once)}`
  }`;
  return { title: 'Jobs', body: html`<h1>Jobs</h1>${jobs.length === 0 ? NO_JOB : all}` };
}

export async function showJob(context: UiContext, visit: Visit): Promise<PageContent> {
  const { job = '' } = visit.params;
  const [seen] = await seeJobs(context, job);
  if (seen === undefined) {
    const message = `There is no job ${job}: no file of that name in jobs/, and no run.`;
    throw wrongUse(message);
  }
  const { lines } = await seeRuns(context, { job }, RUNS_SHOWN);
  const runs = liveSection('runs', layOutRuns(seen, lines));
  return {
    title: `Job ${seen.dropped ?? job}`,
    body: html`${layOutJob(seen, context.isReadOnly)}${runs.markup}`,
    live: [runs],
  };
}

interface JobLine {
  readonly job: string;
  /** The name of the dropped file of the job; null for any other job. */
  readonly dropped: string | null;
  /** Undefined if there is none in jobs/, and none of a dropped file. */
  readonly file: string | undefined;
  /** Undefined if there is no file, or it cannot be used, as `problem` says. */
  readonly stated?: JobFile;
  readonly problem?: string;
  readonly input: readonly string[];
  readonly ask: readonly string[];
  /** The time of its next run; null if no worker has been told of it. */
  readonly schedule: { pattern: string; timezone: string; nextAt: number | null } | null;
  readonly pausedAt: number | null;
  readonly runs: number;
  /** Whether `sluice enrich` began its last run, without a job file. */
  readonly isEnriched: boolean;
  readonly last: RunLine | undefined;
}

async function seeJobs(context: UiContext, only?: string): Promise<readonly JobLine[]> {
  const { environment, state, store } = context;
  const files = ownJobs();
  const counts = new Map((await store.listJobs(JOBS_MAX)).map((one) => [one.job, one.runs]));
  const schedules = await store.schedules();
  const jobs: JobLine[] = [];
  for (const job of new Set([...files.keys(), ...counts.keys()])) {
    if (only !== undefined && job !== only) continue;
    const file = files.get(job) ?? droppedJobFile(state, job);
    const read = file === undefined ? {} : await readJob(file, environment.variable);
    const { stated } = read;
    const runs = counts.get(job) ?? 0;
    const [last] = runs === 0 ? [] : (await seeRuns(context, { job }, 1)).lines;
    // Without a file, its last run shows what it reads and asks.
    const ran = file === undefined ? last?.run : undefined;
    const scheduled = schedules.find((one) => one.job === job);
    const pattern = scheduled?.pattern ?? stated?.schedule;
    const timezone = scheduled?.timezone ?? stated?.timezone ?? 'UTC';
    jobs.push({
      job,
      dropped: droppedName(state, job),
      file,
      ...read,
      input: [stated?.input ?? ran?.sources ?? []].flat(),
      ask: [stated?.ask ?? ran?.ask ?? []].flat(),
      schedule:
        pattern === undefined ? null : { pattern, timezone, nextAt: scheduled?.nextAt ?? null },
      pausedAt: (await store.jobNow(job)).pausedAt,
      runs,
      isEnriched: last?.run.sources.includes(job) === true,
      last,
    });
  }
  return jobs;
}

async function readJob(
  file: string,
  variable: UiContext['environment']['variable'],
): Promise<Pick<JobLine, 'stated' | 'problem'>> {
  try {
    return { stated: await loadJob(file, variable) };
  } catch (error) {
    if (error instanceof SluiceError) return { problem: error.message };
    throw error;
  }
}

function statedIn(stated: JobFile | undefined): [string, string][] {
  return jobKeys.flatMap(([name, { mayBeSecret = false }]): [string, string][] => {
    const value = stated?.[name];
    return value === undefined || mayBeSecret ? [] : [[name, textOf(value)]];
  });
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return Object.entries(value)
    .map(([name, one]) => `${name} = ${textOf(one)}`)
    .join(', ');
}

const NO_JOB = html`<div class="notice"><p>There is no job yet: no file in the folder jobs/, and nothing has run. This looks at the columns of your file and writes a job:</p>${commandLine(
  'sluice init leads.csv',
)}</div>`;

/** Whether it is a file that was dropped here, or given to `sluice enrich`, and no job that is run again. */
function isFileOnce({ dropped, file, isEnriched }: JobLine): boolean {
  return dropped !== null || (file === undefined && isEnriched);
}

function jobTable(title: string, jobs: readonly JobLine[], isReadOnly: boolean): Markup {
  // A file is called as it is read.
  const isNamedAlike = jobs.every(isFileOnce);
  const columns = [
    { name: isNamedAlike ? 'File' : 'Job' },
    { name: 'Reads', isLong: true, isOptional: true, isBelow: true },
    { name: 'Asks', isLong: true, isMinor: true },
    { name: 'Runs', isNumber: true, isMinor: true },
    { name: 'Last run' },
    { name: 'Next run', isLong: true, isOptional: true, isMinor: true },
    { name: 'Start', isOptional: true, isEvident: true },
  ];
  const rows = jobs.map((one): Value[] => [
    isNamedAlike
      ? [jobRef(one.job, one.dropped), ' ', brokenOf(one)]
      : jobRef(one.job, one.dropped),
    isNamedAlike ? null : (brokenOf(one) ?? firstNames(one.input)),
    one.ask.join(', '),
    one.runs === 0 ? 0 : runsOf(one),
    lastOf(one),
    nextOf(one),
    canStart(one) && !isReadOnly ? { to: 'start', job: one.job, text: 'Start…' } : null,
  ]);
  return asHtml(
    [table(title, [], rows, { columns, isAlone: true, isStacked: true, isBrief: !isNamedAlike })],
    hrefOf,
  );
}

function brokenOf({ problem }: JobLine): Value {
  if (problem === undefined) return null;
  return [{ mark: 'broken', tone: 'bad' }, ` ${cutText(problem, PROBLEM_MAX)}`];
}

function runsOf({ job, runs }: JobLine): Value {
  return { to: 'runs', job, text: formatNumber(runs) };
}

function canStart({ stated }: JobLine): boolean {
  return stated !== undefined;
}

function lastOf({ last }: JobLine): Value {
  if (last === undefined) return 'never';
  const { run, state } = last;
  const ref = { to: 'run', run: run.id, text: `Run ${run.id}` } as const;
  return [ref, ' ', marksOf(state, null), ' ', { at: run.startedAt }];
}

function nextOf({ job, pausedAt, schedule }: JobLine): Value {
  const paused: Value = pausedAt === null ? null : [{ mark: 'paused', tone: 'warn' }, ' '];
  if (schedule === null) return paused;
  const { nextAt, pattern, timezone } = schedule;
  const none = `none yet: “sluice schedule apply ${shellWord(job)}” begins it`;
  return [paused, nextAt === null ? none : { at: nextAt }, `, by ${pattern} (${timezone})`];
}

function layOutJob(job: JobLine, isReadOnly: boolean): Markup {
  const { file, pausedAt, problem, runs } = job;
  const stated = statedIn(job.stated);
  const withoutFile = job.isEnriched
    ? 'none: the same “sluice enrich” command continues it'
    : 'none in jobs/: start it as before; it continues';
  const pausing =
    pausedAt === null
      ? runs > 0 && buttonLink(pathTo(PATHS.pause, { job: job.job }), 'Pause…')
      : buttonLink(pathTo(PATHS.resume, { job: job.job }), 'Resume…', true);
  const names = job.stated?.waterfall?.map(nameOfStep);
  const steps = ['waterfall', names?.join(', ') ?? null] as const;
  const untilResumed = '; nothing is sent for it before it is resumed';
  const parts = [
    factPart(
      'State',
      ['job', job.dropped === null ? null : job.job],
      ['file', file ?? withoutFile],
      ['reads', file === undefined ? firstNames(job.input) || null : null],
      ['asks', file === undefined ? job.ask.join(', ') || null : null],
      ['paused', pausedAt === null ? null : ['since ', { at: pausedAt }, untilResumed]],
      ['next run', nextOf({ ...job, pausedAt: null })],
      ['runs', runs === 0 ? null : runsOf(job)],
    ),
    ...(stated.length > 0 ? [factPart('What the file states', ...stated, steps)] : []),
  ];
  // It leads to a page that says what the run would do and cost, and asks.
  const start = buttonLink(pathTo(PATHS.start, { job: job.job }), 'Start…', pausedAt === null);
  return html`<p class="crumbs">${link(PATHS.jobs, 'Jobs')}</p>
<h1>${job.dropped ?? job.job}</h1>
${problem !== undefined && notice('bad', html`<p>${problem}</p><p>Until that is changed, the job does not run.</p>`)}
${!isReadOnly && html`<p class="row">${canStart(job) && start}${pausing}</p>`}
<h2>The job</h2>
${asHtml(parts, hrefOf)}
<h2>Last runs</h2>`;
}

function layOutRuns({ dropped, job }: JobLine, runs: readonly RunLine[]): Markup {
  if (runs.length === 0) return html`<p class="empty">It has not run with this state yet.</p>`;
  const all = link(pathTo(PATHS.runs, {}, { job }), 'All runs of this job');
  const compare = runs.length > 1 && link(pathTo(PATHS.compare, { job }), 'Compare two of them');
  return html`${asHtml(tellRuns(runs, { title: `Last runs of ${dropped ?? job}`, areOfJob: true }).parts, hrefOf)}<p class="row">${all}${compare}</p>`;
}
