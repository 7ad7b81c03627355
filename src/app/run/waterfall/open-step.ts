// A step of a waterfall while its run is made: its platform, its way back for results, and its run.
import type { Run, RunPlan } from '../../../model/run.js';
import { highestPrice } from '../../../model/verdict.js';
import type { Store } from '../../../ports/store/store.js';
import { Backlog } from '../../../run/backlog.js';
import type { AskingTerms } from '../../../run/run-context.js';
import { countRequests, type RequestCounter } from '../../../telemetry/count-requests.js';
import { addressDigest } from '../../platform/account.js';
import { openPlatform } from '../../platform/open-platform.js';
import { askingTermsIn } from '../asking-terms.js';
import type { Closing } from '../closing-all.js';
import { bulkMaxOf, paceOf } from '../how-to-ask.js';
import { openCallbacksFor, type RunInProgress } from '../open-context.js';
import type { RunTask } from '../run-task.js';
import type { Step } from './steps.js';

export interface OpenedStep {
  readonly step: Step;
  readonly task: RunTask;
  readonly requests: RequestCounter;
  readonly opened: Omit<RunInProgress, 'run' | 'startedAt'>;
}

/**
 * Opens the platform of a step.
 * @throws SluiceError `usage` for a bad address, missing credentials, or a way back that cannot be
 */
export async function openStep(
  whole: RunTask,
  step: Step,
  { closing, store }: { readonly closing: Closing; readonly store: Store },
): Promise<OpenedStep> {
  const { dialect, environment, settings } = step;
  const { carrying, clock, measuring } = whole;
  const task: RunTask = {
    ...whole,
    settings,
    dialect,
    environment,
    bulkMax: bulkMaxOf(settings, dialect),
    list: null,
    waterfall: undefined,
    onRow: undefined,
  };
  const requests = closing(
    countRequests(measuring.watch, { store, clock, ...paceOf(settings, dialect) }),
  );
  const { watch } = requests;
  const around = { dialect, environment, store, clock, watch, carrying };
  const { account, platform } = closing(await openPlatform(settings, around));
  const backlog = new Backlog();
  const place = { store, platform, account, backlog };
  const openedCallbacks = closing(await openCallbacksFor(task, place));
  // The run that holds the leads has chosen them.
  const { choice: _choice, ...terms } = await askingTermsIn(store, settings, dialect, account);
  return { step, task, requests, opened: { ...place, openedCallbacks, terms } };
}

/** The run of a step: the one that has begun, or a new one. */
export async function runOfStep(
  { step, task: { clock }, opened: { account, store, terms } }: OpenedStep,
  held: Run,
): Promise<Run> {
  const { settings } = step;
  const { budget, caps, credit } = settings;
  const { prices } = terms;
  const begun = (await store.stepRuns(held.id)).find((run) => run.step?.name === step.name);
  if (begun !== undefined) {
    await store.redirectRun(begun.id, { output: begun.output, budget, caps, credit, prices });
    return (await store.findRun(begun.id)) ?? begun;
  }
  const replaces = await replacedBy(store, held, step.name);
  const plan: RunPlan = {
    job: held.job,
    account,
    address: addressDigest(settings.url),
    ask: terms.ask,
    ...(terms.custom !== undefined && { custom: terms.custom }),
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

/** The runs of the same step whose spendings count for its budget. */
async function replacedBy(store: Store, { replaces = [] }: Run, name: string): Promise<number[]> {
  const before: number[] = [];
  for (const id of replaces) {
    const same = (await store.stepRuns(id)).find((run) => run.step?.name === name);
    if (same !== undefined) before.push(same.id);
  }
  return before;
}

/** The terms of the run that holds the leads: it takes each lead that some step can be asked for. */
export function heldTerms(
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
