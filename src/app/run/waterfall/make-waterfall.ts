// The run of a waterfall: one run holds the leads, and each step sends in a run of its own, all at once. Leads pass from
// step to step through the store.
import { sumCredits } from '../../../model/credits.js';
import { openCharges } from '../../../model/report/open-charges.js';
import type { Run } from '../../../model/run.js';
import type { LeadReader } from '../../../ports/lead-reader.js';
import type { LeadEntry } from '../../../ports/store/enrichments.js';
import type { Store } from '../../../ports/store/store.js';
import { Backlog } from '../../../run/backlog.js';
import { ingest } from '../../../run/ingest.js';
import { type Ending, processRun } from '../../../run/process-run.js';
import type { AskingTerms, RunContext } from '../../../run/run-context.js';
import { feed } from '../../../run/waterfall/feed.js';
import type { Portion } from '../../plan/drop-portions.js';
import { askingTermsIn } from '../asking-terms.js';
import { beginRun, goOn } from '../begin/begin-run.js';
import { lookAsFed } from '../begin/pay-anew.js';
import { closingAll } from '../closing-all.js';
import { watchDrain } from '../drain-run.js';
import { type BalanceWatch, watchBalance } from '../end/compare-balance.js';
import { concludeRun, fillList } from '../end/conclude-run.js';
import { handOnRows } from '../hand-on-rows.js';
import { openContext, SCHEDULES } from '../open-context.js';
import type { BalanceReport, EndedRun } from '../run-options.js';
import type { RunTask } from '../run-task.js';
import { heldTerms, type OpenedStep, openStep, runOfStep } from './open-step.js';
import { ofStep, type Step } from './steps.js';

/** Makes the runs of a waterfall over a portion, or goes on with them. */
export async function makeWaterfall(
  task: RunTask,
  store: Store,
  portion: Portion,
  onBegun: (run: number) => void,
): Promise<EndedRun> {
  const { clock, settings } = task;
  return closingAll(async (closing) => {
    const startedAt = clock.now();
    const steps: OpenedStep[] = [];
    for (const step of task.waterfall?.steps ?? []) {
      steps.push(await openStep(task, step, { closing, store }));
    }
    const account = steps[0]?.opened.account ?? '';
    const own = await askingTermsIn(store, settings, task.dialect, account);
    const ofSteps = steps.map(({ opened }) => opened.terms);
    const stated = heldTerms(settings, own, ofSteps);
    const { reader, run, terms } = await (portion.goesOn === undefined
      ? beginRun(task, store, portion, { terms: stated, startedAt })
      : goOn(task, store, portion.goesOn, stated));
    onBegun(run.id);
    return workOff(task, { run, startedAt, steps, store, terms }, reader);
  });
}

interface Work {
  /** The run that holds the leads. */
  readonly run: Run;
  readonly startedAt: number;
  readonly steps: readonly OpenedStep[];
  readonly store: Store;
  readonly terms: AskingTerms;
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
    for (const one of steps) opened.push(await openStepContext(one, work, context));
    const worked = await end(await allSteps(task, work, { context, opened, reader }));
    const [first] = opened;
    const ending =
      first === undefined
        ? { ...worked, listed: null }
        : await fillList({ ...first.context, run }, list, worked);
    drain.stopWatching();
    const report = await concludeRun(context, settings, task, ending);
    const compared = await endAll(opened);
    const charges = await chargesOf(store, run);
    return { ...report, charges, ...(compared && { balance: compared }) };
  } finally {
    drain.close();
  }
}

type Holding = Pick<RunContext, 'clock' | 'drain' | 'observe' | 'run' | 'startedAt' | 'store'>;

interface StepAtWork {
  readonly step: Step;
  readonly context: RunContext;
  readonly balance: BalanceWatch;
}

async function openStepContext(
  one: OpenedStep,
  { run, startedAt }: Work,
  { drain, observe }: Holding,
): Promise<StepAtWork> {
  const own = await runOfStep(one, run);
  one.requests.begin(own.id);
  const opened = { ...one.opened, run: own, startedAt };
  const balance = watchBalance(one.task.dialect, opened);
  const context = await openContext({ ...one.task, observe }, { ...opened, balance }, drain);
  return { step: one.step, context, balance };
}

