// The life of an enrichment: every state, every arrow, and nothing else. The SQL schema repeats the
// arrows in a trigger, and a test holds the two against each other.

export const STATES = [
  'queued',
  'submitting',
  'awaiting',
  'found',
  'not_found',
  'failed',
  'timed_out',
  'uncertain',
] as const;
export type EnrichmentState = (typeof STATES)[number];

/** How an enrichment ended. */
export type Outcome = Extract<
  EnrichmentState,
  'found' | 'not_found' | 'failed' | 'timed_out' | 'uncertain'
>;

/**
 * Every arrow, with what causes it.
 *
 * - queued → submitting: claimed, synced to disk, about to be sent
 * - submitting → awaiting: the platform handed back a ticket
 * - submitting → queued: the platform certainly did not accept (refused connection, 401, 402, 429)
 * - submitting → failed: the platform answered that it will not accept this request
 * - submitting → uncertain: sent, and no ticket is known
 * - awaiting → found, not_found, failed: a result or an error came back
 * - awaiting → timed_out: no answer within the deadline; it may still come
 * - timed_out → found, not_found, failed: the answer came after the deadline
 * - timed_out → awaiting: a later run goes on asking for the same ticket, which costs nothing
 * - uncertain → awaiting: the ticket came to light after all
 * - uncertain → found, not_found, failed: a webhook carrying the correlation key answered it
 * - not_found, failed → awaiting: the user wants the ticket read again, for nothing (`sluice retry`)
 * - uncertain → queued: the user said so (`--resend-uncertain`), or its sender learnt that it was not accepted
 */
const TRANSITIONS: Readonly<Record<EnrichmentState, readonly EnrichmentState[]>> = {
  queued: ['submitting'],
  submitting: ['awaiting', 'queued', 'failed', 'uncertain'],
  awaiting: ['found', 'not_found', 'failed', 'timed_out'],
  found: [],
  not_found: ['awaiting'],
  failed: ['awaiting'],
  timed_out: ['found', 'not_found', 'failed', 'awaiting'],
  uncertain: ['awaiting', 'found', 'not_found', 'failed', 'queued'],
};

/** Whether an enrichment may go from one state to another. */
export function canMove(from: EnrichmentState, to: EnrichmentState): boolean {
  return TRANSITIONS[from].includes(to);
}
