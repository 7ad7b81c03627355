// Tells what a run cost: credits against the expected and the allowed ones, by ask, and by step.
import { wordsOf } from '../html/parts.js';
import { amountTeller, subtractCredits, tellMoney } from '../model/credits.js';
import { billOf } from '../model/report/bill.js';
import { tellBudget } from '../model/report/next-step.js';
import { tellOpenCharges, tellShared } from '../model/report/open-charges.js';
import type { AskCost } from '../model/report/run-figures.js';
import { formatCount, formatNumber, formatShare } from '../model/text/count.js';
import type { StepTally } from '../model/waterfall/provenance.js';
import type { Bar, Fact, Part, Section, Table, Value } from './page.js';
import { budgetUseIn, byAskOf, chargesOf, type Known } from './run-data.js';
import { capFacts, eachOf, PRICES_ASSUMED, section, table, valueName } from './shared.js';

export function costSection(known: Known): Section[] {
  const { charts, cost, run, seen, tally } = known;
  const byAsk = byAskOf(known) ?? [];
  const caps = cost?.caps ?? seen?.caps ?? [];
  const parts: Part[] = [];
  // Each step of a waterfall has its own.
  const isForNothing = cost?.forecastMax === 0 && cost.paid === 0 && cost.budget === null;
  if (cost !== undefined && tally.steps === undefined && !isForNothing) {
    const { budget, forecastMax, paid } = cost;
    const tell = amountTeller(run.credit);
    parts.push({
      kind: 'bars',
      title: 'Credits',
      of: 1,
      bars: [
        ...barOf('spent', paid, forecastMax, tell, 'at most '),
        ...barOf('budget', paid, budget, tell),
      ],
      empty: 'nothing was to be paid for.',
      ...(budget === null ? { notes: ['The run has no budget.'] } : {}),
    });
  }
  if (caps.length > 0) parts.push({ kind: 'facts', facts: capFacts(caps, run.credit) });
  // At the end of a run that asks one thing, all else says it.
  if (byAsk.length > (charts === undefined ? 1 : 0)) {
    parts.push({ kind: 'bars', title: 'By what was asked', of: 1, bars: byAsk.map(askBar) });
  }
  if (tally.steps !== undefined) {
    parts.push(stepTable(run.id, tally.steps));
  }
  if (parts.length === 0) return [];
  return [section('cost', 'What did it cost?', parts, 'Cost')];
}

/** Of the columns that the table has. */
function stepLegend(steps: readonly StepTally[]): string {
  const isKnown = steps.some(({ known }) => known > 0);
  const isBought = steps.some(({ bought, credits }) => eachOf(credits, bought) !== null);
  return [
    isKnown && 'known: not asked by this run, since it was known, or another line asked',
    'accepted: leads that show a value of the step',
    'doubtful: leads with an address that is not accepted',
    isBought && 'each: cost of each accepted lead that this run paid for',
  ]
    .filter(Boolean)
    .join('; ');
}

/** The columns of asks say what this run found of what it asked. */
function stepTable(run: number, steps: readonly StepTally[]): Table {
  const asks = [...new Set(steps.flatMap((step) => step.asks.map(({ ask }) => ask)))];
  const names = ['step', '*asked', ...asks.map((ask) => `*${valueName(ask)}`), '*known?'];
  const rows = steps.map((one): Value[] => {
    const { bought, credit, credits, known, step } = one;
    // Leads are found by the steps whose values they show; what is verified is the value of another step.
    const hasValues = one.asks.some(({ ask }) => ask !== 'verify_email');
    return [
      hasValues ? { to: 'leads', run, step, text: step } : step,
      one.reached - known,
      ...asks.map((ask) => {
        const of = one.asks.find((other) => other.ask === ask);
        return of === undefined ? null : `${formatNumber(of.found)} of ${formatNumber(of.asked)}`;
      }),
      known === 0 ? null : known,
      one.accepted,
      one.held,
      one.rejected,
      one.waiting,
      credits,
      credit && tellMoney(credits, credit),
      eachOf(credits, bought, credit),
    ];
  });
  return table('By step', [...names, ...STEP_COUNTS], rows, {
    isStacked: true,
    about: `${stepLegend(steps)}.`,
  });
}

