// Tells what a run of a job would cost, before anything is sent.
import type { Doubt } from '../app/plan/find-doubts.js';
import type { JobForecast } from '../app/plan/plan-job.js';
import type { Amount, StepForecast, WaterfallForecast } from '../app/plan/plan-waterfall.js';
import type { JobSettings } from '../app/settings/job-settings.js';
import {
  amountTeller,
  type Money,
  subtractCredits,
  sumCredits,
  tellAmount,
  tellMoney,
} from '../model/credits.js';
import { leftOfBudget } from '../model/report/next-step.js';
import { describeSize, sizeData } from '../model/report/state-size.js';
import { keyLines } from '../model/report/written-tables.js';
import { capData, leftOf } from '../model/schedule/caps.js';
import type { ReasonCount } from '../model/tally.js';
import { formatNumber } from '../model/text/count.js';
import { formatDuration } from '../model/text/format-time.js';
import type { ListPlan } from '../run/list-leads.js';
import type { Fact, Page } from './page.js';
import { capFacts, factsOf, IN_PART, notes, PRICES_ASSUMED, table } from './shared.js';

export interface PlanTerms {
  readonly settings: JobSettings;
  readonly list?: ListPlan | null;
  /** A state that is still to be made. */
  readonly newState?: string | null;
}

export function tellPlan(
  forecast: JobForecast,
  { list = null, newState = null, settings }: PlanTerms,
): Page {
  const { creditsMax, inPart, notAsked, paidAnew, skipped, toPay } = forecast;
  const { budget, credit, payAnew } = settings;
  const anew = payAnew ? KNOWN : `${KNOWN}; a run asks before it pays`;
  const facts: readonly Fact[] = [
    { name: 'leads', value: forecast.leads },
    ...rejectFacts(forecast),
    {
      ...optional('skipped', leadsOf(skipped), 'cost nothing'),
      more: [...reasonsOf(skipped), ...[forecast.advice].filter(Boolean)],
    },
    {
      ...optional('not asked', leadsOf(notAsked), 'not chosen; cost nothing'),
      more: reasonsOf(notAsked),
    },
    { ...optional('in part', leadsOf(inPart), IN_PART), more: reasonsOf(inPart) },
    optional('duplicates', forecast.duplicates, 'share the payment of another line'),
    optional(
      'known already',
      forecast.alreadyKnown,
      'an earlier run has an answer, a miss or a failure that still counts; no cost',
    ),
    optional(
      'known in part',
      forecast.knownInPart,
      `only the rest is asked${forecast.duplicates > 0 ? '; duplicates are counted here as well' : ''}`,
    ),
    optional(
      'asked again',
      forecast.missedBefore,
      'nothing was found before, and the input now says more of them',
    ),
    optional(
      'on their way',
      forecast.onTheirWay,
      `sent by an earlier run, and not sent again; they may cost ${formatNumber(forecast.creditsOnTheirWay)} besides`,
    ),
    optional(
      'uncertain',
      forecast.uncertain,
      'may have been accepted before; not sent again, and may have been charged',
    ),
    { name: 'to pay', value: toPay, about: `enrichments${afterMisses(forecast)}` },
    {
      ...optional('paid again', leadsOf(paidAnew), anew),
      more: paidAnew.map(
        ({ keep, leads, run }) =>
          `${formatNumber(leads)} as in run ${run}: nothing is paid with ${keep}`,
      ),
    },
    { name: 'credits', value: tellCredits(forecast) },
    { name: 'money', value: credit ? `${tellMoney(creditsMax, credit)} at most` : null },
    { name: 'budget', value: budgetText(forecast, budget, credit) },
    ...capFacts(forecast.caps, credit, (cap) =>
      creditsMax > Math.max(0, leftOf(cap)) ? STOPS : ENOUGH,
    ),
    { name: 'time', value: timeOf(forecast.timeMsMin) },
    { name: 'list', value: list && listOf(list) },
    ...keyLines(forecast.key).map((line) => ({ name: 'key', value: line })),
    { name: 'state size', value: forecast.stateSize && describeSize(forecast.stateSize) },
  ];
  return {
    title: 'The plan',
    parts: [
      ...notes(
        newState !== null &&
          `There is no state file ${newState} yet: nothing that was paid for before is known.`,
      ),
      { kind: 'facts', facts },
    ],
    data: dataOf(forecast, budget, credit),
  };
}

