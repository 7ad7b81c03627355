// The chart of times over the steps of a ladder: how long answers took. All steps have one width, though each second
// bound is twice as high: so a slow answer is visible beside a fast one.
import { boundOf, type Histogram, stepOf } from '../../model/report/series.js';
import { formatNumber } from '../../model/text/count.js';
import { formatDuration } from '../../model/text/format-time.js';
import { html, type Markup } from '../markup.js';
import { chart, type Drawn, label, legible, PLOT, type Place, risingAxis, round } from './plot.js';

interface HistogramText {
  /** An id that is unique in the page. */
  readonly id: string;
  readonly title: string;
  /** The name of the counted things: `answers`. */
  readonly counted: string;
}

/** The chart: a sentence for a single bar; null if there is no value at all. */
export function histogramChart(text: HistogramText, histogram: Histogram): Drawn | null {
  const first = histogram.findIndex((count) => count > 0);
  if (first === -1) return null;
  const last = histogram.findLastIndex((count) => count > 0);
  if (first === last) {
    const says = tellOne(first, histogram[first] ?? 0, text);
    return { picture: html`<p>${says}</p>`, says, table: null };
  }
  const { grid, y } = risingAxis(Math.max(...histogram));
  // A single step would be as wide as the chart.
  const shown = Math.max(8, last + 1 - first);
  const width = (PLOT.right - PLOT.left) / shown;
  const x = (step: number): number => round(PLOT.left + (step - first) * width);
  const bars = histogram.map(
    (count, step) =>
      count > 0 &&
      html`<rect class="tone wait" x="${round(x(step) + 1)}" y="${y(count)}" width="${round(width - 2)}" height="${round(y(0) - y(count))}"><title>${stepName(step)}: ${formatNumber(count)}</title></rect>`,
  );
  return chart(
    {
      id: text.id,
      title: text.title,
      description: describe(histogram, text),
      table: {
        caption: text.title,
        columns: [{ name: 'time' }, { name: text.counted, isNumber: true }],
        rows: histogram.flatMap((count, step) =>
          count === 0 ? [] : [[stepName(step), formatNumber(count)]],
        ),
      },
    },
    html`${grid}${bars}<g>${timeLabels(x, first, first + shown)}</g>`,
    [],
  );
}

/** `half within 4 s, 95 % within 12 s`: each up to the end of the step with that value. */
export function spreadOf(histogram: Histogram): string {
  const total = totalOf(histogram);
  const within = (part: number): string => {
    let seen = 0;
    const step = histogram.findIndex((count) => (seen += count) >= part * total);
    return shortTime(boundOf(step + 1));
  };
  return `half within ${within(0.5)}, 95 % within ${within(0.95)}`;
}

function totalOf(histogram: Histogram): number {
  return histogram.reduce((sum, count) => sum + count, 0);
}

/** `All 292 answers took 1.5 s to 2 s.` */
function tellOne(step: number, sum: number, { counted }: HistogramText): string {
  const all =
    sum === 1 ? `The one ${counted.replace(/s$/, '')}` : `All ${formatNumber(sum)} ${counted}`;
  return `${all} took ${stepName(step)}.`;
}

function describe(histogram: Histogram, { counted }: HistogramText): string {
  return `${formatNumber(totalOf(histogram))} ${counted}: ${spreadOf(histogram)}.`;
}

function stepName(step: number): string {
  return `${shortTime(boundOf(step))} to ${shortTime(boundOf(step + 1))}`;
}

/** `1.5 s`, for which `formatDuration` would write `2 s`. */
function shortTime(ms: number): string {
  return ms >= 1_000 && ms < 10_000 ? `${Math.round(ms / 100) / 10} s` : formatDuration(ms);
}

/** Round times between the bounds of the ladder. */
const TIMES_MS = [
  1,
  2,
  5,
  10,
  20,
  50,
  100,
  200,
  500,
  ...[1, 2, 5, 10, 30, 60, 120, 300, 600, 1_800].map((seconds) => seconds * 1_000),
  ...[1, 2, 6, 12, 24].map((hours) => hours * 3_600_000),
];

function timeLabels(x: Place, first: number, end: number): Markup[] {
  const times = TIMES_MS.flatMap((ms) => {
    const step = stepOf(ms);
    const [from, to] = [boundOf(step), boundOf(step + 1)];
    const place = step + (ms - from) / (to - from);
    return place < first || place > end ? [] : [[x(place), formatDuration(ms)] as const];
  });
  return legible(times).map(
    ([at, text]) => html`<path class="axis" d="M${at} ${PLOT.bottom}v4"/>${label(at, text)}`,
  );
}
