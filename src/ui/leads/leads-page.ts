// The leads of a run, a page at a time.
import { runOf } from '../../app/results/run-of.js';
import { html } from '../../html/markup.js';
import type { LeadStatus } from '../../model/answer.js';
import { STATES } from '../../model/enrichment/arrows.js';
import { isOpen, type Run } from '../../model/run.js';
import { retriableLeads } from '../../model/tally.js';
import type { Counted } from '../keep-counts.js';
import { liveSection } from '../layout.js';
import { memoryOf } from '../memory.js';
import type { PageContent, UiContext, Visit } from '../page.js';
import type { LeadsQuery } from '../paths.js';
import { numberAt, numberIn, textIn, wordIn } from '../read-query.js';
import { droppedName } from '../try/uploads.js';
import { chooseLeads, type LeadSource, sortLeads } from './choose-leads.js';
import { SORTS } from './lead-columns.js';
import type { LeadIndex } from './lead-index.js';
import { type ChosenPage, layOutLeads, layOutLeadsHead, leadsTitle } from './leads-view.js';

const SHOWN = 50;
const OUTCOMES = [...STATES, 'skipped', 'not_asked'] as const;
/** The time for which a page waits for the look at every row; for a few thousand leads it suffices. */
const WAIT_MS = 400;

export async function showLeads(context: UiContext, visit: Visit): Promise<PageContent> {
  const run = await runOf(context.store, numberAt(visit, 'run'));
  const query = leadsQueryIn(visit);
  const tally = await memoryOf(context).tallyOf(run);
  const counted = await countLeads(context, run, query, numberIn(visit, 'count'));
  const { counting = null, figures: index = null } = counted ?? {};
  const needsIndex = query.email !== undefined || query.step !== undefined;
  const page =
    needsIndex && index === null ? null : await pageOf(sourceOf(context, run, query, index), query);
  const file = droppedName(context.state, run.job);
  const counts = index?.count(query) ?? null;
  const view = { run, file, query, tally, counts, counting, page };
  const list = liveSection('leads', layOutLeads(view));
  const isCounting = counting !== null && counting.at === null;
  // The text is searched for only once, because that reads many leads.
  const isLive = isOpen(run.state) && query.text === undefined;
  return {
    title: leadsTitle(view),
    body: html`${layOutLeadsHead(view)}${list.markup}`,
    live: [list],
    isFinal: !isLive && !isCounting,
  };
}

/** @throws SluiceError `usage` if the address names what there is not */
export function leadsQueryIn(visit: Pick<Visit, 'query'>): LeadsQuery {
  return {
    outcome: wordIn(visit, 'outcome', OUTCOMES),
    reason: textIn(visit, 'reason'),
    email: textIn(visit, 'email'),
    step: textIn(visit, 'step'),
    text: textIn(visit, 'text'),
    sort: wordIn(visit, 'sort', SORTS),
    page: numberIn(visit, 'page'),
    before: numberIn(visit, 'before'),
    after: numberIn(visit, 'after'),
  };
}

/**
 * The values by which the leads are chosen. Those of a run that has ended are read once; those of one that goes on only
 * if the address needs them, since they change. `countAfter`: they are read anew, unless that was done since.
 */
export async function countLeads(
  context: UiContext,
  { endedAt, id }: Run,
  { email, step }: LeadsQuery,
  countAfter?: number,
): Promise<Counted<LeadIndex> | null> {
  const { rows } = memoryOf(context);
  if (countAfter !== undefined || endedAt !== null || email !== undefined || step !== undefined) {
    rows.beginAfter(id, Math.max(countAfter ?? 0, endedAt ?? 0));
    await rows.waitFor(id, WAIT_MS);
  }
  const counted = rows.of(id);
  return counted && { ...counted, figures: counted.figures?.index ?? null };
}

export function sourceOf(
  { clock, store }: UiContext,
  run: Run,
  { email, step }: LeadsQuery,
  index: LeadIndex | null,
): LeadSource {
  // What a run that goes on has counted is old.
  const isNeeded = run.endedAt !== null || email !== undefined || step !== undefined;
  return { store, run, now: () => clock.now(), index: isNeeded ? (index ?? undefined) : undefined };
}

async function pageOf(source: LeadSource, query: LeadsQuery): Promise<ChosenPage> {
  const { after, before, page = 1, sort } = query;
  const sorted = sort === undefined ? null : await sortLeads(source, query, sort);
  if (sorted !== null) {
    const leads = sorted.slice((page - 1) * SHOWN, page * SHOWN);
    const pages = Math.ceil(sorted.length / SHOWN);
    return { leads, next: null, previous: null, lookedTo: null, sorted: { page, pages } };
  }
  const cursor =
    before === undefined
      ? ({ direction: 'after', position: after ?? 0 } as const)
      : ({ direction: 'before', position: before } as const);
  return { ...(await chooseLeads(source, query, cursor, SHOWN)), sorted: null };
}

/**
 * The lead before and the one after a lead among the chosen ones, in their order; its place among them, null if it is
 * not known; and the page of the list with it.
 */
export async function findNeighbours(source: LeadSource, query: LeadsQuery, position: number) {
  const sorted = query.sort === undefined ? null : await sortLeads(source, query, query.sort);
  if (sorted !== null) {
    const at = sorted.findIndex((lead) => lead.position === position);
    const page = { page: Math.floor(Math.max(0, at) / SHOWN) + 1 || undefined };
    const place = at === -1 ? null : { at: at + 1, of: sorted.length };
    return { previous: at > 0 ? sorted[at - 1] : undefined, next: sorted[at + 1], page, place };
  }
  const [before, after] = await Promise.all(
    (['before', 'after'] as const).map((direction) =>
      chooseLeads(source, query, { direction, position }, 1),
    ),
  );
  const page = { after: Math.max(0, position - 1) || undefined };
  const place = query.text === undefined ? (source.index?.placeOf(query, position) ?? null) : null;
  return { previous: before?.leads[0], next: after?.leads[0], page, place };
}

/** Whether the page that retries leads of the run offers those with this status. */
export async function isRetriable(
  context: UiContext,
  run: Run,
  status: LeadStatus | null,
): Promise<boolean> {
  if (run.state !== 'finished' || (status !== 'failed' && status !== 'timed_out')) return false;
  return retriableLeads(await memoryOf(context).tallyOf(run), status) > 0;
}
