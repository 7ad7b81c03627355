// The page of a command that was started here, until its run has begun: then the run's own page takes its place. If the
// command fails, its output stays here.
import { html, type Markup } from '../../html/markup.js';
import { badge, commandLine, timeElement } from '../../html/parts.js';
import { SluiceError } from '../../model/errors.js';
import { isOpen, type Run } from '../../model/run.js';
import { shellWord } from '../../model/text/printable.js';
import { called } from '../action.js';
import { liveSection } from '../layout.js';
import type { PageContent, UiContext, Visit } from '../page.js';
import { PATHS, runPath } from '../paths.js';
import type { StartedCommand } from './start-command.js';

const RUNS_LOOKED_AT = 20;

export async function showStarted(context: UiContext, { params }: Visit): Promise<PageContent> {
  const { starter, store } = context;
  const command = starter.find(Number(params['started']));
  if (command === undefined) {
    throw new SluiceError(
      'usage',
      'Nothing is known any more of a start under this number; its run is among the runs.',
    );
  }
  const { end, job, said } = command;
  const runs = await store.listRuns(RUNS_LOOKED_AT);
  const newest = runs.find((run) => run.job === job);
  const isSeen = newest !== undefined && (end !== null || (await store.jobNow(job)).isLocked);
  const name = called(context, job);
  const title = `${name} was started`;
  const run = isSeen ? newest : null;
  const lines = said.map((line) => withName(line, job, name));
  const part = liveSection('started', html`<h1>${title}</h1>${startedBody(command, run, lines)}`);
  return { title, body: part.markup, live: [part] };
}

/** A line with the job's name for its user; commands and paths stay as they are typed. */
function withName(line: string, job: string, name: string): string {
  return [' of ', ' job '].reduce(
    (told, before) => told.replaceAll(before + job, () => before + name),
    line,
  );
}

function startedBody(command: StartedCommand, run: Run | null, said: readonly string[]): Markup {
  const { args, end, startedAt } = command;
  return html`<div class="stack"><p>${stateOf(end)} Started at ${timeElement(startedAt)}, as a process of its own: it goes on if these pages are closed.</p>
${commandLine(['sluice', ...args].map(shellWord).join(' '))}
${said.length > 0 && html`<pre class="command">${said.map((line) => html`${line}\n`)}</pre>`}
<div class="row">${
    run !== null &&
    html`<a class="button main" href="${runPath(run.id)}"${leadsOn(command, run) && html` data-goto`}>Run ${run.id}</a>`
  }<a class="button" href="${PATHS.runs}">Runs</a></div></div>`;
}

/** Whether the page goes on to the run. A command that failed before its run has its output here alone. */
function leadsOn({ end, startedAt }: StartedCommand, run: Run): boolean {
  if (run.startedAt >= startedAt) return true;
  return end === null ? isOpen(run.state) : end.code === 0 || end.code === 1;
}

function stateOf(end: StartedCommand['end']): Markup {
  if (end === null) return badge('at work', 'wait');
  if (end.code === 0) return badge('ended, and all is answered', 'good');
  if (end.code === 1) return badge('ended; some leads have no answer', 'warn');
  return badge(`ended with exit code ${end.code ?? 'unknown'}`, 'bad');
}
