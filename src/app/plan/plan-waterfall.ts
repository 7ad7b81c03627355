// Says what each step of a waterfall would cost: at most, where no earlier step finds anything, and as expected, by the
// shares of the job's last run with these steps.

import { isDropFolder } from '../../input/sources/drop-folder.js';
import { eachOnce, matchesOf } from '../../input/sources/pattern.js';
import { type CustomAsks, priceOf } from '../../model/ask.js';
import { amountOf, type Money, timesCredits } from '../../model/credits.js';
import { wrongUse } from '../../model/errors.js';
import { leftOfBudget } from '../../model/report/next-step.js';
import { leastRunMs } from '../../model/schedule/rate.js';
import type { StepTally } from '../../model/waterfall/provenance.js';
import { whileOpen } from '../../model/while-open.js';
import type { Store } from '../../ports/store/store.js';
import { type Committed, commitmentOf } from '../../run/send/budget.js';
import { isStateThere, openStore } from '../../store/open-store.js';
import { termsOfRuns } from '../run/asking-terms.js';
import { digestOf } from '../run/begin/begin-run.js';
import { paceOf } from '../run/how-to-ask.js';
import { readSteps, type Step, type Surroundings, waterfallOf } from '../run/waterfall/steps.js';
import type { JobSettings } from '../settings/job-settings.js';
import { goesByInput } from './check-columns.js';
import { type FirstRecords, lookAtInput } from './first-look.js';
import { type JobForecast, type PlanOptions, planJob } from './plan-job.js';
import { customOf } from './read-input.js';

export interface StepForecast {
  readonly step: string;
  /** The enrichments to be paid for if no earlier step finds anything. */
  readonly toPayMax: number;
  /** The same by the shares of an earlier run; null if there is none. */
  readonly toPayExpected: number | null;
  readonly creditsMax: number;
  readonly creditsExpected: number | null;
  /** The credits that the unfinished run has spent there, and those that it may still be charged. */
  readonly creditsSpent: number;
  readonly creditsReserved: number;
  /** The least time for the most enrichments; null if there is no limit. */
  readonly timeMsMin: number | null;
  readonly arePricesAssumed: boolean;
  /** The price of a credit; null if it is not stated. */
  readonly credit: Money | null;
}

export interface Amount {
  /** As of `amountOf`. */
  readonly amount: bigint;
  readonly currency: string;
}

export interface WaterfallForecast {
  readonly leads: number;
  readonly rejects: number;
  readonly refusal: string;
  readonly steps: readonly StepForecast[];
  /** The run by whose shares it is expected; null if there is none. */
  readonly expectedByRun: number | null;
  /** Null unless each step states its price, in one currency. */
  readonly moneyMax: Amount | null;
  readonly moneyExpected: Amount | null;
  /** The money that the unfinished run has spent, and that which it may still be charged; null likewise. */
  readonly moneySpent: Amount | null;
  readonly moneyReserved: Amount | null;
  /** The budget over all steps; null if there is none. */
  readonly budget: Amount | null;
}

/** @throws SluiceError for everything that a run would find wrong before its first request */
export async function planWaterfall(
  settings: JobSettings,
  options: PlanOptions & Surroundings,
): Promise<WaterfallForecast> {
  if (settings.input.includes('-')) {
    const message = 'The plan of a waterfall reads the leads once for each step: give it a file.';
    throw wrongUse(message);
  }
  const steps = await readSteps(settings, options);
  const dialects = steps.map(({ dialect }) => dialect);
  const custom = customOf(dialects, settings);
  const isChoosing = steps.some(({ where }) => where !== undefined);
  const isFolder = await isDropFolder(settings.input);
  const { committed, doneTerms, known } = isStateThere(settings.state)
    ? await whileOpen(await openStore(settings.state), async (store) => ({
        known: await lastTally(store, settings.job, steps),
        committed: await committedBy(store, settings.job),
        doneTerms: isFolder ? await doneTermsOf(store, settings, steps, options) : undefined,
      }))
    : {};
  const first = isChoosing ? await lookIfThere(settings, isFolder) : undefined;
  const forecasts: StepForecast[] = [];
  let whole: JobForecast | undefined;
  let addresses = 0;
  for (const [index, step] of steps.entries()) {
    const share = shareOf(known?.steps[index], known?.leads);
    const gone = committed?.get(step.name) ?? NOTHING;
    if (step.verifies) {
      const left = whole === undefined || whole.leads === 0 ? 1 : whole.toPay / whole.leads;
      forecasts.push(forecastOf(step, gone, verifying(step, addresses, share, left)));
      continue;
    }
    const { environment } = step;
    // The columns are the same for each step: they are told once.
    const { doubts: _doubts, onDetected: _detected, onMapped: _mapped, ...rest } = options;
    const told = whole === undefined ? options : rest;
    const forecast = await planJob(chosenBy(step, first, custom), {
      ...told,
      doneTerms,
      environment,
    });
    whole ??= forecast;
    if (step.settings.ask.includes('find_email')) addresses = Math.max(addresses, forecast.toPay);
    forecasts.push(forecastOf(step, gone, finding(forecast, share)));
  }
  const budget = settings.moneyBudget ?? null;
  return {
    leads: whole?.leads ?? 0,
    rejects: whole?.rejects ?? 0,
    refusal: whole?.refusal ?? '',
    steps: forecasts,
    expectedByRun: known?.run ?? null,
    moneyMax: totalOf(forecasts, 'creditsMax'),
    moneyExpected: totalOf(forecasts, 'creditsExpected'),
    moneySpent: totalOf(forecasts, 'creditsSpent'),
    moneyReserved: totalOf(forecasts, 'creditsReserved'),
    budget: budget && { amount: amountOf(1, budget), currency: budget.currency },
  };
}

