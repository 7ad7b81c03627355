// Keeps a run within its credits: each request is reserved at its highest price before it is sent. The store knows the
// committed credits; it is asked again only if no room seems left, or if the budget was changed meanwhile. The
// unfinished runs that this run replaced have spent from the same budget, whichever accounts they had.
import type { Ask, EnrichmentRequest } from '../../model/ask.js';
import {
  amountTeller,
  creditsAt,
  fitsInto,
  subtractCredits,
  sumCredits,
  tellPrice,
} from '../../model/credits.js';
import { SluiceError } from '../../model/errors.js';
import { type BudgetUse, leftOfBudget, wayPastBudget } from '../../model/report/next-step.js';
import { type OpenCharges, openCharges } from '../../model/report/open-charges.js';
import type { Run } from '../../model/run.js';
import { highestPrice, highestTotal } from '../../model/verdict.js';
import type { Store } from '../../ports/store/store.js';
import type { RunContext } from '../run-context.js';

/** A run whose place another one takes. Of one that was pruned only the number is known. */
export type Earlier = Pick<Run, 'id'> &
  Partial<Pick<Run, 'account' | 'credit' | 'prices' | 'step'>>;

/** The runs that have spent for those which this one replaces: their steps', or their own. */
export async function runsBefore(store: Store, { replaces = [] }: Run): Promise<Earlier[]> {
  const before: Earlier[] = [];
  for (const id of replaces) {
    const steps = await store.stepRuns(id);
    before.push(...(steps.length > 0 ? steps : [(await store.findRun(id)) ?? { id }]));
  }
  return before;
}

export interface Committed {
  readonly spent: number;
  /** What may still be charged, at the highest price. */
  readonly open: number;
  readonly before: number;
}

export async function commitmentOf(store: Store, run: Run): Promise<Committed> {
  const own = await store.commitment(run.id);
  let [before, open] = [0, highestTotal(own.open, run.prices)];
  for (const other of await runsBefore(store, run)) {
    const theirs = await store.commitment(other.id);
    const mayCost = highestTotal(theirs.open, other.prices ?? run.prices);
    before = sumCredits([before, inCreditsOf(run, theirs.spent, other)]);
    open = sumCredits([open, inCreditsOf(run, mayCost, other)]);
  }
  return { spent: sumCredits([own.spent, before]), open, before };
}

/** Null without a budget; that of a waterfall is money, and not kept with its run. */
export async function budgetUseOf(store: Store, run: Run): Promise<BudgetUse | null> {
  if (run.budget === undefined) return null;
  const { open: reserved, spent } = await commitmentOf(store, run);
  return { credits: run.budget, spent, reserved };
}

/** Credits of another account count by their price, if that and the run's own are known in one currency. */
function inCreditsOf({ account, credit }: Run, credits: number, other: Earlier): number {
  const isOwn = other.account === undefined || other.account === account;
  if (isOwn || credit === undefined || other.credit?.currency !== credit.currency) return credits;
  return creditsAt(credits, other.credit, credit);
}

interface Room<Amount> {
  readonly left: Amount;
  readonly dearest: Amount;
  readonly spent: Amount;
  /** The part of it that the runs before this one have spent. */
  readonly before?: Amount;
  readonly open: Amount;
}

/** Says of a budget or a cap that the next request does not fit into it. */
export function tellRoom<Amount extends number | bigint>(
  of: string,
  { before, dearest, left, open, spent }: Room<Amount>,
  tell: (amount: Amount) => string,
  arePricesAssumed: boolean,
): string {
  const assumed = arePricesAssumed ? ' (prices assumed: state them with the key prices)' : '';
  const earlier = before ? ` (${tell(before)} by unfinished runs that this one replaced)` : '';
  const more = `, and ${tell(open)} might still be charged for requests without an answer`;
  // It is read later, when more has come.
  return `The ${of} left ${tell(left)} for a request that may cost ${tell(dearest)}${assumed}: ${tell(spent)} ${spent === 1 ? 'was' : 'were'} spent${earlier}${open ? more : ''}.`;
}

