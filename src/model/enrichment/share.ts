// Finds the enrichment of each lead, and decides whether it costs anything: the one place where payments are shared.
import type {
  AskedLead,
  Fingerprints,
  IngestCount,
  IngestTimes,
  PeekedState,
} from '../../ports/store/enrichments.js';
import type { Result } from '../result.js';
import { reopen } from './answer.js';
import type { EnrichmentState } from './arrows.js';
import { change, type Enrichment, type Held, NEVER } from './held.js';
import {
  type Before,
  beforeNext,
  isFresh,
  isReadAgain,
  type Known,
  NOTHING_BEFORE,
  olderOf,
  peekOwn,
  wasAccepted,
  wasFresh,
} from './payable.js';
import { requeue, retire, takeOver } from './send.js';
import { decideTaker, findServing, type Taken, takeFrom } from './serve.js';
import { toRequestRow } from './stored-request.js';

/** `queued`: the lead is the first that asks, and pays. */
type How = Extract<keyof IngestCount, 'queued' | 'awaiting' | 'cached' | 'shared'>;

export interface Shared {
  readonly row: Enrichment;
  readonly how: How;
}

/** The enrichments that a verb holds for the fingerprints of a batch. */
export interface Book extends Held, Known<Enrichment> {
  /** Makes the row count for its fingerprint. */
  put(row: Enrichment): void;
  /** The result of an enrichment that serves others. */
  resultOf(row: Enrichment): Result | undefined;
}

/** Finds the enrichment of a lead; each lead sees the decisions for those before it. */
export function share(book: Book, lead: AskedLead, runId: number, times: IngestTimes): Shared {
  const serving = findServing(book, lead, times);
  if (serving !== undefined) return serveLead(book, { lead, wide: serving.row, runId, times });
  const own = book.current(lead.fingerprint);
  const shared =
    own === undefined
      ? ask(book, lead, runId, NOTHING_BEFORE)
      : shareRow(book, { lead, row: own, runId, times });
  const { row } = shared;
  const isInDoubt =
    row.state === 'queued' &&
    times.resendUncertain === true &&
    findServing(book, lead, { ...times, resendUncertain: false }) !== undefined;
  if (isInDoubt) change(book, row, { isResent: true });
  return shared;
}

interface Sharing {
  readonly lead: AskedLead;
  readonly runId: number;
  readonly times: IngestTimes;
}

/** Shares `row`, which counts for the lead's fingerprint. */
function shareRow(
  book: Book,
  { lead, row, runId, times }: Sharing & { readonly row: Enrichment },
): Shared {
  const shared = { row, how: 'shared' } as const;
  const replace = (): Shared => {
    retire(book, row);
    return ask(book, lead, runId, beforeNext(row));
  };
  switch (row.state) {
    case 'found':
    case 'not_found':
    case 'failed':
      if (isFresh(row, times.freshSince)) return { row, how: 'cached' };
      if (wasAccepted(row)) return replace();
      // A request that was refused a moment ago is refused again: another line of the same run learns nothing new.
      return shareOlder(book, row, runId, times) ?? (row.runId === runId ? shared : replace());
    case 'queued':
      return shareOlder(book, row, runId, times) ?? join(book, row, runId, times);
    case 'awaiting':
      return join(book, row, runId, times);
    case 'timed_out':
      if (row.runId === runId) return shared;
      reopen(book, row, { ...times, runId });
      return { row, how: 'awaiting' };
    case 'uncertain':
      if (times.resendUncertain !== true || row.paidBy === runId) return shared;
      requeue(book, row, runId);
      return { row, how: 'queued' };
    case 'submitting':
      return shared;
  }
}

/** Shares an enrichment that is queued or awaited: a run takes it over from another run. */
function join(book: Book, row: Enrichment, runId: number, { at }: IngestTimes): Shared {
  if (row.runId === runId) return { row, how: 'shared' };
  const { pollAt, state } = row;
  // An answer that could not be read is looked at again.
  takeOver(book, row, { runId, lookAt: pollAt === NEVER ? at : pollAt });
  return { row, how: state === 'awaiting' ? 'awaiting' : 'queued' };
}

/**
 * Shares the older answer: an enrichment that was never accepted does not replace an answer that is fresh for the run.
 */
function shareOlder(
  book: Book,
  row: Enrichment,
  runId: number,
  times: IngestTimes,
): Shared | undefined {
  const older = olderOf(book, row);
  if (older === undefined) return undefined;
  if (isReadAgain(older)) return join(book, older, runId, times);
  return wasFresh(older, times.freshSince) ? { row: older, how: 'cached' } : undefined;
}

/** Serves a lead from another question that asked for all of it and more: the lead's enrichment takes its outcome. */
function serveLead(
  book: Book,
  { lead, runId, times, wide }: Sharing & { readonly wide: Enrichment },
): Shared {
  const own = book.current(lead.fingerprint);
  const taker = decideTaker(own);
  if (taker.row === null && own !== undefined) retire(book, own);
  const { row } = taker.row === null ? ask(book, lead, runId, taker.before) : taker;
  return { row, how: takeFrom(book, row, wide, { ...times, runId, result: book.resultOf(wide) }) };
}

/**
 * Serves an enrichment that is about to be sent from a wider question; returns how, and undefined if none serves it. One
 * that the user has sent again is served only by an answer, or by a ticket; one with a lost send of its own only by an
 * answer.
 */
export function serveQueued(
  book: Book,
  row: Enrichment,
  { times, wider }: Required<Pick<Fingerprints, 'wider'>> & { readonly times: ServedTimes },
): Taken | undefined {
  const { fingerprint, isCurrent, isResent, lostSends, runId } = row;
  if (!isCurrent) return undefined;
  const mayServe = ({ state }: Enrichment): boolean =>
    state === 'found' ||
    state === 'not_found' ||
    (lostSends === 0 && !(isResent && IN_VAIN.has(state)));
  const serving = findServing(book, { fingerprint, wider }, times, mayServe);
  if (serving === undefined) return undefined;
  return takeFrom(book, row, serving.row, {
    ...times,
    runId,
    result: book.resultOf(serving.row),
  });
}

/** States of a wider question in which it does not serve what the user has sent again. */
const IN_VAIN: ReadonlySet<EnrichmentState> = new Set(['submitting', 'uncertain', 'failed']);

type ServedTimes = Pick<IngestTimes, 'at' | 'deadlineAt' | 'freshSince'>;

function ask(
  book: Book,
  { fingerprint, request }: Pick<AskedLead, 'fingerprint' | 'request'>,
  runId: number,
  before: Before,
): Shared {
  return {
    row: create(book, { fingerprint, ...toRequestRow(request) }, runId, before),
    how: 'queued',
  };
}

/** A new enrichment, which counts for its fingerprint. */
export function create(
  book: Pick<Book, 'created' | 'put'>,
  question: Pick<Enrichment, 'fingerprint' | 'ask' | 'inputs'>,
  runId: number,
  { olderAnswer, predecessor }: Before,
): Enrichment {
  const { ask: letters, fingerprint, inputs } = question;
  const row: Enrichment = {
    id: -1 - book.created.length,
    fingerprint,
    isCurrent: true,
    runId,
    paidBy: null,
    state: 'queued',
    ask: letters,
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
    predecessor,
    servedBy: null,
    serves: false,
    isResent: false,
  };
  book.created.push(row);
  book.put(row);
  return row;
}

/** The state of a lead, by its own question or by a wider one. */
export function peek(known: Known, lead: Fingerprints, freshSince: number): PeekedState {
  return findServing(known, lead, { freshSince })?.is ?? peekOwn(known, lead, freshSince);
}
