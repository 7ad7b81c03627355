// Decides for each lead whether it costs anything: the one place where payments are shared. What is known comes from a
// store, and the store carries out what is decided.
import type { EnrichmentState } from '../../model/enrichment.js';
import type {
  Fingerprints,
  IngestCount,
  IngestTimes,
  LesserQuestions,
  PeekedState,
} from '../../ports/store/enrichments.js';

/** What came before an enrichment: shown until it has an answer, and counted until it was accepted. */
export interface Before {
  readonly older_answer: number | null;
  readonly predecessor: number | null;
}

export interface KnownRow extends Before {
  readonly id: number;
  readonly run_id: number;
  readonly paid_by: number | null;
  readonly state: EnrichmentState;
  readonly ticket: string | null;
  readonly settled_at: number | null;
  readonly answered_at: number | null;
}

/** In SQL, of table `enrichments`. */
export const KNOWN_ROW =
  'id, run_id, paid_by, state, ticket, settled_at, answered_at, older_answer, predecessor';

/** What a store holds at this moment, in the transaction of a verb. */
export interface Known {
  /** The enrichment that counts for a fingerprint. */
  current(fingerprint: Uint8Array): KnownRow | undefined;
  /** The same, where an earlier release asked it, and for less than this that its job wanted. */
  askedForLess(fingerprint: Uint8Array, wanted: string): KnownRow | undefined;
  byId(id: number): KnownRow | undefined;
}

/** How a lead comes by an enrichment. `queued`: it is the first lead that asks, and pays. */
export type How = Extract<keyof IngestCount, 'queued' | 'awaiting' | 'cached' | 'shared'>;

/**
 * What makes a lead share the enrichment `id`, and the state that it has then:
 * - `share`: nothing
 * - `take_over`: the run works on it from now on, and looks again at an answer that could not be read
 * - `reopen`: the ticket of one that timed out is asked for again, by this run and for nothing
 * - `requeue`: an uncertain one is sent again, by this run, because the user said so
 * - `replace`: it does not count any more, and a new one takes its place
 */
export type Decision = { readonly id: number } & (
  | {
      readonly step: 'share' | 'take_over' | 'reopen' | 'requeue';
      readonly state: EnrichmentState;
      readonly how: How;
    }
  | { readonly step: 'replace'; readonly before: Before }
);

/** What is to be done with a lead for whose fingerprint `row` counts. */
export function decideShare(
  known: Pick<Known, 'byId'>,
  row: KnownRow,
  runId: number,
  times: IngestTimes,
): Decision {
  const { id, state } = row;
  const share = { step: 'share', id, state, how: 'shared' } as const;
  switch (state) {
    case 'found':
    case 'not_found':
    case 'failed':
      if (isFresh(row, times.freshSince)) return { ...share, how: 'cached' };
      if (!wasAccepted(row)) {
        const older = shareOlder(known, row, runId, times);
        if (older !== undefined) return older;
        // What was refused a moment ago is refused again: another line of the same run learns nothing new.
        if (row.run_id === runId) return share;
      }
      return { step: 'replace', id, before: beforeNext(row) };
    case 'queued':
      return shareOlder(known, row, runId, times) ?? join(row, runId, 'queued');
    case 'awaiting':
      return join(row, runId, 'awaiting');
    case 'timed_out':
      if (row.run_id === runId) return share;
      return { step: 'reopen', id, state: 'awaiting', how: 'awaiting' };
    case 'uncertain':
      if (times.resendUncertain !== true || row.paid_by === runId) return share;
      return { step: 'requeue', id, state: 'queued', how: 'queued' };
    case 'submitting':
      return share;
  }
}

/** Shares an enrichment whose answer is on its way: a run takes it over from another run. */
function join({ id, run_id, state }: KnownRow, runId: number, how: How): Decision {
  if (run_id === runId) return { step: 'share', id, state, how: 'shared' };
  return { step: 'take_over', id, state, how };
}

