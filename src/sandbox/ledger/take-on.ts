// Takes enrichments on: the account has to cover all of them, then they are in the ledger and on the agenda.

import type { SandboxContext } from '../sandbox-context.js';
import type { Enrichment, NewEnrichment } from './ledger.js';

export type TakenOn =
  | { readonly kind: 'accepted'; readonly enrichments: readonly Enrichment[] }
  /** Nothing was accepted; the answer is 402. */
  | { readonly kind: 'uncovered'; readonly sentence: string };

/** All or none. Resolves once what the fault `webhook-early` picks has been sent to its webhooks. */
export async function takeOn(
  requests: readonly NewEnrichment[],
  { account, faults, ledger, webhooks }: SandboxContext,
): Promise<TakenOn> {
  if (!account.covers(requests)) {
    const sentence = 'The account has too few credits left for this request; buy more.';
    return { kind: 'uncovered', sentence };
  }
  const wanted = requests.map((request) => webhooks.wants(request));
  const isEarly = (id: string, index: number): boolean =>
    wanted[index] === true && faults.hits('webhook-early', id);
  const enrichments = ledger.accept(requests, isEarly);
  const early: Promise<void>[] = [];
  for (const [index, enrichment] of enrichments.entries()) {
    if (isEarly(enrichment.id, index)) early.push(webhooks.deliverNow(enrichment));
    else webhooks.expect(enrichment);
  }
  await Promise.all(early);
  return { kind: 'accepted', enrichments };
}
