// Tells what a run did over time, by charts: its answers, its requests against the limit, and the latency of the platform.
// Few commands load it.
import { answeredChart } from '../html/charts/answered-chart.js';
import { histogramChart, spreadOf } from '../html/charts/histogram-chart.js';
import type { Drawn } from '../html/charts/plot.js';
import { requestsChart } from '../html/charts/requests-chart.js';
import type { RunFigures } from '../model/report/run-figures.js';
import { isOpen } from '../model/run.js';
import type { Part, Section } from './page.js';
import { type Charts, type Known, spanOf } from './run-data.js';

type Timed = Known & Pick<RunFigures, 'time'>;

export const CHARTS: Charts = { answersOverTime, timeSection };

function answersOverTime(told: Known): Part[] {
  const { state, time } = told;
  if (time === undefined) return [];
  // The run of a waterfall sends nothing itself.
  const isEmpty = time.buckets.every(
    ({ failed, found, notFound }) => failed + found + notFound === 0,
  );
  if (time.asked.expected === 0 && isEmpty) return [];
  const { picture, says, table } = answeredChart(time, spanOf({ ...told, time }), isOpen(state));
  return [{ kind: 'chart', title: 'Answers over time', picture, says, numbers: table }];
}

function timeSection(told: Known): Section[] {
  const { time } = told;
  if (time === undefined) return [];
  return [
    {
      kind: 'section',
      id: 'time',
      title: 'How fast was it?',
      short: 'Speed',
      parts:
        told.tally.steps === undefined
          ? chartsOf({ ...told, time })
          : [{ kind: 'note', text: 'The run of each step shows its requests and answers.' }],
    },
  ];
}

function chartsOf(told: Timed): Part[] {
  const { time } = told;
  if (time.buckets.length === 0) return [{ kind: 'note', text: 'Nothing was counted yet.' }];
  const answers = { id: 'answers', title: 'Time to an answer', counted: 'answers' };
  const http = { id: 'http', title: 'Response time of the platform', counted: 'requests' };
  const parts = [
    time.buckets.some(({ peak }) => peak > 0)
      ? part('Requests against the limit', requestsChart(time, spanOf(told)))
      : ({ kind: 'note', text: 'This run sent no request itself.' } as const),
    part(answers.title, histogramChart(answers, time.answers), spreadOf(time.answers)),
    part(http.title, histogramChart(http, time.http), spreadOf(time.http)),
  ];
  return parts.filter((one) => one !== null);
}

/** `spread`: what a chart says in short. */
function part(title: string, drawn: Drawn | null, spread?: string): Part | null {
  if (drawn === null) return null;
  const { picture, table } = drawn;
  const says = table === null || spread === undefined ? drawn.says : `${spread}.`;
  return { kind: 'chart', title, picture, says, numbers: table };
}
