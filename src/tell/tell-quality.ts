// Tells how good the data of a run is: the values that were found beside those of the input, how sure and how old they
// are.
import { type Tone, toneOfEmail, wordsOf } from '../html/parts.js';
import type { AnswerAges, FillRate, MatchCount } from '../model/report/run-figures.js';
import { cutText, formatNumber, formatShare } from '../model/text/count.js';
import type { Bar, Bars, Part, Section } from './page.js';
import type { Known } from './run-data.js';
import { notes, section } from './shared.js';

const NAME_MAX = 40;

/** None if the rows were not read. */
export function qualitySection({ quality = null, tally }: Known): Section[] {
  if (quality === null) return [];
  const { answers, columns, companyMatch, domainMatch, emailStatus, nameMatch } = quality;
  const ages = stacked(
    'The sources of the answers',
    'Those from the state by their age when the run began.',
    agesOf(answers),
  );
  if (ages.length === 0) {
    return [qualityOf(notes('No lead has an answer.'))];
  }
  const parts = [
    ...(columns.length > 0 ? [fillRates(columns, tally.leads)] : []),
    ...stacked(
      'E-mail addresses by status',
      'The statuses of those that were found.',
      emailStatus.map(({ leads, status }) =>
        partOf(wordsOf(cutText(status, NAME_MAX)), leads, toneOfEmail(status)),
      ),
    ),
    ...stacked(
      'E-mail addresses by domain',
      'Whether an address is at the domain of the company that was asked about.',
      matched(domainMatch, 'the company’s', 'another'),
    ),
    ...stacked(
      'Profiles by name',
      'Whether the name that came back is the one that was asked about (name_matches).',
      matched(nameMatch, 'the one asked about', 'perhaps another person'),
    ),
    ...stacked(
      'Profiles by company',
      'Whether a current company is the one that was asked about (company_matches).',
      matched(companyMatch, 'the one asked about', 'another'),
    ),
    ...othersNote(nameMatch),
    ...ages,
  ];
  return [qualityOf(parts)];
}

export function qualityOf(parts: readonly Part[]): Section {
  return section('quality', 'How good is the data?', parts, 'Data');
}

/** `11 of 240 are perhaps another person`; nothing if none is. */
function othersNote({ no, yes }: Readonly<MatchCount>): Part[] {
  if (no === 0) return [];
  const are = no === 1 ? 'is' : 'are';
  const text = `${formatNumber(no)} of ${formatNumber(no + yes)} ${are} perhaps another person: the column name_matches says which.`;
  return [{ kind: 'note', tone: 'warn', text }];
}

function matched({ no, unknown, yes }: Readonly<MatchCount>, same: string, other: string): Bar[] {
  return [
    partOf(same, yes, 'good'),
    partOf(other, no, 'warn'),
    partOf('not known', unknown, 'idle'),
  ];
}

function partOf(name: string, count: number, tone: Tone): Bar {
  return { name, count, tone };
}

/** Nothing without a bar. */
function stacked(title: string, about: string, all: readonly Bar[]): Bars[] {
  const bars = all.filter(({ count }) => count > 0);
  return bars.length === 0 ? [] : [{ kind: 'bars', title, about, bars, isStacked: true }];
}

/** The bar of ages: the older an answer, the paler its part; the last has no end. */
function agesOf({ askedNow, known, shared }: AnswerAges): Bar[] {
  return [
    partOf('asked now', askedNow, 'good'),
    partOf('shared with another line', shared, 'wait'),
    ...known.map(({ daysMax, leads }, n) => {
      const from = known[n - 1]?.daysMax ?? 0;
      const name = daysMax === null ? `older than ${from} d` : `up to ${daysMax} d old`;
      return partOf(name, leads, daysMax === null ? 'warn' : daysMax > 30 ? 'idle' : 'known');
    }),
  ];
}

/** The limit for the names of empty columns, in characters. */
const EMPTY_MAX = 1_000;
/** The number of bars that fit beside another card. */
const NARROW_MAX = 6;

function fillRates(columns: readonly FillRate[], leads: number): Bars {
  const filled = columns.filter(({ filled, own }) => filled > 0 || (own?.filled ?? 0) > 0);
  const empty = columns.filter((column) => !filled.includes(column));
  const names = empty.map(({ column }) => cutText(column, NAME_MAX)).join(', ');
  const hasOwn = columns.some(({ own }) => own !== null);
  const mark = hasOwn ? ' The mark on a bar is what the input’s own column had.' : '';
  return {
    kind: 'bars',
    title: 'Filled columns',
    about: `Leads with a value, of all leads.${mark}`,
    of: leads,
    isWide: filled.length > NARROW_MAX,
    bars: filled.map(({ column, filled: count, own }) => ({
      name: cutText(column, NAME_MAX),
      count,
      text: `${formatNumber(count)} (${formatShare(count, leads)})`,
      tone: 'good',
      before: own?.filled ?? null,
      about:
        own === null
          ? undefined
          : `${cutText(own.column, NAME_MAX)}: ${formatNumber(own.filled)} (${formatShare(own.filled, leads)}) before, ${formatNumber(own.either)} (${formatShare(own.either, leads)}) with what was found`,
    })),
    notes: names === '' ? [] : [`Empty: ${cutText(names, EMPTY_MAX)}.`],
  };
}
