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
 * Continues the job's open run where it asks the same of the same input, with the same `fresh-for`. Everything else
 * starts a new run, which is safe: what was paid for is found again by its fingerprint. An input that cannot be read
 * twice (standard input, a named pipe) always starts a new one, for it may not be the same. `check` learns
 * where the table goes, before anything is stored.
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

/** The run that this plan would go on with, or null. */
export async function findContinued(store: Store, plan: RunPlan): Promise<Run | null> {
  const open = await store.findOpenRun(plan.job);
  const isSame =
    plan.signature !== null &&
    open?.signature === plan.signature &&
    open.terms === plan.terms &&
    // What was stale for the run that began may be fresh for the one that asks now: reading again shows it.
    (open.freshForMs ?? plan.freshForMs) === plan.freshForMs;
  return isSame ? open : null;
}

function outputOf(open: Run, output: OutputPlan): OutputPlan {
  const { template } = output;
  return template === undefined ? output : { ...output, out: continuedName(open, template) };
}

/** A continued run keeps the name that its start gave it, unless the job names the table otherwise by now. */
export function continuedName(open: Run, out: string): string {
  if (!hasPlaceholder(out)) return out;
  return out === open.output.template ? open.output.out : nameTable(out, open);
}
