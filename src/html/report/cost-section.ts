// The answer to "What did it cost?": credits against the expected and the allowed ones, and by ask.
import { fromThousandths, type Money, tellMoney, toThousandths } from '../../model/credits.js';
import { tellOpenCharges } from '../../model/report/open-charges.js';
import type { AskCost, CostFigures, RunFigures } from '../../model/report/run-figures.js';
import { tellCap, tellUse } from '../../model/schedule/caps.js';
import { formatCount, formatNumber, formatShare } from '../../model/text/count.js';
import type { StepTally } from '../../model/waterfall/provenance.js';
import { STEP_HEADER, STEP_LEGEND, stepRows } from '../../model/waterfall/tell-steps.js';
import { barList } from '../charts/bars.js';
import { type Content, html, type Markup } from '../markup.js';
import { card, cards, dataTable, wordsOf } from '../parts.js';
import { leadsLink, type PathOfLeads } from './outcome-section.js';

export function costSection({ cost, run, tally }: RunFigures, pathOf?: PathOfLeads): Markup {
  const { byAsk } = cost;
  const open = tellOpenCharges(cost.charges, run, tally);
  return html`<h2 id="cost">What did it cost?</h2>${cards(
    card('Credits', credits(cost, run.credit, open)),
    byAsk !== null && byAsk.length > 0 && card('By what was asked', asks(byAsk)),
    tally.steps !== undefined && card('By step', steps(tally.steps, pathOf), { isWide: true }),
  )}`;
}

/** The part of each step of a waterfall. */
function steps(tallies: readonly StepTally[], pathOf: PathOfLeads | undefined): Content {
  return html`${dataTable({
    caption: 'Leads by step',
    isCaptionHidden: true,
    isStacked: true,
    columns: [{ name: 'step' }, ...STEP_HEADER.map((name) => ({ name, isNumber: true }))],
    rows: stepRows(tallies).map(({ cells, step }) => [
      leadsLink(step, pathOf?.({ step })),
      ...cells,
    ]),
  })}<p class="quiet">${STEP_LEGEND}.</p>`;
}

function credits(
  { arePricesAssumed, budget, caps = [], forecastMax, paid }: CostFigures,
  price: Money | undefined,
  more: string,
): Content {
  const bars = [
    { name: 'of what was expected at most', most: forecastMax },
    { name: 'of the budget', most: budget },
  ].flatMap(({ most, name }) =>
    most === null
      ? []
      : [
          {
            name,
            value: most > 0 ? paid / most : 0,
            text: `${formatShare(paid, most)} of ${formatNumber(most)}`,
            tone: 'good' as const,
          },
        ],
  );
  return html`${bars.length > 0 && barList(bars, 1)}${price !== undefined && html`<p>${tellMoney(paid, price)} for what was paid.</p>`}${more !== '' && html`<p class="quiet">Beside what was paid, ${more}.</p>`}${budget === null && html`<p class="quiet">The job has no budget, as far as is known.</p>`}${caps.map(
    (cap) => html`<p class="quiet">Cap of ${tellCap(cap)}: ${tellUse(cap)}.</p>`,
  )}${
    arePricesAssumed &&
    html`<p class="quiet">Prices are assumed: state them with --prices, or in the job or dialect.</p>`
  }`;
}

function asks(byAsk: readonly AskCost[]): Content {
  return html`${barList(
    byAsk.map((one) => ({
      name: wordsOf(one.ask),
      value: one.asked === 0 ? 0 : one.found / one.asked,
      text: `${formatNumber(one.found)} of ${formatNumber(one.asked)}`,
      tone: 'good',
      about: priceOf(one),
    })),
    1,
  )}`;
}

function priceOf(one: AskCost): string {
  const { credits: paid, found, paidNow } = one;
  const share = `${formatShare(found, one.asked)} found`;
  if (paid === null) return `${share}; what it cost alone is not known`;
  const each = eachOf(one);
  const free = paidNow === null ? 0 : found - paidNow;
  return [
    share,
    `${formatCount(paid, 'credit')}${each === null ? '' : `, ${each} for each of ${formatNumber(paidNow ?? 0)}`}`,
    ...(free > 0 ? [`${formatNumber(free)} cost nothing`] : []),
  ].join('; ');
}

/** The cost of each value that this run paid for; null without one, and if it is not known. */
function eachOf({ credits, paidNow }: AskCost): string | null {
  if (credits === null || paidNow === null || paidNow === 0) return null;
  return formatNumber(fromThousandths(Math.round(toThousandths(credits) / paidNow)));
}
