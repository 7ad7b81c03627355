// The chart of times over the steps of a ladder: how long answers took. All steps have one width, though each second
// bound is twice as high: so a slow answer is visible beside a fast one.
import { boundOf, type Histogram } from '../../model/report/series.js';
import { formatCount, formatNumber } from '../../model/text/count.js';
import { html } from '../markup.js';
import { type Chart, chart, elapsed, labelsOf, PLOT, risingAxis, round } from './plot.js';

interface HistogramText {
  readonly title: string;
  /** The name of one counted thing: `answer`. */
  readonly counted: string;
}

/** Null if there is no value at all. */
export function histogramChart(
  { counted, title }: HistogramText,
  histogram: Histogram,
): Chart | null {
  const first = histogram.findIndex((count) => count > 0);
  if (first === -1) return null;
  // A single step would be as wide as the chart.
  const shown = Math.max(8, histogram.findLastIndex((count) => count > 0) + 1 - first);
  const { grid, y } = risingAxis(Math.max(...histogram));
  const width = (PLOT.right - PLOT.left) / shown;
  const x = (step: number): number => round(PLOT.left + (step - first) * width);
  const steps = histogram
    .map((count, step) => ({
      count,
      step,
      name: `${elapsed(boundOf(step))} to ${elapsed(boundOf(step + 1))}`,
    }))
    .filter(({ count }) => count > 0);
  const bars = steps.map(
    ({ count, name, step }) =>
      html`<rect class="tone wait" x="${round(x(step) + 1)}" y="${y(count)}" width="${round(width - 2)}" height="${round(y(0) - y(count))}"><title>${name}: ${formatNumber(count)}</title></rect>`,
  );
  const labels = Array.from(
    { length: shown },
    (_, n) => [x(first + n), elapsed(boundOf(first + n))] as const,
  );
  const numbers = {
    caption: title,
    columns: [{ name: 'time' }, { name: `${counted}s`, isNumber: true }],
    rows: steps.map(({ count, name }) => [name, formatNumber(count)]),
  };
  const says = tellSpread(histogram, counted);
  return chart({ title, says, numbers }, html`${grid}${bars}${labelsOf(labels)}`);
}

/** Of fewer values a twentieth is no number to tell. */
const FEW = 20;

/** `Half of 292 answers within 4 s, 95 % within 12 s`: each up to the end of the step with that value. */
function tellSpread(histogram: Histogram, counted: string): string {
  const total = histogram.reduce((sum, count) => sum + count, 0);
  const within = (part: number): string => {
    let seen = 0;
    const step = histogram.findIndex((count) => (seen += count) >= part * total);
    return elapsed(boundOf(step + 1));
  };
  const of = formatCount(total, counted);
  const [most, part] = total < FEW ? [within(1), 'all'] : [within(0.95), '95 %'];
  if (within(0.5) !== most) return `Half of ${of} within ${within(0.5)}, ${part} within ${most}.`;
  return `${part === 'all' ? '' : `${part} of `}${of} within ${most}.`;
}
