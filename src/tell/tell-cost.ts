// Tells what a run cost: credits against the expected and the allowed ones, by ask, and by step.
import { wordsOf } from '../html/parts.js';
import { fromThousandths, toThousandths } from '../model/credits.js';
import type { AskCost } from '../model/report/run-figures.js';
import { formatCount, formatNumber, formatShare } from '../model/text/count.js';
import { STEP_HEADER, STEP_LEGEND, stepRows } from '../model/waterfall/tell-steps.js';
import type { Bar, Part, Section } from './page.js';
import type { Known } from './run-data.js';
import { capFacts } from './shared.js';

export function costSection({ cost, run, seen, tally }: Known): Section[] {
  const byAsk = cost?.byAsk ?? [];
  const caps = cost?.caps ?? seen?.caps ?? [];
  const parts: Part[] = [];
  if (cost !== undefined) {
    const { budget, forecastMax, paid } = cost;
    parts.push({
      kind: 'bars',
      title: 'Credits',
      of: 1,
      bars: [
        ...barOf('of what was expected at most', paid, forecastMax),
        ...barOf('of the budget', paid, budget),
      ],
      empty: 'no cost was forecast.',
      ...(budget === null ? { notes: ['No budget is known for the job.'] } : {}),
    });
  }
  if (caps.length > 0) parts.push({ kind: 'facts', facts: capFacts(caps) });
  if (byAsk.length > 0) {
    parts.push({ kind: 'bars', title: 'By what was asked', of: 1, bars: byAsk.map(askBar) });
  }
  if (tally.steps !== undefined) {
    parts.push({
      kind: 'table',
      title: 'By step',
      empty: '',
      isStacked: true,
      columns: [{ name: 'step' }, ...STEP_HEADER.map((name) => ({ name, isNumber: true }))],
      rows: stepRows(tally.steps).map(({ cells, step }) => [
        { to: 'leads', run: run.id, step, text: step },
        ...cells,
      ]),
      about: `${STEP_LEGEND}.`,
    });
  }
  if (parts.length === 0) return [];
  return [{ kind: 'section', id: 'cost', title: 'What did it cost?', short: 'Cost', parts }];
}

function barOf(name: string, paid: number, most: number | null): Bar[] {
  if (most === null) return [];
  const text = `${formatShare(paid, most)} of ${formatNumber(most)}`;
  return [{ name, count: most > 0 ? paid / most : 0, text, tone: 'good' }];
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
