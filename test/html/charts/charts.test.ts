import { array, assert, constantFrom, nat, option, property, record, tuple } from 'fast-check';
import { expect, it } from 'vitest';
import { answeredChart as drawAnswered } from '../../../src/html/charts/answered-chart.js';
import { barList, stackedBar } from '../../../src/html/charts/bars.js';
import { histogramChart as drawHistogram } from '../../../src/html/charts/histogram-chart.js';
import type { Chart as Drawn } from '../../../src/html/charts/plot.js';
import { requestsChart as drawRequests } from '../../../src/html/charts/requests-chart.js';
import { html, type Markup } from '../../../src/html/markup.js';
import { dataTable } from '../../../src/html/parts.js';
import { tries } from '../../helpers/long.js';
import { bucketAt, timeOf } from '../figures.js';
import { drawnNumbers, elementsOf, tableOf } from '../read-markup.js';

/** What is drawn, and its numbers. */
function whole({ numbers, picture }: Drawn): Markup {
  return html`${picture}${dataTable(numbers)}`;
}
const answeredChart = (...of: Parameters<typeof drawAnswered>) => whole(drawAnswered(...of));
const requestsChart = (...of: Parameters<typeof drawRequests>) => whole(drawRequests(...of));
const histogramChart = (...of: Parameters<typeof drawHistogram>) => {
  const drawn = drawHistogram(...of);
  return drawn && whole(drawn);
};

const BUCKETS = [
  bucketAt(0, { submits: 8, polls: 2, peak: 12 }),
  bucketAt(1_000, { found: 4, notFound: 2, credits: 20, polls: 6, others: 1, peak: 7 }),
  bucketAt(9_000, { found: 2, failed: 1, credits: 10.5, throttled: 2, pausedMs: 3_000 }),
];
const ASKED = {
  leads: 12,
  expected: 10,
  toPay: [{ ask: ['find_email'], count: 10 }],
  onTheirWay: 0,
};
const SPAN = { from: 0, to: 20_000 };
const AGES = { id: 'ages', title: 'Time to an answer', counted: 'answer' } as const;

it('shows how many were answered, and when, in the drawing and behind it', () => {
  const time = timeOf({ asked: ASKED, buckets: BUCKETS, forecastMs: 10_000 });
  const chart = answeredChart(time, SPAN, false);
  expect(tableOf(chart)).toEqual([
    ['after', 'found', 'not found', 'failed', 'credits'],
    ['0', '0', '0', '0', '0'],
    ['1 s', '4', '2', '0', '20'],
    ['9 s', '2', '0', '1', '10.5'],
  ]);
  const heights = ['good', 'miss', 'bad'].map((tone) => lastHeight(chart, tone));
  // 6 found, 2 not found, 1 failed: each stands on those before it.
  const [found = 0, notFound = 0, failed = 0] = heights;
  expect(notFound / found).toBeCloseTo(8 / 6, 1);
  expect(failed / found).toBeCloseTo(9 / 6, 1);
  expect(textOf(chart, 'desc')).toBe(
    '9 of 10 leads answered in 20 s. At the rate limit, all take 10 s at least.',
  );
});

it('cuts the forecast off where the run has ended before it', () => {
  const time = timeOf({ asked: ASKED, buckets: BUCKETS, forecastMs: 40_000 });
  const chart = answeredChart(time, SPAN, false);
  const places = drawnNumbers(chart);
  expect(Math.max(...places)).toBeLessThanOrEqual(360);
  expect(pathOf(chart, 'forecast')).toMatch(/^M40 \S+L352 \S+$/);
});

it('shows requests in windows of the limit, pauses and 429s', () => {
  const chart = requestsChart(timeOf({ buckets: BUCKETS }), SPAN);
  expect(tableOf(chart)).toEqual([
    ['after', 'sent', 'polls', 'others', 'most in 2 s', '429', 'pause'],
    ['0', '8', '2', '0', '12', '0', '0'],
    ['1 s', '0', '6', '1', '7', '0', '0'],
    ['9 s', '0', '0', '0', '0', '2', '3 s'],
  ]);
  expect(textOf(chart, 'desc')).toBe(
    '17 requests; the busiest 2 s had 12 of 20 that the limit allows. The platform asked for a pause 2 times, for 3 s in all.',
  );
  const pauses = elementsOf(chart).filter(({ attributes }) => attributes['class'] === 'pause');
  // 3 of 20 s; the other one is the legend's.
  expect(pauses.map(({ attributes }) => Number(attributes['width']))).toEqual([
    expect.closeTo(((352 - 40) * 3) / 20, 0),
    14,
  ]);
});

