// Takes an answer that was bought elsewhere: it ends an enrichment that nothing is sent for.
import type { AskedLead, BoughtAnswer } from '../../ports/store/enrichments.js';
import { move } from './locked.js';
import { isFresh } from './payable.js';
import { retire } from './send.js';
import { type Book, create, type Shared, shownBy } from './share.js';
import { toRequestRow } from './stored-request.js';

/** An answer that is here stays if it is as new; one that is on its way, or in doubt, is left to its run. */
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
    retire(book, own);
  }
  const row =
    own?.state === 'queued'
      ? own
      : create(
          book,
          lead,
          toRequestRow(lead.request),
          runId,
          own === undefined ? null : shownBy(own),
        );
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
