// Starting a job: what `sluice plan` says comes first, and the run may spend no more than was said there.
import { costOfForecast, layOutForecast } from '../../../html/pages/forecast.js';
import { isCredits, sumCredits, timesCredits } from '../../../model/credits.js';
import { SluiceError } from '../../../model/errors.js';
import type { Run } from '../../../model/run.js';
import type { Forecast } from '../../../model/tally.js';
import { formatNumber } from '../../../model/text/count.js';
import { planJob } from '../../plan/plan-job.js';
import type { UiContext } from '../page.js';
import { type Action, jobPath } from './action.js';
import { loadOwnJob } from './own-jobs.js';

export const startAction: Action = {
  path: '/jobs/:job/start',
  ask: async (context, { job = '' }) => {
    const { environment, store } = context;
    const settings = await loadOwnJob(job, context);
    const forecast = await planJob(settings, { environment });
    const open = await store.findOpenRun(job);
    const isPaused = (await store.pausedSince(job)) !== null;
    const isLocked = await store.isLocked(job);
    const paidAnew = forecast.paidAnew.reduce((sum, { leads }) => sum + leads, 0);
    const isAsked = paidAnew > 0 && !settings.payAnew;
    return {
      title: `Start ${job}?`,
      sentences: [
        open === null
          ? 'A new run begins, in a process of its own: it goes on if these pages are closed.'
          : `Run ${open.id}, which has not ended, goes on in a process of its own.`,
        ...(isLocked ? [`A process is working on ${job} already: wait for it to end.`] : []),
        ...(isPaused ? [`${job} is paused: nothing is sent before it is resumed.`] : []),
      ],
      cost: costOfForecast(forecast),
      facts: layOutForecast(forecast),
      choices: [
        {
          kind: 'number',
          name: 'budget',
          label: 'Spend at most, in credits',
          hint:
            open === null
              ? 'The run stops before it could cost more.'
              : `For all of run ${open.id}, with what it has spent already. The run stops before it could cost more.`,
          value: settings.budget ?? (await mostOf(context, open, forecast)),
          isRequired: true,
        },
        ...(isAsked
          ? [
              {
                kind: 'check' as const,
                name: 'pay-anew',
                label: `Pay anew for leads that are known already: ${formatNumber(paidAnew)}`,
                hint: 'Without it the run ends before it sends anything.',
                isChecked: false,
              },
            ]
          : []),
      ],
      button: isLocked ? null : `Start ${job}`,
      isDangerous: forecast.toPay > 0,
      path: jobPath(job, 'start'),
      back: '/jobs',
    };
  },
  perform: async (context, { job = '' }, form) => {
    // Once more: the file may have changed since the page was made.
    const { file = '' } = await loadOwnJob(job, context);
    if (await context.store.isLocked(job)) {
      throw new SluiceError('busy', `A process is working on ${job} already.`, { job });
    }
    const args = [
      'run',
      file,
      '--state',
      context.state,
      '--quiet',
      '--budget',
      String(budgetIn(form)),
      ...(form.has('pay-anew') ? ['--pay-anew'] : []),
    ];
    const { id } = context.starter.start(job, args);
    return { goto: `/started/${id}` };
  },
};

/** What the run may cost by its plan; null where that cannot be said. */
async function mostOf(
  { store }: UiContext,
  open: Run | null,
  { creditsMax, inPart }: Forecast,
): Promise<number | null> {
  // The budget counts each request at the price of all that the job asks for.
  if (inPart.length > 0) return null;
  if (open === null) return creditsMax;
  if (open.priceMax === undefined) return null;
  const { open: sent, spent } = await store.commitment(open.id);
  const onTheWay = sent.reduce((sum, { count }) => sum + count, 0);
  return sumCredits([spent, timesCredits(open.priceMax, onTheWay), creditsMax]);
}

/** @throws SluiceError `usage` where it is no number of credits */
export function budgetIn(form: URLSearchParams): number {
  const text = form.get('budget') ?? '';
  const budget = Number(text);
  if (text.trim() !== '' && isCredits(budget)) return budget;
  throw new SluiceError(
    'usage',
    'The budget is a number of credits, 0 or more, with at most three decimals.',
  );
}
