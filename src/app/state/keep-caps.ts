import { isCredits } from '../../model/credits.js';
import { wrongUse } from '../../model/errors.js';
import {
  CAP_PERIODS,
  type CapPeriod,
  type CapState,
  type Caps,
  type ToldCaps,
} from '../../model/schedule/caps.js';
import type { Store } from '../../ports/store/store.js';
import { accountNamed } from '../platform/known-account.js';
import { NO_ENVIRONMENT } from '../settings/environment.js';
import { systemClock } from '../system-clock.js';

interface WantedCap {
  readonly credits: number;
  /** As it was stated, if that is money. */
  readonly money: string | undefined;
}

/** A change of an account's caps: null removes one, and what is not named stays as it is. */
export interface CapWish
  extends Readonly<Partial<Record<CapPeriod, WantedCap | null | undefined>>> {
  /** The name that the user gives the account. */
  readonly name?: string | undefined;
  readonly timezone?: string | undefined;
}

export interface SeenCaps {
  readonly account: string;
  readonly told: ToldCaps;
  /** The job of the account's newest run; null if its runs are gone. */
  readonly job: string | null;
  readonly caps: readonly CapState[];
}

/** They hold from this moment on. Returns whether a run has used the account. */
export async function changeCaps(
  store: Store,
  account: string,
  { name, timezone, ...wish }: CapWish,
): Promise<boolean> {
  const of = (await store.accounts()).find((one) => one.account === account);
  const kept = CAP_PERIODS.flatMap((period) => {
    const before = of?.caps?.[period];
    const known = before === undefined ? null : { credits: before, money: of?.told[period] };
    const wanted = wish[period] === undefined ? known : wish[period];
    return wanted === null ? [] : [{ period, ...wanted }];
  });
  const timeZone = timezone ?? of?.caps?.timezone ?? 'UTC';
  const credits = Object.fromEntries(kept.map((one) => [one.period, one.credits]));
  const caps: Caps | null = kept.length === 0 ? null : { timezone: timeZone, ...credits };
  const money = Object.fromEntries(kept.map((one) => [one.period, one.money]));
  await store.setCaps(account, caps, { ...money, name: name ?? of?.told.name });
  return (of?.run ?? 0) > 0;
}

/** Every account with caps, in the periods of this moment. */
export async function seeCaps(store: Store, at = systemClock.now()): Promise<SeenCaps[]> {
  const capped = (await store.accounts()).filter(({ caps }) => caps !== null);
  return Promise.all(
    capped.map(async ({ account, run, told }) => {
      const newest = await store.findRun(run);
      return { account, told, job: newest?.job ?? null, caps: await store.caps(account, at) };
    }),
  );
}

/** Credits at most in each period; null takes a cap away, and what is not named stays as it is. */
export interface StatedCapWish
  extends Readonly<Partial<Record<CapPeriod, number | null | undefined>>> {
  /** The account as its jobs name it, by `url` and `account`. */
  readonly url: string;
  readonly account: string;
  readonly dialect?: string | undefined;
  readonly timezone?: string | undefined;
}

/**
 * Caps what all jobs may spend of an account; runs at work keep to it as well. Returns all caps of the state.
 * @throws SluiceError `usage` for a number that no cap can have
 */
export async function setCaps(
  store: Store,
  { account, dialect, timezone, url, ...wish }: StatedCapWish,
): Promise<readonly SeenCaps[]> {
  const id = await accountNamed({ account, dialect, url }, NO_ENVIRONMENT, store);
  const caps = CAP_PERIODS.flatMap((period) => {
    const credits = wish[period];
    if (credits === undefined) return [];
    if (credits !== null && !(credits > 0 && isCredits(credits)))
      throw wrongUse(`${period}: a cap is a number of credits above 0.`);
    return [[period, credits === null ? null : { credits, money: undefined }] as const];
  });
  await changeCaps(store, id, { ...Object.fromEntries(caps), name: account, timezone });
  return seeCaps(store);
}
