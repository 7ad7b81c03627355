import type { Reject, SourceRecord } from '../model/lead.js';
import { judgeColumns, refuseUnmapped } from '../model/mapping/judge-columns.js';
import type { JudgedColumns, MappedInput } from '../model/mapping/mapping.js';
import type { Detection, LeadReader, RecordBatch } from '../ports/lead-reader.js';
import type { IngestBatch, LeadEntry } from '../ports/store/enrichments.js';
import { drawSample, leadPreparer } from './choose-leads.js';
import type { AskingTerms } from './run-context.js';

export interface LeadBatchOptions {
  readonly terms: AskingTerms;
  /** Leads up to this position are in the store already and need not be prepared again. Default: 0. */
  readonly afterPosition?: number;
  readonly limit?: number | undefined;
  readonly onMapped?: ((mapping: readonly MappedInput[]) => void) | undefined;
  readonly onDetected?: (detection: Detection) => void;
  readonly change?: ((lead: LeadEntry) => LeadEntry) | undefined;
  readonly onFirst?: (batch: MappedBatch) => void;
}

export interface MappedBatch extends RecordBatch, JudgedColumns {
  readonly position: number;
}

/** Yields at least one batch, so that an input of a header alone still gives its columns. */
export async function* leadBatches(
  reader: LeadReader,
  options: LeadBatchOptions,
): AsyncGenerator<IngestBatch> {
  for await (const batch of mappedBatches(reader, options)) {
    for (const detection of batch.detected ?? []) options.onDetected?.(detection);
    if (batch.position === 1) options.onFirst?.(batch);
    yield toIngestBatch(batch, options);
  }
}

/** The sample is not drawn if the signal aborts: then there is no time to ask for any lead. */
export async function withSample(
  terms: AskingTerms,
  reader: LeadReader,
  limit: number | undefined,
  signal?: AbortSignal,
): Promise<AskingTerms> {
  const drawn = await drawSample(terms, async function* (all) {
    const options = { terms: all, limit };
    for await (const batch of mappedBatches(reader, options)) {
      if (signal?.aborted === true) return;
      yield toIngestBatch(batch, options).leads;
    }
  });
  return signal?.aborted === true ? terms : drawn;
}

export function toIngestBatch(
  batch: MappedBatch,
  { afterPosition = 0, change, terms }: LeadBatchOptions,
): IngestBatch {
  const { columns, mapping, position, records, rejects } = batch;
  const from = Math.max(0, afterPosition + 1 - position);
  const prepare = leadPreparer(batch, terms);
  const prepared = records.slice(from).map((record, i) => prepare(record, position + from + i));
  const leads = change === undefined ? prepared : prepared.map(change);
  return { columns, leads, rejects, mapping };
}

/** The records with their positions, up to the limit. What is judged stays from batch to batch, until it grows. */
export async function* mappedBatches(
  reader: LeadReader,
  { limit = Number.POSITIVE_INFINITY, onMapped, terms }: LeadBatchOptions,
): AsyncGenerator<MappedBatch> {
  let judged: JudgedColumns | undefined;
  let position = 1;
  for await (const batch of reader.batches()) {
    const before = judged;
    judged = judgeColumns(batch, terms, before);
    refuseUnmapped(judged, terms.map);
    if (judged.mapping.length !== before?.mapping.length) onMapped?.(judged.mapping);
    const fit = limit + 1 - position;
    const records = batch.records.slice(0, fit);
    const left = batch.records[fit];
    const rejects = batch.rejects.filter((one) => left === undefined || isBefore(one, left));
    yield { ...batch, ...judged, records, rejects, position };
    position += records.length;
    if (position > limit) return;
  }
}

function isBefore(one: Reject, other: SourceRecord): boolean {
  return one.source < other.source || (one.source === other.source && one.line < other.line);
}
