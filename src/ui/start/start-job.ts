// Starting a job: the result of `sluice plan` comes first, and the run may spend no more than it says. Then the page of the
// command that was started, until its run has begun.
import { type JobForecast, planJob } from '../../app/plan/plan-job.js';
import { planList } from '../../app/plan/plan-run.js';
import { SANDBOX_URL } from '../../app/settings/environment.js';
import type { JobSettings } from '../../app/settings/job-settings.js';
import { html, type Markup } from '../../html/markup.js';
import { badge, commandLine, timeElement } from '../../html/parts.js';
import { isDropFolder } from '../../input/sources/drop-folder.js';
import { isCredits, sumCredits } from '../../model/credits.js';
import { SluiceError } from '../../model/errors.js';
import type { Run } from '../../model/run.js';
import type { Forecast } from '../../model/tally.js';
import { formatNumber } from '../../model/text/count.js';
import { shellWord } from '../../model/text/printable.js';
import type { Store } from '../../ports/store/store.js';
import { type Committed, commitmentOf } from '../../run/send/budget.js';
import { asHtml } from '../../tell/as-html.js';
import { tellCredits, tellPlan } from '../../tell/tell-plan.js';
import { type Action, called } from '../action.js';
import { loadOwnJob } from '../jobs/own-jobs.js';
import { liveSection } from '../layout.js';
import type { PageContent, UiContext, Visit } from '../page.js';
import { PATHS, pathTo, runPath } from '../paths.js';
import type { StartedCommand } from './start-command.js';

/** A file may also come between the plan and the start. */
const MORE_RUNS =
  'The input is a folder: a file that comes before the start, or a run that goes on, makes another run, which may spend this much as well. ';

export const startAction: Action = {
  path: PATHS.start,
  ask: async (context, { params: { job = '' } }) => {
    const { environment, store } = context;
    const settings = await loadOwnJob(job, context);
    const name = called(context, job);
    // The state is read before the plan, so that changes in between are noticed.
    const seen = await asSeen(store, job);
    const isFolder = await isDropFolder(settings.input);
    const forecast = await planJob(settings, { environment });
    const { runs } = forecast;
    const { openRun: open, isLocked, pausedAt } = await store.jobNow(job);
    const committed = open && (await commitmentOf(store, open));
    const most = mostOf(open, committed, forecast);
    // The run would stop at once with its own budget.
    const spent = committed?.spent ?? 0;
    const isUsedUp =
      open?.left?.by === 'budget' || (spent > 0 && spent >= (settings.budget ?? Infinity));
    const paidAnew = forecast.paidAnew.reduce((sum, { leads }) => sum + leads, 0);
    const isAsked = paidAnew > 0 && !settings.payAnew;
    const ofRun =
      open === null
        ? ''
        : `For all of run ${open.id}, with what it has spent already${open.replaces === undefined ? '' : ', and the unfinished runs that it replaced'}. `;
    const { budget, ...asked } = askedOf(forecast, settings, {
      label: isFolder ? 'Each run may spend' : 'Spend',
      hint: `${ofRun}${isFolder ? MORE_RUNS : ''}`,
      // The cost of all files is not a budget for each of them.
      value: isUsedUp ? most : (settings.budget ?? (runs > 1 ? null : most)),
    });
    const anew = {
      name: 'pay-anew',
      label: `Pay again for leads that are known already: ${formatNumber(paidAnew)}`,
      hint: 'Without it the run ends before it sends anything.',
      isChecked: false,
    };
    return {
      ...asked,
      title: `Start ${name}?`,
      sentences: [
        open === null
          ? 'A new run begins, in a process of its own: it goes on if these pages are closed.'
          : `Run ${open.id}, which has not ended, goes on in a process of its own.`,
        ...(runs > 1 ? [describeRuns(runs)] : []),
        ...(isLocked ? [`A process is working on ${name} already: wait for it to end.`] : []),
        ...(pausedAt !== null ? [`${name} is paused: nothing is sent before it is resumed.`] : []),
      ],
      cost:
        runs > 1 && settings.url !== SANDBOX_URL
          ? `${asked.cost} That is for all ${formatNumber(runs)} runs; the budget is for each.`
          : asked.cost,
      choices: [budget, ...(isAsked ? [anew] : [])],
      seen,
      button: isLocked ? null : `Start ${name}`,
      back: PATHS.jobs,
    };
  },
  perform: async (context, { form, params: { job = '' } }) => {
    // The file is read once more, because it may have changed since the page was made.
    const { file = '' } = await loadOwnJob(job, context);
    await checkSeen(context, job, form);
    const args = [
      'run',
      file,
      '--state',
      context.state,
      '--quiet',
      '--budget',
      String(budgetIn(form)),
      ...(form.has('pay-anew') ? ['--set', 'pay-anew=true'] : []),
    ];
    const { id } = context.starter.start(job, args);
    return { goto: pathTo(PATHS.started, { started: id }) };
  },
};

