// The input as batches ready for the store: the mapping resolved, positions counted, the limit kept, and each record
// turned into a lead.
import { type MappedInput, resolveMapping } from '../model/mapping.js';
import type { Detection, LeadReader } from '../ports/lead-reader.js';
import type { IngestBatch } from '../ports/store/enrichments.js';
import type { AskingTerms } from './run-context.js';
import { toLeadEntry } from './to-lead-entry.js';

export interface LeadBatchOptions {
  readonly terms: AskingTerms;
  /** Leads up to this position are in the store already and need not be prepared again. */
  readonly afterPosition: number;
  readonly limit: number | undefined;
  readonly onMapped: (mapping: readonly MappedInput[]) => void;
  readonly onDetected: (detection: Detection) => void;
}

/** Yields at least one batch, so that an input of a header alone still gives its columns. */
export async function* leadBatches(
  reader: LeadReader,
  options: LeadBatchOptions,
): AsyncGenerator<IngestBatch> {
  const limit = options.limit ?? Number.POSITIVE_INFINITY;
  let mapping: MappedInput[] = [];
  let columnCount = -1;
  let position = 0;
  for await (const batch of reader.batches()) {
    for (const detection of batch.detected ?? []) options.onDetected(detection);
    if (batch.columns.length !== columnCount) {
      const resolved = resolveMapping(batch.columns, options.terms.map, mapping);
      if (columnCount === -1 || resolved.length > mapping.length) options.onMapped(resolved);
      mapping = resolved;
      columnCount = batch.columns.length;
    }
    const leads = [];
    for (const record of batch.records) {
      if (position >= limit) break;
      position += 1;
      if (position <= options.afterPosition) continue;
      leads.push(toLeadEntry(record, position, mapping, options.terms));
    }
    yield { columns: batch.columns, leads, rejects: batch.rejects, mapping };
    if (position >= limit) return;
  }
}
