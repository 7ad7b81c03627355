// The leads of a run, a page at a time.
import { html, type Markup } from '../../html/markup.js';
import { badge, dataTable, statusBadge, timeElement, wordsOf } from '../../html/parts.js';
import type { LeadAnswer, LeadStatus } from '../../model/answer.js';
import { namesPerson } from '../../model/ask.js';
import type { Run } from '../../model/run.js';
import type { RunTally } from '../../model/tally.js';
import { cutText, formatCount, formatNumber } from '../../model/text/count.js';
import { exactText } from '../../model/text/json.js';
import { type Choice, link, pager, selectField } from '../links.js';
import { type LeadsQuery, leadsPath, PATHS, pathTo, runPath } from '../paths.js';
import type { LeadsPage } from './choose-leads.js';

export interface LeadsView extends LeadsPage {
  readonly run: Pick<Run, 'id' | 'job' | 'sources' | 'columns' | 'leadCount'>;
  /** The name of the dropped file of its job; null for any other job. */
  readonly file: string | null;
  readonly query: LeadsQuery;
  /** The number of leads of each outcome. */
  readonly outcomes: readonly (readonly [outcome: LeadStatus, leads: number])[];
  readonly reasons: RunTally['reasons'];
  readonly inPart: RunTally['inPart']['reasons'];
}

export function leadsTitle({ run }: Pick<LeadsView, 'run'>): string {
  return `Leads of run ${run.id}`;
}

/** The way back, the heading and the form, which do not change while a user fills it in. */
export function layOutLeadsHead(view: LeadsView): Markup {
  const { file, inPart, outcomes, query, reasons, run } = view;
  const outcomeChoices = outcomes
    .filter(([, leads]) => leads > 0)
    .map(([outcome, leads]) => choice(outcome, `${wordsOf(outcome)} (${formatNumber(leads)})`));
  const ofOutcome = reasons.filter(
    ({ status }) => query.outcome === undefined || status === query.outcome,
  );
  const reasonChoices = [...ofOutcome, ...inPart].map(({ leads, reason }) =>
    choice(reason, `${shortened(reason)} (${formatNumber(leads)})`),
  );
  return html`<p class="crumbs">${link(PATHS.runs, 'Runs')} / ${link(runPath(run.id), `Run ${run.id}`)}</p>
<h1>${leadsTitle(view)} of ${file ?? run.job}</h1>
<form class="filters" method="get" action="${leadsPath(run.id)}" role="search">${selectField(
    'outcome',
    'Outcome',
    query.outcome,
    outcomeChoices,
  )}${selectField('reason', 'Reason', query.reason, distinct(reasonChoices))}<div class="field"><label for="text">Text</label><input id="text" name="text" type="search" maxlength="200" value="${query.text ?? ''}" aria-describedby="text-hint"></div><button>Show</button>${
    isFiltered(query) && link(leadsPath(run.id), 'All leads')
  }<p class="hint" id="text-hint">Text is looked for in cells, inputs, results, tickets and reasons. That reads every lead, and takes longer than the rest.</p></form>`;
}