/** A plan with the names that are probably read wrongly. */
export function withDoubts(page: Page, doubts: readonly Doubt[]): Page {
  const told = doubts.map(
    ({ lines, reason, rows, source }) =>
      `${source}, ${rows === 1 ? 'line' : 'lines'} ${linesOf(lines, rows ?? 0)}: ${reason}.`,
  );
  return { ...page, parts: [...page.parts, ...notes(...told)] };
}

/** Doubts about the input, before anything is paid for. */
export function tellDoubts(
  doubts: readonly Doubt[],
  { leads, refusal, rejects }: Pick<JobForecast, 'leads' | 'refusal' | 'rejects'>,
): Page {
  const hasFiles = new Set(doubts.map(({ source }) => source)).size > 1;
  const cells = doubts.map(({ lines, reason, rows, source, what }) => {
    return [what, rows, linesOf(lines, rows ?? 0), hasFiles ? source : null, reason];
  });
  const facts = [...factsOf(['leads', leads]), ...rejectFacts({ refusal, rejects })];
  const more = { isAlone: true, empty: 'Nothing is doubtful.' };
  return {
    title: 'The check',
    parts: [
      { kind: 'facts', facts },
      table('What is doubtful', ['what', '*rows', 'lines', 'file?', 'why…'], cells, more),
    ],
    data: { leads, rejects, refusal, doubts },
  };
}

/** `3, 18–41, 57 and 12 more`. */
function linesOf(lines: readonly number[], rows: number): string {
  const spans: [from: number, to: number][] = [];
  for (const line of lines) {
    const last = spans.at(-1);
    if (last?.[1] === line - 1) last[1] = line;
    else spans.push([line, line]);
  }
  const told = spans.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(', ');
  return rows > lines.length ? `${told} and ${formatNumber(rows - lines.length)} more` : told;
}

function dataOf(
  { arePricesAssumed, caps, stateSize, ...forecast }: JobForecast,
  budget: number | undefined,
  credit: Money | undefined,
) {
  const { budgetReserved: open, budgetSpent: spent } = forecast;
  const use = { credits: budget ?? 0, spent: spent ?? 0, reserved: open ?? 0 };
  return {
    ...forecast,
    moneyMax: credit ? tellMoney(forecast.creditsMax, credit) : null,
    budget: budget ?? null,
    budgetLeft: budget === undefined ? null : leftOfBudget(use),
    skipped: reasons(forecast.skipped),
    notAsked: reasons(forecast.notAsked),
    pricesAssumed: arePricesAssumed,
    caps: caps.map(capData),
    ...sizeData(stateSize),
  };
}

function reasons(all: readonly ReasonCount[]) {
  return all.map(({ leads, reason }) => ({ reason, leads }));
}

export function tellWaterfallPlan(forecast: WaterfallForecast): Page {
  const { budget, expectedByRun: by, moneyExpected, moneyMax, steps } = forecast;
  const isAssumed = steps.some(({ arePricesAssumed }) => arePricesAssumed);
  const names = [
    '*at most',
    '*expected',
    '*credits at most',
    '*credits expected',
    '*money at most?',
    '*least time',
  ];
  const money = factsOf(
    [
      'money',
      moneyMax && `${tell(moneyMax)} at most`,
      moneyExpected ? `${tell(moneyExpected)} expected` : '',
    ],
    ['budget', budget && moneyBudgetOf(forecast, budget)],
  );
  const rows = steps.map((one) => [
    one.step,
    one.toPayMax,
    one.toPayExpected,
    one.creditsMax,
    one.creditsExpected,
    one.credit && tellMoney(one.creditsMax, one.credit),
    one.timeMsMin === null ? 'no limit' : formatDuration(one.timeMsMin),
  ]);
  return {
    title: 'The plan',
    parts: [
      {
        kind: 'facts',
        facts: [{ name: 'leads', value: forecast.leads }, ...rejectFacts(forecast)],
      },
      table('Steps', ['step', ...names], rows, { isAlone: true }),
      ...notes(
        `At most: as if every step were asked for every lead. ${by === null ? 'What is expected is known after a first run.' : `Expected: by the shares of run ${by}.`}`,
      ),
      { kind: 'facts', facts: money },
      ...notes(isAssumed && PRICES_ASSUMED),
    ],
    data: { ...forecast, steps: steps.map(stepData) },
  };
}

