// Finds the run to continue, or starts the next one.

import type { OutputPlan, Run, RunPlan } from '../../model/run.js';
import { hasPlaceholder } from '../../model/text/placeholders.js';
import type { Store } from '../../ports/store/store.js';
import { nameTable } from '../files/name-table.js';

export interface OpenedRun {
  readonly run: Run;
  readonly isContinued: boolean;
}

/**
 * Continues the job's open run where it has the same terms, the same input and the same `fresh-for`. Everything else
 * starts a new run, which is safe: what was paid for is found again by its fingerprint. An input that cannot be read
 * twice (standard input, a named pipe) always starts a new run, since it may differ. `check` gets the path of the table
 * before anything is stored.
 */
export async function openRun(
  store: Store,
  plan: RunPlan,
  at: number,
  check: (out: string, run: number | null) => Promise<void>,
): Promise<OpenedRun> {
  const open = await findContinued(store, plan);
  if (open !== null) {
    const output = outputOf(open, plan.output);
    await check(output.out, open.id);
    await store.redirectRun(open.id, output);
    return { run: { ...open, output }, isContinued: true };
  }
  const [newest] = await store.listRuns(1);
  const number = String((newest?.id ?? 0) + 1);
  await check(plan.output.out.replaceAll('{run}', number), null);
  return { run: await store.startRun(plan, at), isContinued: false };
}

/** The run that this plan would continue, or null. */
export async function findContinued(store: Store, plan: RunPlan): Promise<Run | null> {
  const open = await store.findOpenRun(plan.job);
  const isSame =
    plan.signature !== null &&
    open?.signature === plan.signature &&
    open.terms === plan.terms &&
    // A result that was stale when the run began may be fresh under another `fresh-for`: the input has to be read
    // again.
    (open.freshForMs ?? plan.freshForMs) === plan.freshForMs;
  return isSame ? open : null;
}

function outputOf(open: Run, output: OutputPlan): OutputPlan {
  const { template } = output;
  return template === undefined ? output : { ...output, out: continuedName(open, template) };
}

/** A continued run keeps its table's name, unless the name in the job has changed. */
export function continuedName(open: Run, out: string): string {
  if (!hasPlaceholder(out)) return out;
  return out === open.output.template ? open.output.out : nameTable(out, open);
}
