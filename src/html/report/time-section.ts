// The answer to "How fast was it?": requests against the limit, and the latency of the platform.
import type { RunFigures } from '../../model/report/run-figures.js';
import { type Histogram, leftAt } from '../../model/report/series.js';
import type { Span } from '../charts/answered-chart.js';
import { histogramChart, spreadOf } from '../charts/histogram-chart.js';
import type { Drawn } from '../charts/plot.js';
import { requestsChart } from '../charts/requests-chart.js';
import { html, type Markup } from '../markup.js';
import { card, cards, type DataTable } from '../parts.js';

export function timeSection(figures: RunFigures): Markup {
  return html`<h2 id="time">How fast was it?</h2>${
    figures.tally.steps === undefined
      ? cardsOf(figures)
      : html`<p>The run of each step shows its requests and answers.</p>`
  }`;
}

/** The charts of the section; null for one without values. */
function chartsOf(figures: RunFigures) {
  const { time } = figures;
  return {
    requests: time.buckets.some(({ peak }) => peak > 0)
      ? requestsChart(time, spanOf(figures))
      : null,
    answers: histogramChart(
      { id: 'answers', title: 'Time to an answer', counted: 'answers' },
      time.answers,
    ),
    http: histogramChart(
      { id: 'http', title: 'Response time of the platform', counted: 'requests' },
      time.http,
    ),
  };
}

/** The numbers of these charts. */
export function timeTables(figures: RunFigures): readonly DataTable[] {
  const { tally, time } = figures;
  if (time.buckets.length === 0 || tally.steps !== undefined) return [];
  const drawn = Object.values(chartsOf(figures));
  return drawn.flatMap((one) => one?.table ?? []);
}

function cardsOf(figures: RunFigures) {
  const { time } = figures;
  if (time.buckets.length === 0) return html`<p class="empty">Nothing was counted yet.</p>`;
  const drawn = chartsOf(figures);
  return cards(
    card(
      'Requests against the limit',
      drawn.requests?.picture ?? html`<p class="empty">This run sent no request itself.</p>`,
    ),
    drawn.answers !== null &&
      card(
        'Time to an answer',
        drawn.answers.picture,
        spread(drawn.answers, 'To an answer', time.answers),
      ),
    drawn.http !== null &&
      card(
        'Response time of the platform',
        drawn.http.picture,
        spread(drawn.http, 'To a request', time.http),
      ),
  );
}

/** What a chart says in a sentence; nothing if the chart is one. */
function spread({ table }: Drawn, what: string, histogram: Histogram) {
  return table === null ? {} : { about: `${what}: ${spreadOf(histogram)}. ` };
}

/**
 * The range from the first count to the last, even if the clock changed the run's own times. It grows only while a
 * process works on the run.
 */
export function spanOf({ at, run, state, time }: RunFigures): Span {
  const { buckets, widthMs } = time;
  const [first, last] = [buckets[0], buckets.at(-1)];
  const isAtWork = state === 'reading' || state === 'working';
  const end = isAtWork ? (run.endedAt ?? at) : leftAt(run, time, at);
  if (first === undefined || last === undefined) return { from: run.startedAt, to: end };
  return {
    // A bucket begins before its counts, so one that begins less than a bucket before the run does not extend the
    // range.
    from: first.at < run.startedAt - widthMs ? first.at : run.startedAt,
    to: Math.max(end, Math.min(last.at + widthMs, Math.max(end, last.at + 1))),
  };
}

/** The time in it during which the run was worked on, in ms. */
export function workedMs(figures: RunFigures): number {
  const { from, to } = spanOf(figures);
  return Math.max(0, to - from - (figures.run.idleMs ?? 0));
}
