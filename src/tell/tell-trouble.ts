// Tells what went wrong in a run: each reason with its lines and the command that helps, what disturbed it, and at the end
// what to do next, where a terminal shows it.
import { toneOfStatus, wordsOf } from '../html/parts.js';
import type { LeadStatus } from '../model/answer.js';
import { groupBy } from '../model/group-by.js';
import type { PlaceOfLine, TroubleFigures } from '../model/report/run-figures.js';
import type { Run } from '../model/run.js';
import { FORGOTTEN_REASON, type StatusReason } from '../model/tally.js';
import { cutText, formatCount, formatNumber } from '../model/text/count.js';
import type { Bar, Part, Section, Table } from './page.js';
import type { Known } from './run-data.js';
import { section, table } from './shared.js';

const NAME_MAX = 40;
const PLACES_MAX = 6;

const NOT_ASKED: readonly LeadStatus[] = ['skipped', 'not_asked'];
/** Each reason has one of them. */
const GROUPS = {
  'went wrong': [
    {
      title: 'Why leads have no answer',
      has: ({ reason, status }: StatusReason) =>
        status !== 'found' &&
        status !== 'not_found' &&
        !NOT_ASKED.includes(status) &&
        reason !== FORGOTTEN_REASON,
    },
  ],
  'as it is': [
    // A waterfall shows a value that it does not accept if no step finds a better one.
    { title: 'Found, but doubtful', has: ({ status }: StatusReason) => status === 'found' },
    {
      title: 'Why nothing was found',
      has: ({ status }: StatusReason) => status === 'not_found',
    },
    {
      title: 'Why leads were not asked',
      has: ({ status }: StatusReason) => NOT_ASKED.includes(status),
    },
    {
      title: 'No longer shown',
      has: ({ reason }: StatusReason) => reason === FORGOTTEN_REASON,
    },
  ],
};

function troubleOf({ next = [], tally, trouble }: Known): TroubleFigures {
  const reasons = tally.reasons.map((one) => ({ ...one, places: [], command: null }));
  return trouble ?? { reasons, rejects: [], disturbances: [], advice: next };
}

/** The reasons of leads: of those that went wrong, or of the others. */
export function reasonParts(told: Known, kind: keyof typeof GROUPS): Part[] {
  const { run, tally } = told;
  const trouble = troubleOf(told);
  const bars = trouble.reasons.map((one, n) => ({
    one,
    bar: reasonBar(one, newCommand(trouble, n), run),
  }));
  const about = `of ${formatCount(tally.leads, 'lead')}`;
  return GROUPS[kind].flatMap(({ has, title }): Part[] => {
    const own = bars.filter(({ one }) => has(one)).map(({ bar }) => bar);
    if (own.length === 0) return [];
    const isWide = kind === 'went wrong';
    return [{ kind: 'bars', title, about, of: tally.leads, isWide, bars: own }];
  });
}

export function troubleSection(told: Known): Section[] {
  const { run, tally } = told;
  const trouble = troubleOf(told);
  const wrong: Part[] = [
    ...reasonParts(told, 'went wrong'),
    ...(trouble.rejects.length > 0 ? [rejectTable(trouble.rejects, tally.rejects, run)] : []),
    ...notes('warn', 'What disturbed the run', trouble.disturbances),
  ];
  const parts = [...wrong, ...notes('wait', 'What to do next', trouble.advice)];
  // At the end of a run it needs no word that nothing went wrong: that is told at its beginning.
  if (parts.length === 0 && told.trouble === undefined) return [];
  const quiet = { kind: 'note', text: 'Nothing went wrong that Sluice knows of.' } as const;
  const shown = parts.length === 0 ? [quiet] : parts;
  return wrong.length === 0
    ? [section('trouble', 'What next?', shown, 'Next')]
    : [section('trouble', 'What went wrong, and what to do next', shown, 'Trouble')];
}

function notes(tone: 'wait' | 'warn', title: string, sentences: readonly string[]): Part[] {
  const [text, ...more] = sentences;
  return text === undefined ? [] : [{ kind: 'note', tone, title, text, more }];
}

/** The command of a reason, unless it was named above it. */
function newCommand({ advice, reasons: all }: TroubleFigures, n: number): string | null {
  const command = all[n]?.command ?? null;
  if (command === null || advice.some((sentence) => sentence.includes(command))) return null;
  return all.findIndex((one) => one.command === command) === n ? command : null;
}

function reasonBar(
  { leads, places, reason, status }: TroubleFigures['reasons'][number],
  command: string | null,
  run: Run,
): Bar {
  return {
    name: `${wordsOf(status)}: ${reason}`,
    count: leads,
    text: { to: 'leads', run: run.id, outcome: status, reason, text: formatNumber(leads) },
    tone: toneOfStatus(status),
    about: placesOf(places, leads, run),
    more: command === null ? [] : [{ code: command }],
  };
}

/** `lines 3, 17 of a.csv; line 9 of b.csv and 20 more`; empty if no line is known. */
function placesOf(places: readonly PlaceOfLine[], leads: number, run: Run): string {
  if (places.length === 0) return '';
  const shown = places.slice(0, PLACES_MAX);
  const byFile = groupBy(shown, ({ source }) => source);
  const more = leads - shown.length;
  const named = Array.from(byFile, ([source, within]) => {
    const lines = within.map(({ line }) => formatNumber(line));
    const file = byFile.size > 1 || run.sources.length > 1 ? ` of ${fileOf(source, run)}` : '';
    return `${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}${file}`;
  });
  return `${named.join('; ')}${more > 0 ? ` and ${formatNumber(more)} more` : ''}`;
}

function fileOf(source: number, { sources }: Run): string {
  return cutText(sources[source] ?? `file ${source + 1}`, NAME_MAX);
}

function rejectTable(shown: TroubleFigures['rejects'], all: number, run: Run): Table {
  const rows = shown.map(({ line, reason, source }) => {
    return [formatNumber(line), run.sources.length > 1 ? fileOf(source, run) : null, reason];
  });
  const about =
    all > shown.length
      ? `The first ${formatNumber(shown.length)} of ${formatNumber(all)}; the rejects file beside the table has all.`
      : `${formatCount(all, 'line')}; the rejects file beside the table has the complete lines.`;
  return table('Lines that could not be read', ['line', 'file?', 'reason…'], rows, { about });
}
