// The conditions that make a finished run a failure: its exit code, its result in logs and metrics, and its notice.
import { askedLeads, leadsIn, type RunTally, unansweredLeads } from '../tally.js';
import { SET_ASIDE } from '../waterfall/waterfall.js';

/** The beginning of the reason of a request that the platform did not take. */
export const REFUSED = 'refused by the platform: ';
/** The beginning of the reason of an answer that no path of the dialect reads. */
export const STILL_UNREAD = 'the answer came and cannot be read';
/** The beginning of the reason of an answer that may be about somebody else. */
export const SHARED_TICKET = 'ticket shared with ';

/** Kinds of leads without a reliable answer, by their status. */
const STATUSES = ['uncertain', 'timed_out', 'failed'] as const;
/** Kinds by their reason; in a waterfall the name of the step comes before it. */
const REASONS = {
  refused: new RegExp(`(^|: )(${REFUSED}|${SET_ASIDE}$)`),
  unreadable: new RegExp(`(^|: )${STILL_UNREAD}`),
  'another-person': new RegExp(`(^|: )${SHARED_TICKET}`),
} as const;

type ByStatus = (typeof STATUSES)[number];
type ByReason = keyof typeof REASONS;

export interface Condition {
  readonly kind: ByStatus | ByReason;
  /** It is met by more than this percentage of the leads that were asked for. */
  readonly abovePercent: number;
}

export const FAIL_ON_DEFAULT = [
  'uncertain',
  'timed_out',
  'refused',
  'unreadable',
  'another-person',
  'failed > 20 %',
] as const;

const CONDITION =
  /^(?:(uncertain|timed_out|failed)(?:\s*>\s*(\d{1,2}(?:\.\d{1,3})?)\s*%)?|(refused|unreadable|another-person))$/;
export const CONDITION_FORM =
  'a condition is uncertain, timed_out or failed, each perhaps with a share (failed > 20 %), or refused, unreadable or another-person';

export function parseCondition(text: string): Condition | undefined {
  const [whole, status, share = '0', reason] = CONDITION.exec(text.trim()) ?? [];
  if (whole === undefined) return undefined;
  return { kind: (status ?? reason) as Condition['kind'], abovePercent: Number(share) };
}

/** As `parseCondition`, for what was checked. */
export function toConditions(texts: readonly string[]): readonly Condition[] {
  return texts.flatMap((text) => parseCondition(text) ?? []);
}

/** The kind that a lead's reason shows; undefined for any other reason. */
export function kindOfReason(reason: string): ByReason | undefined {
  return (Object.keys(REASONS) as ByReason[]).find((kind) => REASONS[kind].test(reason));
}

/**
 * Whether none of the conditions is met, not every lead was skipped, and each source had something to ask. A lead that
 * the platform answered with an error is answered as well, unless nothing was found beside it.
 */
export function isAnswered(tally: RunTally, failOn: readonly Condition[]): boolean {
  if (tally.leadless !== undefined) return false;
  if (tally.byStatus.skipped === askedLeads(tally)) return unansweredLeads(tally) === 0;
  return !failOn.some((condition) => isMet(condition, tally));
}

function isMet({ abovePercent, kind }: Condition, tally: RunTally): boolean {
  const { byStatus, reasons } = tally;
  if (kind in REASONS) {
    return reasons.some(
      ({ reason, status }) => byStatus[status] > 0 && kindOfReason(reason) === kind,
    );
  }
  // An ask in doubt beside a known answer may have been paid for; one that failed beside it was not.
  const count = kind === 'failed' ? byStatus.failed : leadsIn(tally, kind as ByStatus);
  if (kind === 'failed' && count > 0 && byStatus.found === 0) return true;
  const { failed, found, not_found: missed, timed_out: late, uncertain } = byStatus;
  return count * 100 > abovePercent * (failed + found + missed + late + uncertain);
}
