// The answer to "Did it work?": the outcomes of a run's leads, first in a sentence.
import type { LeadStatus } from '../../model/answer.js';
import { listAsks } from '../../model/ask.js';
import { tellOpenCharges, tellShared } from '../../model/report/open-charges.js';
import type { RunFigures } from '../../model/report/run-figures.js';
import { isForUser, isOpen } from '../../model/run.js';
import {
  describeLeadless,
  leadsIn,
  type RunTally,
  sentLeads,
  unansweredLeads,
} from '../../model/tally.js';
import { cutText, formatCount, formatNumber, formatShare } from '../../model/text/count.js';
import { formatDuration } from '../../model/text/format-time.js';
import { answeredChart } from '../charts/answered-chart.js';
import { barList } from '../charts/bars.js';
import type { Drawn } from '../charts/plot.js';
import { type Content, html, type Markup } from '../markup.js';
import {
  card,
  cards,
  type DataTable,
  factList,
  figures as figureRow,
  notice,
  stateBadge,
  type Tone,
  timeElement,
  toneOfStatus,
  wordsOf,
} from '../parts.js';
import { spanOf, workedMs } from './time-section.js';

const SOURCES_MAX = 3;
const NAME_MAX = 120;
const REASON_MAX = 200;

/** The run, and whether it goes on. */
export function runHeader({ run, state }: RunFigures): Markup {
  const sources = run.sources.slice(0, SOURCES_MAX).map((source) => cutText(source, NAME_MAX));
  const more = run.sources.length - sources.length;
  return html`<header class="stack"><div class="row"><h1>Run ${run.id} of ${cutText(run.job, NAME_MAX)}</h1>${stateBadge(state)}</div>${factList(
    [
      ['asked for', listAsks(run.ask)],
      [
        'read from',
        `${sources.join(', ')}${more > 0 ? ` and ${formatCount(more, 'more file')}` : ''}`,
      ],
      ['written to', cutText(run.output.out, NAME_MAX)],
      ['began', timeElement(run.startedAt)],
      ['ended', run.endedAt !== null && timeElement(run.endedAt)],
    ],
    'flow',
  )}</header>`;
}

/** The path to the leads that are shown like this, where a page has one. */
export type PathOfLeads = (shown: {
  readonly outcome?: LeadStatus;
  readonly reason?: string | undefined;
  readonly step?: string;
}) => string;

export function outcomeSection(figures: RunFigures, pathOf?: PathOfLeads): Markup {
  const { cost, state, tally } = figures;
  const drawn = drawAnswered(figures);
  return html`<h2 id="outcome">Did it work?</h2><div class="stack">${verdict(figures)}${cost.isMadeUp === true && notice('idle', 'This run asks the sandbox: its answers are made up, and so are its credits.')}${figureRow(
    [
      {
        label: 'Credits paid',
        value: formatNumber(tally.credits),
        about:
          [tellOpenCharges(cost.charges, figures.run, tally), tellShared(tally)]
            .filter(Boolean)
            .join('; ') || undefined,
      },
      {
        label: isOpen(state) || isForUser(state) ? 'Time so far' : 'Time',
        value: formatDuration(workedMs(figures)),
        about: aboutTime(figures),
      },
    ],
  )}${cards(
    tally.leads > 0 && card('Leads by outcome', outcomes(tally, pathOf)),
    drawn !== null && card('Answers over time', drawn.picture),
    tally.inPart.leads > 0 &&
      card('Asked with less than was given, or for less', inPart(tally, pathOf)),
  )}</div>`;
}

function drawAnswered(figures: RunFigures): Drawn | null {
  const { state, time } = figures;
  // The run of a waterfall sends nothing itself.
  const isEmpty = time.buckets.every(
    ({ failed, found, notFound }) => failed + found + notFound === 0,
  );
  if (time.asked.expected === 0 && isEmpty) return null;
  return answeredChart(time, spanOf(figures), isOpen(state));
}

/** The numbers of the chart. */
export function answeredTables(figures: RunFigures): readonly DataTable[] {
  const table = drawAnswered(figures)?.table ?? null;
  return table === null ? [] : [table];
}

function aboutTime({ run, time }: RunFigures): string | undefined {
  const { idleMs = 0 } = run;
  const said = [
    time.forecastMs !== null && `${formatDuration(time.forecastMs)} at best under the limit`,
    idleMs >= 1_000 && `without ${formatDuration(idleMs)} in which no process worked on it`,
  ].filter((part) => part !== false);
  return said.length === 0 ? undefined : said.join('; ');
}

function verdict(figures: RunFigures): Markup {
  const [tone, sentence] = judge(figures);
  const next =
    tone === 'good' || tone === 'wait'
      ? null
      : html` <a href="#trouble">What went wrong, and what to do next</a>`;
  return notice(tone, html`<p class="big">${sentence}${next}</p>`);
}

