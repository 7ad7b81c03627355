// The results of second looks at empty successes, and the misses that were believed on trust. The SQL is understood by
// every store.
import type { Trust, Trusts } from '../../ports/store/accounts.js';
import { LOOK_KINDS, type LookKind } from '../../ports/store/enrichments.js';
import { IS_REMEMBERED } from './known-answers.js';

export interface TrustRow extends Trust {
  readonly kind: LookKind;
}

/** Trusts, in SQL; a condition on account and dialect follows. */
export const TRUST_ROWS = 'SELECT kind, id, confirmed FROM empty_answers';

export function toTrusts(rows: readonly TrustRow[]): Trusts {
  const known = rows.map(({ kind, id, confirmed }) => [kind, { id, confirmed }]);
  const none = LOOK_KINDS.map((kind) => [kind, { id: 0, confirmed: 0 }]);
  return Object.fromEntries([...none, ...known]) as Trusts;
}

/** Whether an enrichment is a miss that was believed on a trust that has ended since, and can be read again. */
export const IS_DOUBTED = `(believed IS NOT NULL AND state = 'not_found' AND ticket IS NOT NULL AND ${IS_REMEMBERED}
  AND believed NOT IN (SELECT id FROM empty_answers))`;

export const ENDED_RUNS_MAX = 5;
