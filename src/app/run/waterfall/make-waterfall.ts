// The run of a waterfall: one run holds the leads, and each step sends in a run of its own, all at once. Leads pass from
// step to step through the store.
import { observerOfStep } from '../../../model/telemetry/observe.js';
import type { LeadReader } from '../../../ports/lead-reader.js';
import type { Store } from '../../../ports/store/store.js';
import { type Earlier, runsBefore } from '../../../run/send/budget.js';
import { type MoneyBudget, openMoneyBudget } from '../../../run/send/money-budget.js';
import type { Portion } from '../../plan/drop-portions.js';
import { beginRun, goOn } from '../begin/begin-run.js';
import { closingAll } from '../closing-all.js';
import { watchDrain } from '../drain-run.js';
import { watchBalance } from '../end/compare-balance.js';
import { concludeRun, fillList } from '../end/conclude-run.js';
import { handOnRows } from '../hand-on-rows.js';
import { openContext } from '../open-context.js';
import type { EndedRun } from '../run-options.js';
import type { RunTask } from '../run-task.js';
import { endBalances } from './end-balances.js';
import { type OpenedStep, openStep, runOfStep, termsOfRuns } from './open-step.js';
import { type Holding, type StepAtWork, type Work, workSteps } from './work-steps.js';

/** Makes the runs of a waterfall over a portion, or goes on with them. */
export async function makeWaterfall(
  task: RunTask,
  store: Store,
  portion: Portion,
  onBegun: (run: number) => void,
): Promise<EndedRun> {
  const { clock } = task;
  return closingAll(async (closing) => {
    const startedAt = clock.now();
    const steps: OpenedStep[] = [];
    for (const step of task.waterfall?.steps ?? []) {
      steps.push(await openStep(task, step, { closing, store }));
    }
    const stated = await termsOfRuns(task, store);
    const { reader, run, terms } = await (portion.goesOn === undefined
      ? beginRun(task, store, portion, { terms: stated, startedAt })
      : goOn(task, store, portion.goesOn, stated));
    onBegun(run.id);
    return workOff(task, { run, startedAt, steps, store, terms }, reader);
  });
}

/** Reads the leads and makes the runs of all steps at once, until they end or are told to stop. */
async function workOff(task: RunTask, work: Work, reader: LeadReader): Promise<EndedRun> {
  const { clock, list, observe, settings } = task;
  const { run, startedAt, steps, store } = work;
  // Before any step sends: what an earlier process was sending is uncertain, whichever step it was.
  const recovered = await store.recover(run.id);
  if (recovered > 0) observe({ kind: 'run.recovered', uncertain: recovered });
  const drain = watchDrain(task.drain, run.id, { store, clock, observe });
  const holding = { clock, drain: drain.signal, observe, run, startedAt, store };
  const { context, end } = handOnRows(holding, settings.positions, task.onRow);
  try {
    const opened: StepAtWork[] = [];
    const before = await runsBefore(store, run);
    const moneyBudget = settings.moneyBudget && openMoneyBudget(settings.moneyBudget, before);
    for (const one of steps) {
      opened.push(await openStepContext(one, work, { ...context, before, moneyBudget }));
    }
    const worked = await end(await workSteps(task, work, { context, opened, reader }));
    const [first] = opened;
    const ending =
      first === undefined
        ? { ...worked, listed: null }
        : await fillList({ ...first.context, run }, list, worked);
    drain.stopWatching();
    const report = await concludeRun(context, settings, task, ending);
    const compared = await endBalances(opened.map(({ balance }) => balance));
    return { ...report, ...(compared && { balance: compared }) };
  } finally {
    drain.close();
  }
}

async function openStepContext(
  one: OpenedStep,
  { run, startedAt, steps }: Work,
  {
    before,
    drain,
    observe,
    moneyBudget,
  }: Holding & {
    readonly before: readonly Earlier[];
    readonly moneyBudget: MoneyBudget | undefined;
  },
): Promise<StepAtWork> {
  const own = await runOfStep(one, run, { before, steps });
  one.requests.begin(own.id);
  const opened = { ...one.opened, run: own, startedAt };
  const balance = watchBalance(one.task.dialect, opened);
  const told = { ...one.task, observe: observerOfStep(observe, one.step.name) };
  const whole = await openContext(told, { ...opened, balance }, drain);
  const { credit, onUnavailable } = one.step.settings;
  const share = credit && moneyBudget?.join(whole, credit);
  const context = {
    ...whole,
    ...(share && { moneyBudget: share }),
    setsAside: onUnavailable === 'skip',
  };
  return { step: one.step, context, balance };
}