function judge({ cost, run, state, tally }: RunFigures): readonly [Tone, string] {
  const found = foundOf(run, tally, cost.byAsk);
  const lacking = unansweredLeads(tally);
  const leadless = describeLeadless(tally, run.sources);
  const waiting = waitingOf(tally);
  switch (state) {
    case 'reading':
      return [
        'wait',
        `The input is being read: ${formatCount(tally.leads, 'lead')} so far, ${waiting}.`,
      ];
    case 'working':
      return ['wait', `The run goes on: ${waiting}.`];
    case 'queued':
    case 'parked':
      return ['wait', `The run waits for a worker: ${waiting}.`];
    case 'stopped_at_budget':
      return ['warn', `The run stopped at its budget: ${waiting}.`];
    case 'stopped_at_cap':
      return ['warn', `The run stopped at a cap: ${waiting}.`];
    case 'paused':
      return ['warn', `The run waits, since its job is paused: ${waiting}.`];
    case 'stopped':
      return ['warn', `The run was told to stop: ${waiting}.`];
    case 'stopped_by_error':
      return ['warn', `An error stopped the run: ${waiting}.`];
    case 'cut_off':
      return ['warn', `The run was cut off, and no process works on it: ${waiting}.`];
    case 'reopened':
      return ['warn', `The run was opened again, and waits to be started: ${waiting}.`];
    case 'cancelled':
      return ['warn', `The run was cancelled. What it paid for serves the next run.`];
    case 'replaced':
      return [
        'warn',
        `The job or its input changed before the run ended. What it paid for serves the next run.`,
      ];
    case 'finished':
      if (tally.leads === 0) return ['warn', 'The input had no lead that could be read.'];
      if (leadless !== undefined) {
        return ['warn', `${found}. In the input ${leadless}.`];
      }
      if (lacking === 0) return ['good', `${found}. Every lead is answered for.`];
      return [
        lacking * 10 >= tally.leads ? 'bad' : 'warn',
        `${found}. ${formatCount(lacking, 'lead')} ended without a reliable answer.`,
      ];
  }
}

const VALUE_NAMES: Readonly<Record<string, string>> = {
  find_email: 'e-mail',
  verify_email: 'e-mail status',
  social_enrichment: 'profile',
  find_phone: 'phone',
};

function valueName(ask: string): string {
  return VALUE_NAMES[ask] ?? wordsOf(ask);
}

/** `265 of 300 found`; of several asks also which: `(e-mail 230, profile 251)`, or `(e-mail or profile)`. */
function foundOf(
  { ask }: RunFigures['run'],
  { byStatus, leads }: RunTally,
  byAsk: RunFigures['cost']['byAsk'],
): string {
  const found = `${formatNumber(byStatus.found)} of ${formatNumber(leads)} found`;
  if (ask.length < 2) return found;
  const each = (byAsk ?? []).map((one) => `${valueName(one.ask)} ${formatNumber(one.found)}`);
  return `${found} (${each.length > 0 ? each.join(', ') : ask.map(valueName).join(' or ')})`;
}

/** The words for sent leads, which wait for an answer, and for those that are not sent yet. */
function waitingOf(tally: RunTally): string {
  const [sent, queued] = [sentLeads(tally), leadsIn(tally, 'queued')];
  const waits = `${formatCount(sent, 'lead waits', 'leads wait')} for an answer`;
  const toSend = queued === 1 ? 'is still to send' : 'are still to send';
  if (queued === 0) return waits;
  if (sent === 0) return `${formatCount(queued, 'lead')} ${toSend}`;
  return `${waits}, and ${formatNumber(queued)} ${toSend}`;
}

/** The order of the bar: answered leads, unanswered ones, those that wait, those that were not asked. */
const ORDER: readonly LeadStatus[] = [
  'found',
  'not_found',
  'failed',
  'timed_out',
  'uncertain',
  'awaiting',
  'submitting',
  'queued',
  'skipped',
  'not_asked',
];

/** The leads of each outcome that there is. */
export function outcomeParts({ byStatus }: Pick<RunTally, 'byStatus'>) {
  return ORDER.map((status) => ({
    status,
    name: wordsOf(status),
    value: byStatus[status],
    text: formatNumber(byStatus[status]),
    tone: toneOfStatus(status),
  })).filter(({ value }) => value > 0);
}

function outcomes(tally: RunTally, pathOf: PathOfLeads | undefined): Markup {
  const parts = outcomeParts(tally).map((part) => ({
    ...part,
    text: leadsLink(part.text, pathOf?.({ outcome: part.status })),
    about: formatShare(part.value, tally.leads),
  }));
  return html`${barList(parts, tally.leads)}${besides(tally)}`;
}

/** Words with a link to leads, where there is one. */
export function leadsLink(words: string, path: string | undefined): Content {
  return path === undefined ? words : html`<a href="${path}">${words}</a>`;
}

function inPart({ inPart: { reasons }, leads }: RunTally, pathOf: PathOfLeads | undefined): Markup {
  const bars = reasons.map(({ leads: value, reason }) => ({
    name: cutText(reason, REASON_MAX),
    value,
    text: leadsLink(formatNumber(value), pathOf?.({ reason })),
    tone: 'idle' as const,
  }));
  return barList(bars, leads);
}

/** Facts that the outcomes alone do not show. */
function besides({ askedAgain, fromCache, rejects }: RunTally): Content {
  const again = Object.values(askedAgain).reduce((sum, leads) => sum + leads, 0);
  const said = [
    fromCache > 0 &&
      `${formatCount(fromCache, 'lead was', 'leads were')} answered by what was paid for before, or for another line.`,
    again > 0 &&
      `${formatCount(again, 'lead shows', 'leads show')} an older answer, and ${again === 1 ? 'was' : 'were'} asked again.`,
    rejects > 0 && `${formatCount(rejects, 'line')} could not be read as a lead.`,
  ].filter((sentence) => sentence !== false);
  return said.map((sentence) => html`<p class="quiet">${sentence}</p>`);
}
