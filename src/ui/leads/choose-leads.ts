// A page of the leads of a run: those with some values, with a text in them; by line, or sorted if they are few. A text is
// searched for in a bounded time, however many leads there are; if that was too short, the page says how far it came.
import { setImmediate } from 'node:timers/promises';
import type { LeadAnswer } from '../../model/answer.js';
import { STATES } from '../../model/enrichment/arrows.js';
import type { Run } from '../../model/run.js';
import { exactText, isJsonObject, type JsonValue } from '../../model/text/json.js';
import type { LeadCursor } from '../../ports/store/runs.js';
import type { Store } from '../../ports/store/store.js';
import type { Visit } from '../page.js';
import type { LeadsQuery } from '../paths.js';
import { numberIn, textIn, wordIn } from '../read-query.js';
import { sortedBy, sortsOf } from './lead-columns.js';
import { hasFacets, type LeadIndex } from './lead-index.js';

export interface LeadsPage {
  readonly leads: readonly LeadAnswer[];
  /** The beginnings of the next page and of the one before; null if there is none. */
  readonly next: number | null;
  readonly previous: number | null;
  /** The last lead that was looked at, if time was over before the page was full. */
  readonly lookedTo: number | null;
}

const OUTCOMES = [...STATES, 'skipped', 'not_asked'] as const;
/** The time for one page with a text, in ms: each lead is read for it. */
const LOOK_MS_MAX = 500;
const READ_AT_ONCE = 200;
/** The limit of leads that are sorted: each is read for it. */
export const SORTED_MAX = 10_000;

export interface LeadSource {
  readonly store: Store;
  readonly run: Run;
  readonly now: () => number;
  /** Chooses leads; without it the store does, by outcome and reason alone. */
  readonly index?: LeadIndex | undefined;
}

export async function chooseLeads(
  source: LeadSource,
  filter: LeadsQuery,
  cursor: LeadCursor,
  size: number,
): Promise<LeadsPage> {
  const { now } = source;
  const wanted = wordsIn(filter);
  const untilMs = now() + LOOK_MS_MAX;
  const leads: LeadAnswer[] = [];
  let reached: number | null = cursor.position;
  // One more than is shown tells whether there is another page.
  while (leads.length <= size && reached !== null) {
    const limit = wanted.length === 0 ? size + 1 - leads.length : READ_AT_ONCE;
    const from: LeadCursor = { ...cursor, position: reached };
    const positions = await positionsOf(source, filter, from, limit);
    const some = await source.store.answers(source.run.id, positions);
    const found = some.filter((lead) => hasWords(lead, wanted));
    leads.push(...(cursor.direction === 'after' ? found : found.toReversed()));
    reached = positions.length < limit ? null : (positions.at(-1) ?? null);
    if (now() >= untilMs) break;
  }
  return pageOf(leads, reached, cursor, size);
}

function pageOf(
  found: readonly LeadAnswer[],
  reached: number | null,
  { direction, position }: LeadCursor,
  size: number,
): LeadsPage {
  const shown = found.slice(0, size);
  const hasMore = found.length > size || reached !== null;
  const leads = direction === 'after' ? shown : shown.toReversed();
  const isCut = found.length <= size && reached !== null;
  const lookedTo = isCut ? reached : null;
  const first = leads.at(0)?.position;
  const last = leads.at(-1)?.position;
  if (direction === 'after') {
    const next = isCut ? reached : (last ?? null);
    return {
      leads,
      next: hasMore ? next : null,
      previous: position > 0 ? (first ?? position + 1) : null,
      lookedTo,
    };
  }
  const previous = isCut ? reached : (first ?? null);
  return { leads, next: last ?? position - 1, previous: hasMore ? previous : null, lookedTo };
}

/** All leads with these values, sorted by a column; null if they are too many. */
export async function sortLeads(
  source: LeadSource,
  filter: LeadsQuery,
  sort: string,
): Promise<readonly LeadAnswer[] | null> {
  const first = { direction: 'after', position: 0 } as const;
  const positions = await positionsOf(source, filter, first, SORTED_MAX + 1);
  if (positions.length > SORTED_MAX) return null;
  const wanted = wordsIn(filter);
  const found: LeadAnswer[] = [];
  for (let from = 0; from < positions.length; from += READ_AT_ONCE) {
    // Requests come between two portions.
    await setImmediate();
    const some = positions.slice(from, from + READ_AT_ONCE);
    const leads = await source.store.answers(source.run.id, some);
    found.push(...leads.filter((lead) => hasWords(lead, wanted)));
  }
  return sortedBy(source.run, sort, found);
}

/** @throws SluiceError `usage` if the address names what there is not */
export function leadsQueryIn(visit: Visit, run: Run): LeadsQuery {
  return {
    outcome: wordIn(visit, 'outcome', OUTCOMES),
    reason: textIn(visit, 'reason'),
    email: textIn(visit, 'email'),
    step: textIn(visit, 'step'),
    text: textIn(visit, 'text'),
    sort: wordIn(visit, 'sort', sortsOf(run)),
    page: numberIn(visit, 'page'),
    before: numberIn(visit, 'before'),
    after: numberIn(visit, 'after'),
  };
}

async function positionsOf(
  { index, run, store }: LeadSource,
  filter: LeadsQuery,
  cursor: LeadCursor,
  limit: number,
): Promise<readonly number[]> {
  if (index !== undefined) return index.positions(filter, cursor, limit);
  const { outcome, reason } = filter;
  return store.positions(run.id, { outcome, reason }, cursor, limit);
}

/** Whether a lead is among the chosen ones. */
export function choiceOf(filter: LeadsQuery): (lead: LeadAnswer) => boolean {
  const wanted = wordsIn(filter);
  return (lead) => hasFacets(lead, filter) && hasWords(lead, wanted);
}

/** A name and a domain, as they stand beside each other, are in cells of their own. */
function wordsIn({ text = '' }: LeadsQuery): readonly string[] {
  return text
    .toLowerCase()
    .split(/[\s,;]/)
    .filter((word) => word !== '');
}

function hasWords(answer: LeadAnswer, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const { cells, inputs, reason, result, ticket } = answer;
  const all = [...cells, ...Object.values(inputs), ticket, reason, result as JsonValue];
  return words.every((word) => all.some((value) => isIn(value, word)));
}

function isIn(value: JsonValue | undefined, wanted: string): boolean {
  if (value === null || value === undefined) return false;
  if (Array.isArray(value)) return value.some((one: JsonValue) => isIn(one, wanted));
  if (isJsonObject(value)) return Object.values(value).some((one) => isIn(one, wanted));
  return exactText(value).toLowerCase().includes(wanted);
}
