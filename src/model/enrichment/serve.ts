// Serves a lead from a wider question of which it asks a part: the lead's own enrichment takes the outcome of the wider
// one. This file chooses the wider one, and what is taken.
import type { Fingerprints, IngestTimes, PeekedState } from '../../ports/store/enrichments.js';
import type { Result } from '../result.js';
import { judgePart } from '../verdict.js';
import type { EnrichmentState } from './arrows.js';
import { type Change, change, type Enrichment, type Held, move } from './held.js';
import {
  answeredAt,
  type Before,
  beforeNext,
  type Known,
  NOTHING_BEFORE,
  olderOf,
  peekRow,
  type Standing,
  wasAccepted,
} from './payable.js';
import { isRemembered, NO_INPUTS, toAsks, toRequest } from './stored-request.js';

interface Serving<Row> {
  readonly row: Row;
  /** The time of its answer. */
  readonly at: number;
  /** The state that the lead has by it. */
  readonly is: Exclude<PeekedState, 'new'>;
}

type ServingTimes = Pick<IngestTimes, 'freshSince' | 'resendUncertain'>;

/** The wider question that serves a lead, of those that may; undefined if its own counts, or none does. */
export function findServing<Row extends Standing>(
  known: Known<Row>,
  lead: Fingerprints,
  times: ServingTimes,
  mayServe: (row: Row) => boolean = () => true,
): Serving<Row> | undefined {
  const { wider = [] } = lead;
  if (wider.length === 0) return undefined;
  const own = known.current(lead.fingerprint);
  const ownState = own === undefined ? 'new' : peekRow(known, own, times.freshSince);
  if (own !== undefined && ownState !== 'new' && !isInDoubt(own)) return undefined;
  const found = wider.flatMap((fingerprint) => servingOf(known, fingerprint, times) ?? []);
  const serving = found.filter(
    ({ row }) => mayServe(row) && (ownState === 'new' || endsDoubt(row, own)),
  );
  return serving.toSorted(compare)[0];
}

function servingOf<Row extends Standing>(
  known: Known<Row>,
  fingerprint: Uint8Array,
  { freshSince, resendUncertain = false }: ServingTimes,
): Serving<Row> | undefined {
  const current = known.current(fingerprint);
  const is = current === undefined ? 'new' : peekRow(known, current, freshSince);
  if (current === undefined || is === 'new') return undefined;
  const isIt = current.state !== 'queued' && wasAccepted(current);
  const row = isIt ? current : olderOf(known, current);
  // A user who has it sent again should pay for no more than is wanted.
  if (row === undefined || (row.state === 'uncertain' && resendUncertain)) return undefined;
  return { row, at: (isIt ? row.settledAt : answeredAt(row)) ?? 0, is };
}

function isInDoubt({ servedBy, state }: Standing): boolean {
  return state === 'uncertain' || (state === 'submitting' && servedBy !== null);
}

/** Whether a wider question has news for an enrichment in doubt, or an answer for one that shows none. */
function endsDoubt({ state, ticket }: Standing, own: Standing | undefined): boolean {
  if (own === undefined || own.servedBy !== null) return ticket !== null;
  return own.olderAnswer === null && (state === 'found' || state === 'not_found');
}

/** Puts the best first: an answer, the newest before all. */
function compare(a: Serving<Standing>, b: Serving<Standing>): number {
  return RANK[a.row.state] - RANK[b.row.state] || b.at - a.at;
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

/**
 * Chooses the enrichment that takes the outcome: the lead's own if nothing is known of it yet; otherwise a new one, for
 * which the own one makes room.
 */
export function decideTaker<Row extends Standing>(
  own: Row | undefined,
): { readonly row: Row } | { readonly row: null; readonly before: Before } {
  if (own === undefined) return { row: null, before: NOTHING_BEFORE };
  if (own.state === 'queued' || (isInDoubt(own) && own.servedBy !== null)) return { row: own };
  // It may yet be answered, for the leads that share it, and has shown no answer.
  if (own.state === 'uncertain') return { row: null, before: NOTHING_BEFORE };
  return { row: null, before: beforeNext(own) };
}

/** The way in which a lead gets its answer. */
export type Taken = 'cached' | 'awaiting' | 'shared';

const SERVED = 'served by a wider question';

/**
 * Gives the row, which is queued or waits for another, the present outcome of the wider one, and makes it wait for the
 * rest.
 */
export function takeFrom(
  held: Held,
  row: Enrichment,
  wide: Enrichment,
  { at, deadlineAt, result: whole = {}, runId }: TakingTerms,
): Taken {
  const taken: Change = {
    runId,
    paidBy: wide.paidBy,
    servedBy: wide.id,
    ticket: wide.ticket,
    submittedAt: wide.submittedAt,
    reason: null,
    pollAt: null,
    deadlineAt: null,
    settledAt: null,
    answeredAt: null,
    wasEmpty: false,
    // The person of the wider enrichment was forgotten.
    ...(isRemembered(wide) ? {} : { inputs: NO_INPUTS }),
  };
  // The arrows require this: an enrichment that may have an answer was sent.
  if (row.state === 'queued') move(held, row, 'known_sent', { submittedAt: wide.submittedAt });
  if (row.state === 'submitting' && wide.state !== 'submitting') {
    move(held, row, 'known_sent', { reason: SERVED });
  }
  switch (wide.state) {
    case 'found':
    case 'not_found': {
      const { outcome, result } = judgePart(toAsks(row.ask), toRequest(wide), whole);
      move(held, row, outcome, { ...taken, settledAt: wide.settledAt });
      held.results.set(row, result);
      return 'cached';
    }
    case 'failed':
      move(held, row, 'failed', { ...taken, settledAt: wide.settledAt, reason: wide.reason });
      return 'cached';
    case 'awaiting':
    case 'timed_out': {
      // A miss that stands for the wider one meanwhile does not hide an older answer of its own.
      const before = row.olderAnswer === null ? wide.answeredAt : null;
      move(held, row, 'accepted', { ...taken, pollAt: at, deadlineAt, answeredAt: before });
      change(held, wide, { serves: true });
      return 'awaiting';
    }
    case 'submitting':
      change(held, row, row.state === 'uncertain' ? { ...taken, reason: SERVED } : taken);
      change(held, wide, { serves: true });
      return 'shared';
    case 'uncertain':
      change(held, row, { ...taken, reason: wide.reason });
      change(held, wide, { serves: true });
      return 'shared';
    case 'queued':
      throw new Error(`enrichment ${wide.id} is only queued, and serves none`);
  }
}

interface TakingTerms extends Pick<IngestTimes, 'at' | 'deadlineAt'> {
  readonly runId: number;
  /** The result of the wider enrichment. */
  readonly result: Result | undefined;
}
