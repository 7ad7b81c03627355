// The answer to "How good is the data?": the values that were found beside those of the input, and how sure and how old
// they are.
import type {
  AnswerAges,
  FillRate,
  QualityFigures,
  RunFigures,
} from '../../model/report/run-figures.js';
import { cutText, formatCount, formatNumber, formatShare } from '../../model/text/count.js';
import { barList, stackedBar } from '../charts/bars.js';
import { type Content, html, type Markup } from '../markup.js';
import { card, cards, type DataTable, type Tone, toneOfEmail, wordsOf } from '../parts.js';

const NAME_MAX = 40;
/** The limit of bars; the table behind them has every column. */
const BARS_MAX = 60;
/** The number of bars that fit beside another card. */
const NARROW_MAX = 6;
/** The limit for the names of empty columns, in characters. */
const EMPTY_MAX = 1_000;

export function qualitySection({ quality, tally }: RunFigures): Markup {
  return html`<h2 id="quality">How good is the data?</h2>${
    quality === null
      ? html`<p class="empty">The rows were not read for this: <code>sluice report</code> reads them.</p>`
      : cardsOf(quality, tally.leads)
  }`;
}

function cardsOf({ answers, columns, domainMatch, emailStatus }: QualityFigures, leads: number) {
  const { no, unknown, yes } = domainMatch;
  return cards(
    columns.length > 0 && fillRates(columns, leads),
    emailStatus.length > 0 &&
      parts(
        'E-mail addresses by status',
        'The statuses of those that were found.',
        emailStatus.map(({ leads: value, status }) => ({
          name: wordsOf(cutText(status, NAME_MAX)),
          value,
          tone: toneOfEmail(status),
        })),
      ),
    yes + no + unknown > 0 &&
      parts(
        'E-mail addresses by domain',
        'Whether an address is at the domain of the company that was asked about.',
        [
          { name: 'the company’s', value: yes, tone: 'good' },
          { name: 'another', value: no, tone: 'warn' },
          { name: 'not known', value: unknown, tone: 'idle' },
        ],
      ),
    parts(
      'The sources of the answers',
      'Those from the state by their age when the run began.',
      agesOf(answers),
    ),
  );
}

interface Part {
  readonly name: string;
  readonly value: number;
  readonly tone: Tone;
}

function parts(title: string, about: string, all: readonly Part[]): Markup {
  const total = all.reduce((sum, { value }) => sum + value, 0);
  const written = all.map((part) => ({ ...part, text: formatNumber(part.value) }));
  const body: Content = total === 0 ? html`<p class="empty">None yet.</p>` : stackedBar(written);
  return card(title, body, { about });
}

/** The bar of ages: the older an answer, the paler its part; the last has no end. */
function agesOf({ known, paidNow, shared }: AnswerAges): Part[] {
  return [
    { name: 'paid now', value: paidNow, tone: 'good' },
    { name: 'shared with another line', value: shared, tone: 'wait' },
    ...known.map(({ daysMax, leads: value }, n): Part => {
      const from = known[n - 1]?.daysMax ?? 0;
      const name = daysMax === null ? `older than ${from} d` : `up to ${daysMax} d old`;
      return { name, value, tone: daysMax === null ? 'warn' : daysMax > 30 ? 'idle' : 'known' };
    }),
  ];
}

/** How full each column is, in numbers. */
export function qualityTables({ quality, tally }: RunFigures): readonly DataTable[] {
  const { columns = [] } = quality ?? {};
  if (columns.length === 0) return [];
  const hasOwn = columns.some(({ own }) => own !== null);
  return [
    {
      caption: 'Filled columns',
      columns: [
        { name: 'column' },
        { name: 'leads', isNumber: true },
        { name: 'share', isNumber: true },
        ...(hasOwn ? ['own before', 'with found'].map((name) => ({ name, isNumber: true })) : []),
      ],
      rows: columns.map(({ column, filled, own }) => [
        cutText(column, NAME_MAX),
        formatNumber(filled),
        formatShare(filled, tally.leads),
        ...(hasOwn
          ? [own?.filled, own?.either].map((n) => (n === undefined ? '' : formatNumber(n)))
          : []),
      ]),
    },
  ];
}

function fillRates(columns: readonly FillRate[], leads: number): Markup {
  const filled = columns.filter(({ filled, own }) => filled > 0 || (own?.filled ?? 0) > 0);
  const empty = columns.filter((column) => !filled.includes(column));
  const hasOwn = columns.some(({ own }) => own !== null);
  const bars = barList(
    filled.slice(0, BARS_MAX).map(({ column, filled, own }) => ({
      name: cutText(column, NAME_MAX),
      value: filled,
      before: own?.filled ?? null,
      text: formatShare(filled, leads),
      tone: 'good',
      about:
        own === null
          ? undefined
          : html`${cutText(own.column, NAME_MAX)}: ${formatShare(own.filled, leads)} before, ${formatShare(own.either, leads)} with what was found`,
    })),
    leads,
  );
  return card(
    'Filled columns',
    html`<div class="columns">${bars}</div>${
      filled.length > BARS_MAX &&
      html`<p class="quiet">And ${formatCount(filled.length - BARS_MAX, 'column')} more: see the numbers.</p>`
    }${
      empty.length > 0 &&
      html`<p class="quiet">Empty: ${cutText(empty.map(({ column }) => cutText(column, NAME_MAX)).join(', '), EMPTY_MAX)}.</p>`
    }`,
    {
      isWide: filled.length > NARROW_MAX,
      about: hasOwn
        ? 'Leads with a value, of all leads. The mark on a bar is what the input’s own column had.'
        : 'Leads with a value, of all leads.',
    },
  );
}
