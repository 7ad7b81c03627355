// The leads of a run, a page at a time.
import { type Content, html, type Markup } from '../../html/markup.js';
import { dataTable, wordsOf } from '../../html/parts.js';
import type { LeadAnswer } from '../../model/answer.js';
import { isOpen, type Run } from '../../model/run.js';
import { leadsIn, type RunTally } from '../../model/tally.js';
import { cutText, formatCount, formatNumber } from '../../model/text/count.js';
import type { Counting } from '../keep-counts.js';
import { link, pager, selectField } from '../links.js';
import { type LeadsQuery, leadsPath, PATHS, runPath } from '../paths.js';
import { layOutCounted } from '../run/run-page.js';
import { type LeadsPage, SORTED_MAX } from './choose-leads.js';
import { LEAD_COLUMNS, linePath } from './lead-columns.js';
import { type ChosenCounts, FACETS, type Facet, type FacetCount } from './lead-index.js';

/** A page of leads, by line unless `sorted` says which page of how many it is. */
export interface ChosenPage extends LeadsPage {
  readonly sorted: { readonly page: number; readonly pages: number } | null;
}

export interface LeadsView {
  readonly run: Pick<Run, 'id' | 'job' | 'sources' | 'columns' | 'leadCount' | 'state'>;
  /** The name of the dropped file of its job; null for any other job. */
  readonly file: string | null;
  readonly query: LeadsQuery;
  readonly tally: RunTally;
  /** The counts of chosen leads; null until every row is read. */
  readonly counts: ChosenCounts | null;
  /** How far reading every row has come; null if that was not begun. */
  readonly counting: Counting | null;
  /** Null if the leads cannot be chosen before every row is read. */
  readonly page: ChosenPage | null;
}

export function leadsTitle({ run }: Pick<LeadsView, 'run'>): string {
  return `Leads of run ${run.id}`;
}

/** The way back, the heading and the form, which do not change while a user fills it in. */
export function layOutLeadsHead(view: LeadsView): Markup {
  const { file, query, run } = view;
  const { sort, text } = query;
  const orders = LEAD_COLUMNS.flatMap(({ key, name }) => [
    { value: key, words: name },
    { value: `-${key}`, words: `${name}, last first` },
  ]);
  return html`<p class="crumbs">${link(PATHS.runs, 'Runs')} / ${link(runPath(run.id), `Run ${run.id}`)}</p>
<h1>${leadsTitle(view)} of ${file ?? run.job}</h1>
<form class="filters" method="get" action="${leadsPath(run.id)}" role="search" data-at-once>${FACETS.map(
    (facet) =>
      query[facet] !== undefined &&
      html`<input type="hidden" name="${facet}" value="${query[facet]}">`,
  )}<div class="field"><label for="text">Text</label><input id="text" name="text" type="search" maxlength="200" value="${text ?? ''}" aria-describedby="text-hint"></div>${selectField(
    'sort',
    'Sorted by',
    sort ?? 'line',
    orders,
    null,
  )}<button>Show</button>${isFiltered(query) && link(leadsPath(run.id, { sort }), 'All leads')}<p class="hint" id="text-hint">Every word is looked for in cells, inputs, results, tickets and reasons. That reads every lead, and takes longer than the rest.<span class="keys"> Keys: <kbd>j</kbd> and <kbd>k</kbd> go from lead to lead, <kbd>Enter</kbd> opens one, <kbd>/</kbd> looks for a text.</span></p></form>`;
}

/** The facets and the table, with links to the other pages. */
export function layOutLeads(view: LeadsView): Markup {
  const { page, query, run } = view;
  const head = html`${facetsOf(view)}${countingOf(view)}`;
  if (page === null) return head;
  const isBackwards = query.before !== undefined;
  const { leads, lookedTo } = page;
  const cut =
    lookedTo !== null &&
    html`<p class="notice wait">Looked through the leads ${isBackwards ? 'back' : 'up'} to number ${formatNumber(lookedTo)} of ${formatNumber(run.leadCount)}, which takes as long as a page may. There may be more.</p>`;
  if (leads.length === 0) return html`${head}${cut || emptyOf(view)}${pagesOf(view, page)}`;
  return html`${head}${tableOf(view, page)}${cut}${pagesOf(view, page)}`;
}