function describeRuns(runs: number): string {
  const many = formatNumber(runs);
  return `${many} files are new, and each has a run of its own. The budget is for each of these runs: all of them together may spend ${many} times as much.`;
}

/** @throws SluiceError `busy` if a run has begun or ended since the form was made, or is at work */
export async function checkSeen(
  context: UiContext,
  job: string,
  form: URLSearchParams,
): Promise<void> {
  const { store } = context;
  if ((await store.jobNow(job)).isLocked) {
    throw new SluiceError('busy', `A process is working on ${called(context, job)} already.`);
  }
  if (form.get('seen') === (await asSeen(store, job))) return;
  throw new SluiceError(
    'busy',
    `Nothing was started: a run of ${called(context, job)} has begun or ended since this page was made, so its plan and its budget were for something else. Open the page again.`,
  );
}

/** The run that a start would continue, and the one after which it would come: the same form never starts two runs. */
export async function asSeen(store: Store, job: string): Promise<string> {
  const { openRun: open } = await store.jobNow(job);
  const [last] = await store.listRuns(1, { job });
  return `${open?.id ?? 0}-${last?.id ?? 0}`;
}

/** The greatest cost of the run by its plan; null if that is not known. */
function mostOf(
  open: Run | null,
  committed: Committed | null,
  { creditsMax, inPart }: Forecast,
): number | null {
  // The budget counts each request at the price of all asks of the job.
  if (inPart.length > 0) return null;
  if (open === null || committed === null) return creditsMax;
  if (open.priceMax === undefined) return null;
  return sumCredits([committed.spent, committed.open, creditsMax]);
}

/** @throws SluiceError `usage` if it is not a number of credits */
export function budgetIn(form: URLSearchParams): number {
  const text = form.get('budget') ?? '';
  const budget = Number(text);
  if (text.trim() !== '' && isCredits(budget)) return budget;
  throw new SluiceError(
    'usage',
    'The budget is a number of credits, 0 or more, with at most three decimals.',
  );
}

export function askedOf(
  forecast: JobForecast,
  settings: JobSettings,
  { label = 'Spend', hint = '', value }: { label?: string; hint?: string; value: number | null },
) {
  const isSandbox = settings.url === SANDBOX_URL;
  const { parts, title } = tellPlan(forecast, { settings, list: planList(settings, Date.now()) });
  const real =
    forecast.toPay === 0
      ? 'nothing: there is nothing to pay for.'
      : `credits: ${tellCredits(forecast)}.`;
  return {
    cost: isSandbox ? 'nothing: the credits of the sandbox are made up.' : real,
    facts: html`<h2>${title}</h2>${asHtml(parts)}`,
    isDangerous: forecast.toPay > 0 && !isSandbox,
    budget: {
      name: 'budget',
      label: `${label} at most, in ${isSandbox ? 'made-up credits' : 'credits'}`,
      hint: `${hint}The run stops before it could cost more.`,
      value,
    },
  };
}

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
