// Finds the enrichment of each lead, and decides whether it costs anything: the one place where payments are shared.

import type {
  AskedLead,
  BoughtAnswer,
  ClaimTerms,
  IngestCount,
  IngestTimes,
  PeekedLead,
  PeekedState,
  Wanted,
} from '../../ports/store/enrichments.js';
import type { Ask, EnrichmentRequest } from '../ask.js';
import { hitsOf } from '../verdict.js';
import { reopen, requeue, takeOver } from './answer.js';
import { hasEnded, isAnswer } from './arrows.js';
import { change, type Enrichment, type Locked, move } from './locked.js';
import { type Candidate, endOf, look, type Seeker, type Sight, waits } from './look.js';
import { traitsOf } from './person.js';
import { conclude, standIn } from './stand.js';
import { toAsks, toRequest, toRequestRow } from './stored-request.js';

/** `queued`: the lead is the first that asks, and pays. */
type How = Extract<keyof IngestCount, 'queued' | 'awaiting' | 'cached' | 'shared'>;

export interface Shared {
  readonly row: Enrichment;
  readonly how: How;
}

/** The enrichments that a verb holds for the fingerprints and keys of a batch. */
export interface Book extends Locked {
  /** The enrichment that counts for a fingerprint. */
  current(fingerprint: Uint8Array): Enrichment | undefined;
  /** The enrichments with a key of a lead or of an enrichment, but for itself. */
  candidatesOf(wanted: Wanted | Enrichment): readonly Candidate[];
  /** Makes the row count for its fingerprint, and found by the keys of `wanted`. */
  put(row: Enrichment, wanted: Wanted | Enrichment): void;
}

/** Finds the enrichment of a lead; each lead sees the decisions for those before it. */
export function share(book: Book, lead: AskedLead, runId: number, times: IngestTimes): Shared {
  const own = book.current(lead.fingerprint);
  const shared = own && shareRow(book, own, runId, times);
  if (shared !== undefined) return shared;
  const isResent = own?.state === 'queued' && own.isResent;
  const how = { runId, freshSince: times.freshSince, isResent, isExact: lead.isExact };
  const seen = lookFor(book, lead, lead.request, how);
  if (own?.state === 'queued') return join(book, earlierOf(seen, own) ?? own, runId, times);
  const isAnew = times.resendUncertain === true && isFromEarlier(seen, runId);
  const sight = isAnew ? lookFor(book, lead, lead.request, { ...how, isResent: true }) : seen;
  const isKnown = sight.open.length === 0 && !waits(sight);
  if (own !== undefined) {
    const end = endOf(sight);
    if (own.state === 'uncertain') {
      if (!isKnown) return lookAgain(book, own, runId);
      if (end === 'uncertain') return { row: own, how: 'shared' };
    }
    // It has the same answers; what is in doubt is so for it as well.
    const isSame = sight.stands.every(({ from, is }) => from.row === own || is === 'unsure');
    const isAlike = isSame || (own.state === end && showsAll(book, own, lead, sight));
    if (isKnown && isInPart(own) && isAlike) return { row: own, how: 'cached' };
    change(book, own, { isCurrent: false });
  }
  const olderAnswer = own === undefined || own.state === 'uncertain' ? null : shownBy(own);
  const row = create(book, lead, toRequestRow(lead.request), runId, olderAnswer);
  if (isAnew) change(book, row, { isResent: true });
  if (isKnown) conclude(book, row, sight);
  else standIn(book, row, sight);
  return { row, how: isKnown ? (row.state === 'uncertain' ? 'shared' : 'cached') : 'queued' };
}

/** Whether it has a value for each ask that has one. */
function showsAll(book: Book, own: Enrichment, lead: AskedLead, { stands }: Sight): boolean {
  const { result = {} } = book.candidatesOf(lead).find(({ row }) => row === own) ?? {};
  const { inputs } = lead.request;
  return stands.every(
    ({ asks, is }) => is !== 'value' || hitsOf({ ask: asks, inputs }, result).length > 0,
  );
}