function pathWith({ query, run }: LeadsView, changes: LeadsQuery): string {
  return leadsPath(run.id, {
    ...query,
    before: undefined,
    after: undefined,
    page: undefined,
    ...changes,
  });
}

function pagesOf(view: LeadsView, { lookedTo, next, previous, sorted }: ChosenPage): Content {
  const at = (bounds: LeadsQuery): string => pathWith(view, bounds);
  if (sorted !== null) {
    const { page, pages } = sorted;
    return pager('Pages of leads', [
      [page > 1 ? at({}) : null, 'First', 'prev'],
      [page > 1 ? at({ page: page - 1 }) : null, 'Previous', 'prev'],
      [page < pages ? at({ page: page + 1 }) : null, 'Next', 'next'],
    ]);
  }
  const { after, before } = view.query;
  const isBackwards = before !== undefined;
  const hasCut = lookedTo !== null;
  return pager('Pages of leads', [
    [after === undefined && before === undefined ? null : at({}), 'First', 'prev'],
    [
      previous === null ? null : at({ before: previous }),
      hasCut && isBackwards ? 'Look further back' : 'Previous',
      'prev',
    ],
    [
      next === null ? null : at({ after: next }),
      hasCut && !isBackwards ? 'Look further' : 'Next',
      'next',
    ],
  ]);
}

const FACET_NAMES: Readonly<Record<Facet, string>> = {
  outcome: 'Outcome',
  reason: 'Reason',
  email: 'E-mail status',
  step: 'Found by step',
};
/** The values of a facet that are offered; the address takes any. */
const VALUES_SHOWN = 20;
/** The limit of a value's length. */
const VALUE_LENGTH_MAX = 60;

function facetsOf(view: LeadsView): Markup {
  return html`<div class="facets">${FACETS.map((facet) => facetOf(facet, view))}</div>`;
}

function facetOf(facet: Facet, view: LeadsView): Markup | null {
  const { query } = view;
  const chosen = query[facet];
  const counted = countsOf(view)[facet];
  const isThere = chosen === undefined || counted.some(({ value }) => value === chosen);
  const values = [...(isThere ? [] : [{ value: chosen, leads: null }]), ...counted];
  if (values.length === 0) return null;
  // The counts are of all leads, whatever text is searched for.
  const chips = values.slice(0, VALUES_SHOWN).map(({ leads, value }) => {
    const isChosen = value === chosen;
    const path = pathWith(view, { [facet]: isChosen ? undefined : value });
    const words = cutText(facet === 'reason' ? value : wordsOf(value), VALUE_LENGTH_MAX);
    return html`<a class="chip" href="${path}"${isChosen && html` aria-current="true"`}${words.endsWith('…') && html` title="${value}"`}>${isChosen && html`<span aria-hidden="true">✕ </span>`}${words}${leads !== null && query.text === undefined && html` <b>${formatNumber(leads)}</b>`}</a>`;
  });
  const more = values.length - VALUES_SHOWN;
  return html`<nav class="row" aria-label="${FACET_NAMES[facet]}"><span class="quiet">${FACET_NAMES[facet]}</span>${chips}${more > 0 && html`<span class="quiet">and ${formatNumber(more)} more</span>`}</nav>`;
}

/** The counts of each value; before every row is read, those that the run has of all its leads. */
function countsOf({ counts, tally }: LeadsView): Readonly<Record<Facet, readonly FacetCount[]>> {
  if (counts !== null) return counts.facets;
  const outcomes = Object.keys(tally.byStatus) as (keyof RunTally['byStatus'])[];
  const reasons = new Map<string, number>();
  for (const { leads, reason } of [...tally.reasons, ...tally.inPart.reasons]) {
    reasons.set(reason, (reasons.get(reason) ?? 0) + leads);
  }
  return {
    outcome: outcomes
      .map((value) => ({ value, leads: outcomeLeads(tally, value) }))
      .filter(({ leads }) => leads > 0)
      .toSorted((a, b) => b.leads - a.leads),
    reason: Array.from(reasons, ([value, leads]) => ({ value, leads })),
    email: [],
    step: [],
  };
}

