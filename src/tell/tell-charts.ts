// Tells what a run did over time, by charts: its answers, its requests against the limit, and the latency of the platform.
// Few commands load it.
import { answeredChart } from '../html/charts/answered-chart.js';
import { histogramChart } from '../html/charts/histogram-chart.js';
import type { Chart } from '../html/charts/plot.js';
import { requestsChart } from '../html/charts/requests-chart.js';
import { isOpen } from '../model/run.js';
import type { Part, Section } from './page.js';
import { type Charts, type Known, spanOf, type Timed } from './run-data.js';
import { notes, section } from './shared.js';

export const CHARTS: Charts = { answersOverTime, timeSection };

function answersOverTime(told: Known): Part[] {
  const { state, time } = told;
  if (time === undefined) return [];
  const isEmpty = time.buckets.every(
    ({ failed, found, notFound }) => failed + found + notFound === 0,
  );
  if (isEmpty) return [];
  const worked = withoutIdle({ ...told, time });
  return [part(answeredChart(worked.time, worked.span, isOpen(state)), told)];
}

function timeSection(told: Known): Section[] {
  const { time } = told;
  if (time === undefined) return [];
  // The platform of each step has its own limit.
  const steps = time.steps?.filter((step) => step.time.buckets.length > 0) ?? [];
  const ofSteps = steps.map((step) => [
    ...answersOverTime({ ...told, ...step }),
    ...chartsOf({ ...told, ...step }),
  ]);
  // Those of one kind stand beside each other.
  const parts = ofSteps
    .flatMap((charts) => charts.map((one, n) => ({ one, n })))
    .toSorted((a, b) => a.n - b.n)
    .map(({ one }) => one);
  const all = steps.length > 0 ? parts : chartsOf({ ...told, time });
  return [section('time', 'How fast was it?', all, 'Speed')];
}

function chartsOf(told: Timed): Part[] {
  const { time } = told;
  const worked = withoutIdle(told);
  if (time.buckets.length === 0) {
    const isOver = !isOpen(told.state) && time.asked.expected === 0;
    return notes(isOver ? 'Nothing had to be asked.' : 'Nothing was counted yet.');
  }
  const answers = { title: 'Time to an answer', counted: 'answer' };
  const http = { title: 'Response time of the platform', counted: 'request' };
  const charts = [histogramChart(answers, time.answers), histogramChart(http, time.http)];
  return [
    ...(time.buckets.some(({ peak }) => peak > 0)
      ? [part(requestsChart(worked.time, worked.span), told)]
      : notes('This run sent no request itself.')),
    ...charts.flatMap((one) => (one === null ? [] : [part(one, told)])),
  ];
}

/** That of a step is named by it. */
function part({ numbers, title, ...one }: Chart, { run: { step } }: Known): Part {
  const of = step === undefined ? '' : `${step.name}: `;
  const caption = `${of}${numbers.caption}`;
  return { kind: 'chart', ...one, title: `${of}${title}`, numbers: { ...numbers, caption } };
}

/** The counts as if the time without a process had not been: the longest gaps between them are closed. */
function withoutIdle(told: Timed) {
  const { run, time } = told;
  const { buckets, widthMs } = time;
  const { from, to } = spanOf(told);
  let idleMs = Math.floor((run.idleMs ?? 0) / widthMs) * widthMs;
  const gaps = buckets.map(({ at }, n) => ({ n, ms: at - (buckets[n - 1]?.at ?? at) - widthMs }));
  const closed = new Map<number, number>();
  for (const { ms, n } of gaps.toSorted((one, other) => other.ms - one.ms)) {
    const ended = Math.max(0, Math.min(ms, idleMs));
    closed.set(n, ended);
    idleMs -= ended;
  }
  let sum = 0;
  const moved = buckets.map((bucket, n) => {
    sum += closed.get(n) ?? 0;
    return { ...bucket, at: bucket.at - sum };
  });
  const least = Math.min(to - sum, (moved.at(-1)?.at ?? from) + widthMs);
  return {
    time: { ...time, buckets: moved },
    span: { from, to: Math.max(least, to - sum - idleMs) },
  };
}
