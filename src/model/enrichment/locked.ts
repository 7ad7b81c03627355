// Enrichments that a verb has locked: their rows, the decisions about them so far, and the consequences of these. The
// rules beside this file decide; a store locks the rows before, and saves the decisions after.
import type { Ask } from '../ask.js';
import type { Result } from '../result.js';
import { type EnrichmentEvent, type EnrichmentState, stateAfter, UNANSWERED } from './arrows.js';
import type { RequestRow } from './stored-request.js';

/** The due time of an enrichment whose answer came and cannot be read: the last moment that a date can name. */
export const NEVER = 8_640_000_000_000_000;

/** An enrichment as its row says. src/store/schema.ts gives the meaning of each column. */
export interface Enrichment extends RequestRow {
  /** A number below zero until its row is written. */
  id: number;
  readonly fingerprint: Uint8Array;
  isCurrent: boolean;
  /** The asks that it is sent for, spelled as `ask`: all but those that others' answers stand for. */
  sent: string;
  runId: number;
  paidBy: number | null;
  state: EnrichmentState;
  inputs: string;
  ticket: string | null;
  callId: number | null;
  reason: string | null;
  thousandths: number;
  priceMax: number;
  countedAt: number | null;
  submittedAt: number | null;
  pollAt: number | null;
  pollCount: number;
  wasEmpty: boolean;
  deadlineAt: number | null;
  settledAt: number | null;
  answeredAt: number | null;
  sendCount: number;
  lostSends: number;
  olderAnswer: number | null;
  /** Whether others' values are shown for it until it has an answer of its own. */
  showsKnown: boolean;
  /** Whether another one has a key of it: a claim looks once more. */
  looks: boolean;
  /** Whether the user has it sent again, although it, or another, may have been accepted, or has failed. */
  isResent: boolean;
}

export type Change = Partial<Omit<Enrichment, 'id' | 'fingerprint' | 'ask'>>;

/** An enrichment's share in what its account has spent, by the run that sent it. Amounts are in thousandths. */
export interface Cost {
  readonly run: number;
  readonly quarter: number;
  readonly spent: number;
  /** The highest price, while it may still be charged. */
  readonly reserved: number;
}

/** The cost of a row; null if it was not sent. */
export function costOf({
  countedAt,
  paidBy,
  priceMax,
  state,
  thousandths,
}: Enrichment): Cost | null {
  if (paidBy === null || countedAt === null || state === 'queued') return null;
  const isOpen = (UNANSWERED as readonly string[]).includes(state);
  return {
    run: paidBy,
    quarter: countedAt,
    spent: isOpen ? 0 : thousandths,
    reserved: isOpen ? priceMax : 0,
  };
}

/** A key as it is kept (person.ts): its digest says nothing without the state. */
export interface KeptKey {
  /** Each letter is a byte. */
  readonly digest: string;
  readonly ask: Ask | null;
  /** It is looked up, and not kept. */
  readonly isOfForgotten?: true | undefined;
}

/** The asks, spelled as in a row, for which another enrichment stands in. */
export interface StandIn {
  readonly ask: string;
  readonly from: Enrichment;
}

export interface Locked {
  readonly rows: Map<number, Enrichment>;
  /** New enrichments in the order in which they are to be added. */
  readonly created: Enrichment[];
  /** One for each arrow that the row goes along, saved one by one because a trigger looks at each. */
  readonly changes: Map<Enrichment, Change[]>;
  readonly results: Map<Enrichment, Result>;
  /** The values of others that rows had when they were locked: those with asks that they were not sent for. */
  readonly known: Map<Enrichment, Result>;
  /** From where the asks of a row come that it is not sent for: all of it, in place of what was. */
  readonly stands: Map<Enrichment, readonly StandIn[]>;
  readonly keys: Map<Enrichment, readonly KeptKey[]>;
  /** Answers that no dialect has read yet; null removes one. */
  readonly unread: Map<Enrichment, string | null>;
  /** Enrichments whose uncertain send is given up, because they are sent again: it may be charged all the same. */
  readonly givenUp: number[];
  /** Enrichments by tickets that are known from now on. */
  readonly learnt: Map<string, Enrichment[]>;
  /** The costs of rows that have changed, as they counted before. */
  readonly costs: Map<Enrichment, Cost | null>;
}

export function openLocked(rows: readonly Enrichment[] = []): Locked {
  return {
    rows: new Map(rows.map((row) => [row.id, row])),
    created: [],
    changes: new Map(),
    results: new Map(),
    known: new Map(),
    stands: new Map(),
    keys: new Map(),
    unread: new Map(),
    givenUp: [],
    learnt: new Map(),
    costs: new Map(),
  };
}

export function change({ changes, costs }: Locked, row: Enrichment, to: Change): void {
  if (!costs.has(row)) costs.set(row, costOf(row));
  Object.assign(row, to);
  const steps = changes.get(row);
  const last = steps?.at(-1);
  if (steps === undefined || last === undefined) changes.set(row, [{ ...to }]);
  else if (to.state === undefined || last.state === undefined) Object.assign(last, to);
  else steps.push({ ...to });
}

/** Moves the row along the arrow of an event. False if the event changes nothing in its state. */
export function move(locked: Locked, row: Enrichment, event: EnrichmentEvent, to: Change): boolean {
  const state = stateAfter(row.state, event);
  if (state === undefined) return false;
  change(locked, row, state === row.state ? to : { ...to, state });
  return true;
}
