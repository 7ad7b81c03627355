import { type Content, html, type Markup } from '../../html/markup.js';
import { dataTable, wordsOf } from '../../html/parts.js';
import type { LeadStatus } from '../../model/answer.js';
import { isOpen, type Run } from '../../model/run.js';
import { leadsIn, type RunTally } from '../../model/tally.js';
import { cutText, formatCount, formatNumber } from '../../model/text/count.js';
import { called, runIn } from '../action.js';
import { tableDownloads } from '../download-links.js';
import type { Counting } from '../keep-counts.js';
import { liveSection } from '../layout.js';
import { COLUMNS_MAX, link, NAME_MAX, pager, selectField } from '../links.js';
import { memoryOf } from '../memory.js';
import type { PageContent, UiContext, Visit } from '../page.js';
import { type LeadsQuery, leadsPath, PATHS, pathTo, runPath } from '../paths.js';
import { numberIn } from '../read-query.js';
import { layOutCounted } from '../run/run-page.js';
import {
  chooseLeads,
  type LeadSource,
  type LeadsPage,
  leadsQueryIn,
  SORTED_MAX,
  sortLeads,
} from './choose-leads.js';
import { columnsOf, linePath } from './lead-columns.js';
import { type ChosenCounts, FACETS, type Facet, type FacetCount } from './lead-index.js';

export const SHOWN = 50;

interface LeadsView {
  readonly run: Run;
  readonly query: LeadsQuery;
  /** The columns of the input that are shown. */
  readonly own: readonly string[];
  readonly tally: RunTally;
  /** The counts of chosen leads; null until every row is read. */
  readonly counts: ChosenCounts | null;
  /** How far reading every row has come; null if that was not begun. */
  readonly counting: Counting | null;
  /** Null if the leads cannot be chosen before every row is read. */
  readonly page: ChosenPage | null;
}

/** A page of leads, by line unless `sorted` says which page it is, and of how many leads. */
interface ChosenPage extends LeadsPage {
  readonly sorted: { readonly page: number; readonly of: number } | null;
}

export async function showLeads(context: UiContext, visit: Visit): Promise<PageContent> {
  const run = await runIn(context, visit);
  const query = leadsQueryIn(visit, run);
  const { ownColumns } = memoryOf(context);
  const wish = visit.query.getAll('own').map(Number);
  if (wish.length > 0) {
    ownColumns.set(
      run.job,
      run.columns.filter((_, n) => wish.includes(n)).map(({ key }) => key),
    );
  }
  const own = ownColumns.get(run.job) ?? [];
  const tally = await memoryOf(context).tallyOf(run);
  const { counting, index, source } = await sourceOf(context, run, query, numberIn(visit, 'count'));
  const isKnown = index !== null || (query.email === undefined && query.step === undefined);
  const page = isKnown ? await pageOf(source, query) : null;
  const view = { run, query, own, tally, counts: index?.count(query) ?? null, counting, page };
  const list = liveSection('leads', layOutLeads(view));
  const isCounting = counting !== null && counting.at === null;
  // The text is searched for only once, because that reads many leads.
  const isLive = isOpen(run.state) && query.text === undefined;
  const title = `Leads of run ${run.id}`;
  return {
    title,
    body: html`<p class="crumbs">${link(PATHS.runs, 'Runs')} / ${link(runPath(run.id), `Run ${run.id}`)}</p>
<h1>${title} of ${called(context, run.job)}</h1>${formOf(run, query, own)}${list.markup}`,
    live: [list],
    isFinal: !isLive && !isCounting,
  };
}

/**
 * The source of the leads, and the index of the values by which they are chosen; null until every row is read. Those of
 * a run that has ended are read again when they change; those of one that goes on only if the address needs them.
 * `countAfter`: they are read again, unless that was done since.
 */
export async function sourceOf(
  context: UiContext,
  run: Run,
  { email, step, text }: LeadsQuery,
  countAfter?: number,
) {
  const { clock, store } = context;
  const { found, rows, shownSince } = memoryOf(context);
  const { endedAt, id, leadCount } = run;
  const after = Math.max(countAfter ?? 0, endedAt === null ? 0 : await shownSince(run));
  const isNeeded = endedAt !== null || email !== undefined || step !== undefined;
  const isSearched = text !== undefined && endedAt !== null && leadCount <= SORTED_MAX;
  const counting = isSearched
    ? await found.countAfter({ run: id, text }, after)
    : isNeeded || countAfter !== undefined
      ? await rows.countAfter(id, after)
      : rows.of(id);
  const index = counting?.figures?.index ?? null;
  // What a run that goes on has counted is old.
  const known = isNeeded && index !== null ? { index } : {};
  const source: LeadSource = { store, run, now: () => clock.now(), ...known };
  return { counting, index, source };
}

