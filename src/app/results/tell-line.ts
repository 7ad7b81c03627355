// The words about one line and its enrichment, the same on the screen and on a page. They show personal data: the user
// may read the state, and asked for it.
import type { LeadStatus } from '../../model/answer.js';
import type { EnrichmentState } from '../../model/enrichment/arrows.js';
import { nameOfMapped } from '../../model/mapping/find-column.js';
import { type MappedInput } from '../../model/mapping/mapping.js';
import type { Result } from '../../model/result.js';
import { cutText, formatCount } from '../../model/text/count.js';
import { formatTime } from '../../model/text/format-time.js';
import type { JsonValue } from '../../model/text/json.js';
import { printable } from '../../model/text/printable.js';
import type { JournalEntry } from '../../ports/store/deliveries.js';
import type { EnrichmentHistory, LeadHistory } from '../../ports/store/runs.js';
import type { ExplainedLine } from './explain-line.js';

/** A name, and its text. */
export type Told = readonly [name: string, text: string];

export interface Telling {
  /** False if the time of it stands beside it. Default: true. */
  readonly isDated?: boolean;
}

/** The length to which texts are cut. */
const SHOWN_LENGTH_MAX = 200;

export function shorten(text: string): string {
  return cutText(text, SHOWN_LENGTH_MAX);
}

/** The column that fed each input. */
export function tellMapping(mapping: readonly MappedInput[]): string {
  return mapping
    .map(
      ({ input, isGuessed, ...mapped }) =>
        `${input} = ${printable(nameOfMapped(mapped))}${isGuessed ? ' (guessed)' : ''}`,
    )
    .join(', ');
}

/** The cells of a lead by the keys of their columns. */
export function namedCells(
  { run }: Pick<ExplainedLine, 'run'>,
  { cells }: Pick<LeadHistory, 'cells'>,
): Record<string, JsonValue> {
  return Object.fromEntries(
    cells.map((cell, i) => [run.columns[i]?.key ?? `column_${i + 1}`, cell]),
  );
}

/** The status that the line's row shows, if no older answer stands there. */
export function shownStatus({ enrichment, isNotAsked }: LeadHistory): LeadStatus {
  if (enrichment === null) return isNotAsked ? 'not_asked' : 'skipped';
  return enrichment.isSuppressed ? 'skipped' : enrichment.state;
}

/** The words for a line without an enrichment. */
export function tellUnasked(lead: LeadHistory): string {
  return `${shownStatus(lead)}: ${lead.note ?? ''}; nothing was asked, and nothing paid`;
}

export function tellReject(reason: string): string {
  return `rejected: ${reason}; it became no lead, and cost nothing`;
}

export function tellAsked({ request, fingerprint, isCurrent }: EnrichmentHistory): Told[] {
  const inputs = Object.entries(request.inputs).map(
    ([name, value]) => `${name} = ${shorten(value)}`,
  );
  const place = isCurrent ? '' : ' (a newer enrichment has taken its place)';
  return [
    ['inputs', inputs.length === 0 ? 'forgotten' : inputs.join(', ')],
    ['asked', request.ask.join(', ')],
    ['fingerprint', Buffer.from(fingerprint).toString('hex') + place],
  ];
}

export function tellSent(
  { lostSends, sendCount, servedBy, submittedAt }: EnrichmentHistory,
  { isDated = true }: Telling = {},
): string {
  if (servedBy !== null) return 'not for itself: a wider question was asked, and serves it';
  if (sendCount === 0) return 'not yet';
  const at = submittedAt === null ? '' : `, last at ${formatTime(submittedAt)} (UTC)`;
  const last = isDated ? at : sendCount > 1 ? '; this was the last' : '';
  const lost =
    lostSends === 0
      ? ''
      : `; whether ${formatCount(lostSends, 'earlier send')} arrived is not known`;
  return `${formatCount(sendCount, 'time')}${last}${lost}`;
}

/** The ticket, and the way in which its answer was and is looked for. */
export function tellAwaited(one: EnrichmentHistory): Told[] {
  const told: Told[] = [];
  if (one.ticket !== null) told.push(['ticket', one.ticket]);
  if (one.pollCount > 0) {
    told.push(['polled', `${formatCount(one.pollCount, 'time')} while it was pending`]);
  }
  if (one.state === 'awaiting' && one.pollAt !== null && one.deadlineAt !== null) {
    const until = `until ${formatTime(one.deadlineAt)} (UTC)`;
    told.push(['next poll', `${formatTime(one.pollAt)}, ${until}`]);
  }
  return told;
}

