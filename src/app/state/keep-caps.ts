import { SluiceError } from '../../model/errors.js';
import {
  CAP_PERIODS,
  type CapPeriod,
  type CapState,
  type Caps,
} from '../../model/schedule/caps.js';
import type { Store } from '../../ports/store/store.js';

/** A change of an account's caps: null removes one, and what is not named stays as it is. */
export interface CapWish extends Readonly<Partial<Record<CapPeriod, number | null | undefined>>> {
  readonly timezone?: string | undefined;
}

export interface SeenCaps {
  readonly account: string;
  /** The job of the account's newest run; null if its runs are gone. */
  readonly job: string | null;
  readonly caps: readonly CapState[];
}

/**
 * They hold from this moment on.
 * @throws SluiceError `usage` for an account that no run has used
 */
export async function changeCaps(
  store: Store,
  account: string,
  { timezone, ...wish }: CapWish,
): Promise<void> {
  const of = (await store.accounts()).find((one) => one.account === account);
  if (of === undefined) {
    throw new SluiceError(
      'usage',
      'No run of this state has used that account: check its name and --url. Before its first run, caps in the job hold for it.',
    );
  }
  const next: Caps = { timezone: timezone ?? of.caps?.timezone ?? 'UTC' };
  const credits = CAP_PERIODS.flatMap((period) => {
    const stated = wish[period] === undefined ? of.caps?.[period] : wish[period];
    return typeof stated === 'number' ? [[period, stated] as const] : [];
  });
  await store.setCaps(
    account,
    credits.length === 0 ? null : { ...next, ...Object.fromEntries(credits) },
  );
}

/** Every account with caps, in the periods of this moment. */
export async function seeCaps(store: Store, at: number): Promise<SeenCaps[]> {
  const capped = (await store.accounts()).filter(({ caps }) => caps !== null);
  return Promise.all(
    capped.map(async ({ account, run }) => {
      const newest = await store.findRun(run);
      return { account, job: newest?.job ?? null, caps: await store.caps(account, at) };
    }),
  );
}
