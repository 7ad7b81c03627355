// A page of the leads of a run, sorted by line: those of an outcome, with a reason, with a text in them. A page costs a
// bounded time, however many leads there are and however few are wanted; where that was too short, it says how far it came.
import type { LeadAnswer, LeadStatus } from '../../../model/answer.js';
import type { Run } from '../../../model/run.js';
import { exactText, isJsonObject, type JsonValue } from '../../../model/text/json.js';
import type { Store } from '../../../ports/store/store.js';
import type { StatusWords } from './status-map.js';
import type { KeptMap } from './status-maps.js';

export interface LeadFilter {
  /** What they show, or what the newer request has come to where they show an older answer. */
  readonly outcome?: LeadStatus | undefined;
  /** Exactly this one, also of what is asked in part. */
  readonly reason?: string | undefined;
  /** Anywhere in their cells, inputs, ticket and result, in small letters or large ones. */
  readonly text?: string | undefined;
}

/** Where a page begins: after a position, or before one. */
export interface Cursor {
  readonly direction: 'after' | 'before';
  readonly position: number;
}

export interface LeadsPage {
  readonly leads: readonly LeadAnswer[];
  /** Where the next page begins, and the one before; null where there is none. */
  readonly next: number | null;
  readonly previous: number | null;
  /** Up to which lead it was looked, where time was over before the page was full. */
  readonly lookedTo: number | null;
  /** False where leads may be missing that the run has found since it was looked through: it has ended meanwhile. */
  readonly isCurrent: boolean;
}

/** For one page, in ms. Only a text takes longer: each lead is read for it. */
const LOOK_MS_MAX = 60;
const LOOK_FOR_TEXT_MS_MAX = 2_000;
/** Leads that are read for a text at once. */
const READ_AT_ONCE = 200;

export interface LeadSource {
  readonly store: Pick<Store, 'answers' | 'answersAt'>;
  readonly run: Pick<Run, 'id'>;
  readonly statuses: () => KeptMap;
  readonly now: () => number;
}

/** Leads that were read, and how far that came; null: to the end of this direction. */
interface Portion {
  readonly leads: readonly LeadAnswer[];
  readonly reached: number | null;
}

export async function chooseLeads(
  source: LeadSource,
  filter: LeadFilter,
  cursor: Cursor,
  size: number,
): Promise<LeadsPage> {
  const { now } = source;
  const wanted = filter.text?.trim().toLowerCase() ?? '';
  const untilMs = now() + (wanted === '' ? LOOK_MS_MAX : LOOK_FOR_TEXT_MS_MAX);
  const kept = filter.outcome !== undefined || isSet(filter.reason) ? source.statuses() : null;
  if (kept !== null) await lookAgain(kept, () => now() < untilMs);
  const read = createReader(source, filter, cursor.direction, kept);
  const leads: LeadAnswer[] = [];
  let reached: number | null = cursor.position;
  // One more than is shown: whether there is another page.
  while (leads.length <= size && reached !== null) {
    const limit = wanted === '' ? size + 1 - leads.length : READ_AT_ONCE;
    const portion: Portion = await read(reached, limit);
    leads.push(...portion.leads.filter((lead) => wanted === '' || hasText(lead, wanted)));
    reached = portion.reached;
    if (now() >= untilMs) break;
  }
  const isCurrent = kept?.isCurrent() ?? true;
  return { ...pageOf(leads, reached, cursor, size), isCurrent };
}

/** What was looked through once, and not since the run has ended, is looked through before anything is shown of it. */
async function lookAgain(kept: KeptMap, isTime: () => boolean): Promise<void> {
  kept.renew();
  while (kept.map.wholeAt !== null && !kept.isCurrent() && isTime()) {
    await kept.lookedFurther();
    kept.renew();
  }
}

function pageOf(
  found: readonly LeadAnswer[],
  reached: number | null,
  { direction, position }: Cursor,
  size: number,
): Omit<LeadsPage, 'isCurrent'> {
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

function createReader(
  { run, store }: LeadSource,
  filter: LeadFilter,
  direction: Cursor['direction'],
  kept: KeptMap | null,
): (from: number, limit: number) => Promise<Portion> {
  const inOrder = (leads: LeadAnswer[]) => (direction === 'after' ? leads : leads.toReversed());
  if (kept !== null) {
    const { map } = kept;
    return async (from, limit) => {
      const find = () => map.find((shown) => mayMatch(shown, filter), from, direction, limit);
      let found = find();
      if (found.positions.length < limit && map.wholeAt === null) {
        await kept.lookedFurther();
        found = find();
      }
      const leads = await store.answersAt(run.id, found.positions);
      const isStill = (lead: LeadAnswer) => matches(lead, filter, map.knows(lead.position));
      return { leads: inOrder(leads.filter(isStill)), reached: found.reached };
    };
  }
  if (direction === 'after') {
    return async (from, limit) => {
      const leads = await store.answers(run.id, from, limit);
      return { leads, reached: leads.length < limit ? null : (leads.at(-1)?.position ?? null) };
    };
  }
  return async (from, limit) => {
    const first = Math.max(1, from - limit);
    const positions = Array.from({ length: from - first }, (_, i) => first + i);
    const leads = await store.answersAt(run.id, positions);
    return { leads: inOrder(leads), reached: first === 1 ? null : first };
  };
}

/** By what the map knows. */
function mayMatch(shown: StatusWords | null, { outcome, reason }: LeadFilter): boolean {
  if (shown === null) return true;
  if (outcome !== undefined && !isOf(shown, outcome)) return false;
  return !isSet(reason) || shown.reason === reason || shown.inPart === reason;
}

/** By what is known now. An answer has no place for what it is asked without beside another reason: there the map counts. */
function matches(answer: LeadAnswer, { outcome, reason }: LeadFilter, isKnown: boolean): boolean {
  const { askedAgain = null, status } = answer;
  if (outcome !== undefined && !isOf({ status, askedAgain }, outcome)) return false;
  if (!isSet(reason) || isKnown) return true;
  return answer.reason === reason || answer.reason?.endsWith(` (${reason})`) === true;
}

function isOf(
  { askedAgain, status }: Pick<StatusWords, 'status' | 'askedAgain'>,
  outcome: LeadStatus,
): boolean {
  return status === outcome || askedAgain === outcome;
}

function isSet(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}

function hasText(answer: LeadAnswer, wanted: string): boolean {
  const { cells, inputs, reason, result, ticket } = answer;
  const all = [...cells, ...Object.values(inputs), ticket, reason, result as JsonValue];
  return all.some((value) => isIn(value, wanted));
}

function isIn(value: JsonValue | undefined, wanted: string): boolean {
  if (value === null || value === undefined) return false;
  if (Array.isArray(value)) return value.some((one: JsonValue) => isIn(one, wanted));
  if (isJsonObject(value)) return Object.values(value).some((one) => isIn(one, wanted));
  return exactText(value).toLowerCase().includes(wanted);
}
