// Enrichments that a verb has for itself: what their rows say, what was decided about them so far, and what follows from
// that besides. The rules beside this file decide; a store holds the rows before, and saves what was decided after.
import type { SecondLook, Settlement } from '../../ports/store/enrichments.js';
import type { Result } from '../result.js';
import { type EnrichmentEvent, type EnrichmentState, stateAfter } from './arrows.js';
import type { RequestRow } from './stored-request.js';

/** When one is due whose answer came and cannot be read: the last moment that a date can name. */
export const NEVER = 8_640_000_000_000_000;

/** An enrichment as its row says. What each column means is in src/store/schema.ts. */
export interface Enrichment extends RequestRow {
  /** Below zero until its row is written. */
  id: number;
  readonly fingerprint: Uint8Array;
  isCurrent: boolean;
  runId: number;
  paidBy: number | null;
  state: EnrichmentState;
  inputs: string;
  ticket: string | null;
  callId: number | null;
  reason: string | null;
  thousandths: number;
  submittedAt: number | null;
  pollAt: number | null;
  pollCount: number;
  wasEmpty: number;
  believed: number | null;
  deadlineAt: number | null;
  settledAt: number | null;
  answeredAt: number | null;
  sendCount: number;
  lostSends: number;
  olderAnswer: number | null;
  predecessor: number | null;
  servedBy: number | null;
  /** Whether others wait for what comes of it. */
  serves: boolean;
}

/** What an event makes of it. */
export type Change = Partial<Omit<Enrichment, 'id' | 'fingerprint' | 'ask'>>;

/** What brought an answer: the reply to its submission, a poll or a webhook. */
export type AnsweredBy = 'submit' | 'polled' | 'delivered';

/** What an enrichment was before it ended. */
export type Seen = Pick<
  Enrichment,
  'runId' | 'paidBy' | 'submittedAt' | 'pollCount' | 'thousandths'
>;

/** What a run counts over time. */
type News =
  | {
      readonly kind: 'accepted' | 'refused' | 'in_vain';
      readonly runId: number;
      readonly at: number;
    }
  | {
      readonly kind: 'answered';
      readonly before: Seen;
      readonly settlement: Settlement;
      readonly by: AnsweredBy;
    };

/** What a verb holds, and what it has decided and not yet saved. */
export interface Held {
  readonly rows: Map<number, Enrichment>;
  /** In the order in which they are to be added. */
  readonly created: Enrichment[];
  /**
   * By each row: a change, or one for each arrow that it goes along. Those before the last arrow are saved by themselves,
   * since a trigger looks at every arrow.
   */
  readonly changes: Map<Enrichment, Change[]>;
  readonly results: Map<Enrichment, Result>;
  /** Answers that no dialect has read yet; null: it has none any more. */
  readonly unread: Map<Enrichment, string | null>;
  readonly looks: SecondLook[];
  /** By tickets that are known from now on. */
  readonly learnt: Map<string, Enrichment[]>;
  readonly news: News[];
}

export function openHeld(rows: readonly Enrichment[] = []): Held {
  return {
    rows: new Map(rows.map((row) => [row.id, row])),
    created: [],
    changes: new Map(),
    results: new Map(),
    unread: new Map(),
    looks: [],
    learnt: new Map(),
    news: [],
  };
}

/** Changes the row, which stays in its state. */
export function change(held: Held, row: Enrichment, to: Change): void {
  Object.assign(row, to);
  const changes = held.changes.get(row);
  const last = changes?.at(-1);
  if (last === undefined) held.changes.set(row, [{ ...to }]);
  else Object.assign(last, to);
}

/** Moves the row along the arrow of an event. False where the event changes nothing in its state. */
export function move(
  held: Held,
  row: Enrichment,
  event: EnrichmentEvent,
  to: Omit<Change, 'state'>,
): boolean {
  const state = stateAfter(row.state, event);
  if (state === undefined) return false;
  if (state === row.state) {
    change(held, row, to);
    return true;
  }
  Object.assign(row, to, { state });
  const changes = held.changes.get(row);
  const last = changes?.at(-1);
  if (changes === undefined || last === undefined) held.changes.set(row, [{ ...to, state }]);
  else if (last.state === undefined) Object.assign(last, to, { state });
  else changes.push({ ...to, state });
  return true;
}

/** Those that wait for what comes of it. */
export function servedBy({ rows }: Held, { id, serves }: Enrichment): Enrichment[] {
  return serves ? [...rows.values()].filter((row) => row.servedBy === id) : [];
}

/** Keeps the ticket of one whose ticket was not known. */
export function learn(held: Held, ticket: string, row: Enrichment): void {
  held.learnt.set(ticket, [...(held.learnt.get(ticket) ?? []), row]);
}
