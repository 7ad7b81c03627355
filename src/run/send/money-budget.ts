// Keeps the steps of a waterfall within money that they share: each request is set aside at its highest price before it
// is claimed. The store knows what is committed. One process works on a job, and all of its steps are in it.
import { amountOf, type Money, tellAmount } from '../../model/credits.js';
import { SluiceError } from '../../model/errors.js';
import { wayPastBudget } from '../../model/report/next-step.js';
import { highestPrice, highestTotal } from '../../model/verdict.js';
import type { Store } from '../../ports/store/store.js';
import type { ReadingContext, StepBudget } from '../run-context.js';
import { CHANGE_LOOK_MS, commitmentOf, type Earlier, tellRoom, watchSpent } from './budget.js';

export type MoneyBudget = ReturnType<typeof openMoneyBudget>;

/**
 * Amounts are in thousandths of a millionth of the currency: whole numbers, whatever the prices are. `earlier` are the
 * runs that have spent from it already: a step counts those that its own run replaces, and this budget the others, whose
 * steps are gone.
 */
export function openMoneyBudget(money: Money, earlier: readonly Earlier[]) {
  const whole = BigInt(money.millionths) * 1000n;
  /** `credit` is the price of one, in the currency of the budget. */
  const spenders: (ReadingContext & { readonly credit: Money })[] = [];
  let [spent, before, open] = [0n, 0n, 0n];
  let isKnown = false;
  /** Set aside since the store was asked: for claims that are under way, and for those that are in the store. */
  let [claiming, claimed] = [0n, 0n];
  const told = (amount: bigint): string => tellAmount(amount, money.currency);
  const left = (): bigint => whole - spent - open - claiming - claimed;
  let nextLookAt = 0;
  let lookAtSpent: ReturnType<typeof watchSpent> | undefined;

  const withoutStep = () => {
    const counted = new Set(spenders.flatMap(({ run: { replaces = [] } }) => replaces));
    return earlier.flatMap(({ credit, id, prices = {} }) =>
      counted.has(id) || credit?.currency !== money.currency ? [] : [{ credit, id, prices }],
    );
  };
  const ask = async (store: Store): Promise<void> => {
    // What is claimed while the store is asked may not be in its answer: it counts until the next look.
    const claimedBefore = claimed;
    const sums = { spent: 0n, before: 0n, open: 0n };
    for (const { credit, run } of spenders) {
      const known = await commitmentOf(store, run);
      sums.spent += amountOf(known.spent, credit);
      sums.before += amountOf(known.before, credit);
      sums.open += amountOf(known.open, credit);
    }
    for (const { credit, id, prices } of withoutStep()) {
      const known = await store.commitment(id);
      const amount = amountOf(known.spent, credit);
      sums.spent += amount;
      sums.before += amount;
      sums.open += amountOf(highestTotal(known.open, prices), credit);
    }
    ({ before, open, spent } = sums);
    claimed -= claimedBefore;
    isKnown = true;
    if (spent < whole) lookAtSpent?.(Number((spent * 100n) / whole));
  };

  let asking: Promise<void> | undefined;
  /** Once for all steps that ask at the same time: each answer takes the place of what was claimed before it. */
  const look = (store: Store): Promise<void> => {
    asking ??= ask(store).finally(() => {
      asking = undefined;
    });
    return asking;
  };

  return {
    /** Names every step before any of them sends. */
    join: (context: ReadingContext, credit: Money): StepBudget => {
      const { clock, run, store, terms } = context;
      const { prices } = terms;
      lookAtSpent ??= watchSpent(context, () => `the budget of ${told(whole)} over all steps`);
      spenders.push({ ...context, credit, run: { ...run, credit, prices } });
      const dearest = amountOf(highestPrice(terms.ask, prices), credit);
      // A request that can cost nothing always has room.
      const roomNow = (): number =>
        dearest === 0n ? Number.POSITIVE_INFINITY : Math.max(0, Number(left() / dearest));
      return {
        room: async () => {
          const now = clock.now();
          if (!isKnown || roomNow() === 0 || (left() * 5n <= whole && now >= nextLookAt)) {
            await look(store);
            nextLookAt = now + CHANGE_LOOK_MS;
          }
          return roomNow();
        },
        take: (count) => {
          const taken = Math.min(count, roomNow());
          claiming += dearest * BigInt(taken);
          return taken;
        },
        claimed: (taken, requests) => {
          claiming -= dearest * BigInt(taken);
          for (const { ask } of requests) claimed += amountOf(highestPrice(ask, prices), credit);
        },
        mayShrink: () =>
          spenders.some(
            ({ backlog, clock }) => backlog.awaiting > 0 || backlog.awaitsWebhook(clock.now()),
          ),
        problem: () => {
          const may = open + claimed + claiming;
          const gone = spent + may;
          const room = {
            left: whole > gone ? whole - gone : 0n,
            dearest,
            spent,
            before,
            open: may,
          };
          return new SluiceError(
            'budget',
            tellRoom(`budget of ${told(whole)} over all steps`, room, told, terms.arePricesAssumed),
            { of: 'waterfall' },
            { way: wayPastBudget() },
          );
        },
      };
    },
  };
}
