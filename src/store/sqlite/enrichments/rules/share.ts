// Decides for each lead whether it costs anything: the one place where payments are shared. What is known comes from a
// store, and the store carries out what is decided.
import type { EnrichmentState } from '../../../../model/enrichment/arrows.js';
import type {
  Fingerprints,
  IngestCount,
  IngestTimes,
  PeekedState,
} from '../../../../ports/store/enrichments.js';
import {
  type Before,
  beforeNext,
  isFresh,
  isReadAgain,
  type Known,
  type KnownRow,
  olderOf,
  peekOwn,
  wasAccepted,
} from './known.js';
import { findServing } from './serve.js';

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

/** What is known for a lead, by its own question or by one that was asked in its place. */
export function peekOne(known: Known, lead: Fingerprints, freshSince: number): PeekedState {
  const serving = findServing(known, lead, { freshSince });
  if (serving !== undefined) return serving.is;
  return peekOwn(known, lead, freshSince);
}
