// Works on all steps of a waterfall at once: reads the leads, and feeds and sends in the run of each step.
import type { Run } from '../../../model/run.js';
import type { LeadReader } from '../../../ports/lead-reader.js';
import type { LeadEntry } from '../../../ports/store/enrichments.js';
import type { Store } from '../../../ports/store/store.js';
import { Backlog } from '../../../run/backlog.js';
import { ingest } from '../../../run/ingest.js';
import { type Ending, processRun } from '../../../run/process-run.js';
import type { AskingTerms, RunContext } from '../../../run/run-context.js';
import { feed } from '../../../run/waterfall/feed.js';
import { lookAsFed } from '../begin/pay-anew.js';
import type { BalanceWatch } from '../end/compare-balance.js';
import { SCHEDULES } from '../open-context.js';
import type { RunTask } from '../run-task.js';
import type { OpenedStep } from './open-step.js';
import { ofStep, type Step } from './steps.js';

/** A waterfall at work. */
export interface Work {
  /** The run that holds the leads. */
  readonly run: Run;
  readonly startedAt: number;
  readonly steps: readonly OpenedStep[];
  readonly store: Store;
  readonly terms: AskingTerms;
}

export type Holding = Pick<
  RunContext,
  'clock' | 'drain' | 'observe' | 'run' | 'startedAt' | 'store'
>;

export interface StepAtWork {
  readonly step: Step;
  readonly context: RunContext;
  readonly balance: BalanceWatch;
}

interface Going {
  readonly context: Holding;
  readonly opened: readonly StepAtWork[];
  readonly reader: LeadReader;
}

/** Reads and sends, all at once. The first problem, in the order of the steps, is that of the run. */
export async function workSteps(task: RunTask, work: Work, going: Going): Promise<Ending> {
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
    earlier: opened.slice(0, Math.max(0, index - 1)).map(({ context }) => context.run.id),
    passesUnknown: opened[index - 1]?.step.settings.onUncertain === 'skip',
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
export function toHeld(lead: LeadEntry): LeadEntry {
  if (lead.kind !== 'asked') return lead;
  const { cells, line, position, source } = lead;
  return { position, source, line, cells, kind: 'held', note: null };
}
