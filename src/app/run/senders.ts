// The senders of a run: the platforms that it asks, each with the way back for its results. A plain run is its own
// sender; each step of a waterfall sends in a run of its own.
import type { Run } from '../../model/run.js';
import {
  createDeadlineSchedule,
  createOverdueSchedule,
  createPollSchedule,
} from '../../model/schedule/poll-schedule.js';
import { observerOfStep } from '../../model/telemetry/observe.js';
import type { Platform } from '../../ports/platform.js';
import type { Store } from '../../ports/store/store.js';
import { Backlog } from '../../run/backlog.js';
import type { AskingTerms, ReadingContext, RunContext } from '../../run/run-context.js';
import { type Earlier, runsBefore } from '../../run/send/budget.js';
import { type MoneyBudget, openMoneyBudget } from '../../run/send/money-budget.js';
import { countRequests, type RequestCounter } from '../../telemetry/count-requests.js';
import { type OpenedCallbacks, openCallbacks } from '../listen/open-callbacks.js';
import { readNothing } from '../plan/drop-portions.js';
import { planRun } from '../plan/plan-run.js';
import { openPlatform } from '../platform/open-platform.js';
import { askingTermsIn, openReadings } from './asking-terms.js';
import { takeUp } from './begin/open-run.js';
import { type BalanceWatch, watchBalance } from './end/compare-balance.js';
import { bulkMaxOf, paceOf, takesSingles } from './how-to-ask.js';
import type { RunTask } from './run-options.js';
import { atRateOf, type Step } from './waterfall/steps.js';

/** How long sends and answers are gathered if no rate limit keeps them few (`gatherMs`). */
const GATHER_MS = 4;

/** The schedules of polls, by the way in which results come. */
const SCHEDULES = {
  poll: createPollSchedule,
  hybrid: createOverdueSchedule,
  webhook: createDeadlineSchedule,
} as const;

export interface Sender {
  readonly task: RunTask;
  /** The step, with its own terms; undefined for a run that is no waterfall. */
  readonly step: (Step & { readonly terms: AskingTerms }) | undefined;
  readonly requests: RequestCounter;
  readonly platform: Platform;
  readonly account: string;
  readonly backlog: Backlog;
  readonly openedCallbacks: OpenedCallbacks;
}

export interface SenderAtWork extends Sender {
  readonly context: RunContext;
  readonly balance: BalanceWatch;
}

interface Closable {
  close(): Promise<void>;
}

/**
 * Opens the senders of a run, and closes all that was opened, the last first, however the work ends.
 * @throws SluiceError `usage` for a bad address, missing credentials, or a way back that cannot be
 */
export async function withSenders<R>(
  task: RunTask,
  store: Store,
  work: (senders: readonly Sender[]) => Promise<R>,
): Promise<R> {
  const all: Closable[] = [];
  const closing = <T extends Closable>(opened: T): T => {
    all.push(opened);
    return opened;
  };
  const senders: Sender[] = [];
  try {
    for (const step of task.waterfall?.steps ?? [undefined]) {
      senders.push(await openSender(task, step, store, closing));
    }
    return await work(senders);
  } finally {
    await closeEach(all.toReversed());
  }
}

async function closeEach([first, ...others]: readonly Closable[]): Promise<void> {
  try {
    await first?.close();
  } finally {
    if (others.length > 0) await closeEach(others);
  }
}

async function openSender(
  whole: RunTask,
  step: Step | undefined,
  store: Store,
  closing: <T extends Closable>(opened: T) => T,
): Promise<Sender> {
  const own = step === undefined ? whole : taskOfStep(whole, step);
  const settings = atRateOf(own.settings, own.environment);
  const task = { ...own, settings };
  const { clock, dialect } = task;
  const pace = paceOf(settings, dialect);
  const requests = closing(countRequests(task, { store, clock, ...pace }));
  const { watch } = requests;
  const { account, platform } = closing(await openPlatform(settings, { ...task, store, watch }));
  const backlog = new Backlog();
  const onKept = (): void => backlog.expectDeliveries();
  const openedCallbacks = closing(await openCallbacks(task, store, platform, account, onKept));
  const opened = { task, requests, platform, account, backlog, openedCallbacks };
  if (step === undefined) return { ...opened, step };
  // The run that holds the leads has chosen them.
  const { choice: _choice, ...terms } = await askingTermsIn(store, settings, dialect, account);
  return { ...opened, step: { ...step, terms } };
}

function taskOfStep(whole: RunTask, { dialect, environment, name, settings }: Step): RunTask {
  const observe = observerOfStep(whole.observe, name);
  return { ...whole, observe, settings, dialect, environment, waterfall: undefined };
}

