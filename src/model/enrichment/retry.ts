// Tries an enrichment again, because a user still wants its answer.
import type { RetriedOutcome, RetriedWork, RetryTimes } from '../../ports/store/enrichments.js';
import { reopen, requeue, reread } from './answer.js';
import { isAnswer } from './arrows.js';
import { change, type Enrichment } from './locked.js';
import { type Book, create, shownBy, wasAccepted } from './share.js';

/** The successor of a not_found or failed enrichment may itself have timed out, or be uncertain. */
export const RETRIED: readonly RetriedOutcome[] = ['not_found', 'failed', 'timed_out', 'uncertain'];

interface Retried {
  readonly row: Enrichment;
  readonly left: keyof RetriedWork;
}

export function retry(book: Book, row: Enrichment, runId: number, times: RetryTimes): Retried {
  const newest = book.current(row.fingerprint);
  if (row.state === 'timed_out') {
    reopen(book, row, { ...times, runId });
    return { row, left: 'awaiting' };
  }
  if (row.state === 'uncertain') {
    // Another one has been answered in its place.
    if (newest !== undefined && isAnswer(newest.state)) return { row: newest, left: 'answered' };
    requeue(book, row, runId);
    return { row, left: 'queued' };
  }
  const counting = countingOf(row, newest, times);
  // An answer that came after the newer one was made is shown until that has its own.
  if (counting !== row && row.state === 'not_found' && shownBy(counting) === null) {
    change(book, counting, { olderAnswer: row.id });
  }
  return askAgain(book, counting, runId, times);
}

/** Asks anew for what is not known of it: what it was answered itself stands in, as long as that is fresh. */
export function askAnew(book: Book, row: Enrichment, runId: number, times: RetryTimes): Retried {
  const newest = book.current(row.fingerprint);
  if (newest !== undefined && newest !== row) return retry(book, newest, runId, times);
  change(book, row, { isCurrent: false });
  return { row: copy(book, row, runId), left: 'queued' };
}

/** Asks again if the enrichment that counts was not found or has failed; it may have another outcome meanwhile. */
function askAgain(book: Book, row: Enrichment, runId: number, times: RetryTimes): Retried {
  const { state } = row;
  const isFailed = state === 'failed';
  if (!(times.askAnew && isFailed) && reread(book, row, { ...times, runId })) {
    return { row, left: 'awaiting' };
  }
  if (isFailed) return askAnew(book, row, runId, times);
  if (state === 'awaiting') return { row, left: 'awaiting' };
  const isOpen = state === 'queued' || state === 'submitting';
  return { row, left: isOpen ? 'queued' : 'answered' };
}

function countingOf(
  row: Enrichment,
  newest: Enrichment | undefined,
  { askAnew = false }: RetryTimes,
): Enrichment {
  if (newest === undefined) return row;
  // An enrichment that was never accepted has nothing to read, and would be paid for.
  return row.ticket !== null && !askAnew && wasNeverAccepted(newest) ? row : newest;
}

/** Whether it was certainly never accepted: a lost send may have been. */
function wasNeverAccepted(row: Enrichment): boolean {
  return row.state === 'queued' ? row.lostSends === 0 : !wasAccepted(row);
}

/** Makes a new enrichment that asks the same. The user wants it: a failure does not count in its place. */
function copy(book: Book, row: Enrichment, runId: number): Enrichment {
  const made = create(book, row, row, runId, shownBy(row));
  change(book, made, { isResent: true });
  return made;
}