export function tellDelivery({ id, receivedAt, handledAt }: JournalEntry): string {
  const handled = handledAt === null ? 'pending' : `settled ${formatTime(handledAt)}`;
  return `${id}, received ${formatTime(receivedAt)} (UTC), ${handled}`;
}

/** The same if the times of both stand beside it; `settledAt` is that of the enrichment. */
export function tellDeliveryUndated(
  { id, handledAt }: JournalEntry,
  settledAt: number | null,
): string {
  if (handledAt === null) return `${id}, pending`;
  return `${id}, settled${handledAt === settledAt ? '' : ` ${formatTime(handledAt)} (UTC)`}`;
}

/** The outcome, and the values that were found. */
export function tellOutcome(one: EnrichmentHistory, { isDated = true }: Telling = {}): Told[] {
  const at = one.settledAt === null || !isDated ? '' : `, at ${formatTime(one.settledAt)} (UTC)`;
  // The time follows in the same sentence.
  const why = at === '' ? one.reason : (one.reason?.replace(/\.$/, '') ?? null);
  const reason = why === null ? '' : `: ${why}`;
  const stands: Told[] =
    one.standsSince === null
      ? []
      : [['the row', `shows an older answer, of ${formatTime(one.standsSince)} (UTC)`]];
  return [
    ['outcome', one.isSuppressed ? `skipped${reason}` : `${one.state}${reason}${at}`],
    ...stands,
    ...(one.result === null ? [] : tellResult(one.result)),
  ];
}

/** The other lines with the same enrichment; nothing if there is none. */
export function tellSharing(one: EnrichmentHistory, { run }: Pick<ExplainedLine, 'run'>): Told[] {
  const others = one.sharedWith.map(({ runId, source, line }) =>
    runId === run.id
      ? `line ${line}${run.sources.length > 1 ? ` of ${run.sources[source] ?? ''}` : ''}`
      : `run ${runId} line ${line}`,
  );
  const more = one.sharedCount - others.length;
  if (others.length === 0) return [];
  return [['shared with', `${others.join(', ')}${more > 0 ? ` and ${more} more` : ''}`]];
}

/** The cost in states without an answer that states it. */
const COST_UNKNOWN: Partial<Record<EnrichmentState, string>> = {
  submitting: 'not known before the answer',
  awaiting: 'not known before the answer',
  timed_out: 'not known, since no answer has come',
  uncertain: 'not known, since it is not known whether it was taken',
};

/** The cost, and who paid. */
export function tellCost(
  one: EnrichmentHistory,
  lead: LeadHistory,
  { run }: Pick<ExplainedLine, 'run'>,
): string {
  const credits = formatCount(one.credits, 'credit');
  if (one.paidBy === null) return 'nothing so far';
  const payer = one.paidBy === run.id ? 'another line of this run' : `run ${one.paidBy}`;
  if (one.servedBy !== null) return `nothing here: ${payer} paid for the wider question`;
  const unknown = COST_UNKNOWN[one.state];
  if (lead.isPayer) return `${unknown ?? credits}, paid by this run for this line`;
  return `nothing here: ${payer} paid ${unknown === undefined ? credits : `for it; how much is ${unknown}`}`;
}

export function tellResult({
  custom = {},
  find_email,
  find_phone,
  social_enrichment,
}: Result): Told[] {
  const email = [find_email?.email, find_email?.status].filter((one) => one !== undefined);
  const told: Told[] = [];
  if (email.length > 0) told.push(['e-mail', shorten(email.join(', '))]);
  if (find_phone?.phone !== undefined) told.push(['phone', shorten(find_phone.phone)]);
  if (social_enrichment !== undefined) {
    told.push(['profile', shorten(social_enrichment.socialUrl ?? 'without an address')]);
  }
  for (const [ask, values] of Object.entries(custom)) {
    told.push([ask, shorten(Object.values(values).join(', '))]);
  }
  return told;
}