export function openReading(
  { clock, drain, observe, settings }: RunTask,
  of: Pick<ReadingContext, 'run' | 'startedAt' | 'store' | 'terms'>,
): ReadingContext {
  const { collect, deadlineMs, freshForMs, limit } = settings;
  const schedule = SCHEDULES[collect]();
  const backlog = new Backlog();
  return { ...of, clock, drain, observe, backlog, schedule, deadlineMs, freshForMs, limit };
}

/** Gives each sender its run: a plain run has its own, and each step one that has begun before, or a new one. */
export async function putToWork(
  { settings: { moneyBudget }, waterfall }: RunTask,
  senders: readonly Sender[],
  whole: ReadingContext,
): Promise<SenderAtWork[]> {
  const before = waterfall === undefined ? [] : await runsBefore(whole.store, whole.run);
  const money = moneyBudget && openMoneyBudget(moneyBudget, before);
  const atWork: SenderAtWork[] = [];
  for (const sender of senders) {
    const run = await runOf(sender, whole, senders, before);
    sender.requests.begin(run.id);
    const balance = watchBalance(
      sender.task.dialect,
      sender.platform,
      async () => (await whole.store.tally(run.id)).credits,
    );
    const context = await openContext(sender, whole, run, balance, money);
    atWork.push({ ...sender, balance, context });
  }
  return atWork;
}

async function openContext(
  { account, backlog, openedCallbacks, platform, step, task }: Sender,
  whole: ReadingContext,
  run: Run,
  balance: BalanceWatch,
  money: MoneyBudget | undefined,
): Promise<RunContext> {
  const { dialect, settings } = task;
  const { concurrency, credit, firstBatch, onUnavailable, stopBelow } = settings;
  const { drain, startedAt, store } = whole;
  const observe = step === undefined ? whole.observe : observerOfStep(whole.observe, step.name);
  const { terms } = step ?? whole;
  const reading = openReading({ ...task, drain, observe }, { run, startedAt, store, terms });
  const { clock } = reading;
  const ask = async (): Promise<boolean> => {
    const since = clock.now();
    try {
      const isShown = await platform.check(drain);
      await openedCallbacks.prepare(drain);
      await balance.begin(drain);
      observe({ kind: 'platform.ready', durationMs: clock.now() - since });
      return isShown;
    } catch (error) {
      // A request cancelled by the drain says nothing about the platform.
      if (!drain.aborted) throw error;
      return false;
    }
  };
  let asked: Promise<boolean> | undefined;
  return {
    ...reading,
    backlog,
    platform,
    whenReady: () => (asked ??= ask()),
    readings: await openReadings(store, account, dialect),
    callbacks: openedCallbacks.callbacks,
    bulkMax: bulkMaxOf(settings, dialect),
    takesSingles: takesSingles(settings, dialect),
    firstBatch,
    stopBelow,
    balance: balance.before,
    moneyBudget: credit && money?.join({ ...reading, backlog }, credit),
    setsAside: step !== undefined && onUnavailable === 'skip',
    concurrency,
    gatherMs: platform.leastMs(1) > 0 ? 0 : GATHER_MS,
  };
}

async function runOf(
  { step }: Sender,
  { clock, run: whole, startedAt, store }: ReadingContext,
  senders: readonly Sender[],
  before: readonly Earlier[],
): Promise<Run> {
  if (step === undefined) return whole;
  const { dialect, name, settings, terms } = step;
  const { budget, caps, credit } = settings;
  const begun = (await store.stepRuns(whole.id)).find((run) => run.step?.name === name);
  if (begun !== undefined) {
    const { output } = begun;
    const { prices } = terms;
    return takeUp(store, begun, { output, budget, caps, credit, prices }, clock.now());
  }
  const replaces = before.filter((run) => heirOf(run, senders) === name).map(({ id }) => id);
  const portion = { reader: readNothing(whole.sources), output: whole.output };
  const plan = await planRun(settings, portion, { terms, digest: whole.terms, startedAt, dialect });
  const own = { ...plan, ...(replaces.length > 0 && { replaces }), step: { of: whole.id, name } };
  return store.startRun(own, clock.now());
}

/** The name of the step for whose budget an earlier spending counts: that of the same account, or else of the same name. */
function heirOf(before: Earlier, senders: readonly Sender[]): string | undefined {
  const namesakeIn = (some: readonly Sender[]) =>
    some.find(({ step }) => step?.name === before.step?.name);
  const paying = senders.filter(({ account }) => account === before.account);
  return (namesakeIn(paying) ?? paying[0] ?? namesakeIn(senders))?.step?.name;
}
