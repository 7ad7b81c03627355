// The list of jobs that can be run, and the page of one of them.
import { type Content, html, type Markup } from '../../html/markup.js';
import {
  card,
  commandLine,
  dataTable,
  factList,
  firstNames,
  notice,
  stateBadge,
  timeElement,
} from '../../html/parts.js';
import type { ShownState } from '../../model/run.js';
import { shellWord } from '../../model/text/printable.js';
import { buttonLink, jobLink, link } from '../links.js';
import { comparePath, doctorPath, PATHS, pathTo, runPath, runsPath } from '../paths.js';
import { layOutRunTable, type RunLine } from '../runs/runs-view.js';

export interface ScheduleView {
  readonly pattern: string;
  readonly timezone: string;
  /** The time of its next run; null if no worker has been told of it. */
  readonly nextAt: number | null;
}

/** A job with a file, or with runs, or both. */
export interface JobLine {
  readonly job: string;
  /** The name of the dropped file of the job; null for any other job. */
  readonly dropped: string | null;
  /** Null if there is none in jobs/, and none of a dropped file. */
  readonly file: string | null;
  /** The reason why the file cannot be used; null if it can. */
  readonly problem: string | null;
  readonly input: readonly string[];
  readonly ask: readonly string[];
  readonly out: readonly string[];
  readonly schedule: ScheduleView | null;
  readonly pausedAt: number | null;
  readonly runs: number;
  /** Whether `sluice enrich` began its last run, without a job file. */
  readonly isEnriched: boolean;
  readonly last: {
    readonly id: number;
    readonly state: ShownState;
    readonly startedAt: number;
  } | null;
}

export function layOutJobs(jobs: readonly JobLine[]): Markup {
  if (jobs.length === 0) {
    return html`<h1>Jobs</h1><div class="notice"><p>There is no job yet: no file in the folder jobs/, and nothing has run. This looks at the columns of your file and writes a job:</p>${commandLine(
      'sluice init leads.csv',
    )}</div>`;
  }
  const columns = [
    { name: 'Job' },
    { name: 'Reads', isLong: true },
    { name: 'Asks', isLong: true },
    { name: 'Runs', isNumber: true },
    { name: 'Last run' },
    { name: 'Next run', isLong: true },
  ];
  const rows = jobs.map((one) => [
    jobLink(one.job, one.dropped),
    one.problem === null
      ? firstNames(one.input)
      : html`<span class="badge bad">broken</span> ${one.problem}`,
    one.ask.join(', '),
    one.runs === 0 ? '0' : link(runsPath({ job: one.job }), one.runs),
    lastOf(one),
    nextOf(one),
  ]);
  return html`<h1>Jobs</h1>${dataTable({ caption: 'Jobs', isCaptionHidden: true, isStacked: true, columns, rows })}`;
}

function lastOf({ last }: JobLine): Content {
  if (last === null) return 'never';
  return html`${link(runPath(last.id), `Run ${last.id}`)} ${stateBadge(last.state)} ${timeElement(last.startedAt)}`;
}

function nextOf({ pausedAt, schedule }: JobLine): Content {
  const paused = pausedAt !== null && html`<span class="badge warn">paused</span> `;
  if (schedule === null) return html`${paused}–`;
  const { nextAt, pattern, timezone } = schedule;
  const at = nextAt !== null && html`${timeElement(nextAt)} `;
  return html`${paused}${at}<code>${pattern}</code> ${timezone}`;
}

export interface JobView {
  readonly job: JobLine;
  readonly isReadOnly: boolean;
  /** The keys that its file states, with their texts. */
  readonly stated: readonly (readonly [key: string, text: string])[];
  /** Its last runs. */
  readonly runs: readonly RunLine[];
}

export function layOutJob({ isReadOnly, job, stated }: Omit<JobView, 'runs'>): Markup {
  const { file, problem } = job;
  return html`<p class="crumbs">${link(PATHS.jobs, 'Jobs')}</p>
<h1>${job.dropped ?? job.job}</h1>
${problem !== null && notice('bad', html`<p>${problem}</p><p>Until that is changed, the job does not run.</p>`)}
<h2>The job</h2>
<div class="cards">${card(
    'State',
    factList([
      ['job', job.dropped !== null && job.job],
      ['file', file ?? withoutFile(job)],
      ['reads', file === null && job.input.length > 0 && firstNames(job.input)],
      ['asks', file === null && job.ask.length > 0 && job.ask.join(', ')],
      [
        'paused',
        job.pausedAt !== null && html`since ${timeElement(job.pausedAt)}; nothing is sent for it`,
      ],
      ['next run', nextOf({ ...job, pausedAt: null })],
      ['runs', link(runsPath({ job: job.job }), job.runs)],
    ]),
  )}${stated.length > 0 && card('What the file states', factList(stated))}${file !== null && commandsOf(file)}</div>
<p class="row">${!isReadOnly && actionsOf(job)}${file !== null && buttonLink(doctorPath(job.job), 'Check what a run needs')}</p>
<h2>Last runs</h2>`;
}

function withoutFile({ isEnriched }: JobLine): string {
  return isEnriched
    ? 'none: the same “sluice enrich” command continues it'
    : 'none in jobs/: start it as before; it continues';
}

function commandsOf(file: string): Markup {
  const word = shellWord(file);
  return card(
    'On the command line',
    html`${commandLine(`sluice plan ${word}`)}${commandLine(`sluice run ${word}`)}`,
    { about: 'The first says what a run would cost, and sends nothing.' },
  );
}

/** The actions: each link leads to a page that says what it would do and cost, and asks. */
function actionsOf({ file, job, pausedAt, problem, runs }: JobLine): Markup {
  const isStartable = file !== null && problem === null;
  return html`${isStartable && buttonLink(pathTo(PATHS.start, { job }), 'Start…')}${
    pausedAt === null
      ? runs > 0 && buttonLink(pathTo(PATHS.pause, { job }), 'Pause…')
      : buttonLink(pathTo(PATHS.resume, { job }), 'Resume…')
  }`;
}

/** The runs of the job, below the rest and kept up to date. */
export function layOutJobRuns({ job, runs }: Pick<JobView, 'job' | 'runs'>): Markup {
  if (runs.length === 0) return html`<p class="empty">It has not run with this state yet.</p>`;
  const all = link(runsPath({ job: job.job }), 'All runs of this job');
  const compare = runs.length > 1 && link(comparePath(job.job), 'Compare two of them');
  return html`${layOutRunTable(runs, `Last runs of ${job.dropped ?? job.job}`)}<p class="row">${all}${compare}</p>`;
}
