// Starting a job: the page that asks, by the plan of its run. Then the page of the command that was started, until its run
// has begun.
import type { StartedCommand } from '../../app/run/start-command.js';
import { type AskedStart, budgetFlags, starting } from '../../app/run/starting.js';
import { resuming } from '../../app/state/pause-job.js';
import { html, type Markup } from '../../html/markup.js';
import { badge, commandLine, timeElement } from '../../html/parts.js';
import { wrongUse } from '../../model/errors.js';
import { formatNumber } from '../../model/text/count.js';
import { shellWord } from '../../model/text/printable.js';
import { asHtml } from '../../tell/as-html.js';
import { type Action, called } from '../action.js';
import { loadOwnJob } from '../jobs/own-jobs.js';
import { liveSection } from '../layout.js';
import type { Goto, PageContent, UiContext, Visit } from '../page.js';
import { PATHS, pathTo, runPath } from '../paths.js';

export const startAction: Action = {
  path: PATHS.start,
  ask: async (context, { params: { job = '' } }) => {
    const settings = await loadOwnJob(job, context);
    const name = called(context, job);
    const asked = await starting.ask({ ...context, job, name, settings });
    return { ...startForm(asked, `Start ${name}`), back: PATHS.jobs };
  },
  perform: async (context, { form, params: { job = '' } }) => {
    // The file is read once more, because it may have changed since the page was made.
    const started = await startAgain(context, job, form);
    if ((await context.store.jobNow(job)).pausedAt !== null) {
      await resuming.perform({ ...context, job, name: called(context, job) });
    }
    return toStarted(started);
  },
};

/** @throws SluiceError if what the form agreed to holds no longer */
export async function startAgain(context: UiContext, job: string, form: URLSearchParams) {
  const settings = await loadOwnJob(job, context);
  const { file = '' } = settings;
  const budget = budgetFlags(settings, form.get('budget'));
  const anew = form.has('pay-anew') ? ['--set', 'pay-anew=true'] : [];
  const args = ['run', file, '--state', context.state, '--quiet', ...budget, ...anew];
  const of = { ...context, job, name: called(context, job) };
  return starting.perform(of, { seen: form.get('seen'), args });
}

export function toStarted({ id }: StartedCommand): Goto {
  return { goto: pathTo(PATHS.started, { started: id }) };
}

/** The plan, and the fields of what is agreed to. */
export function startForm(asked: AskedStart, words: string) {
  const { budget, canBe, paidAnew, plan, ...told } = asked;
  const anew = {
    name: 'pay-anew',
    label: `Pay again for leads that are known already: ${formatNumber(paidAnew)}`,
    hint: 'Without it the run ends before it sends anything.',
    isChecked: false,
  };
  return {
    ...told,
    facts: html`<h2>${plan.title}</h2>${asHtml(plan.parts)}`,
    choices: [
      ...(budget === null ? [] : [{ name: 'budget', ...budget }]),
      ...(paidAnew > 0 ? [anew] : []),
    ],
    button: canBe ? words : null,
  };
}

export async function showStarted(context: UiContext, { params }: Visit): Promise<PageContent> {
  const command = context.starter.find(Number(params['started']));
  if (command === undefined) {
    throw wrongUse(
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
