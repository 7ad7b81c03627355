// The numbers are those of one window of the limit, because the platform counts by windows.
import { area, curveStepAfter, line } from 'd3-shape';
import type { TimeFigures } from '../../model/report/run-figures.js';
import { fitTimeline, type SeriesBucket, type Timeline } from '../../model/report/series.js';
import { formatCount, formatNumber, formatTimes } from '../../model/text/count.js';
import { formatDuration } from '../../model/text/format-time.js';
import { html, type Markup } from '../markup.js';
import type { Span } from './answered-chart.js';
import {
  type Chart,
  chart,
  elapsed,
  type LegendEntry,
  PLOT,
  type Place,
  ROWS_MAX,
  risingAxis,
  round,
  timeAxis,
} from './plot.js';

/** The limit of steps: more of them blur if a run sends a window's requests at once. */
const STEPS_MAX = 80;

interface Point {
  readonly at: number;
  readonly mean: number;
  readonly peak: number;
}

export function requestsChart(time: TimeFigures, span: Span): Chart {
  const { buckets, limit } = time;
  const windowMs = limit?.perMs ?? 1_000;
  const window = elapsed(windowMs);
  const points = stepsOf(fitTimeline(time, STEPS_MAX, windowMs), span, windowMs);
  const peak = Math.max(0, ...buckets.map((bucket) => bucket.peak));
  const throttled = sumOf(buckets, 'throttled');
  const pausedMs = sumOf(buckets, 'pausedMs');
  const { labels, x } = timeAxis(Math.max(0, span.to - span.from));
  const { grid, y } = risingAxis(Math.max(peak, limit?.requests ?? 0));
  const means = area<Point>()
    .x(({ at }) => x(at))
    .y0(y(0))
    .y1(({ mean }) => y(mean))
    .curve(curveStepAfter);
  const peaks = line<Point>()
    .x(({ at }) => x(at))
    .y((point) => y(point.peak))
    .curve(curveStepAfter);
  const legend: LegendEntry[] = [
    { name: `mean of ${window}`, mark: 'area', tone: 'wait' },
    { name: `most in ${window}`, mark: 'curve' },
    ...(limit === null ? [] : [{ name: 'limit', mark: 'limit' } as const]),
    ...(pausedMs === 0 ? [] : [{ name: 'pause', mark: 'pause' } as const]),
    ...(throttled === 0 ? [] : [{ name: '429', mark: 'sign', tone: 'bad' } as const]),
  ];
  const says = describe(time, peak, throttled, pausedMs);
  return chart(
    { title: 'Requests against the limit', says, numbers: tableOf(time, span, window) },
    html`${grid}${pauses(buckets, span, x)}<path class="tone wait" fill-opacity=".45" d="${means(points)}"/><path class="curve thin" d="${peaks(points)}"/>${limit !== null && limitLine(limit.requests, window, y)}${signs(buckets, span, x)}${labels}`,
    legend,
  );
}

/** The points at which the number changes: at each bucket, and back to 0 before a gap. */
function stepsOf({ buckets, widthMs }: Timeline, { from, to }: Span, windowMs: number): Point[] {
  const points: Point[] = [{ at: 0, mean: 0, peak: 0 }];
  for (const [n, bucket] of buckets.entries()) {
    const sent = bucket.submits + bucket.polls + bucket.others;
    // If a bucket is not a whole number of windows, its requests may be those of one window more.
    const mean = Math.min(bucket.peak, (sent * windowMs) / widthMs);
    points.push({ at: Math.max(0, bucket.at - from), mean, peak: bucket.peak });
    const end = bucket.at + widthMs;
    if (buckets[n + 1]?.at !== end) points.push({ at: Math.max(0, end - from), mean: 0, peak: 0 });
  }
  return [...points, { at: Math.max(0, to - from), mean: 0, peak: 0 }].map((point) => ({
    ...point,
    at: Math.min(point.at, Math.max(0, to - from)),
  }));
}

/** The line of the limit, with its label above it, on the side on which a run has most often ended. */
function limitLine(requests: number, window: string, y: Place): Markup {
  return html`<path class="limit" d="M${PLOT.left} ${y(requests)}H${PLOT.right}"/><text class="label strong" x="${PLOT.right}" y="${y(requests) - 6}" text-anchor="end">limit: ${formatNumber(requests)} in ${window}</text>`;
}

function pauses(buckets: readonly SeriesBucket[], { from }: Span, x: Place): Markup[] {
  return buckets
    .filter(({ pausedMs }) => pausedMs > 0)
    .map(({ at, pausedMs }) => {
      const start = Math.max(0, at - from);
      const left = x(start);
      const right = Math.min(PLOT.right, Math.max(left + 1.5, x(start + pausedMs)));
      return html`<rect class="pause" x="${left}" y="${PLOT.top}" width="${round(Math.max(0, right - left))}" height="${PLOT.bottom - PLOT.top}"/>`;
    });
}

function signs(buckets: readonly SeriesBucket[], { from }: Span, x: Place): Markup[] {
  return buckets
    .filter(({ throttled }) => throttled > 0)
    .map(({ at }) => {
      const middle = x(Math.max(0, at - from));
      return html`<path class="tone bad" d="M${middle} ${PLOT.bottom + 2}L${round(middle + 4)} ${PLOT.bottom + 9}H${round(middle - 4)}Z"/>`;
    });
}

function tableOf(time: TimeFigures, { from }: Span, window: string) {
  const { buckets } = fitTimeline(time, ROWS_MAX);
  const names = ['sent', 'polls', 'others', `most in ${window}`, '429', 'pause'];
  return {
    caption: 'Requests over time',
    columns: [{ name: 'after' }, ...names.map((name) => ({ name, isNumber: true }))],
    rows: buckets.map((bucket) => [
      elapsed(Math.max(0, bucket.at - from)),
      ...[bucket.submits, bucket.polls, bucket.others, bucket.peak, bucket.throttled].map(
        formatNumber,
      ),
      bucket.pausedMs === 0 ? '0' : formatDuration(bucket.pausedMs),
    ]),
  };
}

function describe(
  { buckets, limit }: TimeFigures,
  peak: number,
  throttled: number,
  pausedMs: number,
) {
  const all = sumOf(buckets, 'submits') + sumOf(buckets, 'polls') + sumOf(buckets, 'others');
  const most = `the busiest ${elapsed(limit?.perMs ?? 1_000)} had ${formatNumber(peak)}`;
  const against = limit === null ? '' : ` of ${formatNumber(limit.requests)} that the limit allows`;
  const stopped =
    throttled === 0 && pausedMs === 0
      ? 'The platform never asked for a pause.'
      : `The platform asked for a pause ${formatTimes(throttled)}, for ${formatDuration(pausedMs)} in all.`;
  return `${formatCount(all, 'request')}; ${most}${against}. ${stopped}`;
}

function sumOf(buckets: readonly SeriesBucket[], key: Exclude<keyof SeriesBucket, 'at'>): number {
  return buckets.reduce((sum, bucket) => sum + bucket[key], 0);
}
