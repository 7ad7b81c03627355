// The answer to "What went wrong, and what to do next?": advice first, then each reason with its lines and the command
// that helps.
import type { LeadStatus } from '../../model/answer.js';
import { STATES } from '../../model/enrichment/arrows.js';
import type {
  PlaceOfLine,
  RunFigures,
  Trouble,
  TroubleFigures,
} from '../../model/report/run-figures.js';
import type { Run } from '../../model/run.js';
import { cutText, formatCount, formatNumber } from '../../model/text/count.js';
import { barList } from '../charts/bars.js';
import { type Content, html, type Markup } from '../markup.js';
import { card, cards, dataTable, notice, statusBadge, toneOfStatus } from '../parts.js';
import { leadsLink, type PathOfLeads } from './outcome-section.js';

const REASON_MAX = 200;
const NAME_MAX = 40;
const SENTENCE_MAX = 600;
const PLACES_MAX = 6;

/** The link that a page offers in place of commands: once, below all advice. */
export interface Way {
  readonly button: Content;
  /** The command that does the same in a terminal; null if the advice names it. */
  readonly command: string | null;
}

/** `way`: the link of a page; null if it has none to offer. A file by itself names the command of each reason. */
export function troubleSection(
  { run, tally, trouble }: RunFigures,
  way?: Way | null,
  pathOf?: PathOfLeads,
): Markup {
  const reasonsShown = trouble.reasons.map((one, n) => ({
    ...one,
    command: way === undefined ? newCommand(trouble, n) : null,
  }));
  return html`<h2 id="trouble">What went wrong, and what to do next</h2><div class="stack">${next(trouble, way ?? null)}${
    isQuiet(trouble) && html`<p class="empty">Nothing went wrong, as far as Sluice knows.</p>`
  }${cards(
    ...REASON_CARDS.map(({ has, title }) => {
      const own = reasonsShown.filter(({ status }) => has(status));
      return own.length > 0 && reasons(title, own, run, tally.leads, pathOf);
    }),
    trouble.rejects.length > 0 && rejects(trouble.rejects, tally.rejects, run),
  )}</div>`;
}

const NOT_ASKED: readonly LeadStatus[] = ['skipped', 'not_asked'];

/** The cards of reasons: each status has one. */
const REASON_CARDS = [
  {
    title: 'Why leads have no answer',
    has: (status: LeadStatus) => status !== 'found' && !NOT_ASKED.includes(status),
  },
  // A waterfall shows a value that it does not accept if no step finds a better one.
  { title: 'Found, but not accepted', has: (status: LeadStatus) => status === 'found' },
  { title: 'Why leads were not asked', has: (status: LeadStatus) => NOT_ASKED.includes(status) },
];

function isQuiet({ advice, disturbances, reasons, rejects }: TroubleFigures): boolean {
  return [advice, disturbances, reasons, rejects].every(({ length }) => length === 0);
}

/** The command of a reason, unless it was named above it. */
function newCommand({ advice, reasons: all }: TroubleFigures, n: number): string | null {
  const command = all[n]?.command ?? null;
  if (command === null || advice.some((sentence) => sentence.includes(command))) return null;
  return all.findIndex((one) => one.command === command) === n ? command : null;
}

function next({ advice, disturbances }: TroubleFigures, way: Way | null): Content {
  return [
    disturbances.length > 0 &&
      notice('warn', html`<h3>What disturbed the run</h3>${disturbances.map(sentenceOf)}`),
    advice.length > 0 &&
      notice(
        'wait',
        html`<h3>What to do next</h3>${advice.map(sentenceOf)}${
          way !== null &&
          html`<p class="row">${way.button}${way.command !== null && html`<span class="quiet">On the command line:</span> <code class="command">${way.command}</code>`}</p>`
        }`,
      ),
  ];
}

/** `failed: …` begins with a badge. */
function sentenceOf(sentence: string): Markup {
  const text = cutText(sentence, SENTENCE_MAX);
  const status = STATES.find((one) => text.startsWith(`${one}: `));
  if (status === undefined) return html`<p>${text}</p>`;
  return html`<p>${statusBadge(status)} ${text.slice(status.length + 2)}</p>`;
}

/** The reasons, with bars as parts of all leads: a few of many must not look like most. */
function reasons(
  title: string,
  all: readonly Trouble[],
  run: Run,
  leadsOfRun: number,
  pathOf: PathOfLeads | undefined,
): Markup {
  return card(
    title,
    html`${barList(
      all.map(({ command, leads, places, reason, status }) => ({
        name: html`${statusBadge(status)} ${cutText(reason, REASON_MAX)}`,
        value: leads,
        text: leadsLink(formatNumber(leads), pathOf?.({ outcome: status, reason })),
        tone: toneOfStatus(status),
        about: html`${placesOf(places, leads, run)}${
          command !== null && html`<code class="command">${cutText(command, SENTENCE_MAX)}</code>`
        }`,
      })),
      leadsOfRun,
    )}`,
    { isWide: true, about: `of ${formatCount(leadsOfRun, 'lead')}` },
  );
}

/** `lines 3, 17 of a.csv; line 9 of b.csv and 20 more`; empty if no line is known. */
function placesOf(places: readonly PlaceOfLine[], leads: number, run: Run): string {
  if (places.length === 0) return '';
  const byFile = new Map<number, number[]>();
  const shown = places.slice(0, PLACES_MAX);
  for (const { line, source } of shown) byFile.set(source, [...(byFile.get(source) ?? []), line]);
  const more = leads - shown.length;
  const named = Array.from(byFile, ([source, lines]) => {
    const file = byFile.size > 1 || run.sources.length > 1 ? ` of ${fileOf(source, run)}` : '';
    return `${lines.length === 1 ? 'line' : 'lines'} ${lines.map(formatNumber).join(', ')}${file}`;
  });
  return `${named.join('; ')}${more > 0 ? ` and ${formatNumber(more)} more` : ''}`;
}

function fileOf(source: number, { sources }: Run): string {
  return cutText(sources[source] ?? `file ${source + 1}`, NAME_MAX);
}

function rejects(shown: TroubleFigures['rejects'], all: number, run: Run): Markup {
  const about =
    all > shown.length
      ? `The first ${formatNumber(shown.length)} of ${formatNumber(all)}; the rejects file beside the table has all.`
      : `${formatCount(all, 'line')}; the rejects file beside the table has them whole.`;
  return card(
    'Lines that could not be read',
    dataTable({
      caption: 'Lines that could not be read',
      isCaptionHidden: true,
      columns: [
        { name: 'line' },
        ...(run.sources.length > 1 ? [{ name: 'file' }] : []),
        { name: 'reason', isLong: true },
      ],
      rows: shown.map(({ line, reason, source }) => [
        formatNumber(line),
        ...(run.sources.length > 1 ? [fileOf(source, run)] : []),
        cutText(reason, REASON_MAX),
      ]),
    }),
    { about, isWide: true },
  );
}