/** The table, with links to the other pages. */
export function layOutLeads(view: LeadsView): Markup {
  const { leads, lookedTo, next, previous, query, run } = view;
  const at = (bounds: Pick<LeadsQuery, 'before' | 'after'>): string =>
    leadsPath(run.id, { ...query, before: undefined, after: undefined, ...bounds });
  const isBackwards = query.before !== undefined;
  const hasCut = lookedTo !== null;
  const pages = pager('Pages of leads', [
    [query.after === undefined && query.before === undefined ? null : at({}), 'First', 'prev'],
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
  const cut = hasCut
    ? html`<p class="notice wait">Looked through the leads ${isBackwards ? 'back' : 'up'} to number ${formatNumber(lookedTo)} of ${formatNumber(run.leadCount)}, which takes as long as a page may. There may be more.</p>`
    : null;
  if (leads.length === 0) return html`${cut ?? emptyOf(view)}${pages}`;
  return html`${tableOf(view)}${cut}${pages}`;
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
function totalOf({ inPart, outcomes, query, reasons, run }: LeadsView): number | null {
  const { outcome, reason, text } = query;
  if (text !== undefined) return null;
  if (reason === undefined) {
    if (outcome === undefined) return run.leadCount;
    return outcomes.find(([one]) => one === outcome)?.[1] ?? null;
  }
  // Leads that are asked in part are not counted by outcome, and only the most frequent reasons are counted.
  const own = reasons.filter((one) => one.reason === reason);
  const part = inPart.find((one) => one.reason === reason);
  if (part !== undefined) return own.length === 0 && outcome === undefined ? part.leads : null;
  const counted = own.filter(({ status }) => outcome === undefined || status === outcome);
  return counted.length === 0 ? null : counted.reduce((sum, { leads }) => sum + leads, 0);
}

function tableOf(view: LeadsView): Markup {
  const { leads, run } = view;
  const total = totalOf(view);
  const hasFiles = run.sources.length > 1;
  // An empty column is left out, because it takes space from others.
  const hasReasons = leads.some(({ reason }) => reason !== null);
  const hasFound = leads.some((lead) => foundIn(lead).length > 0);
  const columns = [
    { name: 'Line' },
    { name: 'Who', isLong: true, isEvident: true },
    { name: 'Outcome', isEvident: true },
    ...(hasReasons ? [{ name: 'Reason', isLong: true }] : []),
    ...(hasFound ? [{ name: 'Found', isLong: true, isWidest: true }] : []),
    { name: 'Credits', isNumber: true },
    { name: 'Answered' },
    ...(hasFiles ? [{ name: 'File', isLong: true }] : []),
  ];
  const rows = leads.map((lead) => {
    const { askedAgain, credits, enrichedAt, file, line, reason, source, status } = lead;
    const path = pathTo(PATHS.line, { run: run.id, line }, { file: hasFiles ? file : null });
    return [
      link(path, formatNumber(line)),
      nameOf(lead),
      html`${statusBadge(status)}${askedAgain !== undefined && html` ${badge('older', 'known')}`}`,
      ...(hasReasons ? [reason ?? ''] : []),
      ...(hasFound ? [foundIn(lead)] : []),
      source === null ? '' : formatNumber(credits),
      enrichedAt === null ? '' : timeElement(enrichedAt),
      ...(hasFiles ? [run.sources[file] ?? ''] : []),
    ];
  });
  const of = total === null ? '' : ` of ${formatNumber(total)}`;
  const caption = `${formatCount(leads.length, 'lead')}${of} on this page, by line`;
  return dataTable({ caption, isStacked: true, columns, rows });
}

/** The name of a lead, by the inputs of its request; if they name no person, by its first cells. */
function nameOf({ cells, inputs }: LeadAnswer): string {
  const { companyDomain, companyName, email, firstName, lastName, socialUrl } = inputs;
  const person = [firstName, lastName].filter(Boolean).join(' ');
  const named = [person, companyDomain ?? companyName, email, socialUrl].filter(Boolean).join(', ');
  if (namesPerson(Object.keys(inputs))) return shortened(named);
  const texts = cells.map(exactText).filter((text) => text !== '' && text !== 'null');
  return shortened(texts.slice(0, 3).join(', ') || named);
}

function foundIn({ result }: LeadAnswer): readonly Markup[] {
  const parts = [
    result?.find_email?.email,
    result?.find_phone?.phone,
    result?.social_enrichment?.socialUrl,
    ...Object.values(result?.custom ?? {}).map((values) => Object.values(values).join(', ')),
  ];
  return parts.flatMap((part) =>
    part === undefined || part === null ? [] : [html`<div>${cutText(part, FOUND_MAX)}</div>`],
  );
}

const LENGTH_MAX = 120;
/** The limit of a found value: an address is of use only as a whole. */
const FOUND_MAX = 500;

function shortened(text: string): string {
  return text.length > LENGTH_MAX ? `${text.slice(0, LENGTH_MAX)}…` : text;
}

function choice(value: string, words: string): Choice {
  return { value, words };
}

function distinct(choices: readonly Choice[]): readonly Choice[] {
  return [...new Map(choices.map((one) => [one.value, one])).values()];
}

function isFiltered({ outcome, reason, text }: LeadsQuery): boolean {
  return outcome !== undefined || reason !== undefined || text !== undefined;
}
