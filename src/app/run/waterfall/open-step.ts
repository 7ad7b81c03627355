// A step of a waterfall while its run is made: its platform, its way back for results, and its run.
import type { Run, RunPlan } from '../../../model/run.js';
import { observerOfStep } from '../../../model/telemetry/observe.js';
import { highestPrice } from '../../../model/verdict.js';
import type { Store } from '../../../ports/store/store.js';
import type { AskingTerms } from '../../../run/run-context.js';
import type { Earlier } from '../../../run/send/budget.js';
import { accountOf, addressDigest } from '../../platform/account.js';
import { askingTerms, askingTermsIn } from '../asking-terms.js';
import type { Closing } from '../closing-all.js';
import { bulkMaxOf, paceOf } from '../how-to-ask.js';
import { type OpenedPlatform, openForRun } from '../open-context.js';
import type { RunTask } from '../run-task.js';
import type { Step } from './steps.js';

export interface OpenedStep extends OpenedPlatform {
  readonly step: Step;
  readonly task: RunTask;
}

/**
 * Opens the platform of a step.
 * @throws SluiceError `usage` for a bad address, missing credentials, or a way back that cannot be
 */
export async function openStep(
  whole: RunTask,
  step: Step,
  place: { readonly closing: Closing; readonly store: Store },
): Promise<OpenedStep> {
  const { dialect, environment, name, settings } = step;
  const { watch } = whole.measuring;
  const task: RunTask = {
    ...whole,
    observe: observerOfStep(whole.observe, name),
    measuring: {
      ...whole.measuring,
      watch: { ...watch, observe: observerOfStep(watch.observe, name) },
    },
    settings,
    dialect,
    environment,
    bulkMax: bulkMaxOf(settings, dialect),
    list: null,
    waterfall: undefined,
    onRow: undefined,
  };
  const { opened, requests } = await openForRun(task, place);
  // The run that holds the leads has chosen them.
  const { choice: _choice, ...terms } = opened.terms;
  return { step, task, requests, opened: { ...opened, terms } };
}

/**
 * The run of a step: the one that has begun, or a new one. `steps` are all of the waterfall, and `before` the runs whose
 * place it takes.
 */
export async function runOfStep(
  { step, task: { clock }, opened: { account, store, terms } }: OpenedStep,
  held: Run,
  { before, steps }: { readonly before: readonly Earlier[]; readonly steps: readonly OpenedStep[] },
): Promise<Run> {
  const { settings } = step;
  const { budget, caps, credit } = settings;
  const { prices } = terms;
  const begun = (await store.stepRuns(held.id)).find((run) => run.step?.name === step.name);
  if (begun !== undefined) {
    await store.redirectRun(begun.id, { output: begun.output, budget, caps, credit, prices });
    return (await store.findRun(begun.id)) ?? begun;
  }
  const replaces = before.filter((run) => heirOf(run, steps) === step).map(({ id }) => id);
  const plan: RunPlan = {
    job: held.job,
    account,
    address: addressDigest(settings.url),
    ask: terms.ask,
    ...(terms.custom !== undefined && { custom: terms.custom }),
    map: settings.map,
    terms: held.terms,
    signature: null,
    sources: held.sources,
    deadlineMs: settings.deadlineMs,
    freshForMs: settings.freshForMs,
    priceMax: highestPrice(terms.ask, prices),
    arePricesAssumed: terms.arePricesAssumed,
    pace: paceOf(settings, step.dialect),
    ...(budget !== undefined && { budget }),
    ...(caps !== undefined && { caps }),
    ...(credit !== undefined && { credit }),
    ...(replaces.length > 0 && { replaces }),
    prices,
    output: held.output,
    step: { of: held.id, name: step.name },
  };
  return store.startRun(plan, clock.now());
}

/** The step for whose budget an earlier spending counts: that of the same account, or else of the same name. */
function heirOf(before: Earlier, steps: readonly OpenedStep[]): Step | undefined {
  const namesakeIn = (some: readonly OpenedStep[]) =>
    some.find(({ step: { name } }) => name === before.step?.name);
  const paying = steps.filter(({ opened: { account } }) => account === before.account);
  return (namesakeIn(paying) ?? paying[0] ?? namesakeIn(steps))?.step;
}

/** The terms of the run that holds the leads: it takes each lead that some step can be asked for. */
function heldTerms(
  settings: RunTask['settings'],
  of: AskingTerms,
  ofSteps: readonly AskingTerms[],
): AskingTerms {
  const requirements = Object.fromEntries(
    settings.ask.map((ask) => [
      ask,
      ofSteps.flatMap((terms) => (terms.ask.includes(ask) ? (terms.requirements[ask] ?? []) : [])),
    ]),
  );
  const custom = Object.assign({}, ...ofSteps.map((terms) => terms.custom ?? {})) as object;
  return {
    ...of,
    ask: settings.ask,
    requirements,
    ...(Object.keys(custom).length > 0 && { custom: custom as NonNullable<AskingTerms['custom']> }),
    takesWholeName: ofSteps.some(({ takesWholeName }) => takesWholeName === true),
    arePricesAssumed: ofSteps.some(({ arePricesAssumed }) => arePricesAssumed),
  };
}

/** The terms of each run of a task. The run that holds the leads of a waterfall has the account of the first step. */
export async function termsOfRuns(task: RunTask, store: Store): Promise<AskingTerms> {
  const { settings, waterfall } = task;
  const ofSteps: AskingTerms[] = [];
  for (const step of waterfall?.steps ?? []) {
    const account = await accountOf(step, store);
    ofSteps.push(askingTerms(step.settings, step.dialect, account));
  }
  const [first] = ofSteps;
  const account = first?.account ?? (await accountOf(task, store));
  const own = await askingTermsIn(store, settings, task.dialect, account);
  return waterfall === undefined ? own : heldTerms(settings, own, ofSteps);
}
