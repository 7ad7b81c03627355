// Counts the cost of a run by ask. The cost of an answer is known for all its values together: if it has one value,
// that is the value's cost; if it has several, their prices divide it.
import type { LeadAnswer } from '../../model/answer.js';
import { type Ask, priceOf } from '../../model/ask.js';
import { fromThousandths, toThousandths } from '../../model/credits.js';
import type { AskCost } from '../../model/report/run-figures.js';
import type { Run } from '../../model/run.js';
import type { RunTally } from '../../model/tally.js';
import { highestPrice, hitsOf } from '../../model/verdict.js';

interface Counted {
  asked: number;
  found: number;
  paidNow: number;
  thousandths: number;
  /** Whether an answer had a cost that its prices do not explain. */
  isUnclear: boolean;
}

export function createCostCount({ ask, prices }: Pick<Run, 'ask' | 'prices'>) {
  const counts = new Map<Ask, Counted>(
    ask.map((one) => [one, { asked: 0, found: 0, paidNow: 0, thousandths: 0, isUnclear: false }]),
  );

  const countedOf = (asks: readonly Ask[]) => asks.flatMap((one) => counts.get(one) ?? []);

  const pay = (hits: readonly Ask[], credits: number): void => {
    const isAlone = hits.length === 1;
    const isKnown = hits.every((hit) => hit in prices) && highestPrice(hits, prices) === credits;
    for (const hit of hits) {
      for (const counted of countedOf([hit])) {
        if (isAlone) counted.thousandths += toThousandths(credits);
        else if (isKnown) counted.thousandths += toThousandths(priceOf(prices, hit));
        else counted.isUnclear = true;
      }
    }
  };

  return {
    add({ ask: asked, credits, inputs, result, source }: LeadAnswer): void {
      for (const counted of countedOf(asked)) counted.asked += 1;
      if (result === null) return;
      const hits = hitsOf({ ask: asked, inputs }, result);
      for (const counted of countedOf(hits)) {
        counted.found += 1;
        if (source === 'api') counted.paidNow += 1;
      }
      if (credits > 0) pay(hits, credits);
    },
    byAsk: (): AskCost[] =>
      Array.from(counts, ([one, { asked, found, isUnclear, paidNow, thousandths }]) => ({
        ask: one,
        asked,
        found,
        paidNow,
        credits: isUnclear ? null : fromThousandths(thousandths),
      })),
  };
}

/** The cost from the numbers of the run alone; null if it asks for several things. */
export function costOfOne(
  { ask }: Pick<Run, 'ask'>,
  { byStatus, credits, leads }: RunTally,
): AskCost[] | null {
  const [only, ...more] = ask;
  if (only === undefined || more.length > 0) return null;
  const asked = leads - byStatus.skipped - byStatus.not_asked;
  return [{ ask: only, asked, found: byStatus.found, paidNow: null, credits }];
}