function tell({ amount, currency }: Amount): string {
  return tellAmount(amount, currency);
}

function moneyBudgetOf(
  { moneyMax: most, moneyReserved: open, moneySpent: spent }: WaterfallForecast,
  budget: Amount,
): string | null {
  // A budget needs the price of every step, so the most that they cost is known.
  if (most === null || open === null || spent === null) return null;
  const isShort = most.amount + open.amount + spent.amount > budget.amount;
  const inCurrency = (amount: bigint) => tellAmount(amount, spent.currency);
  const outcome = isShort ? STOPS : ENOUGH;
  return tellUse(`${tell(budget)} over all steps`, spent.amount, open.amount, inCurrency, outcome);
}

/** A budget with what the unfinished run has spent of it, and what comes of it. */
function tellUse<A extends number | bigint>(
  budget: string,
  spent: A,
  open: A,
  tellOne: (amount: A) => string,
  outcome: string,
): string {
  const told = spent || open ? `${tellOne(spent)} spent of ` : '';
  const mayCome = open ? `, ${tellOne(open)} may still be charged` : '';
  return `${told}${budget}${mayCome}: ${outcome}`;
}

function stepData({ arePricesAssumed, credit: _credit, ...step }: StepForecast) {
  return { ...step, pricesAssumed: arePricesAssumed };
}

const KNOWN = 'leads among them that are known under another account';
const STOPS = 'may stop the run before the end';
const STOPS_AT_ONCE = 'too little for one request, so nothing is sent';
const ENOUGH = 'enough, whatever is found';

/** The cost in a line: `0 (nothing found) to 15 (everything found)`. */
export function tellCredits({ arePricesAssumed, creditsMax, creditsMin }: JobForecast): string {
  const assumed = arePricesAssumed ? `, ${PRICES_ASSUMED}` : '';
  if (creditsMax === 0) return '0, whatever is found';
  return `${formatNumber(creditsMin)} (nothing found) to ${formatNumber(creditsMax)} (everything found)${assumed}`;
}

function optional(name: string, value: number, about: string): Fact {
  return { name, value: value === 0 ? null : value, about };
}

function rejectFacts({ refusal, rejects }: Pick<JobForecast, 'refusal' | 'rejects'>): Fact[] {
  return [
    optional(
      'rejects',
      rejects,
      'lines that cannot be read as they are: a file of rejects keeps them',
    ),
    { name: 'refused', value: refusal === '' ? null : `a run would not begin: ${refusal}` },
  ];
}

function leadsOf(reasons: readonly { readonly leads: number }[]): number {
  return reasons.reduce((sum, { leads }) => sum + leads, 0);
}

function reasonsOf(all: readonly ReasonCount[]): string[] {
  return all.map(({ leads, reason }) => `${formatNumber(leads)} ${reason}`);
}

function listOf({ name, where }: ListPlan): string {
  const who = where === undefined ? 'every lead' : `the leads where ${where}`;
  return `${name}: ${who}, if an e-mail or profile is known`;
}

function budgetText(
  { arePricesAssumed, creditsMax, priceMax, ...forecast }: JobForecast,
  budget: number | undefined,
  credit: Money | undefined,
): string | null {
  const { budgetBefore, budgetReserved, budgetSpent } = forecast;
  const tell = amountTeller(credit);
  if (budget === undefined) {
    if (budgetBefore === null) return null;
    return `none: the unfinished run had one of ${tell(budgetBefore)}, and goes on without a limit`;
  }
  const assumed = arePricesAssumed ? ', if the prices are right' : '';
  const [spent, open] = [budgetSpent ?? 0, budgetReserved ?? 0];
  const left = subtractCredits(budget, sumCredits([spent, open]));
  const outcome =
    creditsMax <= left ? ENOUGH : subtractCredits(budget, spent) < priceMax ? STOPS_AT_ONCE : STOPS;
  return tellUse(tell(budget), spent, open, tell, outcome) + assumed;
}

function afterMisses({ toPayAfterMisses: more }: JobForecast): string {
  if (more === 0) return '';
  return `, and up to ${formatNumber(more)} more of people whom two lines spell differently, where one finds nothing`;
}

function timeOf(timeMsMin: number | null): string | null {
  if (timeMsMin === null) return 'no rate limit is set';
  return timeMsMin === 0 ? null : `at least ${formatDuration(timeMsMin)} at the rate limit`;
}
