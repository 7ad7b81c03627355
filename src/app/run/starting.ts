// Starting a job in a process of its own: what its plan says that it costs, for whoever asks; then the run may spend no more
// than was agreed to.
import { isDropFolder } from '../../input/sources/drop-folder.js';
import {
  amountOf,
  budgetOf,
  isCredits,
  type Money,
  parseMoney,
  sumCredits,
  tellAmount,
  timesCredits,
} from '../../model/credits.js';
import { SluiceError, wrongUse } from '../../model/errors.js';
import { leftOfBudget } from '../../model/report/next-step.js';
import type { Run } from '../../model/run.js';
import { type Forecast, leadsIn, type RunTally } from '../../model/tally.js';
import { formatNumber } from '../../model/text/count.js';
import type { Store } from '../../ports/store/store.js';
import { type Committed, commitmentOf } from '../../run/send/budget.js';
import type { Page } from '../../tell/page.js';
import { tellCredits, tellPlan, tellWaterfallPlan } from '../../tell/tell-plan.js';
import { planJob } from '../plan/plan-job.js';
import { planList } from '../plan/plan-run.js';
import { planWaterfall } from '../plan/plan-waterfall.js';
import { environmentOf } from '../queue/accounts.js';
import { type Environment, SANDBOX_URL } from '../settings/environment.js';
import type { JobSettings } from '../settings/job-settings.js';
import type { Asked } from '../state/pause-job.js';
import type { StartedCommand, Starter } from './start-command.js';

/** `name` is the name of the job for its user. */
interface OfStart {
  readonly store: Store;
  readonly job: string;
  readonly name: string;
}

interface OfPlan extends OfStart {
  readonly environment: Environment;
  readonly settings: JobSettings;
}

export interface AskedStart extends Asked {
  readonly plan: Page;
  /** The state of the job, which may have changed when it is started. */
  readonly seen: string;
  /** The cost that is agreed to: the usual credits, null if none are usual; or money as text, then empty. */
  readonly budget: {
    readonly label: string;
    readonly hint: string;
    readonly value: number | string | null;
  } | null;
  /** How many leads are known already, and paid for only if that is agreed to. */
  readonly paidAnew: number;
}

export interface StartWish {
  /** As it was when the cost was told. */
  readonly seen: string | null;
  /** The words of the command. */
  readonly args: readonly string[];
  /** Makes the files that the command reads. */
  readonly prepare?: () => void;
}

/** A file may also come between the plan and the start. */
const MORE_RUNS =
  'The input is a folder: a file that comes before the start, or a run that goes on, makes another run, which may spend this much as well. ';

export const starting = {
  ask: async (of: OfPlan): Promise<AskedStart> => {
    const { environment, job, name, settings, store } = of;
    // The state is read before the plan, so that changes in between are noticed.
    const seen = await asSeen(of);
    const isFolder = await isDropFolder(settings.input);
    const { openRun: open, isLocked, pausedAt } = await store.jobNow(job);
    const told = {
      title: `Start ${name}?`,
      sentences: [
        open === null
          ? 'A new run begins, in a process of its own: it goes on if these pages are closed.'
          : `Run ${open.id}, which has not ended, goes on in a process of its own.`,
        ...(isLocked ? [`A process is working on ${name} already: wait for it to end.`] : []),
        ...(pausedAt !== null ? [`${name} is paused: this resumes it.`] : []),
      ],
      canBe: !isLocked,
      seen,
    };
    if (settings.waterfall !== undefined) return { ...told, ...(await askSteps(of, open)) };
    const forecast = await planJob(settings, { environment });
    const { runs, toPay } = forecast;
    const committed = open && (await commitmentOf(store, open));
    const most = mostOf(open, committed, forecast);
    // The run would stop at once with its own budget.
    const spent = committed?.spent ?? 0;
    const isUsedUp =
      open?.left?.by === 'budget' || (spent > 0 && spent >= (settings.budget ?? Infinity));
    const paidAnew = forecast.paidAnew.reduce((sum, { leads }) => sum + leads, 0);
    const ofRun =
      open === null
        ? ''
        : `For all of run ${open.id}, with what it has spent already${open.replaces === undefined ? '' : ', and the unfinished runs that it replaced'}. `;
    const isSandbox = settings.url === SANDBOX_URL;
    const { credit } = settings;
    const inUnit = (credits: number | null) => {
      if (credit === undefined) return credits;
      if (credits === null) return '';
      return budgetOf({ amount: amountOf(credits, credit), currency: credit.currency });
    };
    const all =
      runs > 1 ? ` That is for all ${formatNumber(runs)} runs; the budget is for each.` : '';
    const real =
      toPay === 0 ? 'nothing: there is nothing to pay for.' : `credits: ${tellCredits(forecast)}.`;
    return {
      ...told,
      sentences: [...told.sentences, ...(runs > 1 ? [describeRuns(runs)] : [])],
      cost: isSandbox ? 'nothing: the credits of the sandbox are made up.' : `${real}${all}`,
      isDangerous: toPay > 0 && !isSandbox,
      plan: tellPlan(forecast, { settings, list: planList(settings, Date.now()) }),
      budget: {
        label: `${isFolder ? 'Each run may spend' : 'Spend'} at most, in ${isSandbox ? 'made-up ' : ''}${credit?.currency ?? 'credits'}`,
        hint: `${ofRun}${isFolder ? MORE_RUNS : ''}The run stops before it could cost more.`,
        // The cost of all files is not a budget for each of them.
        value: inUnit(isUsedUp ? most : (settings.budget ?? (runs > 1 ? null : most))),
      },
      paidAnew: settings.payAnew ? 0 : paidAnew,
    };
  },
  /** @throws SluiceError `busy` if a run has begun or ended since the cost was told, or is at work */
  perform: async (
    of: OfStart & { readonly starter: Starter },
    { args, prepare, seen }: StartWish,
  ): Promise<StartedCommand> => {
    if ((await of.store.jobNow(of.job)).isLocked) {
      throw new SluiceError('busy', `A process is working on ${of.name} already.`);
    }
    if (seen === (await asSeen(of))) return of.starter.start(of.job, args, prepare);
    throw new SluiceError(
      'busy',
      `Nothing was started: a run of ${of.name} has begun or ended since this page was made, so its plan and its budget were for something else. Open the page again.`,
    );
  },
};

