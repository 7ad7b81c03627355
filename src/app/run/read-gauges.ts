// The gauges of a run: values that are read from its state instead of counted.

import { highestTotal } from '../../model/verdict.js';
import type { Store } from '../../ports/store/store.js';
import type { RunContext } from '../../run/run-context.js';
import type { Reading } from '../../telemetry/open-metrics.js';

type Measured = Pick<RunContext, 'run' | 'store' | 'terms'>;

export async function readGauges({ run, store, terms }: Measured): Promise<Reading> {
  const { queued, submitting, awaiting } = await store.work(run.id);
  const { open, spent } = await store.commitment(run.id);
  return {
    ...(await readPending(store)),
    open: { queued, submitting, awaiting },
    runCredits: spent,
    creditsReserved: highestTotal(open, terms.prices),
    leads: (await store.tally(run.id)).byStatus,
  };
}

/** The gauge that needs no run. */
export async function readPending(store: Pick<Store, 'countPending'>): Promise<Reading> {
  return { pending: await store.countPending() };
}
