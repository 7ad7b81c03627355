// The life of an enrichment: every state, and every event with its arrows. No other code states them: the trigger of
// both databases is made from this table, and a test compares the diagram in docs/internals/enrichments.md.

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

/** The states without an answer in which the platform may charge: being sent, or sent. */
export const UNANSWERED = [
  'submitting',
  'awaiting',
  'timed_out',
  'uncertain',
] as const satisfies readonly EnrichmentState[];

export type Outcome = Extract<
  EnrichmentState,
  'found' | 'not_found' | 'failed' | 'timed_out' | 'uncertain'
>;

/** Whether no answer is taken for it any more. */
export function hasEnded(state: EnrichmentState): boolean {
  return isAnswer(state) || state === 'failed';
}

export function isAnswer(state: EnrichmentState | undefined): state is 'found' | 'not_found' {
  return state === 'found' || state === 'not_found';
}

type Arrows = Readonly<Partial<Record<EnrichmentState, EnrichmentState>>>;

/**
 * In a state that it does not name, an event changes nothing; one that leads back to its state changes other fields.
 */
export const ARROWS = {
  /** A permit is there; the state is synced to disk before the request leaves. */
  claimed: { queued: 'submitting' },

  // The next three are for the sender's own answer, also if another process has called the enrichment uncertain
  // meanwhile.
  /** The platform handed back a ticket. */
  accepted: { submitting: 'awaiting', uncertain: 'awaiting' },
  /** The platform certainly did not accept: a refused connection, 401, 402, 429. */
  unsent: { submitting: 'queued', uncertain: 'queued' },
  /** The platform answered that it will not accept this request. */
  refused: { submitting: 'failed', uncertain: 'failed' },
  /** It was sent, and no ticket is known. */
  lost: { submitting: 'uncertain', uncertain: 'uncertain' },

  /** Its process died between sending and saving, or has been sending for too long. */
  cut_off: { submitting: 'uncertain' },
  /** A webhook names it: it was sent, whatever we thought of it. */
  known_sent: { queued: 'submitting', submitting: 'uncertain' },
  /** A webhook brought its ticket, and no answer yet. */
  heard: { uncertain: 'awaiting' },

  /** A result came, or an error: also after the deadline, and by a webhook if no ticket was known. */
  found: { awaiting: 'found', timed_out: 'found', uncertain: 'found' },
  not_found: { awaiting: 'not_found', timed_out: 'not_found', uncertain: 'not_found' },
  failed: { awaiting: 'failed', timed_out: 'failed', uncertain: 'failed' },
  /** Others have got its ticket since: the answer is another's, or does not say whose it is. */
  withdrawn: { found: 'failed' },
  /** A look after the deadline brought no answer; it may still come. */
  timed_out: { awaiting: 'timed_out' },
  /** The same, if its ticket was read again: its earlier answer counts. */
  stood: { awaiting: 'not_found' },

  // The next four are for what others' answers stand in for: nothing of it is sent.
  /** All of it is known, and some of it has a value: also where a late answer brought that, or it was imported. */
  known: { queued: 'found', uncertain: 'found', not_found: 'found', failed: 'found' },
  /** It is known that there is nothing. */
  known_miss: { queued: 'not_found', uncertain: 'not_found' },
  /** What stands in for it failed, or was taken back. */
  known_failed: { queued: 'failed', uncertain: 'failed', found: 'failed' },
  /** What would stand in for it may have been accepted, and is not awaited. */
  known_unsure: { queued: 'uncertain', uncertain: 'uncertain' },

  /** A look found it pending still. */
  postponed: { awaiting: 'awaiting' },
  /** An answer came that no dialect has read yet. */
  unread: { awaiting: 'awaiting' },
  /** A webhook without an answer came: a look is worth it now. */
  due_now: { awaiting: 'awaiting' },

  /** A run works on an enrichment that another run has left, or shares with it. */
  taken_over: { queued: 'queued', awaiting: 'awaiting' },
  /** A run asks for the same ticket again, which costs nothing. */
  reopened: { timed_out: 'awaiting' },
  /** The user said so (`--resend-uncertain`): it may be paid for twice. */
  requeued: { uncertain: 'queued' },
  /** The user wants its ticket read again, for nothing (`sluice retry`). */
  reread: { not_found: 'awaiting', failed: 'awaiting' },
} as const satisfies Readonly<Record<string, Arrows>>;

export type EnrichmentEvent = keyof typeof ARROWS;
const EVENTS = Object.keys(ARROWS) as EnrichmentEvent[];

/** The state to which the event leads; undefined if it changes nothing. */
export function stateAfter(
  state: EnrichmentState,
  event: EnrichmentEvent,
): EnrichmentState | undefined {
  const arrows: Arrows = ARROWS[event];
  return arrows[state];
}

/** The events of a send. Each leads to one state. */
export type SendEvent = 'claimed' | 'accepted' | 'unsent' | 'refused' | 'lost';

export function targetOf(event: SendEvent): EnrichmentState {
  return Object.values(ARROWS[event])[0] as EnrichmentState;
}

/** The states in which the event changes something. */
export function statesOf(event: EnrichmentEvent): EnrichmentState[] {
  return STATES.filter((state) => stateAfter(state, event) !== undefined);
}

export function canMove(from: EnrichmentState, to: EnrichmentState): boolean {
  return from !== to && EVENTS.some((event) => stateAfter(from, event) === to);
}

/** Every arrow to another state, as `from>to`. */
export function listArrows(): string[] {
  return STATES.flatMap((from) =>
    STATES.filter((to) => canMove(from, to)).map((to) => `${from}>${to}`),
  );
}
