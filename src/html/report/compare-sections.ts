// The comparison of two runs, for its page: numbers alone, and no person.
import { COMPARED_FIELDS, type ComparedField } from '../../model/report/compare-answers.js';
import type { CompareFigures } from '../../model/report/compare-figures.js';
import { compareRemarks, type KeyPlace } from '../../model/report/compare-remarks.js';
import { formatCount, formatNumber, formatShare } from '../../model/text/count.js';
import { barList, stackedBar } from '../charts/bars.js';
import { html, type Markup } from '../markup.js';
import {
  card,
  cards,
  dataTable,
  factList,
  figures as figureRow,
  notice,
  wordsOf,
} from '../parts.js';

/** The numbers of a comparison, below the title of its page. */
export function compareSections(figures: CompareFigures, place?: KeyPlace): Markup {
  if (figures.leads.both === 0) return nothingInCommon(figures, place);
  return html`${whatChanged(figures, place)}${byField(figures)}${notKnown(figures)}`;
}

/** The notice that both runs have no lead in common: all other numbers would be 0. */
function nothingInCommon(figures: CompareFigures, place?: KeyPlace): Markup {
  return html`<h2 id="changes">What changed?</h2><div class="stack">${remarksOf(figures, place)}${cards(inOneRun(figures))}</div>`;
}

function remarksOf(figures: CompareFigures, place?: KeyPlace): Markup | null {
  const remarks = compareRemarks(figures, place);
  if (remarks.length === 0) return null;
  return notice('warn', html`${remarks.map((remark) => html`<p>${remark}</p>`)}`);
}

function inOneRun({ key, leads }: CompareFigures): Markup {
  return card(
    'Leads in one run',
    factList([
      ['only before', formatNumber(leads.onlyBefore)],
      ['only after', formatNumber(leads.onlyAfter)],
    ]),
    { about: `The other run has no lead with ${key === null ? 'these inputs' : 'this key'}.` },
  );
}

function whatChanged(figures: CompareFigures, place?: KeyPlace): Markup {
  const { fields, leads } = figures;
  const parts = [
    { name: 'changed', value: leads.changed, tone: 'known' },
    { name: 'unchanged', value: leads.unchanged, tone: 'good' },
    { name: 'not known in both', value: leads.notKnown, tone: 'warn' },
  ] as const;
  return html`<h2 id="changes">What changed?</h2><div class="stack">${figureRow([
    {
      label: 'Another company',
      value: formatNumber(fields.company.changed),
      about: shareOfCompared(fields.company, 'company'),
    },
    {
      label: 'Another position',
      value: formatNumber(fields.title.changed),
      about: shareOfCompared(fields.title, 'position'),
    },
    {
      label: 'Another e-mail',
      value: formatNumber(fields.email.changed),
      about: `${formatNumber(fields.email.new)} new, ${formatNumber(fields.email.lost)} lost`,
    },
    {
      label: 'Now found',
      value: formatNumber(figures.nowFound),
      about: `${formatNumber(figures.noLongerFound)} no longer found`,
    },
  ])}${remarksOf(figures, place)}${cards(
    card(
      'Leads in both runs',
      stackedBar(parts.map((part) => ({ ...part, text: formatNumber(part.value) }))),
    ),
    inOneRun(figures),
  )}</div>`;
}

/** A share of those with a value in both runs: only a value in both can differ. */
function shareOfCompared({ changed, same }: FieldCounts, what: string): string {
  const compared = changed + same;
  if (compared === 0) return `no lead has a ${what} in both`;
  return `${formatShare(changed, compared)} of the ${formatCount(compared, 'lead')} with a ${what} in both`;
}

type FieldCounts = CompareFigures['fields'][ComparedField];

const NAMES: Readonly<Record<ComparedField, string>> = {
  email: 'E-mail',
  phone: 'Phone',
  company: 'Company',
  title: 'Position',
};
const CHANGES = [
  ['new', 'good'],
  ['changed', 'known'],
  ['lost', 'bad'],
] as const;
const OUTCOMES = ['new', 'changed', 'lost', 'same', 'none', 'not_known'] as const;
const OUTCOME_WORDS: Readonly<Record<(typeof OUTCOMES)[number], string>> = {
  new: 'new',
  changed: 'changed',
  lost: 'lost',
  same: 'the same',
  none: 'in neither',
  not_known: 'not known',
};

function byField({ changedEmailStatus, fields, leads }: CompareFigures): Markup {
  const about = 'A difference of case or white space is no change.';
  // Fields that were not asked for in both have no bars.
  const known = COMPARED_FIELDS.filter((field) => fields[field].not_known < leads.both);
  return html`<h2 id="fields">Which fields?</h2>${cards(
    ...known.map((field) =>
      card(
        NAMES[field],
        html`${barList(
          CHANGES.map(([outcome, tone]) => {
            const value = fields[field][outcome];
            return { name: outcome, value, text: formatNumber(value), tone };
          }),
          leads.both - fields[field].not_known,
        )}${
          field === 'email' &&
          changedEmailStatus > 0 &&
          html`<p class="quiet">${formatCount(changedEmailStatus, 'address has', 'addresses have')} another status than before.</p>`
        }`,
        {
          about: `${formatNumber(fields[field].same)} the same, ${formatNumber(fields[field].none)} in neither run`,
        },
      ),
    ),
    card(
      'All numbers',
      dataTable({
        caption: about,
        columns: [
          { name: 'leads in both' },
          ...OUTCOMES.map((outcome) => ({ name: OUTCOME_WORDS[outcome], isNumber: true })),
        ],
        rows: COMPARED_FIELDS.map((field) => [
          NAMES[field],
          ...OUTCOMES.map((outcome) => formatNumber(fields[field][outcome])),
        ]),
      }),
      { isWide: true },
    ),
  )}`;
}

/** The values that are not known, told apart from those that are gone. */
function notKnown({ after, before }: CompareFigures): Markup {
  const rows = [before, after].flatMap(({ id, unanswered }) =>
    Object.entries(unanswered).map(([status, leads]) => [
      `run ${id}`,
      wordsOf(status),
      formatNumber(leads),
    ]),
  );
  const body =
    rows.length === 0
      ? html`<p class="empty">Every lead in both runs has an answer in both.</p>`
      : dataTable({
          caption:
            'Leads in both runs without an answer in one of them. Nothing is counted as lost because of it.',
          columns: [
            { name: 'run' },
            { name: 'what became of it' },
            { name: 'leads', isNumber: true },
          ],
          rows,
        });
  return html`<h2 id="not-known">What is not known</h2>${card('Without an answer', body)}`;
}
