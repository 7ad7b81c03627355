import { area, curveLinear } from 'd3-shape';
import type { TimeFigures } from '../../model/report/run-figures.js';
import { fitTimeline, type SeriesBucket } from '../../model/report/series.js';
import { formatCount, formatNumber } from '../../model/text/count.js';
import { formatDuration } from '../../model/text/format-time.js';
import { html, type Markup } from '../markup.js';
import type { Tone } from '../parts.js';
import {
  type Chart,
  chart,
  elapsed,
  PLOT,
  type Place,
  ROWS_MAX,
  risingAxis,
  timeAxis,
} from './plot.js';

/** The time range of a chart, in epoch ms. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

const KINDS = [
  { key: 'found', name: 'found', tone: 'good' },
  { key: 'notFound', name: 'not found', tone: 'miss' },
  { key: 'failed', name: 'failed', tone: 'bad' },
] as const satisfies readonly { key: keyof SeriesBucket; name: string; tone: Tone }[];

/** The sums up to a moment, in ms since the beginning. */
interface Point {
  readonly at: number;
  /** The sums in the order of `KINDS`, each with those before it. */
  readonly sums: readonly number[];
}

interface Forecast {
  readonly expected: number;
  readonly forecastMs: number;
  readonly spanMs: number;
}

/** `isOpen`: whether the run goes on; then the forecast is shown up to its end. */
export function answeredChart(time: TimeFigures, span: Span, isOpen: boolean): Chart {
  const {
    asked: { expected },
    forecastMs,
  } = time;
  const lengthMs = Math.max(0, span.to - span.from);
  const points = sumUp(time, span);
  const total = points.at(-1)?.sums.at(-1) ?? 0;
  const { labels, spanMs, x } = timeAxis(isOpen ? Math.max(lengthMs, forecastMs ?? 0) : lengthMs);
  const { grid, y } = risingAxis(Math.max(total, expected));
  const hasForecast = forecastMs !== null && expected > 0;
  const areas = KINDS.map(({ tone }, n) => {
    const path = area<Point>()
      .x(({ at }) => x(at))
      .y0(({ sums }) => y(n === 0 ? 0 : (sums[n - 1] ?? 0)))
      .y1(({ sums }) => y(sums[n] ?? 0))
      .curve(curveLinear);
    return html`<path class="tone ${tone}" d="${path(points)}"/>`;
  });
  const shown = KINDS.filter(({ key }) => time.buckets.some((bucket) => bucket[key] > 0));
  const names = ['found', 'not found', 'failed', 'credits'];
  const numbers = {
    caption: 'Answers over time',
    columns: [{ name: 'after' }, ...names.map((name) => ({ name, isNumber: true }))],
    rows: fitTimeline(time, ROWS_MAX).buckets.map((bucket) => [
      elapsed(Math.max(0, bucket.at - span.from)),
      ...[bucket.found, bucket.notFound, bucket.failed, bucket.credits].map(formatNumber),
    ]),
  };
  const says = describe(total, expected, lengthMs, forecastMs);
  return chart(
    { title: 'Answers over time', says, numbers },
    html`${grid}${areas}${hasForecast && forecastPath(x, y, { expected, forecastMs, spanMs })}${labels}`,
    [
      ...shown.map(({ name, tone }) => ({ name, tone, mark: 'area' as const })),
      ...(hasForecast
        ? [{ name: 'the fastest that the limit allows', mark: 'forecast' as const }]
        : []),
    ],
  );
}

/** At both ends of each bucket, between which answers come evenly; between buckets there are none. */
function sumUp({ buckets, widthMs }: TimeFigures, { from, to }: Span): Point[] {
  let sums: readonly number[] = KINDS.map(() => 0);
  const points: Point[] = [{ at: 0, sums }];
  for (const bucket of buckets) {
    points.push({ at: Math.max(0, bucket.at - from), sums });
    let more = 0;
    sums = KINDS.map(({ key }, n) => {
      more += bucket[key];
      return (sums[n] ?? 0) + more;
    });
    points.push({ at: Math.max(0, Math.min(to, bucket.at + widthMs) - from), sums });
  }
  return [...points, { at: Math.max(0, to - from), sums }];
}

/** The path of the forecast, cut off at the end of the plot. */
function forecastPath(x: Place, y: Place, { expected, forecastMs, spanMs }: Forecast): Markup {
  const start = `M${PLOT.left} ${y(0)}`;
  const rest =
    forecastMs <= spanMs
      ? `L${x(forecastMs)} ${y(expected)}H${PLOT.right}`
      : `L${PLOT.right} ${y((expected * spanMs) / forecastMs)}`;
  return html`<path class="forecast" d="${start}${rest}"/>`;
}

function describe(total: number, expected: number, lengthMs: number, forecastMs: number | null) {
  const answered = `${formatNumber(total)} of ${formatCount(expected, 'lead')} answered in ${formatDuration(lengthMs)}.`;
  if (forecastMs === null || forecastMs === 0) return answered;
  return `${answered} At the rate limit, all take ${formatDuration(forecastMs)} at least.`;
}
