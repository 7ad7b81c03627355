// The balances of a waterfall's steps as one, for the report of its run.
import { sumCredits } from '../../../model/credits.js';
import type { BalanceWatch } from '../end/compare-balance.js';
import type { BalanceReport } from '../run-options.js';

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
