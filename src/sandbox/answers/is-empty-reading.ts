// Whether this reading of a result has no blocks yet: platforms may say `done` a moment before the data is there.
// It happens to the first reading alone, be it by id or by a webhook.
import type { Faults } from '../faults/faults.js';
import type { Enrichment } from '../ledger/ledger.js';

/** Counts as a showing: to be called once for each, and not for an answer that nobody gets to read. */
export function isEmptyReading(enrichment: Enrichment, faults: Faults): boolean {
  if (enrichment.isRead) return false;
  enrichment.isRead = true;
  return faults.hits('empty-first', enrichment.id);
}
