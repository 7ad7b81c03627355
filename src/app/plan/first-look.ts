import { Readable } from 'node:stream';
import type { JobFile } from '../../config/job-schema.js';
import type { Dialect } from '../../dialect/dialect.js';
import { takesWholeName } from '../../dialect/forms.js';
import { DOMAIN_RULES } from '../../identity/domain-owner.js';
import { openLeadReader } from '../../input/open-lead-reader.js';
import { STANDARD_INPUT } from '../../input/sources/source-name.js';
import type { Ask } from '../../model/ask.js';
import { wrongUse } from '../../model/errors.js';
import { type ColumnTerms, judgeColumns } from '../../model/mapping/judge-columns.js';
import { describeLookAlikes } from '../../model/mapping/look-alikes.js';
import type { JudgedColumns } from '../../model/mapping/mapping.js';
import { formatCount, formatNumber } from '../../model/text/count.js';
import type { RecordBatch } from '../../ports/lead-reader.js';
import { type Lack, lackOf } from '../../run/advise.js';

export type FirstRecords = Pick<RecordBatch, 'columns' | 'records' | 'detected'>;

/** As `judgeColumns`; without terms, headers and values alone decide. */
export function judgeFirst(
  first: FirstRecords,
  terms: Partial<ColumnTerms> = {},
  before?: JudgedColumns,
): JudgedColumns {
  return judgeColumns(first, { ask: [], map: {}, ...terms, ...DOMAIN_RULES }, before);
}

/** The inputs that the first leads of a job that is being written would lack. */
export function lackOfFirst(judged: JudgedColumns, ask: readonly Ask[], dialect: Dialect): Lack {
  const terms = { ask, requirements: dialect.requires, takesWholeName: takesWholeName(dialect) };
  return lackOf(judged, { ...terms, ...DOMAIN_RULES });
}

/** A sentence about the first leads that a job would skip, if these are most of them. */
export function describeFirstLack({ alike, leads, skipped }: Lack): string {
  if (skipped * 2 <= leads) return '';
  const would = `Of the first ${formatCount(leads, 'lead')} ${formatNumber(skipped)} would be skipped`;
  return alike.length === 0
    ? `${would}, since cells are empty or hold something else. Look at them with "sluice plan".`
    : `${would}: ${describeLookAlikes(alike)}`;
}

/** The first look at an input. Later records of NDJSON may have more columns. */
export interface FirstLook extends FirstRecords {
  readonly sources: readonly string[];
}

/**
 * @throws SluiceError `input` if it cannot be read, or its first records exceed the limit of a look, `usage` for
 * standard input, which a look would use up
 */
export async function lookAtInput(job: JobFile): Promise<FirstLook> {
  const { 'header-row': headerRow, 'visible-only': visibleOnly } = job;
  const input = typeof job.input === 'string' ? [job.input] : job.input;
  if (input.includes(STANDARD_INPUT)) {
    throw wrongUse('Standard input cannot be looked at beforehand. Name a file.');
  }
  const standardInput = Readable.from([]);
  const options = { ...job, standardInput, headerRow, visibleOnly, isLook: true };
  const reader = await openLeadReader(input, options);
  const { sources } = reader;
  for await (const { columns, detected, records } of reader.batches()) {
    return { sources, columns, records, ...(detected && { detected }) };
  }
  return { sources, columns: [], records: [] };
}
