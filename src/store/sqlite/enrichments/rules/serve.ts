// A wider question serves a lead that asks for a part of it: the lead's own enrichment takes what comes of the wider one.
// Which one serves, and what is taken, is decided here; a store carries it out.
import type { Ask, EnrichmentRequest } from '../../../../model/ask.js';
import type { EnrichmentState } from '../../../../model/enrichment/arrows.js';
import { NO_INPUTS } from '../../../../model/enrichment/stored-request.js';
import type { Result } from '../../../../model/result.js';
import { judgePart } from '../../../../model/verdict.js';
import type {
  Fingerprints,
  IngestTimes,
  PeekedState,
  Settlement,
  SubmitRecord,
} from '../../../../ports/store/enrichments.js';
import {
  type Before,
  beforeNext,
  type Known,
  type KnownRow,
  NOTHING_BEFORE,
  olderOf,
  peekRow,
  wasAccepted,
} from './known.js';

interface Serving {
  readonly row: KnownRow;
  /** What the lead is by it. */
  readonly is: Exclude<PeekedState, 'new'>;
}

type ServingTimes = Pick<IngestTimes, 'freshSince' | 'resendUncertain'>;

/** The wider question that serves a lead; undefined where its own counts, or none does. */
export function findServing(
  known: Known,
  lead: Fingerprints,
  times: ServingTimes,
): Serving | undefined {
  const { wider = [] } = lead;
  if (wider.length === 0) return undefined;
  const own = known.current(lead.fingerprint);
  const ownState = own === undefined ? 'new' : peekRow(known, own, times.freshSince);
  if (own !== undefined && ownState !== 'new' && !isInDoubt(own)) return undefined;
  const found = wider.flatMap((fingerprint) => servingOf(known, fingerprint, times) ?? []);
  const serving = found.filter(({ row }) => ownState === 'new' || endsDoubt(row, own));
  return serving.toSorted((a, b) => compare(a.row, b.row))[0];
}

function servingOf(
  known: Known,
  fingerprint: Uint8Array,
  { freshSince, resendUncertain = false }: ServingTimes,
): Serving | undefined {
  const current = known.current(fingerprint);
  const is = current === undefined ? 'new' : peekRow(known, current, freshSince);
  if (current === undefined || is === 'new') return undefined;
  const isIt = current.state !== 'queued' && wasAccepted(current);
  const row = isIt ? current : olderOf(known, current);
  // Who would have it sent again asks for no more than is wanted.
  if (row === undefined || (row.state === 'uncertain' && resendUncertain)) return undefined;
  return { row, is };
}

function isInDoubt({ state, served_by }: KnownRow): boolean {
  return state === 'uncertain' || (state === 'submitting' && served_by !== null);
}

/** Whether there is news of what an enrichment in doubt waits for, or an answer where it shows none. */
function endsDoubt({ state, ticket }: KnownRow, own: KnownRow | undefined): boolean {
  if (own === undefined || own.served_by !== null) return ticket !== null;
  return own.older_answer === null && (state === 'found' || state === 'not_found');
}

/** The best comes first: an answer, the newest before all. */
function compare(a: KnownRow, b: KnownRow): number {
  return RANK[a.state] - RANK[b.state] || (b.settled_at ?? 0) - (a.settled_at ?? 0);
}

const RANK: Readonly<Record<EnrichmentState, number>> = {
  found: 0,
  not_found: 0,
  awaiting: 1,
  timed_out: 1,
  failed: 2,
  submitting: 3,
  uncertain: 3,
  queued: 3,
};

/** Whether it has an answer, or one is on its way. */
export function isAccepted({ state, ticket }: KnownRow): boolean {
  return ticket !== null && state !== 'failed';
}

/**
 * Which enrichment takes it: the lead's own, where nothing was learnt of it yet; otherwise a new one, for which the own
 * one makes room.
 */
export function decideTaker(
  own: KnownRow | undefined,
): { readonly id: number } | { readonly id: null; readonly before: Before } {
  if (own === undefined) return { id: null, before: NOTHING_BEFORE };
  if (own.state === 'queued' || (isInDoubt(own) && own.served_by !== null)) return { id: own.id };
  // It may be answered yet, for the leads that share it, and has shown no answer.
  if (own.state === 'uncertain') return { id: null, before: NOTHING_BEFORE };
  return { id: null, before: beforeNext(own) };
}

/** What a store reads of the wider enrichment. */
export interface WideRow extends Pick<KnownRow, 'id' | 'state' | 'paid_by' | 'ticket'> {
  readonly ask: string;
  readonly inputs: string;
  readonly reason: string | null;
  readonly submitted_at: number | null;
  readonly settled_at: number | null;
  readonly answered_at: number | null;
  readonly was_empty: number;
  readonly believed: number | null;
}

