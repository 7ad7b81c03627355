// Tickets: as the platform's list of charges may name them, and those that it gave for requests about different people,
// where only the answer can say whose it is.
import type { InputName, Inputs } from '../ask.js';
import { fold } from '../fingerprint.js';
import type { Result } from '../result.js';
import { formatCount } from '../text/count.js';

/** The platform's own name of a ticket: `bulk_7` for an item of a bulk call with one id for all. Null if the platform gave no id, and answered at once. */
export function platformTicket(ticket: string): string | null {
  if (ticket.includes(' ')) return null;
  const at = ticket.lastIndexOf('~');
  return at > 0 && /^~(?:[\w-]{16}|\d{1,5}of\d{1,5})$/.test(ticket.slice(at))
    ? ticket.slice(0, at)
    : ticket;
}

export interface TicketHolder {
  readonly ticket: string;
  readonly inputs: Inputs;
  readonly runId: number;
  /** Its first lead's line in that run; null if that is pruned. */
  readonly line: number | null;
}

/** Each of these names a person by itself. */
const NAMES: readonly (readonly (keyof Inputs)[])[] = [
  ['email'],
  ['socialUrl'],
  ['firstName', 'lastName', 'companyDomain'],
  ['firstName', 'lastName', 'companyName'],
];
const LINES_MAX = 10;

/** Whether two requests are certainly about the same person or company. */
export function isSameSubject(one: Inputs, other: Inputs): boolean {
  if (JSON.stringify(one) === JSON.stringify(other)) return true;
  return NAMES.some((keys) => keys.every((key) => isEqual(key, one[key], other[key])));
}

export function othersAmong<H extends Pick<TicketHolder, 'inputs'>>(
  holders: readonly H[],
  own: Inputs,
): H[] {
  return holders.filter(({ inputs }) => !isSameSubject(inputs, own));
}

/** Whether an answer names the subject of these inputs, and none of the others. */
export function isNamedAlone(
  result: Result,
  own: Inputs,
  others: readonly Pick<TicketHolder, 'inputs'>[],
): boolean {
  return isNamed(result, own) && !others.some(({ inputs }) => isNamed(result, inputs));
}

function isNamed({ find_email: email, social_enrichment: profile }: Result, own: Inputs): boolean {
  const isSame = (key: InputName, said: string | undefined) => isEqual(key, said, own[key]);
  if (isSame('email', email?.email) || isSame('socialUrl', profile?.socialUrl)) return true;
  return isSame('firstName', profile?.firstName) && isSame('lastName', profile?.lastName);
}

function isEqual(key: InputName, one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return fold(key, one) === fold(key, other);
}

/** `lines 3, 7 and 2 more`; those of other runs by their runs. */
export function listHolders(holders: readonly TicketHolder[], runId: number | null): string {
  const lines = holders
    .flatMap((one) => (one.runId === runId ? (one.line ?? []) : []))
    .toSorted((a, b) => a - b);
  const shown = lines.slice(0, LINES_MAX);
  const elsewhere = holders.length - lines.length;
  const parts = [
    ...(shown.length === 0 ? [] : [`line${shown.length > 1 ? 's' : ''} ${shown.join(', ')}`]),
    ...(lines.length > shown.length ? [`${lines.length - shown.length} more`] : []),
    ...(elsewhere === 0
      ? []
      : [formatCount(elsewhere, 'lead of another run', 'leads of other runs')]),
  ];
  return parts.join(' and ');
}
