/**
 * - `ok`: as it should be
 * - `warn`: it works now, but perhaps not for long, or not as well as it could
 * - `fail`: a run would end here, or go wrong
 * - `skipped`: there is nothing to check, or it cannot be checked now
 */
export type Verdict = 'ok' | 'warn' | 'fail' | 'skipped';

export interface Finding {
  readonly verdict: Verdict;
  readonly says: string;
  /** The advice, in a sentence; null if there is nothing to do, or `says` includes it. */
  readonly advice: string | null;
}

export function ok(says: string): Finding {
  return { verdict: 'ok', says, advice: null };
}

export function warn(says: string, advice: string | null): Finding {
  return { verdict: 'warn', says, advice };
}

export function fail(says: string, advice: string | null): Finding {
  return { verdict: 'fail', says, advice };
}

export function skipped(says: string): Finding {
  return { verdict: 'skipped', says, advice: null };
}