async function pageOf(source: LeadSource, query: LeadsQuery): Promise<ChosenPage> {
  const { after = 0, before, page = 1, sort } = query;
  const sorted = sort === undefined ? null : await sortLeads(source, query, sort);
  if (sorted !== null) {
    const leads = sorted.slice((page - 1) * SHOWN, page * SHOWN);
    const none = { next: null, previous: null, lookedTo: null };
    return { leads, ...none, sorted: { page, of: sorted.length } };
  }
  const [direction, position] =
    before === undefined ? (['after', after] as const) : (['before', before] as const);
  return { ...(await chooseLeads(source, query, { direction, position }, SHOWN)), sorted: null };
}

/** The form, which does not change while a user fills it in. */
function formOf(run: Run, query: LeadsQuery, own: readonly string[]): Markup {
  const { columns, id } = run;
  const { sort, text } = query;
  const orders = columnsOf(run, own).flatMap(({ key, name }) => [
    { value: key, words: name },
    { value: `-${key}`, words: `${name}, last first` },
  ]);
  const chosen = FACETS.map(
    (facet) =>
      query[facet] !== undefined &&
      html`<input type="hidden" name="${facet}" value="${query[facet]}">`,
  );
  const boxes = columns
    .slice(0, COLUMNS_MAX)
    .map(
      ({ key }, n) =>
        html`<label class="row"><input type="checkbox" id="own-${n}" name="own" value="${n}"${own.includes(key) && html` checked`}>${cutText(key, NAME_MAX)}</label>`,
    );
  return html`<form class="filters" method="get" action="${leadsPath(id)}" role="search" data-at-once>${chosen}<div class="field"><label for="text">Text</label><input id="text" name="text" type="search" maxlength="200" value="${text ?? ''}" aria-describedby="text-hint"></div><div class="narrow">${selectField('sort', 'Sorted by', sort ?? 'line', orders, null)}</div><details class="menu"><summary class="button">Columns</summary><div class="row"><input type="hidden" name="own" value="none">${boxes}<button class="main">Show</button></div></details><button class="unscripted">Show</button>${isFiltered(query) && link(leadsPath(id, { sort }), 'All leads')}<p class="hint" id="text-hint">Every word is looked for in cells, inputs, results, tickets and reasons. That reads every lead, and takes longer than the rest.<span class="keys"> Keys: <kbd>j</kbd> and <kbd>k</kbd> go from lead to lead, <kbd>Enter</kbd> opens one, <kbd>/</kbd> looks for a text.</span></p></form>`;
}

function layOutLeads(view: LeadsView): Markup {
  const { page, query, run } = view;
  const head = html`<div class="facets">${FACETS.map((facet) => facetOf(facet, view))}</div>${countingOf(view)}`;
  if (page === null) return head;
  const { leads, lookedTo } = page;
  const cut =
    lookedTo !== null &&
    html`<p class="notice wait">Looked through the leads ${query.before === undefined ? 'up' : 'back'} to number ${formatNumber(lookedTo)} of ${formatNumber(run.leadCount)}, which takes as long as a page may. There may be more.</p>`;
  const table = leads.length === 0 ? !cut && emptyOf(view) : tableOf(view, page);
  return html`${head}${table}${cut}${pagesOf(view, page)}${leads.length > 0 && downloadsOf(view, page)}`;
}

/** The chosen leads as a table, in the columns of the run. */
function downloadsOf(view: LeadsView, { sorted }: ChosenPage): Markup {
  const { query, run } = view;
  const total = sorted?.of ?? totalOf(view);
  const which = total === null ? 'these rows' : `these ${formatCount(total, 'row')}`;
  const { after: _after, before: _before, page: _page, sort: _sort, ...chosen } = query;
  return html`<p class="row">${tableDownloads(which, (as) => pathTo(PATHS.table, { run: run.id }, { ...chosen, as }))}</p>`;
}

function pathWith({ query, run }: LeadsView, changes: LeadsQuery): string {
  const first = { before: undefined, after: undefined, page: undefined };
  return leadsPath(run.id, { ...query, ...first, ...changes });
}