it('never draws a mean above the busiest window', () => {
  const buckets = [bucketAt(0, { submits: 20, peak: 20 })];
  const chart = requestsChart(timeOf({ buckets }), SPAN);
  const limit = Number(pathOf(chart, 'limit').split(/[ H]/)[1]);
  const top = Math.min(
    ...Array.from(pathOf(chart, 'tone wait').matchAll(/,(\S+?)[LZ]/g), ([, y]) => Number(y)),
  );
  expect(top).toBeGreaterThanOrEqual(limit);
});

it('can be read without being seen', () => {
  for (const chart of [
    answeredChart(timeOf({ buckets: BUCKETS }), SPAN, true),
    requestsChart(timeOf({ buckets: BUCKETS }), SPAN),
  ]) {
    const [svg] = elementsOf(chart).filter(({ name }) => name === 'svg');
    expect(svg?.attributes['role']).toBe('img');
    expect(String(chart)).toMatch(
      /role="img"><title>[A-Z][^<]+<\/title><desc>[^<]+\d[^<]*<\/desc>/,
    );
    expect(elementsOf(chart).some(({ name }) => name === 'table')).toBe(true);
  }
});

const COUNTS = nat({ max: 2 ** 40 });
const TIMES = constantFrom(0, 1, 999, 1_000, 60_000, 86_400_000, 900_000_000_000);
const BUCKET = record({
  found: COUNTS,
  notFound: COUNTS,
  failed: COUNTS,
  toPay: COUNTS,
  submits: COUNTS,
  polls: COUNTS,
  peak: COUNTS,
  throttled: nat(3),
  pausedMs: TIMES,
});

it('draws only numbers, within the drawing, whatever it is given', () => {
  assert(
    property(
      tuple(array(tuple(TIMES, BUCKET), { maxLength: 12 }), constantFrom(1_000, 4_096_000)),
      tuple(
        TIMES,
        TIMES,
        option(TIMES),
        option(record({ requests: nat(100_000), perMs: constantFrom(1, 1_000, 86_400_000) })),
      ),
      array(COUNTS, { maxLength: 55 }),
      ([seen, widthMs], [from, to, forecastMs, limit], histogram) => {
        const starts = new Map(
          seen.map(([at, counts]) => [Math.floor(at / widthMs) * widthMs, counts]),
        );
        const buckets = Array.from(starts, ([at, counts]) => bucketAt(at, counts)).toSorted(
          (a, b) => a.at - b.at,
        );
        const time = timeOf({ buckets, widthMs, forecastMs, limit });
        const charts = [
          answeredChart(time, { from, to }, true),
          answeredChart(time, { from, to }, false),
          requestsChart(time, { from, to }),
          histogramChart(AGES, histogram),
          barList(histogram.map((value) => ({ name: 'a', value, text: '', tone: 'good' }))),
          stackedBar(histogram.map((value) => ({ name: 'a', value, text: '', tone: 'good' }))),
        ];
        for (const chart of charts) {
          const text = String(chart ?? html``);
          expect(text).not.toMatch(/NaN|Infinity|undefined|null|-\d+ (ms|s|min|h)\b/);
          expect(
            drawnNumbers(chart ?? html``).filter((place) => !(place >= 0 && place <= 360)),
          ).toEqual([]);
        }
      },
    ),
    { numRuns: tries(60) },
  );
});

type Chart = ReturnType<typeof answeredChart>;

function textOf(chart: Chart, name: string): string | undefined {
  return elementsOf(chart).find((element) => element.name === name)?.text;
}

function pathOf(chart: Chart, kind: string): string {
  return (
    elementsOf(chart).find(
      ({ attributes, name }) => name === 'path' && attributes['class'] === kind,
    )?.attributes['d'] ?? ''
  );
}

/** How far above the axis the area of this tone ends, at the right. */
function lastHeight(chart: Chart, tone: string): number {
  const places = Array.from(
    pathOf(chart, `tone ${tone}`).matchAll(/([\d.]+),([\d.]+)/g),
    ([, x, y]) => [Number(x), Number(y)] as const,
  );
  const right = Math.max(...places.map(([x]) => x));
  return 166 - Math.min(...places.filter(([x]) => x === right).map(([, y]) => y));
}
