// Where the result of an enrichment has to go (the URL of its request, and every hook that wants its event), and
// where an activity has to go (the hooks alone).
import { decideHits } from '../answers/decide-hits.js';
import type { Faults } from '../faults/faults.js';
import type { Entry, Subject, Target } from './delivery.js';
import type { DeliveryBook } from './delivery-book.js';
import type { HookRegister } from './hook-register.js';
import { letsThrough } from './lets-through.js';

interface Surroundings {
  readonly seed: number;
  readonly faults: Faults;
  readonly hooks: HookRegister;
  readonly book: DeliveryBook;
}

/** For a ready subject; none for one that the fault `webhook-lost` keeps back, which is booked here. */
export function chooseEntries(
  subject: Subject,
  surroundings: Surroundings,
): { target: Target; entry: Entry }[] {
  const { faults, book, seed } = surroundings;
  const targets = findTargets(subject, surroundings, typeOf(subject, seed));
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

/** Those that were not served before a restart. Without a `type`, as if every hook wanted all events. */
export function findTargets(
  subject: Subject,
  { hooks, book }: Pick<Surroundings, 'hooks' | 'book'>,
  type?: string,
): Target[] {
  const { id, readyAt } = subject;
  const event = type ?? 'enrichmentDone';
  const targets: Target[] = [];
  const webhookUrl = subject.kind === 'enrichment' ? subject.webhookUrl : undefined;
  if (webhookUrl !== undefined && !book.endedBefore(id, undefined)) {
    targets.push({ url: webhookUrl, type: event, hook: undefined });
  }
  for (const hook of hooks.list()) {
    if (hook.state !== 'on' || hook.createdAt > readyAt) continue;
    if (type !== undefined && hook.type !== undefined && hook.type !== type) continue;
    if (!letsThrough(hook, subject) || book.endedBefore(id, hook.id)) continue;
    targets.push({ url: hook.targetUrl, type: event, hook });
  }
  return targets;
}

function typeOf(subject: Subject, seed: number): string {
  if (subject.kind === 'activity') return subject.type;
  return decideHits(subject, seed).kind === 'error' ? 'enrichmentError' : 'enrichmentDone';
}
