// The chart of values over the steps of a ladder: how long answers took, how many polls they took. All steps have one
// width, though each second bound is twice as high: so a slow answer is visible beside a fast one.
import { boundOf, type Histogram, stepOf } from '../../model/report/series.js';
import { formatCount, formatNumber } from '../../model/text/count.js';
import { formatDuration } from '../../model/text/format-time.js';
import { html, type Markup } from '../markup.js';
import type { Tone } from '../parts.js';
import { chart, type Drawn, label, legible, PLOT, type Place, risingAxis, round } from './plot.js';

interface Part {
  readonly name: string;
  readonly tone: Tone;
  readonly histogram: Histogram;
}

interface HistogramText {
  /** An id that is unique in the page. */
  readonly id: string;
  readonly title: string;
  /** The name of the counted things: `answers`. */
  readonly counted: string;
  readonly unit: 'ms' | 'polls';
}

/** The chart, whose parts are stacked: a sentence for a single bar; null if there is no value at all. */
export function histogramChart(text: HistogramText, parts: readonly Part[]): Drawn | null {
  const steps = Math.max(0, ...parts.map(({ histogram }) => histogram.length));
  const at = ({ histogram }: Part, step: number): number => histogram[step] ?? 0;
  const sums = Array.from({ length: steps }, (_, step) =>
    parts.reduce((sum, part) => sum + at(part, step), 0),
  );
  const first = sums.findIndex((sum) => sum > 0);
  if (first === -1) return null;
  const last = sums.findLastIndex((sum) => sum > 0);
  if (first === last)
    return { picture: html`<p>${tellOne(first, sums[first] ?? 0, text)}</p>`, table: null };
  const { grid, y } = risingAxis(Math.max(...sums));
  // A single step would be as wide as the chart.
  const shown = Math.max(8, last + 1 - first);
  const width = (PLOT.right - PLOT.left) / shown;
  const x = (step: number): number => round(PLOT.left + (step - first) * width);
  const bars = sums.slice(first, last + 1).map((sum, n) => {
    const step = first + n;
    let below = 0;
    const blocks = parts.map((part) => {
      const [from, to] = [y(below), y((below += at(part, step)))];
      return (
        from > to &&
        html`<rect class="tone ${part.tone}" x="${round(x(step) + 1)}" y="${to}" width="${round(width - 2)}" height="${round(from - to)}"/>`
      );
    });
    return (
      sum > 0 &&
      html`<g><title>${stepName(step, text.unit)}: ${formatNumber(sum)}</title>${blocks}</g>`
    );
  });
  const filled = parts.filter(({ histogram }) => histogram.some((count) => count > 0));
  const labels =
    text.unit === 'ms' ? timeLabels(x, first, first + shown) : stepLabels(x, width, first, last);
  return chart(
    {
      id: text.id,
      title: text.title,
      description: describe(sums, text),
      table: {
        caption: text.title,
        columns: [
          { name: text.unit === 'ms' ? 'time' : 'polls' },
          ...filled.map(({ name }) => ({ name, isNumber: true })),
        ],
        rows: sums.flatMap((sum, step) =>
          sum === 0
            ? []
            : [[stepName(step, text.unit), ...filled.map((part) => formatNumber(at(part, step)))]],
        ),
      },
    },
    html`${grid}${bars}<g>${labels}</g>`,
    filled.length < 2
      ? []
      : filled.map(({ name, tone }) => ({ name, tone, mark: 'area' as const })),
  );
}

/** `half within 4 s, 95 % within 12 s`: each up to the end of the step with that value. Empty without values. */
export function spreadOf(histogram: Histogram, unit: HistogramText['unit']): string {
  const total = histogram.reduce((sum, count) => sum + count, 0);
  if (total === 0) return '';
  const within = (part: number): string => {
    let seen = 0;
    const step = histogram.findIndex((count) => (seen += count) >= part * total);
    const bound = boundOf(step + 1);
    return unit === 'ms' ? shortTime(bound) : formatCount(Math.max(0, bound - 1), 'poll');
  };
  return `half within ${within(0.5)}, 95 % within ${within(0.95)}`;
}

/** `All 292 answers took 1 poll.` */
function tellOne(step: number, sum: number, { counted, unit }: HistogramText): string {
  const most = boundOf(step + 1) - 1;
  const polls = most === 1 ? ' poll' : ' polls';
  const all =
    sum === 1 ? `The one ${counted.replace(/s$/, '')}` : `All ${formatNumber(sum)} ${counted}`;
  return `${all} took ${stepName(step, unit)}${unit === 'ms' ? '' : polls}.`;
}

function describe(sums: Histogram, { counted, unit }: HistogramText): string {
  const total = sums.reduce((sum, count) => sum + count, 0);
  return `${formatNumber(total)} ${counted}: ${spreadOf(sums, unit)}.`;
}

function stepName(step: number, unit: HistogramText['unit']): string {
  const [from, to] = [boundOf(step), boundOf(step + 1)];
  if (unit === 'ms') return `${shortTime(from)} to ${shortTime(to)}`;
  return to - from === 1 ? formatNumber(from) : `${formatNumber(from)} to ${formatNumber(to - 1)}`;
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

function stepLabels(x: Place, width: number, first: number, last: number): Markup[] {
  const steps = Array.from({ length: last + 1 - first }, (_, n) => {
    const [from, to] = [boundOf(first + n), boundOf(first + n + 1)];
    const text = to - from === 1 ? String(from) : `${from}–${to - 1}`;
    return [round(x(first + n) + width / 2), text] as const;
  });
  return legible(steps).map(([at, text]) => label(at, text));
}
