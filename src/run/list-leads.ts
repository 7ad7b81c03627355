// Puts the chosen leads of a run into a contact list: creates it once, and continues to fill it where it stopped.
import type { LeadAnswer } from '../model/answer.js';
import type { PositionShape } from '../model/columns/positions.js';
import { SluiceError } from '../model/errors.js';
import { failedAddition, type ListMember, toMember } from '../model/resources/contact-list.js';
import { identifiersOf, keptInputs } from '../model/suppression.js';
import type { CreateListAnswer } from '../ports/platform.js';
import type { StoredList } from '../ports/store/contact-lists.js';
import type { Store } from '../ports/store/store.js';
import { answerChooser } from './choose-leads.js';
import type { RunContext } from './run-context.js';
import { obstacleTo } from './send/may-send.js';

const PAGE_SIZE = 200;
/** The number of attempts while the platform throttles. */
const ATTEMPTS_MAX = 8;

export interface ListPlan {
  readonly name: string;
  /** The expression that chooses leads; undefined for every lead. */
  readonly where: string | undefined;
  readonly shape: PositionShape;
}

export interface ListReport {
  /** Null if no lead was chosen: an empty list is not created. */
  readonly listId: string | null;
  readonly name: string;
  readonly added: number;
  readonly alreadyIn: number;
}

/**
 * The list is created with the first of them, unless it exists. Null if the run drained first.
 * @throws SluiceError `platform` if the list cannot be created or added to, or may exist under an id that is not known
 * here; added leads stay added, and the next call goes on from there
 */
export async function listLeads(context: RunContext, plan: ListPlan): Promise<ListReport | null> {
  const { drain, run, store } = context;
  const wanted = await store.wantList(run.id, plan.name);
  let listId = wanted.state === 'wanted' ? null : await createOnce(context, wanted);
  const columns = (await store.findRun(run.id))?.columns ?? run.columns;
  const chooses =
    plan.where === undefined
      ? () => true
      : answerChooser(plan.where, columns, run, context.terms, plan.shape);

  for (;;) {
    const list = (await store.findList(run.id)) as StoredList;
    const answers = await store.answers(run.id, { after: list.position, limit: PAGE_SIZE });
    const last = answers.at(-1);
    if (last === undefined) {
      const { added, alreadyIn } = list;
      if (listId !== null) context.observe({ kind: 'list.filled', list: listId, added, alreadyIn });
      return { ...list, listId };
    }
    if (drain.aborted) return null;
    const chosen = answers
      .filter((answer) => chooses(answer))
      .flatMap((answer) => {
        const member = toMember(answer, context.terms.registrableDomain);
        return member === undefined ? [] : [{ position: answer.position, member }];
      });
    const entries = await withoutSuppressed(store, chosen);
    if (entries.length > 0) listId ??= await createOnce(context, list);
    const counts = await add(context, { listId, added: list.added }, entries);
    await store.advanceList(list.id, { position: last.position, ...counts });
  }
}

export async function withoutSuppressed<Entry extends { readonly member: ListMember }>(
  store: Store,
  entries: readonly Entry[],
): Promise<Entry[]> {
  const found = await store.suppressionsOf(
    entries.map(({ member }) => identifiersOf(keptInputs(member))),
  );
  return entries.filter((_, i) => found[i]?.length === 0);
}

interface ListEntry {
  readonly position: LeadAnswer['position'];
  readonly member: ListMember;
}

async function add(
  { drain, platform }: RunContext,
  list: { readonly listId: string | null; readonly added: number },
  entries: readonly ListEntry[],
): Promise<{ added: number; alreadyIn: number }> {
  const counts = { added: 0, alreadyIn: 0 };
  if (list.listId === null) return counts;
  const size = Math.max(1, platform.listAddMax);
  for (let from = 0; from < entries.length; from += size) {
    const part = entries.slice(from, from + size);
    const members = part.map(({ member }) => member);
    try {
      const { added, alreadyIn } = await platform.addToList(list.listId, members, drain);
      counts.added += added;
      counts.alreadyIn += alreadyIn;
    } catch (failure) {
      const [first, last] = [part.at(0)?.position, part.at(-1)?.position];
      const which = first === last ? `lead ${first}` : `leads ${first} to ${last}`;
      throw failedAddition(failure, which, list.added + counts.added);
    }
  }
  return counts;
}

/** Intent first, then the request, then its id, as for anything that must not happen twice. */
async function createOnce(context: RunContext, list: StoredList): Promise<string> {
  if (list.listId !== null) return list.listId;
  if (list.state === 'creating') {
    // This process holds the job, so the process that was creating the list is dead.
    const reason = 'cut off while it was created';
    await context.store.recordList(list.id, { kind: 'uncertain', reason });
    throw lostList({ ...list, reason });
  }
  if (list.state !== 'wanted') throw lostList(list);
  const answer = await sendOnce(context, list);
  if (answer.kind === 'created') {
    context.observe({ kind: 'list.created', list: answer.list.id });
    return answer.list.id;
  }
  if (answer.kind === 'uncertain') throw lostList({ ...list, reason: answer.reason });
  if (answer.kind !== 'refused') throw answer.problem;
  throw new SluiceError(
    'platform',
    `The platform refused to create the contact list "${list.name}": ${answer.reason}.`,
  );
}

/** Sends one request; another follows only if the platform did not take it and asked for a pause. */
async function sendOnce(context: RunContext, list: StoredList): Promise<CreateListAnswer> {
  const { drain, platform, store } = context;
  for (let attempts = 1; ; attempts += 1) {
    const [permit] = await platform.reserve('submit', 1, drain);
    if (permit === undefined) throw stopped(list);
    if (!(await store.beginList(list.id))) {
      permit.release();
      throw lostList(list);
    }
    const answer = await platform.createList(list.name, permit, {
      signal: drain,
      obstacle: obstacleTo(context),
    });
    await store.recordList(list.id, toRecord(answer));
    if (answer.kind !== 'throttled' || attempts === ATTEMPTS_MAX) return answer;
  }
}

function toRecord(answer: CreateListAnswer) {
  switch (answer.kind) {
    case 'created':
      return { kind: 'created', listId: answer.list.id } as const;
    case 'uncertain':
      return { kind: 'uncertain', reason: answer.reason } as const;
    case 'refused':
    case 'unsent':
    case 'throttled':
      return { kind: 'unsent' } as const;
  }
}

function lostList({ name, reason, runId }: StoredList): SluiceError {
  const why = reason === null ? '' : ` (${reason})`;
  return new SluiceError(
    'platform',
    `The contact list "${name}" of run ${runId} may have been created, and its id is not known here${why}. Look it up on the platform and give it: sluice lists adopt ${runId} clt_…. Sluice does not create it a second time.`,
  );
}

function stopped({ name }: StoredList): SluiceError {
  return new SluiceError(
    'platform',
    `The contact list "${name}" was not created: the run is stopping. Run again to continue.`,
  );
}