/** What all steps of a waterfall may cost: in money, or without a price of each in the credits of each. */
async function askSteps({ environment, settings }: OfPlan, open: Run | null) {
  const ofSteps = await environmentOf(environment, settings.accounts);
  const forecast = await planWaterfall(settings, { environment, environmentOf: ofSteps });
  const { budget, moneyMax, moneyReserved, moneySpent, steps } = forecast;
  const gone = (moneySpent?.amount ?? 0n) + (moneyReserved?.amount ?? 0n);
  const most = moneyMax && { ...moneyMax, amount: moneyMax.amount + gone };
  const usual = open?.left?.by === 'budget' ? most : (budget ?? most);
  const credits = steps.filter(({ creditsMax }) => creditsMax > 0);
  return {
    cost:
      moneyMax === null
        ? `at most ${credits.map((one) => `${formatNumber(one.creditsMax)} credits of ${one.step}`).join(', ') || 'nothing'}. Without the price of a credit for each step there is no budget over all.`
        : `at most ${tellAmount(moneyMax.amount, moneyMax.currency)}.`,
    isDangerous: credits.length > 0,
    plan: tellWaterfallPlan(forecast),
    budget: usual && {
      label: 'All steps may spend at most',
      hint: `Money, like 40 EUR${open === null ? '' : `, for all of run ${open.id}, with what it has spent already`}. The run stops before it could cost more.`,
      // No budget of a waterfall is 0.
      value: budgetOf(usual.amount > 0n ? usual : { ...usual, amount: 1n }),
    },
    paidAnew: 0,
  };
}

/**
 * What it may cost to let a run go on of which all leads are read, and the budget that holds it to that; null if only a
 * plan can say it. The budget names its unit, as {@link budgetIn} reads it.
 */
export async function costToGoOn(store: Store, run: Run, tally: RunTally) {
  const { budget = Infinity, left, priceMax, state, waterfall } = run;
  if (state !== 'working' || waterfall !== undefined || priceMax === undefined) return null;
  if (left?.by === 'budget') return null;
  const { open, spent } = await commitmentOf(store, run);
  const most = sumCredits([spent, open, timesCredits(priceMax, leadsIn(tally, 'queued'))]);
  const bound = Math.min(budget, most);
  return {
    credits: leftOfBudget({ credits: bound, spent, reserved: open }),
    budget: `${bound} credits`,
  };
}

function describeRuns(runs: number): string {
  const many = formatNumber(runs);
  return `${many} files are new, and each has a run of its own. The budget is for each of these runs: all of them together may spend ${many} times as much.`;
}

/** The run that a start would continue, and the one after which it would come: the same form never starts two runs. */
export async function asSeen({ job, store }: Omit<OfStart, 'name'>): Promise<string> {
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

/**
 * The flags of a run that spends no more than was agreed to.
 * @throws SluiceError `usage` if that is no number of credits, or no money for a waterfall
 */
export function budgetFlags(settings: JobSettings, text: string | null): string[] {
  const { credit, waterfall } = settings;
  if (waterfall === undefined) return ['--budget', String(budgetIn(text ?? '', credit))];
  if (text === null) return [];
  if (parseMoney(text.trim()) !== undefined) return ['--budget', text.trim()];
  throw wrongUse('The budget of a waterfall is money, like 40 EUR.');
}

/**
 * `price` is that of a credit: a number alone is in its currency then.
 * @throws SluiceError `usage` if it is no number of credits, nor money where there is a price
 */
export function budgetIn(text: string, price?: Money): number | string {
  const [, amount = '', unit = price?.currency ?? 'credits'] =
    /^(\d*\.?\d+) ?([A-Z]{3}|credits)?$/.exec(text.trim()) ?? [];
  const said = `${amount} ${unit}`;
  const isMoney = unit === price?.currency;
  if (isMoney && parseMoney(said) !== undefined) return said;
  const credits = Number(amount);
  const isNumber = isMoney ? credits === 0 : unit === 'credits' && isCredits(credits);
  if (amount !== '' && isNumber) return credits;
  throw wrongUse(
    price === undefined
      ? 'The budget is a number of credits, 0 or more, with at most three decimals.'
      : `The budget is money in ${price.currency}, 0 or more, like 6 or 6.50 ${price.currency}.`,
  );
}