function outcomeLeads(tally: RunTally, outcome: keyof RunTally['byStatus']): number {
  return outcome === 'skipped' || outcome === 'not_asked'
    ? tally.byStatus[outcome]
    : leadsIn(tally, outcome);
}

/** What is still counted, what was counted when, or what is not counted. */
function countingOf({ counting, page, query, run }: LeadsView): Content {
  const again = leadsPath(run.id, query);
  const path = `${again}${again.includes('?') ? '&' : '?'}count=${counting?.at ?? 0}`;
  const words = { again: 'Count again', done: 'Counted' };
  if (counting === null) {
    return (
      isOpen(run.state) &&
      html`<p class="hint">Leads are counted by e-mail status and step when the run has ended.</p>`
    );
  }
  const counted = layOutCounted(counting, run.leadCount, path, words);
  const isWaiting = counting.at === null && counting.trouble === null;
  return html`${counted}${isWaiting && html`<p class="hint">Every lead is read once, to count them by e-mail status and step.${page === null && ' Those that you have chosen are shown then.'}</p>`}`;
}

function emptyOf({ query, run }: LeadsView): Markup {
  if (run.leadCount === 0) {
    return html`<p class="empty">No lead of this run is read yet. They appear here as they are.</p>`;
  }
  if (isFiltered(query)) {
    return html`<p class="empty">No ${query.after === undefined && query.before === undefined ? '' : 'further '}lead is like this. ${link(leadsPath(run.id), 'All leads')}</p>`;
  }
  return html`<p class="empty">There are no further leads. ${link(leadsPath(run.id), 'From the first')}</p>`;
}

/** The number of leads that match the query; null if it is not counted. */
function totalOf(view: LeadsView): number | null {
  const { counts, query, run, tally } = view;
  const { outcome, reason, text } = query;
  if (text !== undefined) return null;
  if (counts !== null) return counts.leads;
  if (reason === undefined) {
    return outcome === undefined ? run.leadCount : outcomeLeads(tally, outcome);
  }
  // Leads that are asked in part are not counted by outcome, and only the most frequent reasons are counted.
  const own = tally.reasons.filter((one) => one.reason === reason);
  const part = tally.inPart.reasons.find((one) => one.reason === reason);
  if (part !== undefined) return own.length === 0 && outcome === undefined ? part.leads : null;
  const counted = own.filter(({ status }) => outcome === undefined || status === outcome);
  return counted.length === 0 ? null : counted.reduce((sum, { leads }) => sum + leads, 0);
}

function tableOf(view: LeadsView, { leads, sorted }: ChosenPage): Markup {
  const { query } = view;
  const total = totalOf(view);
  const now = sorted === null ? 'line' : (query.sort ?? 'line');
  const columns = LEAD_COLUMNS.map(({ key, ...column }) => ({
    ...column,
    isOptional: true,
    sort: {
      path: pathWith(view, { sort: now === key ? `-${key}` : key === 'line' ? undefined : key }),
      now:
        now === key ? ('ascending' as const) : now === `-${key}` ? ('descending' as const) : null,
    },
  }));
  const of = total === null ? '' : ` of ${formatNumber(total)}`;
  const order = wordsOfOrder(now);
  const isTooMany = query.sort !== undefined && sorted === null;
  const caption = `${formatCount(leads.length, 'lead')}${of} on this page, by ${order}`;
  const note =
    isTooMany &&
    html`<p class="hint">Up to ${formatNumber(SORTED_MAX)} chosen leads are sorted by any column. These are more, and stand by line: choose fewer by what they have in common.</p>`;
  const rows = leads.map((lead) => rowOf(view, lead));
  return html`${note}${dataTable({ caption, isStacked: true, columns, rows })}`;
}

function wordsOfOrder(sort: string): string {
  const name = LEAD_COLUMNS.find(({ key }) => key === sort.replace('-', ''))?.name ?? 'Line';
  return `${name.toLowerCase()}${sort.startsWith('-') ? ', last first' : ''}`;
}

function rowOf({ query, run }: LeadsView, lead: LeadAnswer): readonly Content[] {
  return LEAD_COLUMNS.map(({ cell }) => cell({ lead, path: linePath(run, lead, query), run }));
}

function isFiltered(query: LeadsQuery): boolean {
  return query.text !== undefined || FACETS.some((facet) => query[facet] !== undefined);
}
