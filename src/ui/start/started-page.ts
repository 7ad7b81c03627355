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
  const title = `${called(context, command.job)} was started`;
  const part = liveSection('started', html`<h1>${title}</h1>${startedBody(command)}`);
  return { title, body: part.markup, live: [part] };
}

function startedBody({ args, end, run, said, startedAt }: StartedCommand): Markup {
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