/** In SQL, of table `enrichments` as `e`. */
export const WIDE_ROW = `e.id, e.state, e.paid_by, e.ticket, e.ask, e.inputs, e.reason, e.submitted_at, e.settled_at,
  e.answered_at, e.was_empty, e.believed`;

/** What an enrichment becomes that is served. */
export interface Served
  extends Pick<
    WideRow,
    'paid_by' | 'submitted_at' | 'ticket' | 'reason' | 'answered_at' | 'was_empty' | 'believed'
  > {
  readonly state: EnrichmentState;
  readonly how: 'cached' | 'awaiting' | 'shared';
  /** Null: as they are. */
  readonly inputs: string | null;
  readonly poll_at: number | null;
  readonly deadline_at: number | null;
  readonly settled_at: number | null;
  readonly result: Result | null;
}

/** What is certain of that before the wider enrichment is read whole: an answer may turn out to be none for the lead. */
export function provisionally(wide: KnownRow) {
  const { answered_at, id, paid_by, settled_at, ticket } = wide;
  const state = wide.state === 'timed_out' ? 'awaiting' : wide.state;
  const how = howOf(state);
  const isDone = how === 'cached';
  return {
    how,
    state,
    paid_by,
    ticket,
    settled_at: isDone ? settled_at : null,
    answered_at: state === 'awaiting' ? answered_at : null,
    served_by: id,
  };
}

function howOf(state: EnrichmentState): Served['how'] {
  if (state === 'awaiting') return 'awaiting';
  return state === 'submitting' || state === 'uncertain' ? 'shared' : 'cached';
}

/** `result`: of the wider enrichment, where it has one. */
export function takeFrom(
  wide: WideRow & { readonly request: EnrichmentRequest; readonly result: Result | null },
  ask: readonly Ask[],
  { at, deadlineAt }: Pick<IngestTimes, 'at' | 'deadlineAt'>,
): Served {
  const { answered_at, inputs, paid_by, reason, settled_at, state, submitted_at, ticket } = wide;
  const taken = {
    paid_by,
    submitted_at,
    ticket,
    // The person was forgotten.
    inputs: inputs === NO_INPUTS ? NO_INPUTS : null,
    reason: null,
    poll_at: null,
    deadline_at: null,
    settled_at: null,
    answered_at: null,
    was_empty: 0,
    believed: null,
    result: null,
  };
  switch (state) {
    case 'found':
    case 'not_found': {
      const { outcome, result } = judgePart(ask, wide.request, wide.result ?? {});
      // A miss that may be looked at again is so for both.
      const { believed, was_empty } = state === 'not_found' ? wide : taken;
      return { ...taken, state: outcome, result, settled_at, was_empty, believed, how: 'cached' };
    }
    case 'failed':
      return { ...taken, state, reason, settled_at, how: 'cached' };
    case 'awaiting':
    case 'timed_out': {
      const times = { poll_at: at, deadline_at: deadlineAt, answered_at };
      return { ...taken, ...times, state: 'awaiting', how: 'awaiting' };
    }
    case 'submitting':
      return { ...taken, state, how: 'shared' };
    case 'uncertain':
      return { ...taken, state, reason, how: 'shared' };
    case 'queued':
      throw new Error(`enrichment ${wide.id} is only queued, and serves none`);
  }
}

/** Whether its end is still to come: what comes of the wider one comes of it. */
export function isOpen({ how }: Served): boolean {
  return how !== 'cached';
}

/** An enrichment whose outcome is that of a wider one. */
export interface ServedRow {
  readonly id: number;
  readonly ask: string;
  readonly send_count: number;
}

/** What the end of a wider enrichment is to one that it serves; undefined where it is none. */
export function settlementFor(
  id: number,
  ask: readonly Ask[],
  wide: EnrichmentRequest,
  settlement: Settlement,
): Settlement | undefined {
  const { at } = settlement;
  switch (settlement.outcome) {
    case 'found':
    case 'not_found': {
      // It was one look.
      const { secondLook: _counted, ...said } = settlement;
      return { ...said, id, ...judgePart(ask, wide, settlement.result), credits: 0 };
    }
    case 'failed':
      return { id, at, outcome: 'failed', reason: settlement.reason };
    case 'timed_out':
      return undefined;
  }
}

/** What became of the send of a wider enrichment, to one that it serves: what is not accepted is asked for by itself. */
export function recordFor(id: number, send: number, record: SubmitRecord): SubmitRecord {
  const { at } = record;
  if (record.kind === 'refused') return { id, send, at, kind: 'unsent' };
  return { ...record, id, send, ...('atOnce' in record ? { atOnce: undefined } : {}) };
}
