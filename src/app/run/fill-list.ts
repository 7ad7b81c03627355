// The last chapter of a run whose job wants a contact list: once every lead is answered, the chosen ones go in.
import { SluiceError } from '../../model/errors.js';
import { openLeads } from '../../model/tally.js';
import { type ListPlan, type ListReport, listLeads } from '../../run/list-leads.js';
import type { Ending } from '../../run/process-run.js';
import type { RunContext } from '../../run/run-context.js';

export interface ListedEnding extends Ending {
  /** Null where no list was wanted, or not everybody is in it yet. */
  readonly listed: ListReport | null;
}

/** Never throws: what stops it ends the run, which is then continued from there. */
export async function fillList(
  context: RunContext,
  list: ListPlan | null,
  { problem }: Ending,
): Promise<ListedEnding> {
  if (list === null || problem !== undefined || context.drain.aborted) {
    return { problem, listed: null };
  }
  try {
    const isAnswered = openLeads(await context.store.tally(context.run.id)) === 0;
    return { problem, listed: isAnswered ? await listLeads(context, list) : null };
  } catch (failure) {
    // A request broken off by the drain says nothing about the platform.
    const isStop = context.drain.aborted && failure instanceof SluiceError;
    return { problem: isStop && failure.code === 'platform' ? undefined : failure, listed: null };
  }
}
