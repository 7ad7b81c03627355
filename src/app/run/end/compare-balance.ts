// Compares the balance of the account before the first request of a run and after its end, if the dialect has a call
// for it.
import type { Dialect } from '../../../dialect/dialect.js';
import { subtractCredits } from '../../../model/credits.js';
import { SluiceError } from '../../../model/errors.js';
import type { RunContext } from '../../../run/run-context.js';
import type { BalanceReport } from '../run-options.js';

type Asking = Pick<RunContext, 'platform' | 'run' | 'store'>;

export interface BalanceWatch {
  /** Reads the balance before anything is sent. */
  begin(signal: AbortSignal): Promise<void>;
  /** Undefined if there is nothing to compare. */
  end(): Promise<BalanceReport | undefined>;
}

/** Watches the balance. If the platform does not answer, nothing is compared: a balance must not stop a run. */
export function watchBalance({ account }: Dialect, { platform, run, store }: Asking): BalanceWatch {
  const isThere = account !== null && account.credits.length > 0;
  const counted = async (): Promise<number> => (await store.tally(run.id)).credits;
  const read = async (signal?: AbortSignal): Promise<number | undefined> => {
    try {
      return isThere ? await platform.readBalance(signal) : undefined;
    } catch (error) {
      if (error instanceof SluiceError) return undefined;
      throw error;
    }
  };
  let start: { readonly balance: number; readonly counted: number } | undefined;
  return {
    begin: async (signal) => {
      const balance = await read(signal);
      if (balance !== undefined) start = { balance, counted: await counted() };
    },
    end: async () => {
      const after = start === undefined ? undefined : await read();
      if (start === undefined || after === undefined) return undefined;
      const now = subtractCredits(await counted(), start.counted);
      return { before: start.balance, after, counted: now };
    },
  };
}
