// Tells what a run did over time, by charts: its answers, its requests against the limit, and the latency of the platform.
// Few commands load it.
import { answeredChart } from '../html/charts/answered-chart.js';
import { histogramChart } from '../html/charts/histogram-chart.js';
import { requestsChart } from '../html/charts/requests-chart.js';
import { isOpen } from '../model/run.js';
import type { Part, Section } from './page.js';
import { type Charts, type Known, spanOf, type Timed } from './run-data.js';
import { notes, section } from './shared.js';

export const CHARTS: Charts = { answersOverTime, timeSection };

function answersOverTime(told: Known): Part[] {
  const { state, time } = told;
  if (time === undefined) return [];
  // The run of a waterfall sends nothing itself.
  const isEmpty = time.buckets.every(
    ({ failed, found, notFound }) => failed + found + notFound === 0,
  );
  if (time.asked.expected === 0 && isEmpty) return [];
  return [{ kind: 'chart', ...answeredChart(time, spanOf({ ...told, time }), isOpen(state)) }];
}

function timeSection(told: Known): Section[] {
  const { time } = told;
  if (time === undefined) return [];
  const parts =
    told.tally.steps === undefined
      ? chartsOf({ ...told, time })
      : notes('The run of each step shows its requests and answers.');
  return [section('time', 'How fast was it?', parts, 'Speed')];
}

function chartsOf(told: Timed): Part[] {
  const { time } = told;
  if (time.buckets.length === 0) return notes('Nothing was counted yet.');
  const answers = { id: 'answers', title: 'Time to an answer', counted: 'answer' };
  const http = { id: 'http', title: 'Response time of the platform', counted: 'request' };
  const charts = [histogramChart(answers, time.answers), histogramChart(http, time.http)];
  return [
    ...(time.buckets.some(({ peak }) => peak > 0)
      ? [{ kind: 'chart', ...requestsChart(time, spanOf(told)) } as const]
      : notes('This run sent no request itself.')),
    ...charts.flatMap((one) => (one === null ? [] : [{ kind: 'chart', ...one } as const])),
  ];
}
