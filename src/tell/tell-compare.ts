// Tells what differs between two runs: numbers alone, and no person.
import type { CompareReport } from '../app/report/compare-runs.js';
import { wordsOf } from '../html/parts.js';
import { COMPARED_FIELDS, type ComparedField } from '../model/report/compare-answers.js';
import type { ComparedRun, CompareFigures } from '../model/report/compare-figures.js';
import { compareRemarks, type KeyPlace } from '../model/report/compare-remarks.js';
import { formatCount, formatNumber, formatShare } from '../model/text/count.js';
import type { Page, Part } from './page.js';
import { factPart, factsOf, section, table } from './shared.js';

export function tellCompare({ changes, figures }: CompareReport, place?: KeyPlace): Page {
  const { after, before, changedEmailStatus, fields, key, leads, nowFound, noLongerFound, shared } =
    figures;
  const remarks = compareRemarks(figures, place);
  const notes = remarks.map((text) => ({ kind: 'note', tone: 'warn', text }) as const);
  const whatChanged: Part[] =
    leads.both === 0
      ? [...notes, inOneRun(figures)]
      : [changedFacts(figures), ...notes, inBothRuns(figures), inOneRun(figures)];
  return {
    title: `Run ${before.id} and run ${after.id} compared`,
    parts: [
      section('changes', 'What changed?', whatChanged),
      // Without a lead in common all other numbers would be 0.
      ...(leads.both === 0 ? [] : [byField(figures), notKnown(figures)]),
    ],
    data: {
      before: runData(before),
      after: runData(after),
      key,
      leads,
      ...fields,
      changedEmailStatus,
      nowFound,
      noLongerFound,
      oneAnswer: shared,
      remarks,
      changes,
    },
  };
}

function runData({ endedAt, id, job, late, state, startedAt, ...one }: ComparedRun) {
  const { forgotten, leads, repeated, suppressed, unanswered, withoutKey } = one;
  const left = { withoutKey, suppressed, forgotten, repeated };
  const counts = { leads, ...left, unanswered, answeredAfterItsEnd: late };
  return { run: id, job, state, startedAt, endedAt, ...counts };
}

function changedFacts({ fields, noLongerFound, nowFound }: CompareFigures): Part {
  const { company, email, title } = fields;
  const addresses = `${formatNumber(email.new)} new, ${formatNumber(email.lost)} lost`;
  const facts = factsOf(
    ['Another company', company.changed, shareOfCompared(company, 'company')],
    ['Another position', title.changed, shareOfCompared(title, 'position')],
    ['Another e-mail', email.changed, addresses],
    ['Now found', nowFound, `${formatNumber(noLongerFound)} no longer found`],
  );
  return { kind: 'facts', shape: 'figures', facts };
}

/** A share of those with a value in both runs: only a value in both can differ. */
function shareOfCompared({ changed, same }: FieldCounts, what: string): string {
  const compared = changed + same;
  if (compared === 0) return `no lead has a ${what} in both`;
  return `${formatShare(changed, compared)} of the ${formatCount(compared, 'lead')} with a ${what} in both`;
}

type FieldCounts = CompareFigures['fields'][ComparedField];

function inBothRuns({ leads }: CompareFigures): Part {
  return {
    kind: 'bars',
    title: 'Leads in both runs',
    isStacked: true,
    bars: [
      { name: 'changed', count: leads.changed, tone: 'known' },
      { name: 'unchanged', count: leads.unchanged, tone: 'good' },
      { name: 'not known', count: leads.notKnown, tone: 'warn' },
    ],
  };
}

function inOneRun({ key, leads }: CompareFigures): Part {
  const about = `the other run has no lead with ${key === null ? 'these inputs' : 'this key'}`;
  const before = ['only before', leads.onlyBefore, about] as const;
  return factPart('Leads in one run', before, ['only after', leads.onlyAfter]);
}

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
const OUTCOMES = [
  ['new', 'new'],
  ['changed', 'changed'],
  ['lost', 'lost'],
  ['same', 'the same'],
  ['none', 'in neither'],
  ['not_known', 'not known'],
] as const;

function byField({ changedEmailStatus, fields, leads }: CompareFigures): Part {
  // Fields that were not asked for in both have no bars.
  const known = COMPARED_FIELDS.filter((field) => fields[field].not_known < leads.both);
  const addresses = formatCount(changedEmailStatus, 'address has', 'addresses have');
  return section('fields', 'Which fields?', [
    ...known.map(
      (field): Part => ({
        kind: 'bars',
        title: NAMES[field],
        about: `${formatNumber(fields[field].same)} the same, ${formatNumber(fields[field].none)} in neither run`,
        of: leads.both - fields[field].not_known,
        bars: CHANGES.map(([name, tone]) => ({ name, count: fields[field][name], tone })),
        notes:
          field === 'email' && changedEmailStatus > 0
            ? [`${addresses} another status than before.`]
            : [],
      }),
    ),
    table(
      'All numbers',
      ['leads in both', ...OUTCOMES.map(([, name]) => `*${name}`)],
      COMPARED_FIELDS.map((field) => [
        NAMES[field],
        ...OUTCOMES.map(([outcome]) => fields[field][outcome]),
      ]),
      { about: 'A difference of case or white space is no change.' },
    ),
  ]);
}

/** The values that are not known, told apart from those that are gone. */
function notKnown({ after, before }: CompareFigures): Part {
  const rows = [before, after].flatMap(({ id, unanswered }) =>
    Object.entries(unanswered).map(([status, leads]) => [`run ${id}`, wordsOf(status), leads]),
  );
  const columns = ['run', 'what became of it', '*leads'];
  return section('not-known', 'What is not known', [
    table('Without an answer', columns, rows, {
      about:
        'Leads in both runs without an answer in one of them. Nothing is counted as lost because of it.',
      empty: 'Every lead in both runs has an answer in both.',
    }),
  ]);
}
