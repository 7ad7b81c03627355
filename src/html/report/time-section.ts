// The answer to "How fast was it?": requests against the limit, the latency of the platform, and the ways of answers.
import type { RunFigures, TimeFigures } from '../../model/report/run-figures.js';
import { leftAt, type SeriesCounts } from '../../model/report/series.js';
import { formatCount, formatNumber } from '../../model/text/count.js';
import type { Span } from '../charts/answered-chart.js';
import { stackedBar } from '../charts/bars.js';
import { histogramChart, spreadOf } from '../charts/histogram-chart.js';
import type { Drawn } from '../charts/plot.js';
import { requestsChart } from '../charts/requests-chart.js';
import { html, type Markup } from '../markup.js';
import { card, cards, type DataTable, notice } from '../parts.js';

export function timeSection(figures: RunFigures): Markup {
  const { time } = figures;
  return html`<h2 id="time">How fast was it?</h2>${
    time === null
      ? notice(
          'idle',
          'This run began before Sluice counted what happens over time, or it was pruned.',
        )
      : figures.tally.steps === undefined
        ? cardsOf(time, figures)
        : html`<p>The run of each step shows its requests and answers.</p>`
  }`;
}

/** The charts of the section; null for one without values. */
function chartsOf(time: TimeFigures, figures: RunFigures) {
  const { delivered, http, polled, polls } = time;
  return {
    requests: time.buckets.some(({ peak }) => peak > 0)
      ? requestsChart(time, spanOf(figures))
      : null,
    answers: histogramChart(
      { id: 'answers', title: 'Time to an answer', counted: 'answers', unit: 'ms' },
      [
        { name: 'by poll', tone: 'wait', histogram: polled },
        { name: 'by webhook', tone: 'known', histogram: delivered },
      ],
    ),
    http: histogramChart(
      { id: 'http', title: 'Response time of the platform', counted: 'requests', unit: 'ms' },
      [{ name: 'requests', tone: 'wait', histogram: http }],
    ),
    polls: histogramChart(
      { id: 'polls', title: 'Polls for an answer', counted: 'answers', unit: 'polls' },
      [{ name: 'answers', tone: 'wait', histogram: polls }],
    ),
  };
}

/** The numbers of these charts. */
export function timeTables(figures: RunFigures): readonly DataTable[] {
  const { tally, time } = figures;
  if (time === null || time.buckets.length === 0 || tally.steps !== undefined) return [];
  const drawn = Object.values(chartsOf(time, figures));
  return drawn.flatMap((one) => one?.table ?? []);
}

function cardsOf(time: TimeFigures, figures: RunFigures) {
  const { delivered, http, polled, polls } = time;
  if (time.buckets.length === 0) return html`<p class="empty">Nothing was counted yet.</p>`;
  const drawn = chartsOf(time, figures);
  return cards(
    card(
      'Requests against the limit',
      drawn.requests?.picture ?? html`<p class="empty">This run sent no request itself.</p>`,
    ),
    drawn.answers !== null &&
      card(
        'Time to an answer',
        drawn.answers.picture,
        spread(
          drawn.answers,
          spreadText('By poll', spreadOf(polled, 'ms')),
          spreadText('By webhook', spreadOf(delivered, 'ms')),
        ),
      ),
    drawn.http !== null &&
      card(
        'Response time of the platform',
        drawn.http.picture,
        spread(drawn.http, spreadText('To a request', spreadOf(http, 'ms'))),
      ),
    drawn.polls !== null &&
      card(
        'Polls for an answer',
        drawn.polls.picture,
        spread(drawn.polls, spreadText('Answers', spreadOf(polls, 'polls'))),
      ),
    card('How answers came', ways(time)),
  );
}

/** What a chart says in a sentence; nothing if the chart is one. */
function spread({ table }: Drawn, ...said: readonly string[]) {
  return table === null ? {} : { about: said };
}

function spreadText(what: string, spread: string): string {
  return spread === '' ? '' : `${what}: ${spread}. `;
}

function ways({ buckets }: TimeFigures): Markup {
  const sum = (key: keyof SeriesCounts): number =>
    buckets.reduce((total, bucket) => total + bucket[key], 0);
  const [polled, delivered, polls, inVain] = [
    sum('polled'),
    sum('delivered'),
    sum('polls'),
    sum('inVain'),
  ];
  const atOnce = Math.max(0, sum('found') + sum('notFound') + sum('failed') - polled - delivered);
  const parts = [
    { name: 'by poll', value: polled, tone: 'wait' as const },
    { name: 'by webhook', value: delivered, tone: 'known' as const },
    { name: 'with the request itself', value: atOnce, tone: 'good' as const },
  ].map((part) => ({ ...part, text: formatNumber(part.value) }));
  if (polled + delivered + atOnce === 0) return html`<p class="empty">None came yet.</p>`;
  return html`${stackedBar(parts)}<p class="quiet">${formatCount(polls, 'poll was', 'polls were')} sent${
    inVain > 0 && html`; ${formatNumber(inVain)} of them brought no answer yet`
  }.</p>`;
}

/**
 * The range from the first count to the last, even if the clock changed the run's own times. It grows only while a
 * process works on the run.
 */
export function spanOf({ at, run, state, time }: RunFigures): Span {
  const { buckets = [], widthMs = 0 } = time ?? {};
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