/** Its settings with its own `where`, unless this goes by what earlier steps find: then each lead may be asked. */
function chosenBy(
  { settings, where }: Step,
  first: FirstRecords | undefined,
  custom: CustomAsks,
): JobSettings {
  if (where === undefined || first === undefined || !goesByInput(where, first, custom))
    return settings;
  const both = [settings.where, where].filter((one) => one !== undefined);
  return { ...settings, where: both.map((one) => `(${one})`).join(' and ') };
}

interface Share {
  /** Enrichments of the step for each lead of the run. */
  readonly asked: number;
  /** Hits for each of these. */
  readonly found: number;
}

function shareOf(tally: StepTally | undefined, leads = 0): Share | undefined {
  if (tally === undefined || leads === 0) return undefined;
  return { asked: tally.reached / leads, found: tally.found / Math.max(1, tally.reached) };
}

const NOTHING: Committed = { spent: 0, open: 0, before: 0 };

async function committedBy(store: Store, job: string) {
  const { openRun } = await store.jobNow(job);
  const committed = new Map<string | undefined, Committed>();
  for (const run of openRun === null ? [] : await store.stepRuns(openRun.id)) {
    committed.set(run.step?.name, await commitmentOf(store, run));
  }
  return committed;
}

type Cost = Omit<StepForecast, 'step' | 'credit' | 'creditsSpent' | 'creditsReserved'>;

/** The cost of a step within its budget. */
function forecastOf({ name, settings }: Step, { open, spent }: Committed, cost: Cost) {
  const { budget, credit = null } = settings;
  const use = { credits: budget ?? 0, spent, reserved: open };
  const room = budget === undefined ? Number.POSITIVE_INFINITY : leftOfBudget(use);
  const { creditsExpected, creditsMax } = cost;
  return {
    step: name,
    ...cost,
    creditsMax: Math.min(creditsMax, room),
    creditsExpected: creditsExpected && Math.min(creditsExpected, room),
    creditsSpent: spent,
    creditsReserved: open,
    credit,
  };
}

function finding(forecast: JobForecast, share: Share | undefined): Cost {
  const { arePricesAssumed, creditsMax, knownInPart, leads, timeMsMin, toPay } = forecast;
  // Leads of which something is known already are among those that the earlier run asked for.
  const known = leads - toPay + knownInPart;
  const expected = share && Math.max(0, Math.round(leads * share.asked) - known);
  const each = creditsMax / Math.max(1, toPay);
  return {
    toPayMax: toPay,
    toPayExpected: expected ?? null,
    creditsMax,
    creditsExpected: share === undefined ? null : Math.round(each * (expected ?? 0) * share.found),
    timeMsMin,
    arePricesAssumed,
  };
}

/** `left`: the part of the leads that the first step does not know yet. */
function verifying(
  { dialect, settings }: Step,
  most: number,
  share: Share | undefined,
  left: number,
): Cost {
  const creditsMax = timesCredits(priceOf(dialect.prices, 'verify_email'), most);
  const expected = (of: number) =>
    share === undefined ? null : Math.round(of * share.asked * left);
  return {
    toPayMax: most,
    toPayExpected: expected(most),
    creditsMax,
    creditsExpected: expected(creditsMax),
    timeMsMin: leastRunMs(paceOf(settings, dialect), most, 0),
    arePricesAssumed: false,
  };
}

async function lastTally(store: Store, job: string, steps: readonly Step[]) {
  const runs = await store.listRuns(20, { job, states: ['finished'] });
  const names = steps.map(({ name }) => name).join(' ');
  const last = runs.find(
    ({ waterfall }) => waterfall?.steps.map(({ name }) => name).join(' ') === names,
  );
  if (last === undefined) return undefined;
  const tally = await store.tally(last.id);
  return tally.steps && { run: last.id, leads: tally.leads, steps: tally.steps };
}

/** Undefined for a drop folder without a file. */
async function lookIfThere(
  { input, stated }: JobSettings,
  isFolder: boolean,
): Promise<FirstRecords | undefined> {
  if (!isFolder) return lookAtInput(stated);
  const found = await Promise.all(input.map((pattern) => matchesOf(pattern)));
  const paths = eachOnce(found.flat());
  return paths.length === 0 ? undefined : lookAtInput({ ...stated, input: paths });
}

/** The terms by which the files of a drop folder are done for the run that holds the leads. */
async function doneTermsOf(
  store: Store,
  settings: JobSettings,
  steps: readonly Step[],
  { environment }: Surroundings,
): Promise<string | undefined> {
  const [{ dialect } = {}] = steps;
  if (dialect === undefined) return undefined;
  const waterfall = { plan: waterfallOf(settings, steps), steps };
  const task = { dialect, environment, settings, waterfall };
  return digestOf(task, await termsOfRuns(task, store), true);
}

/** The cost of all steps in money; null unless it is known of each, with its price, in one currency. */
function totalOf(
  steps: readonly StepForecast[],
  part: 'creditsExpected' | 'creditsMax' | 'creditsReserved' | 'creditsSpent',
): Amount | null {
  const currency = steps[0]?.credit?.currency;
  let amount = 0n;
  for (const { credit, [part]: credits } of steps) {
    if (credits === null || credit === null || credit.currency !== currency) return null;
    amount += amountOf(credits, credit);
  }
  return currency === undefined ? null : { amount, currency };
}
