// The page that compares two runs of a job: the choice of both, and the changes between them. The sections are those of
// the report (report/).
import { html, type Markup } from '../../html/markup.js';
import { notice } from '../../html/parts.js';
import { compareSections } from '../../html/report/compare-sections.js';
import type { CompareFigures } from '../../model/report/compare-figures.js';
import { isOpen, type Run } from '../../model/run.js';
import { cutText, formatCount, formatNumber } from '../../model/text/count.js';
import { formatTime } from '../../model/text/format-time.js';
import type { FormatName } from '../../output/table-format.js';
import { tableDownloads } from '../download-links.js';
import type { Counting } from '../keep-counts.js';
import { jobLink, link, selectField } from '../links.js';
import { changesPath, PATHS, pathTo, runPath } from '../paths.js';
import { layOutCounted } from '../run/run-view.js';

interface CompareQuery {
  readonly before?: number | undefined;
  readonly after?: number | undefined;
  /** A column that identifies a lead in both. */
  readonly key?: string | undefined;
  /** The time of their comparison, by which it is done once more. */
  readonly again?: number | undefined;
}

export interface CompareForm {
  readonly job: string;
  /** The name of the dropped file of the job; null for any other job. */
  readonly file: string | null;
  /** The runs to choose from, the newest first. */
  readonly runs: readonly Run[];
  /** The columns that both chosen runs have. */
  readonly columns: readonly string[];
  readonly chosen: CompareQuery;
  /** The time of the form: a comparison after it is not older than the form. */
  readonly at: number;
}

const NAME_MAX = 60;

/** The form, which does not change while a user fills it in. */
export function layOutCompareForm({ at, chosen, columns, file, job, runs }: CompareForm): Markup {
  const head = html`<p class="crumbs">${link(PATHS.jobs, 'Jobs')} / ${jobLink(job, file)}</p><h1>Compare two runs of ${file ?? job}</h1>`;
  if (runs.length < 2) {
    return html`${head}<p class="empty">${file ?? job} has run once with this state: there is nothing to compare it with yet.</p>`;
  }
  const choices = runs.map((run) => ({ value: String(run.id), words: wordsOf(run) }));
  return html`${head}<form class="filters" method="get" action="${pathTo(PATHS.compare, { job })}"><input type="hidden" name="again" value="${at}">${selectField(
    'before',
    'Before',
    numbered(chosen.before),
    choices,
    null,
  )}${selectField('after', 'After', numbered(chosen.after), choices, null)}${selectField(
    'key',
    'Who is the same person',
    chosen.key,
    columns.map((name) => ({ value: name, words: `the same ${cutText(name, NAME_MAX)}` })),
    'the same inputs',
  )}<button class="main">Compare</button><p class="hint">Choose a column that stays when name and company change, such as the id of your CRM. Without one, leads that were asked about with the same inputs are the same person.</p></form>`;
}

function numbered(run: number | undefined): string | undefined {
  return run === undefined ? undefined : String(run);
}

function wordsOf({ id, leadCount, startedAt, state }: Run): string {
  const odd = isOpen(state) ? ', goes on' : state === 'finished' ? '' : `, ${state}`;
  return `Run ${id}, ${formatTime(startedAt).slice(0, -3)}, ${formatCount(leadCount, 'lead')}${odd}`;
}

export interface Comparison {
  readonly job: string;
  readonly query: CompareQuery;
  readonly counting: Counting;
  /** The number of leads of both runs. */
  readonly total: number;
  /** Null until all of them are read. */
  readonly figures: CompareFigures | null;
}

/** The numbers; the persons are only in files. */
export function layOutComparison({ counting, figures, job, query, total }: Comparison): Markup {
  const again = pathTo(PATHS.compare, { job }, { ...query, again: counting.at ?? 0 });
  const words = { again: 'Compare again', done: 'Compared' };
  const counted = layOutCounted(counting, total, again, words);
  if (figures === null) return counted;
  const { after, before, leads } = figures;
  const asked = { ...query, again: undefined };
  const changes = (format: FormatName): string => pathTo(changesPath(format), { job }, asked);
  const who = notice(
    'known',
    html`<p><strong>Who?</strong> ${personsOf(figures)}</p><p class="row">${tableDownloads('the changes', changes)}</p>`,
  );
  const sections = compareSections(figures, 'form');
  // If they have no lead in common, that is said before its consequences.
  const rest = leads.both === 0 ? [sections, who] : [who, sections];
  return html`<div class="stack"><div class="row"><span>From ${link(runPath(before.id), `run ${before.id}`)} to ${link(runPath(after.id), `run ${after.id}`)}.</span>${counted}</div>${rest[0]}</div>${rest[1]}`;
}

/** The persons in the table of changes, with the reason. */
function personsOf({ after, before, leads }: CompareFigures): string {
  const { changed, onlyAfter, onlyBefore } = leads;
  const persons = changed + onlyBefore + onlyAfter;
  if (persons === 0) return 'Nothing changed for any of them.';
  const parts = [
    [changed, 'changed'],
    [onlyBefore, `only in run ${before.id}`],
    [onlyAfter, `only in run ${after.id}`],
  ] as const;
  const split = parts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${formatNumber(count)} ${what}`);
  return `${formatCount(persons, 'person is', 'persons are')} in the table of changes: ${split.join(', ')}.`;
}
