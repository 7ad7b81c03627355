// Keeps a run within its credits: each request is reserved at its highest price before it is sent. The store knows the
// committed credits; it is asked again only if no room seems left, or if the budget was changed meanwhile. The
// unfinished runs that this run replaced have spent from the same budget.
import type { Ask, EnrichmentRequest } from '../../model/ask.js';
import { fitsInto, subtractCredits, sumCredits } from '../../model/credits.js';
import { SluiceError } from '../../model/errors.js';
import { type OpenCharges, openCharges } from '../../model/report/open-charges.js';
import type { Run } from '../../model/run.js';
import { formatCount, formatNumber } from '../../model/text/count.js';
import { highestPrice, highestTotal } from '../../model/verdict.js';
import type { Commitment } from '../../ports/store/enrichments.js';
import type { Store } from '../../ports/store/store.js';
import type { RunContext } from '../run-context.js';

export interface Budget {
  /**
   * The number of further enrichments that fit into the budget, whatever they find. If none seems to fit, it asks the
   * store again.
   */
  room(): Promise<number>;
  reserve(requests: readonly EnrichmentRequest[]): void;
  /** The error that ends a run without room. */
  problem(): SluiceError;
}

/**
 * The commitment of a run; `before` is the part that the replaced runs spent. Of a waterfall that is what its steps
 * spent on the same account.
 */
export async function commitmentOf(
  store: Pick<Store, 'commitment' | 'stepRuns'>,
  { account, id, replaces = [] }: Pick<Run, 'account' | 'id' | 'replaces'>,
): Promise<Commitment & { readonly before: number }> {
  const own = await store.commitment(id);
  const earlier: number[] = [];
  for (const run of replaces) {
    const steps = (await store.stepRuns(run)).filter((step) => step.account === account);
    earlier.push(run, ...steps.map((step) => step.id));
  }
  const others = await Promise.all(earlier.map((run) => store.commitment(run)));
  const before = sumCredits(others.map(({ spent }) => spent));
  return {
    spent: sumCredits([own.spent, before]),
    before,
    open: [own, ...others].flatMap(({ open }) => open),
  };
}

/** The charges that may come beside what is known; those of a waterfall are its steps'. */
export async function openChargesOf(
  store: Pick<Store, 'commitment' | 'stepRuns'>,
  run: Pick<Run, 'id' | 'prices'>,
): Promise<OpenCharges> {
  const steps = await store.stepRuns(run.id);
  let requests = 0;
  let credits: number | null = 0;
  for (const { id, prices } of steps.length === 0 ? [run] : steps) {
    const one = openCharges((await store.commitment(id)).open, prices);
    requests += one.requests;
    credits = credits === null || one.credits === null ? null : sumCredits([credits, one.credits]);
  }
  return { requests, credits };
}

/** The interval at which a changed budget is looked for. */
export const CHANGE_LOOK_MS = 5_000;

/** Undefined if the run has no budget, and cannot be given one while it goes on. */
export async function openBudget(context: RunContext): Promise<Budget | undefined> {
  const { budgetNow, clock, run, store, terms } = context;
  let credits = context.budget;
  if (credits === undefined && budgetNow === undefined) return undefined;
  const priceOf = (ask: readonly Ask[]): number => highestPrice(ask, terms.prices);
  const dearest = priceOf(terms.ask);
  let spent = 0;
  let before = 0;
  let reserved = 0;

  const look = async (): Promise<void> => {
    const commitment = await commitmentOf(store, run);
    ({ before, spent } = commitment);
    reserved = highestTotal(commitment.open, terms.prices);
  };
  let changeLookAt = clock.now() + CHANGE_LOOK_MS;
  const lookForChange = async (): Promise<void> => {
    if (budgetNow === undefined || clock.now() < changeLookAt) return;
    changeLookAt = clock.now() + CHANGE_LOOK_MS;
    const now = await budgetNow();
    if (now === credits) return;
    credits = now;
    await look();
  };
  // A request that can cost nothing always has room.
  const roomNow = (): number => {
    if (dearest === 0 || credits === undefined) return Infinity;
    const left = subtractCredits(credits, sumCredits([spent, reserved]));
    return Math.max(0, fitsInto(left, dearest));
  };

  if (credits !== undefined) await look();
  return {
    room: async () => {
      await lookForChange();
      if (roomNow() === 0) await look();
      return roomNow();
    },
    reserve: (requests) => {
      if (credits === undefined) return;
      const own = sumCredits(requests.map(({ ask }) => priceOf(ask)));
      reserved = sumCredits([reserved, own]);
      context.observe({ kind: 'budget.reserved', credits: own, reserved, spent, budget: credits });
    },
    problem: () => {
      const budget = credits ?? 0;
      const earlier =
        before === 0
          ? ''
          : ` (${formatNumber(before)} by unfinished runs that this one replaced; "sluice cancel ${run.step?.of ?? run.id}" ends them all, and the next run has the whole budget)`;
      const held =
        reserved === 0
          ? ''
          : `, and ${formatNumber(reserved)} may still be charged for what is uncertain or timed out`;
      return new SluiceError(
        'budget',
        `The budget of ${formatCount(budget, 'credit')} is used up: ${formatCount(spent, 'is', 'are')} spent${earlier}${held}; the next request may cost ${formatNumber(dearest)}${terms.arePricesAssumed ? ' (prices assumed: --prices states them)' : ''}. Raise ${run.step === undefined ? '--budget' : 'the key budget of the step'} and run again: it continues.`,
        { budget, spent, reserved, dearest },
      );
    },
  };
}
