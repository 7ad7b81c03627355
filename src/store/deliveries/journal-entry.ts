import type { DeliveryStep } from '../../ports/store/deliveries.js';

/** A column of the outcome, which is null before the delivery is handled and while it waits to be handled again. */
function onceHandled(column: string): string {
  return `CASE WHEN d.state <> 'pending' THEN d.${column} END`;
}

export const JOURNAL_ENTRY = `SELECT d.id, d.scope, d.received_at,
    ${onceHandled('handled_at')} AS handled_at, ${onceHandled('settled')} AS settled,
    ${onceHandled('unchanged')} AS unchanged, ${onceHandled('unknown')} AS unknown,
    octet_length(d.body) AS bytes, d.times
  FROM deliveries d`;

export interface Outcome {
  readonly settled: number;
  readonly unchanged: number;
  readonly unknown: number;
}

/** Adds an outcome to the earlier one, or to null: a delivery that is handled again keeps what it had. */
export function addOutcome(
  before: { readonly settled: number | null; readonly unknown: number | null },
  now: Outcome,
): Outcome {
  const settled = Math.max(before.settled ?? 0, now.settled);
  const unknown = Math.min(before.unknown ?? now.unknown, now.unknown);
  const entries = now.settled + now.unchanged + now.unknown;
  return { settled, unknown, unchanged: Math.max(0, entries - settled - unknown) };
}

/** `changed`: the number of steps that have changed an enrichment. */
export function outcomeOf(steps: readonly DeliveryStep[], changed: number): Outcome {
  const unknown = steps.filter(({ kind }) => kind === 'unknown' || kind === 'stray').length;
  return { settled: changed, unknown, unchanged: steps.length - changed - unknown };
}
