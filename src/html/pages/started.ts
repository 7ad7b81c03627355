// The page of a command that was started from the pages: at work, or with its end.
import { html, type Markup } from '../markup.js';
import { badge, commandLine, timeElement } from '../parts.js';
import { runDownloads } from './downloads.js';

export interface ShownStart {
  readonly title: string;
  readonly startedAt: number;
  readonly command: string;
  readonly end: { readonly at: number; readonly code: number | null } | null;
  readonly said: readonly string[];
  /** The job's newest run, once there is one. */
  readonly run: { readonly path: string; readonly id: number } | null;
}

export function startedSection(id: string, shown: ShownStart): Markup {
  const { command, end, run, said, startedAt, title } = shown;
  return html`<section id="${id}"><h1>${title}</h1><div class="stack"><p>${stateOf(shown)} Started at ${timeElement(startedAt)}, as a process of its own: it goes on if these pages are closed.</p>
${commandLine(command)}
${said.length > 0 && html`<pre class="command">${said.map((line) => html`${line}\n`)}</pre>`}
<div class="row">${run !== null && html`<a class="button main" href="${run.path}">Run ${run.id}</a>`}<a class="button" href="/">Runs</a></div>${run !== null && end !== null && html`<p class="row">${runDownloads(run.id)}</p>`}</div></section>`;
}

function stateOf({ end }: ShownStart): Markup {
  if (end === null) return badge('at work', 'wait');
  if (end.code === 0) return badge('ended, and all is answered', 'good');
  if (end.code === 1) return badge('ended; some leads have no answer', 'warn');
  return badge(`ended with exit code ${end.code ?? 'unknown'}`, 'bad');
}
