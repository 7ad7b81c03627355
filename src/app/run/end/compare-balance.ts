// Compares balances from before a run's first request and after its end, where the dialect has a call for it.
import type { Dialect } from '../../../dialect/dialect.js';
import { subtractCredits, sumCredits } from '../../../model/credits.js';
import { unlessRefused } from '../../../model/errors.js';
import type { Platform } from '../../../ports/platform.js';
import type { BalanceReport } from '../run-options.js';

export type BalanceWatch = ReturnType<typeof watchBalance>;

/** Watches the balance. If the platform does not answer, nothing is compared: a balance must not stop a run. */
export function watchBalance(
  { account }: Dialect,
  platform: Platform,
  counted: () => Promise<number>,
) {
  const isThere = account !== null && account.credits.length > 0;
  const read = async (signal?: AbortSignal): Promise<number | undefined> => {
    return isThere ? unlessRefused(() => platform.readBalance(signal)) : undefined;
  };
  let start: { readonly balance: number; readonly counted: number } | undefined;
  return {
    before: () => start?.balance,
    begin: async (signal: AbortSignal): Promise<void> => {
      const balance = await read(signal);
      if (balance !== undefined) start = { balance, counted: await counted() };
    },
    end: async (): Promise<BalanceReport | undefined> => {
      const after = start === undefined ? undefined : await read();
      if (start === undefined || after === undefined) return undefined;
      const now = subtractCredits(await counted(), start.counted);
      return { before: start.balance, after, counted: now };
    },
  };
}

/** The balances of all platforms as one; undefined if none tells its own. */
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