/** The charges that may come beside what is known; those of a waterfall are its steps'. */
export async function openChargesOf(store: Store, run: Run): Promise<OpenCharges> {
  const steps = await store.stepRuns(run.id);
  let requests = 0;
  let credits = 0;
  for (const { id, prices } of steps.length === 0 ? [run] : steps) {
    const one = openCharges((await store.commitment(id)).open, prices);
    requests += one.requests;
    credits = sumCredits([credits, one.credits]);
  }
  return { requests, credits };
}

/** The share of a budget or a cap, in percent, that is told once it is spent. */
const NEARLY_PERCENT = 80;

/** Returns what is told each look. A run that finds it spent tells nothing: the one that spent it has. */
export function watchSpent({ observe }: Pick<RunContext, 'observe'>, what: () => string) {
  let wasBelow = false;
  return (percent: number): void => {
    const isBelow = percent < NEARLY_PERCENT;
    const message = `${NEARLY_PERCENT} % of ${what()} is spent.`;
    if (wasBelow && !isBelow) observe({ kind: 'run.warned', warning: 'nearly_used', message });
    wasBelow = isBelow;
  };
}

/** The interval at which a changed budget is looked for. */
export const CHANGE_LOOK_MS = 5_000;

/** "sluice enqueue" may change the budget, or set one, while the run goes on. */
export async function openBudget(context: RunContext) {
  const { clock, run, store, terms } = context;
  let credits = run.budget;
  const priceOf = (ask: readonly Ask[]): number => highestPrice(ask, terms.prices);
  const dearest = priceOf(terms.ask);
  let spent = 0;
  let before = 0;
  let reserved = 0;

  const lookAtSpent = watchSpent(
    context,
    () => `the budget of ${tellPrice(credits ?? 0, run.credit)}`,
  );
  const look = async (): Promise<void> => {
    const { prices } = terms;
    ({ before, open: reserved, spent } = await commitmentOf(store, { ...run, prices }));
    // One that is used up is told by the end of the run.
    if (credits !== undefined && roomNow() > 0) lookAtSpent((100 * spent) / credits);
  };
  let changeLookAt = clock.now() + CHANGE_LOOK_MS;
  const lookForChange = async (): Promise<void> => {
    if (clock.now() < changeLookAt) return;
    changeLookAt = clock.now() + CHANGE_LOOK_MS;
    const now = (await store.findRun(run.id))?.budget;
    if (now === credits && !mayBeNear()) return;
    credits = now;
    await look();
  };
  const mayBeNear = (): boolean =>
    credits !== undefined && 100 * (spent + reserved) >= NEARLY_PERCENT * credits;
  // A request that can cost nothing always has room.
  const roomNow = (): number => {
    if (dearest === 0 || credits === undefined) return Infinity;
    const left = subtractCredits(credits, sumCredits([spent, reserved]));
    return Math.max(0, fitsInto(left, dearest));
  };

  if (credits !== undefined) await look();
  return {
    room: async (): Promise<number> => {
      await lookForChange();
      if (roomNow() === 0) await look();
      return roomNow();
    },
    reserve: (requests: readonly EnrichmentRequest[]): void => {
      if (credits === undefined) return;
      const own = sumCredits(requests.map(({ ask }) => priceOf(ask)));
      reserved = sumCredits([reserved, own]);
      context.observe({ kind: 'budget.reserved', credits: own, reserved, spent, budget: credits });
    },
    problem: () => {
      const budget = credits ?? 0;
      const left = leftOfBudget({ credits: budget, spent, reserved });
      const room = { left, dearest, spent, before, open: reserved };
      return new SluiceError(
        'budget',
        tellRoom(
          `budget of ${tellPrice(budget, run.credit)}`,
          room,
          amountTeller(run.credit),
          terms.arePricesAssumed,
        ),
        {},
        { way: wayPastBudget(run.step === undefined ? undefined : 'the budget of the step') },
      );
    },
  };
}