/** The balances of all steps as one; undefined if no platform tells its own. */
async function endAll(opened: readonly StepAtWork[]): Promise<BalanceReport | undefined> {
  let whole: BalanceReport | undefined;
  for (const { balance } of opened) {
    const one = await balance.end();
    if (one === undefined) continue;
    whole = {
      before: sumCredits([whole?.before ?? 0, one.before]),
      after: sumCredits([whole?.after ?? 0, one.after]),
      counted: sumCredits([whole?.counted ?? 0, one.counted]),
    };
  }
  return whole;
}

interface Going {
  readonly context: Holding;
  readonly opened: readonly StepAtWork[];
  readonly reader: LeadReader;
}

/** Reads and sends, all at once. The first problem, in the order of the steps, is that of the run. */
async function allSteps(task: RunTask, work: Work, going: Going): Promise<Ending> {
  // Whether nothing more comes from the input, and from each step.
  const ended = [work.run.state !== 'reading', ...going.opened.map(() => false)];
  const untilEnded = async (at: number, working: Promise<Ending>): Promise<Ending> => {
    try {
      return await working;
    } catch (problem) {
      return { problem };
    } finally {
      ended[at] = true;
    }
  };
  const steps = going.opened.map((_, index) =>
    untilEnded(
      index + 1,
      workStep(task, work, { ...going, index, hasEnded: () => ended[index] === true }),
    ),
  );
  const endings = await Promise.all([untilEnded(0, readLeads(task, work, going)), ...steps]);
  return { problem: endings.find(({ problem }) => problem !== undefined)?.problem };
}

/** Reads the leads that are not in the state yet, for the steps. */
async function readLeads(
  { settings }: RunTask,
  { run, startedAt, store, terms }: Work,
  { context, reader }: Going,
): Promise<Ending> {
  if (run.state === 'reading') {
    const { deadlineMs, freshForMs, limit } = settings;
    const times = { deadlineMs, freshForMs, limit, startedAt };
    const reading = { ...context, ...times, backlog: new Backlog(), schedule: SCHEDULES.poll() };
    await ingest({ ...reading, run, store, terms }, reader, false, toHeld);
  }
  return { problem: undefined };
}

/** Makes the run of one step. */
async function workStep(
  { mayPayAnew, resendUncertain, waterfall }: RunTask,
  { run, startedAt, store, terms }: Work,
  { hasEnded, index, opened }: Going & { readonly index: number; readonly hasEnded: () => boolean },
): Promise<Ending> {
  const own = opened[index];
  if (own === undefined || waterfall === undefined) throw new Error(`there is no step ${index}`);
  const { context, step } = own;
  const beginning = { settings: step.settings, plan: context.run, terms: context.terms };
  const asking = { ...beginning, open: null, startedAt, mayPayAnew };
  const place = {
    refusePaidAnew: await lookAsFed(store, run.id, asking),
    held: run.id,
    before: opened[index - 1]?.context.run.id ?? run.id,
    hasEnded,
    heldTerms: terms,
    index,
    waterfall: waterfall.plan,
    resendUncertain,
  };
  const ending = await processRun(context, (sending) => feed(sending, place), resendUncertain);
  return { problem: ofStep(ending.problem, step.name) };
}

/** A lead that some step can be asked for is held for them. */
function toHeld(lead: LeadEntry): LeadEntry {
  if (lead.kind !== 'asked') return lead;
  const { cells, line, position, source } = lead;
  return { position, source, line, cells, kind: 'held', note: null };
}

/** What may be charged besides what is known, over all steps. */
async function chargesOf(store: Store, run: Run): Promise<EndedRun['charges']> {
  let charges = openCharges([], {});
  for (const { id, prices } of await store.stepRuns(run.id)) {
    const { open } = await store.commitment(id);
    const more = openCharges(open, prices);
    const credits =
      charges.credits === null || more.credits === null
        ? null
        : sumCredits([charges.credits, more.credits]);
    charges = { requests: charges.requests + more.requests, credits };
  }
  return charges;
}