/** An enrichment that was never accepted does not replace an answer that is fresh for the run that asks. */
function shareOlder(
  known: Pick<Known, 'byId'>,
  row: KnownRow,
  runId: number,
  { freshSince }: IngestTimes,
): Decision | undefined {
  const older = olderOf(known, row);
  if (older === undefined) return undefined;
  if (isReadAgain(older)) return join(older, runId, 'awaiting');
  const { id, state } = older;
  return isFresh(older, freshSince) ? { step: 'share', id, state, how: 'cached' } : undefined;
}

/** What counts in place of one that was never accepted, also while it is read again. */
function olderOf(known: Pick<Known, 'byId'>, { predecessor }: Before): KnownRow | undefined {
  const row = predecessor === null ? undefined : known.byId(predecessor);
  return row && { ...row, settled_at: row.answered_at ?? row.settled_at };
}

function beforeNext(row: KnownRow): Before {
  const isAnswered = row.state !== 'failed' || row.answered_at !== null;
  return {
    older_answer: isAnswered ? row.id : row.older_answer,
    predecessor: wasAccepted(row) ? row.id : row.predecessor,
  };
}

/** A failed enrichment without a ticket was refused: nothing was paid for, and nothing was learnt that lasts. */
function wasAccepted({ state, ticket }: KnownRow): boolean {
  return state !== 'failed' || ticket !== null;
}

/** Whether a settled enrichment answers a lead again, without a payment. */
function isFresh(row: KnownRow, freshSince: number): boolean {
  return wasAccepted(row) && row.settled_at !== null && row.settled_at >= freshSince;
}

/** Its ticket is read again: its answer counts as on its way. */
function isReadAgain({ state }: KnownRow): boolean {
  return state === 'awaiting';
}

/** What is known for a lead, by its own question or by one that was asked in its place. */
export function peekOne(known: Known, lead: Fingerprints, freshSince: number): PeekedState {
  return peekOwn(known, findInstead(known, lead, freshSince) ?? lead, freshSince);
}

type KnownInstead = Pick<Fingerprints, 'fingerprint'> & Partial<Pick<LesserQuestions, 'note'>>;

/** The question that was asked for a lead in place of its own, a wider or a lesser one: undefined where none counts. */
export function findInstead(
  known: Known,
  lead: Fingerprints,
  freshSince: number,
): KnownInstead | undefined {
  const { lesser, wider } = lead;
  if (lesser === undefined && wider === undefined) return undefined;
  if (peekOwn(known, lead, freshSince) !== 'new') return undefined;
  if (wider !== undefined && peekOwn(known, { fingerprint: wider }, freshSince) !== 'new') {
    return { fingerprint: wider };
  }
  if (lesser === undefined) return undefined;
  const { fingerprints, note, wanted } = lesser;
  const fingerprint = fingerprints.find((one) => {
    const row = known.askedForLess(one, wanted);
    return row !== undefined && peekRow(known, row, freshSince) !== 'new';
  });
  return fingerprint === undefined ? undefined : { fingerprint, note };
}

function peekOwn(known: Known, lead: Fingerprints, freshSince: number): PeekedState {
  const { fingerprint, formerFingerprint: former } = lead;
  const row = known.current(fingerprint) ?? (former && known.current(former));
  return row === undefined ? 'new' : peekRow(known, row, freshSince);
}

function peekRow(known: Known, row: KnownRow, freshSince: number): PeekedState {
  if (row.state === 'queued' || !wasAccepted(row)) {
    const older = olderOf(known, row);
    const counts = older !== undefined && (isReadAgain(older) || isFresh(older, freshSince));
    return counts ? 'fresh' : 'new';
  }
  if (row.state === 'uncertain') return 'uncertain';
  if (row.settled_at === null || row.state === 'timed_out') return 'open';
  return isFresh(row, freshSince) ? 'fresh' : 'new';
}