/** Whether all that is in doubt was sent by other runs. */
function isFromEarlier({ stands }: Sight, runId: number): boolean {
  const doubts = stands.flatMap(({ from, is }) => (is === 'unsure' ? from.row : []));
  return (
    doubts.length > 0 &&
    doubts.every(({ paidBy, state }) => state === 'uncertain' && paidBy !== runId)
  );
}

/** The enrichment of the same question whose answer is fresh for this run, or is read again; undefined if none is. */
function earlierOf({ open, stands }: Sight, own: Enrichment): Enrichment | undefined {
  const row = stands[0]?.from.row;
  if (row === undefined || open.length > 0) return undefined;
  const isAnswered = hasEnded(row.state) || row.state === 'awaiting';
  const isOneRow = stands.every(({ from }) => from.row === row);
  const isSame = row.fingerprint.every((byte, i) => byte === own.fingerprint[i]);
  return isAnswered && isOneRow && isSame ? row : undefined;
}

function isInPart({ ask, sent }: Pick<Enrichment, 'ask' | 'sent'>): boolean {
  return sent !== ask;
}

/** An enrichment that is in doubt because another one is: the run asks for it as soon as that ends. */
function lookAgain(book: Book, row: Enrichment, runId: number): Shared {
  if (row.paidBy !== null || row.runId === runId) return { row, how: 'shared' };
  move(book, row, 'requeued', { runId, sent: row.ask, looks: true, reason: null });
  return { row, how: 'queued' };
}

function lookFor(
  book: Book,
  wanted: Wanted | Enrichment,
  { ask: asks, inputs }: EnrichmentRequest,
  how: Omit<Seeker, 'asks' | 'traits'>,
): Sight {
  const candidates = book.candidatesOf(wanted);
  if (candidates.length === 0) return { stands: [], open: asks };
  return look({ ...how, asks, traits: traitsOf(inputs) }, candidates);
}

export function lookOnce(
  book: Book,
  row: Enrichment,
  { freshSince, isExact }: NonNullable<ClaimTerms['look']>,
): Sight {
  const { isResent, runId } = row;
  return lookFor(book, row, toRequest(row), { runId, freshSince, isResent, isExact });
}

/** Shares `row`, which counts for the lead's fingerprint; undefined if that needs a look at others. */
function shareRow(
  book: Book,
  row: Enrichment,
  runId: number,
  times: IngestTimes,
): Shared | undefined {
  const shared = { row, how: 'shared' } as const;
  switch (row.state) {
    case 'found':
    case 'not_found':
    case 'failed':
      if (isInPart(row)) return undefined;
      if (isFresh(row, times.freshSince)) return { row, how: 'cached' };
      if (wasAccepted(row)) return undefined;
      // A request that was refused a moment ago is refused again: another line of the same run learns nothing new.
      return row.runId === runId ? shared : undefined;
    case 'queued':
      return row.runId === runId ? shared : undefined;
    case 'awaiting':
      return join(book, row, runId, times);
    case 'timed_out':
      if (row.runId === runId) return shared;
      reopen(book, row, { ...times, runId });
      return { row, how: 'awaiting' };
    case 'uncertain':
      if (times.resendUncertain !== true) return undefined;
      if (row.paidBy === runId || (row.paidBy === null && row.runId === runId)) return shared;
      requeue(book, row, runId);
      return { row, how: 'queued' };
    case 'submitting':
      return shared;
  }
}

/** Shares an enrichment; if it is queued or awaited, the run takes it over from another run. */
function join(book: Book, row: Enrichment, runId: number, { at }: IngestTimes): Shared {
  if (row.settledAt !== null) return { row, how: 'cached' };
  if (row.runId === runId) return { row, how: 'shared' };
  const { state } = row;
  takeOver(book, row, { runId, at });
  return { row, how: state === 'awaiting' ? 'awaiting' : 'queued' };
}

/** The enrichment whose answer its leads show, and those of the next one until that has its own; null if none. */
export function shownBy({ answeredAt, id, olderAnswer, state }: Enrichment): number | null {
  return isAnswer(state) || answeredAt !== null ? id : olderAnswer;
}