const STEP_COUNTS = [
  '*accepted',
  '*doubtful',
  '*rejected',
  '*waiting',
  '*credits',
  '*money?',
  '*each?',
];

function barOf(
  name: string,
  paid: number,
  most: number | null,
  tell: (credits: number) => string,
  words = '',
): Bar[] {
  if (most === null || most === 0) return [];
  const text = `${tell(paid)} of ${words}${tell(most)} (${formatShare(paid, most)})`;
  return [{ name, count: paid / most, text, tone: 'good' }];
}

function askBar(one: AskCost): Bar {
  return {
    name: wordsOf(one.ask),
    count: one.asked === 0 ? 0 : one.found / one.asked,
    text: `${formatNumber(one.found)} of ${formatNumber(one.asked)}`,
    tone: 'good',
    about: priceOf(one),
  };
}

function priceOf(one: AskCost): string {
  const { credits, found, money, paidNow } = one;
  const share = `${formatShare(found, one.asked)} found`;
  if (money === undefined && credits === null) return `${share}; what it cost alone is not known`;
  const paid = money === undefined ? formatCount(credits ?? 0, 'credit') : tellMoney(1, money);
  const each = money === undefined ? eachOf(credits, paidNow) : eachOf(1, paidNow, money);
  const free = paidNow === null ? 0 : found - paidNow;
  return [
    share,
    `${paid}${each === null ? '' : `, ${each} for each of ${formatNumber(paidNow ?? 0)}`}`,
    ...(free > 0 ? [`${formatNumber(free)} cost nothing`] : []),
  ].join('; ');
}

/** The cost of each value that the run paid for: of each ask, or of each step. */
export function eachFacts(known: Known): Fact[] {
  const { run, tally } = known;
  const ofSteps = tally.steps?.map((one) => [
    one.step,
    eachOf(one.credits, one.bought, one.credit),
  ]);
  const ofAsks = byAskOf(known)?.map((one) => [
    valueName(one.ask),
    eachOf(one.credits, one.paidNow, run.credit),
  ]);
  return (ofSteps ?? ofAsks ?? []).map(([of, value = null]) => ({ name: `each, ${of}`, value }));
}

export function creditsFact(told: Known): Fact {
  const { run, tally } = told;
  const { credits, money, text } = billOf(tally, run.credit);
  const isInMoney = credits === null && money !== null;
  const about = [
    isInMoney ? `credits: ${text}` : (money ?? ''),
    tellOpenCharges(chargesOf(told), run, tally),
    tellShared(tally),
    run.arePricesAssumed ? PRICES_ASSUMED : '',
  ];
  return {
    name: isInMoney ? 'cost' : 'credits',
    value: isInMoney ? money : (credits ?? text),
    about: about.filter(Boolean).join('; '),
  };
}

export function budgetFact(known: Known): Fact {
  const use = budgetUseIn(known);
  return { name: 'budget', value: use && tellBudget(use, known.run.credit) };
}

/** The charge by the balances of the platform, beside the counted credits. */
export function balanceFact({ report }: Known): Fact[] {
  if (report?.balance === undefined) return [];
  const { after, before, counted } = report.balance;
  const charged = subtractCredits(before, after);
  const value = `${formatNumber(before)} before, ${formatNumber(after)} after: ${formatNumber(charged)} charged`;
  const about =
    charged === counted
      ? 'as counted'
      : `and ${formatNumber(counted)} counted: prices may be others, answers still to come, or others use the account`;
  return [{ name: 'balance', value: `${value}, ${about}` }];
}
