import { sumCredits } from '../model/credits.js';
import type { Outcome } from '../model/enrichment/arrows.js';
import type { RunObserver } from '../model/telemetry/observe.js';
import type { Changed } from '../ports/store/enrichments.js';

/** An enrichment that ended; `credits` is given if something may have been paid. */
export interface Settled {
  readonly id: number;
  readonly outcome: Outcome;
  readonly credits?: number;
}

/** The settlements that had an effect, as they ended: an answer to a shared ticket may be another's. */
export function settledAmong(
  settlements: readonly Settled[],
  changed: readonly Changed[],
): Settled[] {
  const ends = new Map(changed.map(({ id, state }) => [id, state]));
  return settlements.flatMap((one) => {
    const state = ends.get(one.id);
    return state === undefined ? [] : [{ ...one, outcome: state as Outcome }];
  });
}

export function observeSettled(
  observe: RunObserver,
  by: 'submit' | 'poll' | 'webhook',
  settled: readonly Settled[],
): void {
  const together = new Map<Outcome, { enrichments: number[]; credits: number }>();
  for (const { id, outcome, credits = 0 } of settled) {
    const group = together.get(outcome) ?? { enrichments: [], credits: 0 };
    group.enrichments.push(id);
    group.credits = sumCredits([group.credits, credits]);
    together.set(outcome, group);
  }
  for (const [outcome, group] of together) {
    observe({ kind: 'enrichments.settled', outcome, by, ...group });
  }
}
