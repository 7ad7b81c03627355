// The page of a command that was started here: whether it is at work, and its output if it failed.
import { html, type Markup } from '../../html/markup.js';
import { badge, commandLine, timeElement } from '../../html/parts.js';
import { SluiceError } from '../../model/errors.js';
import { shellWord } from '../../model/text/printable.js';
import { called } from '../action.js';
import { runDownloads } from '../download-links.js';
import type { UiPage } from '../page.js';
import { PATHS, runPath } from '../paths.js';

const RUNS_LOOKED_AT = 20;

export const startedPage: UiPage = {
  path: PATHS.started,
  load: async (context, { params }) => {
    const { starter, store } = context;
    const command = starter.find(Number(params['started']));
    if (command === undefined) {
      throw new SluiceError(
        'usage',
        'What was started under this number is not known any more; its run is among the runs.',
      );
    }
    const { args, end, job, said, startedAt } = command;
    const runs = await store.listRuns(RUNS_LOOKED_AT);
    const newest = runs.find((run) => run.job === job);
    const isSeen = newest !== undefined && (end !== null || (await store.isLocked(job)));
    const name = called(context, job);
    const title = `${name} was started`;
    const run = isSeen ? { path: runPath(newest.id), id: newest.id } : null;
    const shown = {
      title,
      startedAt,
      command: ['sluice', ...args].map(shellWord).join(' '),
      end,
      said: said.map((line) => withName(line, job, name)),
      run,
    };
    const markup = startedSection('started', shown);
    return { title, body: markup, live: [{ id: 'started', markup }] };
  },
};

/** A line with the job's name for its user; commands and paths stay as they are typed. */
function withName(line: string, job: string, name: string): string {
  return [' of ', ' job '].reduce(
    (told, before) => told.replaceAll(before + job, () => before + name),
    line,
  );
}

interface ShownStart {
  readonly title: string;
  readonly startedAt: number;
  readonly command: string;
  readonly end: { readonly at: number; readonly code: number | null } | null;
  readonly said: readonly string[];
  /** The job's newest run, once there is one. */
  readonly run: { readonly path: string; readonly id: number } | null;
}

function startedSection(id: string, shown: ShownStart): Markup {
  const { command, end, run, said, startedAt, title } = shown;
  return html`<section id="${id}"><h1>${title}</h1><div class="stack"><p>${stateOf(shown)} Started at ${timeElement(startedAt)}, as a process of its own: it goes on if these pages are closed.</p>
${commandLine(command)}
${said.length > 0 && html`<pre class="command">${said.map((line) => html`${line}\n`)}</pre>`}
<div class="row">${run !== null && html`<a class="button main" href="${run.path}">Run ${run.id}</a>`}<a class="button" href="${PATHS.runs}">Runs</a></div>${run !== null && end !== null && html`<p class="row">${runDownloads(run.id)}</p>`}</div></section>`;
}

function stateOf({ end }: ShownStart): Markup {
  if (end === null) return badge('at work', 'wait');
  if (end.code === 0) return badge('ended, and all is answered', 'good');
  if (end.code === 1) return badge('ended; some leads have no answer', 'warn');
  return badge(`ended with exit code ${end.code ?? 'unknown'}`, 'bad');
}