/** A new enrichment, which counts for its fingerprint. It looks again before it is sent where others have its keys. */
export function create(
  book: Book,
  wanted: Wanted | Enrichment,
  { ask, inputs }: Pick<Enrichment, 'ask' | 'inputs'>,
  runId: number,
  olderAnswer: number | null,
): Enrichment {
  const row: Enrichment = {
    id: -1 - book.created.length,
    fingerprint: wanted.fingerprint,
    isCurrent: true,
    runId,
    paidBy: null,
    state: 'queued',
    ask,
    sent: ask,
    inputs,
    ticket: null,
    callId: null,
    reason: null,
    thousandths: 0,
    priceMax: 0,
    countedAt: null,
    submittedAt: null,
    pollAt: null,
    pollCount: 0,
    wasEmpty: false,
    deadlineAt: null,
    settledAt: null,
    answeredAt: null,
    sendCount: 0,
    lostSends: 0,
    olderAnswer,
    showsKnown: false,
    looks: false,
    isResent: false,
  };
  book.created.push(row);
  book.put(row, wanted);
  return row;
}

/**
 * Takes an answer that was bought elsewhere: it ends an enrichment that nothing is sent for. An answer that is here stays
 * if it is as new; one that is on its way, or in doubt, is left to its run.
 */
export function takeAnswer(
  book: Book,
  lead: AskedLead,
  runId: number,
  { at, result }: BoughtAnswer,
): Shared {
  const own = book.current(lead.fingerprint);
  if (own !== undefined && own.state !== 'queued') {
    if (own.settledAt === null || own.state === 'timed_out') return { row: own, how: 'shared' };
    if (isFresh(own, at)) return { row: own, how: 'cached' };
    change(book, own, { isCurrent: false });
  }
  const isQueued = own?.state === 'queued';
  const row = isQueued ? own : create(book, lead, toRequestRow(lead.request), runId, null);
  move(book, row, 'known', {
    runId,
    sent: row.ask,
    submittedAt: at,
    settledAt: at,
    pollAt: null,
    reason: null,
    showsKnown: false,
  });
  if (row === own) book.stands.set(row, []);
  book.results.set(row, result);
  return { row, how: 'queued' };
}

export function peekRow(row: Enrichment, freshSince: number): PeekedState {
  if (row.state === 'queued' || !wasAccepted(row)) return 'new';
  if (row.state === 'uncertain') return 'uncertain';
  if (row.state === 'submitting') return 'sending';
  if (row.settledAt === null || row.state === 'timed_out') return 'open';
  return isFresh(row, freshSince) ? 'fresh' : 'new';
}

/** A failed enrichment without a ticket was refused: nothing was paid for, and nothing lasting was learnt. */
export function wasAccepted({ state, ticket }: Enrichment): boolean {
  return state !== 'failed' || ticket !== null;
}

function isFresh(row: Enrichment, freshSince: number): boolean {
  return wasAccepted(row) && row.settledAt !== null && row.settledAt >= freshSince;
}

export function peek(book: Book, lead: Wanted, freshSince: number): PeekedLead {
  const own = book.current(lead.fingerprint);
  const state = own === undefined ? 'new' : peekRow(own, freshSince);
  const isOwn = state !== 'new' && state !== 'uncertain' && own !== undefined && !isInPart(own);
  const asks: readonly Ask[] = own === undefined ? lead.request.ask : toAsks(own.ask);
  if (isOwn) return { state, asks };
  // No run has this number: whatever is awaited may still come.
  const how = { runId: 0, freshSince, isResent: false, isExact: lead.isExact };
  const sight = lookFor(book, lead, lead.request, how);
  if (sight.open.length > 0) {
    const missed = lookFor(book, lead, lead.request, { ...how, takesMisses: true });
    const isMissed = missed.open.length < sight.open.length;
    return { state: state === 'fresh' ? 'new' : state, asks: sight.open, isMissed };
  }
  const open = sight.stands.find(({ is }) => is === 'open');
  if (open !== undefined) {
    return { state: open.from.row.state === 'submitting' ? 'sending' : 'open', asks };
  }
  return { state: endOf(sight) === 'uncertain' ? 'uncertain' : 'fresh', asks };
}
