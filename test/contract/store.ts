// The conformance suite of the store port: written once, run against every store. One file for each part of the port.
import { describe } from 'vitest';
import { describeAccounts } from './accounts.js';
import { describeCaps } from './caps.js';
import { describeCharges } from './charges.js';
import { describeContactLists } from './contact-lists.js';
import { describeDeliveries } from './deliveries.js';
import { describeBought } from './enrichments/bought.js';
import { describeKnown } from './enrichments/known.js';
import { describeRetry } from './enrichments/retry.js';
import { describeUnreadAnswers } from './enrichments/unread-answers.js';
import { describeEnrichments } from './enrichments.js';
import { describeEvents } from './events.js';
import { describeFiles } from './files.js';
import { describeJobs } from './jobs.js';
import { describeMaintenance } from './maintenance.js';
import { describeLookingThrough } from './runs/looking-through.js';
import { describeRuns } from './runs.js';
import { describeSeries } from './series.js';
import { type StoreBench, type StoreHarness, storeBench } from './store-bench.js';
import { describeSuppressions } from './suppressions.js';
import { describeTasks } from './tasks.js';
import { describeSetAside } from './waterfall-aside.js';
import { describeWaterfallRows } from './waterfall-rows.js';
import { describeWaterfalls } from './waterfalls.js';
import { describeKeptWaterfalls } from './waterfalls-kept.js';

type Part = (bench: StoreBench) => void;

/** What hangs on how a database locks and counts: a store that has its whole contract elsewhere has these. */
export const LOCKED_PARTS: readonly Part[] = [
  describeJobs,
  describeTasks,
  describeAccounts,
  describeCaps,
  describeCharges,
];
const PARTS: readonly Part[] = [
  ...LOCKED_PARTS,
  describeRuns,
  describeLookingThrough,
  describeSeries,
  describeEnrichments,
  describeRetry,
  describeUnreadAnswers,
  describeBought,
  describeKnown,
  describeDeliveries,
  describeEvents,
  describeFiles,
  describeContactLists,
  describeMaintenance,
  describeSuppressions,
  describeWaterfalls,
  describeWaterfallRows,
  describeSetAside,
  describeKeptWaterfalls,
];

export function describeStore(
  name: string,
  createHarness: () => StoreHarness,
  parts: readonly Part[] = PARTS,
): void {
  describe(`the store contract, kept by ${name}`, () => {
    const bench = storeBench(createHarness);
    for (const describePart of parts) describePart(bench);
  });
}
