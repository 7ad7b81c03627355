// Figures that only the rows of a run tell: cost by ask, quality, and the first places of each reason.
import { isAsked, type LeadAnswer, type LeadStatus, SHOWN_FOR_NOW } from '../../model/answer.js';
import { type Ask, priceOf } from '../../model/ask.js';
import { amountOf, fromThousandths, moneyOf, toThousandths } from '../../model/credits.js';
import type { AskCost, CostFigures, PlaceOfLine } from '../../model/report/run-figures.js';
import type { RunForecast } from '../../model/report/series.js';
import type { Run } from '../../model/run.js';
import type { RunTally, StatusReason } from '../../model/tally.js';
import { highestPrice, hitsOf } from '../../model/verdict.js';
import type { Store } from '../../ports/store/store.js';
import { answerPages } from '../../run/export.js';
import { SANDBOX_ACCOUNT } from '../platform/account.js';
import type { SeenRun } from '../results/see-run.js';
import { createQualityCount } from './count-quality.js';

type ReadRows = Awaited<ReturnType<typeof readRows>>;

export interface RowOptions {
  /** Called now and then with the number of leads that are read. */
  readonly onProgress?: ((leads: number) => void) | undefined;
}

export async function readRows(store: Store, { run, tally }: SeenRun, { onProgress }: RowOptions) {
  const payers = await payersOf(store, run);
  const cost = createCostCount(run, payers);
  const quality = createQualityCount(run, payers);
  const places = createPlaceCount(tally.reasons);
  for await (const answers of answerPages(store, run)) {
    for (const answer of answers) {
      cost.add(answer);
      quality.add(answer);
      places.add(answer);
    }
    onProgress?.(answers.at(-1)?.position ?? 0);
  }
  return { cost, quality, places };
}

/** The cost; by ask from the rows, or from the numbers of the run alone. */
export function costOf(
  { charges, run, seen, tally }: SeenRun,
  forecast: RunForecast | null,
  rows: ReadRows | null,
): CostFigures {
  return {
    isMadeUp: run.account === SANDBOX_ACCOUNT,
    paid: tally.credits,
    charges,
    budget: run.budget ?? null,
    caps: seen.caps,
    forecastMax: forecast?.creditsMax ?? null,
    arePricesAssumed: run.arePricesAssumed,
    byAsk: rows?.cost.byAsk() ?? costOfOne(run, tally),
  };
}

/** Rows of more leads than this take a while, and are read only for a report. */
const READ_MAX = 10_000;

/** The cost by ask without a report; of many leads as {@link costOfOne}. */
export async function costByAsk(
  store: Store,
  { run, tally }: Pick<SeenRun, 'run' | 'tally'>,
): Promise<readonly AskCost[] | null> {
  if (tally.leads > READ_MAX) return costOfOne(run, tally);
  const count = createCostCount(run, await payersOf(store, run));
  for await (const answers of answerPages(store, run)) for (const one of answers) count.add(one);
  return count.byAsk();
}

/** The runs that send: those of the steps of a waterfall, in their order, or the run alone. */
async function payersOf(store: Store, run: Run): Promise<readonly (Run | undefined)[]> {
  if (run.waterfall === undefined) return [run];
  const steps = await store.stepRuns(run.id);
  return run.waterfall.steps.map(({ name }) => steps.find((one) => one.step?.name === name));
}

const PLACES_MAX = 5;

function createPlaceCount(reasons: readonly StatusReason[]) {
  const places = new Map(
    reasons.map(({ reason, status }) => [keyOf(status, reason), [] as PlaceOfLine[]]),
  );
  return {
    add({ askedAgain, file: source, line, reason, status }: LeadAnswer): void {
      if (reason === null) return;
      const of = askedAgain ?? status;
      const found = places.get(keyOf(of, reasonAgain(of, reason)));
      if (found !== undefined && found.length < PLACES_MAX) found.push({ source, line });
    },
    placesOf: ({ reason, status }: StatusReason): readonly PlaceOfLine[] =>
      places.get(keyOf(status, reason)) ?? [],
  };
}

