import { type Content, html, type Markup } from '../../html/markup.js';
import {
  badge,
  copyButton,
  type DataColumn,
  statusBadge,
  timeElement,
  toneOfEmail,
} from '../../html/parts.js';
import type { LeadAnswer } from '../../model/answer.js';
import { namesPerson } from '../../model/ask.js';
import type { Run } from '../../model/run.js';
import { cutText, formatNumber } from '../../model/text/count.js';
import { exactText } from '../../model/text/json.js';
import { link } from '../links.js';
import { type LeadsQuery, PATHS, pathTo } from '../paths.js';

export interface ShownLead {
  readonly lead: LeadAnswer;
  readonly path: string;
  readonly run: Run;
}

type SortValue = string | number | null;

interface LeadColumn extends DataColumn {
  /** Its name in an address. */
  readonly key: string;
  readonly cell: (shown: ShownLead) => Content;
  /** The value to sort by; null comes last. */
  readonly by: (lead: LeadAnswer) => SortValue;
}

const LEAD_COLUMNS: readonly LeadColumn[] = [
  {
    key: 'line',
    name: 'Line',
    cell: ({ lead, path }) => link(path, formatNumber(lead.line)),
    by: ({ position }) => position,
  },
  {
    key: 'who',
    name: 'Who',
    isLong: true,
    isEvident: true,
    cell: ({ lead }) => nameOf(lead),
    by: (lead) => nameOf(lead).toLowerCase(),
  },
  {
    key: 'outcome',
    name: 'Outcome',
    isEvident: true,
    cell: ({ lead: { askedAgain, status } }) =>
      html`${statusBadge(status)}${askedAgain !== undefined && html` ${badge('older', 'known')}`}`,
    by: ({ status }) => status,
  },
  {
    key: 'found',
    name: 'Found',
    isLong: true,
    isWidest: true,
    isEvident: true,
    isBelow: true,
    cell: ({ lead }) => foundIn(lead).map(valueLine),
    by: (lead) => foundIn(lead)[0]?.value.toLowerCase() ?? null,
  },
  {
    key: 'reason',
    name: 'Reason',
    isLong: true,
    isBelow: true,
    cell: ({ lead: { reason } }) => (reason === null ? '' : reasonCell(reason)),
    by: ({ reason }) => reason,
  },
  {
    key: 'credits',
    name: 'Credits',
    isNumber: true,
    isMinor: true,
    cell: ({ lead: { credits, enrichedAt } }) => (enrichedAt === null ? '' : formatNumber(credits)),
    by: ({ credits, enrichedAt }) => (enrichedAt === null ? null : credits),
  },
  {
    key: 'answered',
    name: 'Answered',
    isMinor: true,
    cell: ({ lead: { enrichedAt } }) => (enrichedAt === null ? '' : timeElement(enrichedAt, 'ago')),
    by: ({ enrichedAt }) => enrichedAt,
  },
  {
    key: 'file',
    name: 'File',
    isLong: true,
    isMinor: true,
    cell: ({ lead: { file }, run: { sources } }) =>
      sources.length > 1 ? (sources[file] ?? '') : '',
    by: ({ file }) => file,
  },
];

/** The columns of a list: the user's own that were chosen, by their names, stand before what was found. */
export function columnsOf({ columns }: Run, own: readonly string[] = []): readonly LeadColumn[] {
  const chosen = columns.flatMap(({ key: name }, n): LeadColumn[] => {
    const cellOf = ({ cells }: LeadAnswer) => exactText(cells[n] ?? '');
    const cell = ({ lead }: ShownLead) => cutText(cellOf(lead), LENGTH_MAX);
    const by = (lead: LeadAnswer) => cellOf(lead).toLowerCase() || null;
    return own.includes(name)
      ? [{ key: `c${n}`, name, isLong: true, isMinor: true, cell, by }]
      : [];
  });
  return [...LEAD_COLUMNS.slice(0, 2), ...chosen, ...LEAD_COLUMNS.slice(2)];
}

function allColumns(run: Run): readonly LeadColumn[] {
  return columnsOf(
    run,
    run.columns.map(({ key }) => key),
  );
}

/** Each column by its name in an address, upwards and downwards. */
export function sortsOf(run: Run): readonly string[] {
  return allColumns(run).flatMap(({ key }) => [key, `-${key}`]);
}

/** Leads in the order of a column, and by line where that is the same. */
export function sortedBy(
  run: Run,
  sort: string,
  leads: readonly LeadAnswer[],
): readonly LeadAnswer[] {
  const sign = sort.startsWith('-') ? -1 : 1;
  const by = allColumns(run).find(({ key }) => key === sort.replace('-', ''))?.by ?? (() => null);
  const valued = leads.map((lead) => ({ lead, value: by(lead) }));
  valued.sort(({ lead: one, value: a }, { lead: other, value: b }) => {
    if (a === b) return one.position - other.position;
    if (a === null || b === null) return a === null ? 1 : -1;
    return (a < b ? -1 : 1) * sign;
  });
  return valued.map(({ lead }) => lead);
}

/** The path of a lead's page, which leads to the ones before and after it among the chosen ones. */
export function linePath(run: Run, { file, line }: LeadAnswer, query: LeadsQuery): string {
  const named = run.sources.length > 1 ? file : null;
  const chosen = { ...query, after: null, before: null, page: null };
  return pathTo(PATHS.line, { run: run.id, line }, { file: named, ...chosen });
}

/** The name of a lead, by the inputs of its request; if they name no person, by its first cells. */
export function nameOf({ cells, inputs }: LeadAnswer): string {
  const { companyDomain, companyName, email, firstName, lastName, socialUrl } = inputs;
  const person = [firstName, lastName].filter(Boolean).join(' ');
  const named = [person, companyDomain ?? companyName, email, socialUrl].filter(Boolean).join(', ');
  if (namesPerson(Object.keys(inputs))) return cutText(named, LENGTH_MAX);
  const texts = cells.map(exactText).filter((text) => text !== '' && text !== 'null');
  return cutText(texts.slice(0, 3).join(', ') || named, LENGTH_MAX);
}

interface FoundValue {
  readonly value: string;
  readonly step?: string | undefined;
  /** Of an address. */
  readonly status?: string | undefined;
}

function foundIn({ provenance, result }: LeadAnswer): FoundValue[] {
  const { email, phone, profile } = provenance ?? {};
  const { custom = {}, find_email: found, find_phone: call, social_enrichment } = result ?? {};
  return [
    { value: found?.email ?? '', step: email?.step, status: found?.status },
    { value: call?.phone ?? '', step: phone?.step },
    { value: social_enrichment?.socialUrl ?? '', step: profile?.step },
    ...Object.values(custom).map((values) => ({ value: Object.values(values).join(', ') })),
  ].filter(({ value }) => value !== '');
}

function valueLine({ status, step, value }: FoundValue): Markup {
  const text = cutText(value, FOUND_MAX);
  return html`<div class="value">${text} ${status && badge(status, toneOfEmail(status))}${
    step !== undefined && html` <span class="quiet">${step}</span>`
  }${copyButton(text)}</div>`;
}

/** A long reason is opened: it would be higher than all other cells. */
function reasonCell(reason: string): Content {
  if (reason.length <= LENGTH_MAX) return reason;
  return html`<details><summary>${cutText(reason, SUMMARY_MAX)}</summary>${reason}</details>`;
}

const LENGTH_MAX = 120;
const SUMMARY_MAX = 60;
/** The limit of a found value: an address is of use only as a whole. */
const FOUND_MAX = 500;
