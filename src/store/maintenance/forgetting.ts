import { UNANSWERED } from '../../model/enrichment/arrows.js';
import type { Enrichment } from '../../model/enrichment/locked.js';
import { type PersonMatch, withoutPerson } from '../../model/person-match.js';
import type { JsonValue } from '../../model/text/json.js';
import type { ForgetReport } from '../../ports/store/maintenance.js';

/** The platform would know the person by the ticket: this one only says that the request was accepted. */
export const FORGOTTEN_TICKET = 'forgotten';

export type Erasable = Pick<
  Enrichment,
  'state' | 'ticket' | 'lostSends' | 'submittedAt' | 'settledAt' | 'paidBy'
>;

/** The sends that may have been charged: an unanswered last one counts too. */
export function sendsLeft({ lostSends, paidBy, state }: Erasable): number {
  const isOpen = UNANSWERED.some((one) => one === state) && paidBy !== null;
  return lostSends + (isOpen ? 1 : 0);
}

/** Null if it certainly was never accepted, so that it may be asked for again at once. */
export function ticketLeft({ lostSends, state, ticket }: Erasable): string | null {
  const wasRefused = state === 'failed' && ticket === null;
  return lostSends === 0 && (state === 'queued' || wasRefused) ? null : FORGOTTEN_TICKET;
}

/** The ticket as it is shown, in SQL: null if the person was forgotten. */
export function toldTicket(ticket: string): string {
  return `nullif(${ticket}, '${FORGOTTEN_TICKET}')`;
}

/** Work that would bring the data back: open work on their leads, and deliveries that are not settled. */
export type Blocks = Pick<ForgetReport, 'openRuns' | 'pendingDeliveries'>;

export function mayRemove({ openRuns, pendingDeliveries }: Blocks): boolean {
  return openRuns.length + pendingDeliveries === 0;
}

export const NOTHING_REMOVED = {
  leads: 0,
  enrichments: 0,
  results: 0,
  deliveries: 0,
  events: 0,
  rejects: 0,
  runs: [],
} as const;

/** `others` as in `PersonMatch.inJson`. */
export function isAbout(match: PersonMatch, json: string, others?: ReadonlySet<string>): boolean {
  try {
    return match.inJson(JSON.parse(json) as JsonValue, others);
  } catch {
    return match.inText(json);
  }
}

/** Undefined if the rest cannot be separated from the person's, or is nested too deeply to be written. */
export function restOf(body: string, isTheirs: (value: JsonValue) => boolean): string | undefined {
  try {
    const rest = withoutPerson(JSON.parse(body) as JsonValue, isTheirs);
    return rest === undefined ? undefined : JSON.stringify(rest);
  } catch {
    return undefined;
  }
}
