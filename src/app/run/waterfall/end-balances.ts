// The sums over the steps of a waterfall, for the report of its run.
import { sumCredits } from '../../../model/credits.js';
import { openCharges } from '../../../model/report/open-charges.js';
import type { Run } from '../../../model/run.js';
import type { Store } from '../../../ports/store/store.js';
import type { BalanceWatch } from '../end/compare-balance.js';
import type { BalanceReport, EndedRun } from '../run-options.js';

/** The balances of all steps as one; undefined if no platform tells its own. */
export async function endBalances(
  balances: readonly BalanceWatch[],
): Promise<BalanceReport | undefined> {
  let whole: BalanceReport | undefined;
  for (const balance of balances) {
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

/** The charges that may come besides what is known, over all steps. */
export async function chargesOf(store: Store, run: Run): Promise<EndedRun['charges']> {
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