function keyOf(status: string, reason: string): string {
  return `${status} ${reason}`;
}

/** The part of a row's reason about the newer request, without the words about what is shown. */
export function reasonAgain(askedAgain: string, reason: string): string {
  const heads = SHOWN_FOR_NOW.map((shown) => `${shown}: ${askedAgain} (`);
  const head = heads.find((one) => reason.startsWith(one));
  return head === undefined ? reason : reason.slice(head.length, -1);
}

interface Counted {
  asked: number;
  found: number;
  paidNow: number;
  thousandths: number;
  /** In thousandths of a millionth of the currency. */
  amount: bigint;
  /** Whether an answer had a cost that its prices do not explain. */
  isUnclear: boolean;
}

/** `payers`: as of {@link payersOf}. */
function createCostCount({ ask, waterfall }: Run, payers: readonly (Run | undefined)[]) {
  const counts = new Map<Ask, Counted>(
    ask.map((one) => [
      one,
      { asked: 0, found: 0, paidNow: 0, thousandths: 0, amount: 0n, isUnclear: false },
    ]),
  );
  const currencies = new Set(payers.map((one) => one?.credit?.currency));
  const [currency] = currencies.size === 1 ? currencies : [];

  // A step verifies an address so that it can be taken as found.
  const countedOf = (one: Ask): Counted | undefined =>
    counts.get(one) ?? (one === 'verify_email' ? counts.get('find_email') : undefined);

  const pay = (hits: readonly Ask[], credits: number, { credit, prices }: Run): void => {
    const isAlone = hits.length === 1;
    const isKnown =
      isAlone || (hits.every((hit) => hit in prices) && highestPrice(hits, prices) === credits);
    for (const hit of hits) {
      const counted = countedOf(hit);
      if (counted === undefined) continue;
      if (!isKnown) {
        counted.isUnclear = true;
        continue;
      }
      const paid = isAlone ? credits : priceOf(prices, hit);
      counted.thousandths += toThousandths(paid);
      if (credit !== undefined) counted.amount += amountOf(paid, credit);
    }
  };

  return {
    add(answer: LeadAnswer): void {
      const asked = new Set<Ask>();
      const bought = new Set<Ask>();
      for (const [n, part] of (answer.steps ?? [answer]).entries()) {
        if (part === undefined || !isAsked(part.status)) continue;
        for (const one of part.ask) asked.add(one);
        const payer = payers[n];
        if (part.result === null || payer === undefined) continue;
        const hits = hitsOf(part, part.result);
        if (part.credits > 0) pay(hits, part.credits, payer);
        if (part.source === 'api') for (const hit of hits) bought.add(hit);
      }
      const found = answer.result === null ? [] : hitsOf(answer, answer.result);
      for (const [one, counted] of counts) {
        if (asked.has(one)) counted.asked += 1;
        if (!asked.has(one) || !found.includes(one)) continue;
        counted.found += 1;
        if (bought.has(one)) counted.paidNow += 1;
      }
    },
    byAsk: (): AskCost[] =>
      Array.from(counts, ([one, { amount, asked, found, isUnclear, paidNow, thousandths }]) => ({
        ask: one,
        asked,
        found,
        paidNow,
        // The credits of several platforms are no sum.
        credits: isUnclear || waterfall !== undefined ? null : fromThousandths(thousandths),
        money: isUnclear || currency === undefined ? undefined : moneyOf(amount, currency),
      })),
  };
}

/** The cost from the numbers of the run alone; null if it asks for several things, or on several platforms. */
function costOfOne({ ask, credit }: Run, { byStatus, credits, steps }: RunTally): AskCost[] | null {
  const [only, ...more] = ask;
  if (only === undefined || more.length > 0 || steps !== undefined) return null;
  const asked = Object.entries(byStatus)
    .filter(([status]) => isAsked(status as LeadStatus))
    .reduce((sum, [, leads]) => sum + leads, 0);
  const money = credit && moneyOf(amountOf(credits, credit), credit.currency);
  return [{ ask: only, asked, found: byStatus.found, paidNow: null, credits, money }];
}