function pagesOf(view: LeadsView, { lookedTo, next, previous, sorted }: ChosenPage): Content {
  const { after, before } = view.query;
  const { of, page } = sorted ?? { of: 0, page: 1 };
  const to = (isThere: boolean, bounds: LeadsQuery): string | null =>
    isThere ? pathWith(view, bounds) : null;
  const further = lookedTo === null ? null : before === undefined ? 'next' : 'previous';
  const isLater = after !== undefined || before !== undefined || page > 1;
  const [back, on] =
    sorted === null
      ? [
          to(previous !== null, { before: previous ?? undefined }),
          to(next !== null, { after: next ?? undefined }),
        ]
      : [to(page > 1, { page: page - 1 }), to(page * SHOWN < of, { page: page + 1 })];
  return pager('Pages of leads', [
    [to(isLater, {}), 'First', 'prev'],
    [back, further === 'previous' ? 'Look further back' : 'Previous', 'prev'],
    [on, further === 'next' ? 'Look further' : 'Next', 'next'],
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
const VALUE_LENGTH_MAX = 60;

function facetOf(facet: Facet, view: LeadsView): Markup | null {
  const { query } = view;
  const chosen = query[facet];
  const counted = countsOf(view)[facet];
  const isThere = chosen === undefined || counted.some(({ value }) => value === chosen);
  const values = [...(isThere ? [] : [{ value: chosen, leads: null }]), ...counted];
  if (values.length === 0) return null;
  // The counts may be of all leads, whatever text is searched for.
  const areCounted = query.text === undefined || view.counts !== null;
  const chips = values.slice(0, VALUES_SHOWN).map(({ leads, value }) => {
    const isChosen = value === chosen;
    const path = pathWith(view, { [facet]: isChosen ? undefined : value });
    const words = cutText(facet === 'reason' ? value : wordsOf(value), VALUE_LENGTH_MAX);
    return html`<a class="chip" href="${path}"${isChosen && html` aria-current="true"`}${words.endsWith('…') && html` title="${value}"`}>${isChosen && html`<span aria-hidden="true">✕ </span>`}${words}${leads !== null && areCounted && html` <b>${formatNumber(leads)}</b>`}</a>`;
  });
  const more = values.length - VALUES_SHOWN;
  return html`<nav class="row" aria-label="${FACET_NAMES[facet]}"><span class="quiet">${FACET_NAMES[facet]}</span>${chips}${more > 0 && html`<span class="quiet">and ${formatNumber(more)} more</span>`}</nav>`;
}

/** The counts of each value; before every row is read, those that the run has of all its leads. */
function countsOf({ counts, tally }: LeadsView): Readonly<Record<Facet, readonly FacetCount[]>> {
  if (counts !== null) return counts.facets;
  const outcomes = Object.keys(tally.byStatus) as LeadStatus[];
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

function outcomeLeads(tally: RunTally, outcome: LeadStatus): number {
  return outcome === 'skipped' || outcome === 'not_asked'
    ? tally.byStatus[outcome]
    : leadsIn(tally, outcome);
}

/** Whether leads are counted still, or of which moment the counts are. */
function countingOf({ counting, page, query, run }: LeadsView): Content {
  if (counting === null) {
    return (
      isOpen(run.state) &&
      html`<p class="hint">Leads are counted by e-mail status and step when the run has ended.</p>`
    );
  }
  const again = leadsPath(run.id, query);
  const path = `${again}${again.includes('?') ? '&' : '?'}count=${counting.at ?? 0}`;
  const counted = layOutCounted(counting, run.leadCount, path);
  const isWaiting = counting.at === null && counting.trouble === null;
  return html`${counted}${isWaiting && html`<p class="hint">Every lead is read once, to count them by e-mail status and step.${page === null && ' Those that you have chosen are shown then.'}</p>`}`;
}

function emptyOf({ query, run }: LeadsView): Markup {
  if (run.leadCount === 0) {
    return html`<p class="empty">No lead of this run is read yet. They appear here as they are.</p>`;
  }
  const isFirst = query.after === undefined && query.before === undefined;
  const words = isFirst ? 'No lead matches.' : 'No further lead matches.';
  return html`<p class="empty">${words} ${link(leadsPath(run.id), 'All leads')}</p>`;
}

/** The number of leads that match the query; null if it is not counted. */
function totalOf({ counts, query, run, tally }: LeadsView): number | null {
  const { outcome, reason, text } = query;
  if (counts !== null) return counts.leads;
  if (text !== undefined) return null;
  if (reason !== undefined) return null;
  return outcome === undefined ? run.leadCount : outcomeLeads(tally, outcome);
}

function tableOf(view: LeadsView, { leads, sorted }: ChosenPage): Markup {
  const { own, query, run } = view;
  const total = sorted?.of ?? totalOf(view);
  const now = sorted === null ? 'line' : (query.sort ?? 'line');
  const shown = columnsOf(run, own);
  const columns = shown.map(({ key, ...column }) => ({
    ...column,
    isOptional: true,
    sort: {
      path: pathWith(view, { sort: now === key ? `-${key}` : key === 'line' ? undefined : key }),
      now:
        now === key ? ('ascending' as const) : now === `-${key}` ? ('descending' as const) : null,
    },
  }));
  const of = total === null ? '' : ` of ${formatNumber(total)}`;
  const name = shown.find(({ key }) => key === now.replace('-', ''))?.name ?? 'Line';
  const order = `${name.toLowerCase()}${now.startsWith('-') ? ', last first' : ''}`;
  const caption = `${formatCount(leads.length, 'lead')}${of} on this page, by ${order}`;
  const note =
    query.sort !== undefined &&
    sorted === null &&
    html`<p class="hint">Up to ${formatNumber(SORTED_MAX)} chosen leads are sorted by any column. These are more, and are shown by line: choose fewer of them.</p>`;
  const rows = leads.map((lead) =>
    shown.map(({ cell }) => cell({ lead, path: linePath(run, lead, query), run })),
  );
  return html`${note}${dataTable({ caption, isStacked: true, isBrief: true, columns, rows })}`;
}

function isFiltered(query: LeadsQuery): boolean {
  return query.text !== undefined || FACETS.some((facet) => query[facet] !== undefined);
}
