// The deliveries to webhooks and their targets: the result of an enrichment goes to the URL of its request and to every
// hook that wants its event, an activity to the hooks alone.
import type { Activity } from '../activities.js';
import type { People } from '../answers/answer-enrichment.js';
import { decideHits } from '../answers/decide-outcome.js';
import type { Faults } from '../faults.js';
import type { Enrichment } from '../ledger/ledger.js';
import type { DeliveryBook } from './delivery-book.js';
import type { Hook, HookRegister } from './hook-register.js';

/** The subject of a delivery: the result of an enrichment, or an activity. */
export type Subject = Enrichment | Activity;

export interface Target {
  readonly url: string;
  readonly type: string;
  /** Undefined for the URL of a request. */
  readonly hook: Hook | undefined;
}

export interface Entry {
  readonly subject: Subject;
  /** The fault `webhook-doubled`: it is sent again when it has arrived. */
  readonly isDoubled: boolean;
  /** Faults `empty-first` and `empty-first-read`: decided at the first attempt, so that a repeat has the same body. */
  isEmpty: boolean | undefined;
}

export interface Delivery {
  readonly target: Target;
  readonly entries: readonly Entry[];
  attempts: number;
}

export interface Surroundings {
  readonly people: People;
  readonly faults: Faults;
  readonly hooks: HookRegister;
  readonly book: DeliveryBook;
}

/** The entries of a ready subject; none if the fault `webhook-lost` strikes, which is noted in the book. */
export function chooseEntries(
  subject: Subject,
  surroundings: Surroundings,
): { target: Target; entry: Entry }[] {
  const { faults, book, people } = surroundings;
  const targets = findTargets(subject, surroundings, typeOf(subject, people.seed));
  if (faults.hits('webhook-lost', subject.id)) {
    for (const { hook } of targets) book.note('given-up', [subject.id], hook?.id);
    return [];
  }
  const isDoubled = faults.hits('webhook-doubled', subject.id);
  return targets.map((target) => ({
    target,
    entry: { subject, isDoubled, isEmpty: undefined },
  }));
}

/** Those not served before a restart. Without a `type`, all hooks count as if they wanted all events. */
export function findTargets(
  subject: Subject,
  { hooks, book }: Surroundings,
  type?: string,
): Target[] {
  const { id, readyAt } = subject;
  const event = type ?? 'enrichmentDone';
  const targets: Target[] = [];
  const webhookUrl = subject.kind === 'enrichment' ? subject.webhookUrl : undefined;
  if (webhookUrl !== undefined && !book.endedBefore(id)) {
    targets.push({ url: webhookUrl, type: event, hook: undefined });
  }
  for (const hook of hooks.list()) {
    if (hook.createdAt > readyAt) continue;
    if (type !== undefined && hook.type !== undefined && hook.type !== type) continue;
    if (!letsThrough(hook, subject)) continue;
    targets.push({ url: hook.targetUrl, type: event, hook });
  }
  return targets;
}

function typeOf(subject: Subject, seed: number): string {
  if (subject.kind === 'activity') return subject.type;
  return decideHits(subject, { seed }).kind === 'error' ? 'enrichmentError' : 'enrichmentDone';
}

/**
 * As docs/decisions/0008-sandbox.md reads POST /hooks (docs/platform-api.md): a hook of one campaign gets no
 * enrichment, and of first activities the first of its type for each lead; one without a lead is always the first.
 */
function letsThrough({ campaignId, isFirst }: Hook, subject: Subject): boolean {
  const isActivity = subject.kind === 'activity';
  if (campaignId !== undefined && !(isActivity && subject.record['campaignId'] === campaignId)) {
    return false;
  }
  return isFirst !== true || !isActivity || subject.isFirst;
}

export interface WebhookBatch {
  readonly max: number;
  /** The time for which the first entry of a body waits for others. */
  readonly withinMs: number;
}

interface Batch {
  readonly target: Target;
  readonly entries: Entry[];
}

/** Only open batches are kept: every lead may have a target of its own. */
export class Batches {
  readonly #open = new Map<string, Batch>();

  constructor(private readonly limits: WebhookBatch) {}

  /** Adds an entry to its batch; `state` says whether it has opened it, filled it, or neither. */
  add(target: Target, entry: Entry): { batch: Batch; state: 'opened' | 'full' | 'growing' } {
    const { max, withinMs } = this.limits;
    if (max === 1 || withinMs === 0) return { batch: { target, entries: [entry] }, state: 'full' };
    const key = keyOf(target);
    const open = this.#open.get(key);
    const batch = open ?? { target, entries: [] };
    batch.entries.push(entry);
    if (batch.entries.length >= max) {
      this.#open.delete(key);
      return { batch, state: 'full' };
    }
    this.#open.set(key, batch);
    return { batch, state: open === undefined ? 'opened' : 'growing' };
  }

  /** Closes the batch; false if it is closed already. */
  take(batch: Batch): boolean {
    const key = keyOf(batch.target);
    return this.#open.get(key) === batch && this.#open.delete(key);
  }
}

/** The key of a target: deliveries with the same key may share a body. */
function keyOf({ url, type, hook }: Target): string {
  return `${type} ${hook?.id ?? ''} ${url}`;
}
