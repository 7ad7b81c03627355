// The results of free questions to a platform: its clock and limit, and whether the dialect describes its calls. Calls
// that cost or change something are never tried.
import type { Dialect } from '../../dialect/dialect.js';
import { pathsOf } from '../../dialect/forms.js';
import type { SluiceError } from '../errors.js';

/**
 * - `ok`: it answered as the dialect says
 * - `unclear`: its answer does not show whether the dialect is right
 * - `wrong`: it did not answer as the dialect says
 * - `not_tried`: trying it would cost, or change something
 */
export type CallVerdict = 'ok' | 'unclear' | 'wrong' | 'not_tried';

/** The judgement of the dialect by one answer. */
export interface CallFinding {
  readonly verdict: CallVerdict;
  /** A description of the answer, or the reason why nothing was asked; a clause without a full stop. */
  readonly says: string;
  /** Keys of the dialect to check; none if nothing has to be changed. */
  readonly keys: readonly string[];
}

export function right(says: string): CallFinding {
  return { verdict: 'ok', says, keys: [] };
}

export function unclear(says: string, keys: readonly string[]): CallFinding {
  return { verdict: 'unclear', says, keys };
}

export function wrong(says: string, keys: readonly string[]): CallFinding {
  return { verdict: 'wrong', says, keys };
}

export interface CallCheck extends CallFinding {
  /** The part of the dialect that describes the call: `hooks`, `lists.add`. */
  readonly key: string;
  /** Method and path, with the prefix and its placeholders: `GET /v2/hooks`. */
  readonly call: string;
}

/** The key of the check of the answers' headers about the limit, which has no call of its own. */
export const LIMITS_KEY = 'limits.headers';

/** The calls that are not tried, whatever the dialect makes of them. */
export function untriedCalls(dialect: Dialect): CallCheck[] {
  const { prefix, enrich, bulk, hooks, lists } = dialect;
  const untried = (
    key: string,
    [method, path]: readonly [method: string, path: string],
    says: string,
  ): CallCheck => ({
    key,
    call: `${method} ${prefix}${path}`,
    verdict: 'not_tried',
    says,
    keys: [],
  });
  const [costs, changes] = ['it costs', 'it changes something'];
  return [
    ...pathsOf(enrich?.path ?? null).map((path) =>
      untried('enrich', [enrich?.method ?? '', path], costs),
    ),
    ...pathsOf(bulk.path).map((path) => untried('bulk', ['POST', path], costs)),
    ...(hooks === null
      ? []
      : [
          untried('hooks.add', ['POST', hooks.path], changes),
          untried('hooks.remove', ['DELETE', hooks.remove.path], changes),
        ]),
    ...(lists === null
      ? []
      : [
          untried('lists.create', ['POST', lists.create.path], changes),
          untried('lists.add', ['POST', lists.add.path], changes),
        ]),
    ...(lists?.add.members === 'contacts'
      ? [untried('lists.upsert', ['POST', lists.upsert.path], changes)]
      : []),
  ];
}

/** The single cause of all failures; undefined if there is none, or if the causes differ. */
export function commonCause(checks: readonly CallCheck[]): string | undefined {
  const tried = checks.filter(({ key, verdict }) => verdict !== 'not_tried' && key !== LIMITS_KEY);
  const isPlace = tried.length > 1 && tried.every(({ keys }) => keys.includes('prefix'));
  if (!isPlace) return undefined;
  return 'No call answered as it should: the base address or "prefix" is likely wrong.';
}

/** The facts that one free question to the platform shows besides its answer. */
export interface PlatformProbe {
  /** The reason why a run would end at once; null if the address, the credentials and the protocol are right. */
  readonly problem: SluiceError | null;
  /** How far the platform's clock is ahead of ours, in ms; negative if it is behind; null if it gives no time. */
  readonly clockAheadMs: number | null;
  /** The limit by the headers; null if no answer came, or its headers name none. */
  readonly limit: number | null;
  /** The least length of the platform's window, in ms; null in the same cases. */
  readonly windowMsMin: number | null;
  /** Whether the dialect reads those headers as they are meant; null if no answer came. */
  readonly headers: CallFinding | null;
}
