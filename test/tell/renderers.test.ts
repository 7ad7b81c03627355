import { expect, it } from 'vitest';
import { html } from '../../src/html/markup.js';
import { asHtml, contentsOf, numbersOf } from '../../src/tell/as-html.js';
import { asJson } from '../../src/tell/as-json.js';
import { asText } from '../../src/tell/as-text.js';
import type { Part } from '../../src/tell/page.js';
import { elementsOf } from '../html/read-markup.js';

const AT = Date.UTC(2026, 10, 21, 7, 40, 12);
const NUMBERS = { caption: 'Speed', columns: [{ name: 'after' }], rows: [['1 s']] };
/** One part of each kind, with a value of each kind. */
const PARTS: readonly Part[] = [
  { kind: 'note', tone: 'good', text: 'All is well.', isBig: true },
  {
    kind: 'facts',
    facts: [
      { name: 'leads', value: 1_234, about: 'of two files', more: ['12 of a.csv'] },
      { name: 'none', value: null },
      { name: 'begun', value: { at: AT } },
    ],
  },
  {
    kind: 'section',
    id: 'more',
    title: 'More',
    short: 'More',
    parts: [
      {
        kind: 'bars',
        title: 'Leads by outcome',
        about: 'Of all.',
        of: 10,
        bars: [
          { name: { mark: 'not found', tone: 'miss' }, count: 4, tone: 'miss', about: '40 %' },
          { name: 'found', count: 6, tone: 'good', text: { to: 'leads', run: 7, text: '6' } },
        ],
        notes: ['Two are to come.'],
      },
      {
        kind: 'chart',
        title: 'Speed',
        picture: html`drawn`,
        says: '4 a second.',
        numbers: NUMBERS,
      },
    ],
  },
  {
    kind: 'table',
    title: 'Runs',
    empty: 'None.',
    about: 'The newest first.',
    columns: [{ name: 'run' }, { name: 'begun' }, { name: 'credits', isNumber: true }],
    rows: [[{ to: 'run', run: 7, text: '7' }, { at: AT }, 1_000]],
  },
  { kind: 'table', title: 'Others', empty: 'No other.', columns: [], rows: [] },
  {
    kind: 'steps',
    title: 'What became of it',
    steps: [
      {
        name: 'Sent',
        at: AT,
        tone: 'wait',
        text: 'once',
        facts: [{ name: 'ticket', value: 'enr_1' }],
      },
    ],
  },
  { kind: 'note', title: 'Next', text: ['Go on: ', { code: 'sluice run' }] },
  { kind: 'command', command: 'sluice init' },
];

it('renders a page as text', () => {
  expect(`${asText(PARTS).join('\n')}\n`).toBe(`All is well.
leads             1,234  of two files
                  12 of a.csv
begun           2026-11-21 07:40:12 (UTC)
Leads by outcome (Of all)
  not found             4  40 %
  found                 6
  Two are to come.
Speed: 4 a second.
Runs
  run  begun (UTC)          credits
  7    2026-11-21 07:40:12    1,000
  The newest first.
No other.
What became of it
  Sent            once  2026-11-21 07:40:12 (UTC)
    ticket          enr_1
Go on: sluice run
  sluice init
`);
});

it('renders values below one another, also beside a long name', () => {
  const facts = [
    { name: 'Another position', value: 3 },
    { name: 'found', value: 12, about: 'of 20' },
  ];
  expect(asText([{ kind: 'facts', facts }])).toEqual([
    'Another position         3',
    'found                   12  of 20',
  ]);
});

it('renders the same page as HTML, with links where there are pages', () => {
  const words = (hrefs: boolean) =>
    elementsOf(asHtml(PARTS, hrefs ? ({ to }) => `/${to}` : undefined))
      .find(({ name }) => name === 'root')
      ?.text.replaceAll(/\s+/g, ' ');
  expect(words(true)).toBe(words(false));
  for (const said of [
    '1,234',
    'of two files',
    '2026-11-21 07:40:12',
    '40 %',
    '4 a second',
    'Sent',
  ]) {
    expect(words(true)).toContain(said);
  }
  expect(words(true)).not.toContain('none');
  expect(String(numbersOf(PARTS))).toContain('1 s');
  expect(String(contentsOf(PARTS))).toContain('<a href="#more">More</a>');
  expect(String(asHtml(PARTS, ({ to }) => `/${to}`))).toContain('<a href="/run">7</a>');
  expect(String(asHtml(PARTS))).not.toContain('<a ');
});

it('renders data as JSON: names in snake_case, times in ISO 8601, and what is data as it is', () => {
  const inputs = new Map([['firstName', 'Ada']]);
  const data = {
    startedAt: AT,
    at: AT,
    endedAt: null,
    byStatus: { not_found: 1 },
    inputs,
    b: [{ aB: 1 }],
  };
  expect(asJson({ ...data, amount: 1_500_000_000n, missing: undefined })).toEqual({
    started_at: '2026-11-21T07:40:12.000Z',
    at: '2026-11-21T07:40:12.000Z',
    ended_at: null,
    by_status: { not_found: 1 },
    inputs: { firstName: 'Ada' },
    b: [{ a_b: 1 }],
    amount: 1.5,
    missing: null,
  });
});

it('leaves no text that could steer a terminal, or become an element', () => {
  const evil = '\u001B[2J<script>"\u202E';
  const parts: Part[] = [
    { kind: 'note', text: evil },
    { kind: 'facts', facts: [{ name: 'x', value: evil, about: evil, more: [evil] }] },
    { kind: 'table', title: evil, empty: '', columns: [{ name: evil }], rows: [[evil]] },
    { kind: 'bars', title: evil, bars: [{ name: evil, count: 1, tone: 'good', about: evil }] },
    { kind: 'steps', title: evil, steps: [{ name: evil, at: null, tone: 'good', text: evil }] },
    { kind: 'command', command: evil },
  ];
  expect(asText(parts).join('')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(String(asHtml(parts))).not.toContain('<script');
});
