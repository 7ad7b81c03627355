// Works on all steps of a waterfall at once: reads the leads, and feeds and sends in the run of each step. Leads pass
// from step to step through the store.
import type { LeadReader } from '../../../ports/lead-reader.js';
import type { LeadEntry } from '../../../ports/store/enrichments.js';
import { ingest } from '../../../run/ingest.js';
import { type Ending, processRun } from '../../../run/process-run.js';
import type { ReadingContext } from '../../../run/run-context.js';
import { feed } from '../../../run/waterfall/feed.js';
import { lookAsFed } from '../begin/pay-anew.js';
import type { RunTask } from '../run-options.js';
import type { SenderAtWork } from '../senders.js';
import { ofStep } from './steps.js';

/** The first problem, in the order of the steps, is that of the run. */
export async function workSteps(
  task: RunTask,
  holding: ReadingContext,
  steps: readonly SenderAtWork[],
  reader: LeadReader,
): Promise<Ending> {
  const isReading = holding.run.state === 'reading';
  const ended = [!isReading, ...steps.map(() => false)];
  const untilEnded = async (at: number, work: () => Promise<unknown>): Promise<unknown> => {
    try {
      return await work();
    } catch (problem) {
      return problem;
    } finally {
      ended[at] = true;
    }
  };
  const problems = await Promise.all([
    untilEnded(0, async () => {
      if (isReading) await ingest(holding, reader, false, toHeld);
    }),
    ...steps.map((_, i) =>
      untilEnded(i + 1, () => workStep(task, holding, steps, i, () => ended[i] === true)),
    ),
  ]);
  return { problem: problems.find((problem) => problem !== undefined) };
}

/** Makes the run of one step, and returns the problem that stopped it. */
async function workStep(
  { resendUncertain, waterfall }: RunTask,
  { run, startedAt, store, terms }: ReadingContext,
  steps: readonly SenderAtWork[],
  index: number,
  hasEnded: () => boolean,
): Promise<unknown> {
  const [own, before] = [steps[index], steps[index - 1]];
  if (own?.step === undefined || waterfall === undefined) throw new Error(`no step ${index}`);
  const { context, step } = own;
  const beginning = { plan: context.run, terms: context.terms, open: null, startedAt };
  const accounts = steps.map(({ context }) => context.run.account);
  const place = {
    refusePaidAnew: await lookAsFed(own.task, store, accounts, beginning),
    held: run.id,
    before: before?.context.run.id ?? run.id,
    earlier: steps.slice(0, Math.max(0, index - 1)).map(({ context }) => context.run.id),
    passesUnknown: before?.step?.settings.onUncertain === 'skip',
    hasEnded,
    heldTerms: terms,
    index,
    waterfall: waterfall.plan,
    resendUncertain,
  };
  const { problem } = await processRun(context, (sending) => feed(sending, place), resendUncertain);
  return ofStep(problem, step.name);
}

/** A lead that some step can be asked for is held for them. */
export function toHeld(lead: LeadEntry): LeadEntry {
  if (lead.kind !== 'asked') return lead;
  const { cells, line, position, source } = lead;
  return { position, source, line, cells, kind: 'held', note: null };
}
