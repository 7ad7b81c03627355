// Where the result of an enrichment has to go: the URL of its request, and every hook that wants its event.
import { decideHits } from '../answers/decide-hits.js';
import type { EnrichmentEvent } from '../event-types.js';
import type { Faults } from '../faults/faults.js';
import type { Enrichment } from '../ledger.js';
import type { Entry, Target } from './delivery.js';
import type { DeliveryBook } from './delivery-book.js';
import type { HookRegister } from './hook-register.js';

interface Surroundings {
  readonly seed: number;
  readonly faults: Faults;
  readonly hooks: HookRegister;
  readonly book: DeliveryBook;
}

/** For a ready enrichment; none for one that the fault `webhook-lost` keeps back, which is booked here. */
export function chooseEntries(
  enrichment: Enrichment,
  surroundings: Surroundings,
): { target: Target; entry: Entry }[] {
  const { faults, book, seed } = surroundings;
  const isError = decideHits(enrichment, seed).kind === 'error';
  const type = isError ? 'enrichmentError' : 'enrichmentDone';
  const targets = findTargets(enrichment, surroundings, type);
  if (faults.hits('webhook-lost', enrichment.id)) {
    for (const { hook } of targets) book.note('given-up', [enrichment.id], hook?.id);
    return [];
  }
  const isDoubled = faults.hits('webhook-doubled', enrichment.id);
  return targets.map((target) => ({
    target,
    entry: { enrichment, isDoubled, isEmpty: undefined },
  }));
}

/** Those that were not served before a restart. Without a `type`, as if every hook wanted all events. */
export function findTargets(
  { id, webhookUrl, readyAt }: Enrichment,
  { hooks, book }: Pick<Surroundings, 'hooks' | 'book'>,
  type?: EnrichmentEvent,
): Target[] {
  const event = type ?? 'enrichmentDone';
  const targets: Target[] = [];
  if (webhookUrl !== undefined && !book.endedBefore(id, undefined)) {
    targets.push({ url: webhookUrl, type: event, hook: undefined });
  }
  for (const hook of hooks.list()) {
    if (hook.state !== 'on' || hook.createdAt > readyAt) continue;
    if (type !== undefined && hook.type !== undefined && hook.type !== type) continue;
    if (book.endedBefore(id, hook.id)) continue;
    targets.push({ url: hook.targetUrl, type: event, hook });
  }
  return targets;
}
