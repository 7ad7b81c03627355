// The page of a command that was started here, until its run has begun: then the run's own page takes its place. If the
// command fails, its output stays here.
import { html, type Markup } from '../../html/markup.js';
import { badge, commandLine, timeElement } from '../../html/parts.js';
import { SluiceError } from '../../model/errors.js';
import { shellWord } from '../../model/text/printable.js';
import { called } from '../action.js';
import { liveSection } from '../layout.js';
import type { PageContent, UiContext, Visit } from '../page.js';
import { PATHS, runPath } from '../paths.js';
import type { StartedCommand } from './start-command.js';

export async function showStarted(context: UiContext, { params }: Visit): Promise<PageContent> {
  const command = context.starter.find(Number(params['started']));
  if (command === undefined) {
    throw new SluiceError(
      'usage',
      'Nothing is known any more of a start under this number; its run is among the runs.',
    );
  }
  const { job, said } = command;
  const name = called(context, job);
  const title = `${name} was started`;
  const lines = said.map((line) => withName(line, job, name));
  const part = liveSection('started', html`<h1>${title}</h1>${startedBody(command, lines)}`);
  return { title, body: part.markup, live: [part] };
}

/** A line with the job's name for its user; commands and paths stay as they are typed. */
function withName(line: string, job: string, name: string): string {
  return [' of ', ' job '].reduce(
    (told, before) => told.replaceAll(before + job, () => before + name),
    line,
  );
}

function startedBody(
  { args, end, run, startedAt }: StartedCommand,
  said: readonly string[],
): Markup {
  return html`<div class="stack"><p>${stateOf(end)} Started at ${timeElement(startedAt)}, as a process of its own: it goes on if these pages are closed.</p>
${commandLine(['sluice', ...args].map(shellWord).join(' '))}
${said.length > 0 && html`<pre class="command">${said.map((line) => html`${line}\n`)}</pre>`}
<div class="row">${
    run !== null && html`<a class="button main" href="${runPath(run)}" data-goto>Run ${run}</a>`
  }<a class="button" href="${PATHS.runs}">Runs</a></div></div>`;
}

function stateOf(end: StartedCommand['end']): Markup {
  if (end === null) return badge('at work', 'wait');
  if (end.code === 0) return badge('ended, and all is answered', 'good');
  if (end.code === 1) return badge('ended; some leads have no answer', 'warn');
  return badge(`ended with exit code ${end.code ?? 'unknown'}`, 'bad');
}
