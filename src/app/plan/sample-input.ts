// The first look at an input: what is read, and which columns it has. For whoever has no job yet, or checks one.
import type { JobFile } from '../../config/job-schema.js';
import { openLeadReader } from '../../input/open-lead-reader.js';
import { STANDARD_INPUT } from '../../input/sources/source-name.js';
import { SluiceError } from '../../model/errors.js';
import type { Column } from '../../model/lead.js';

export interface InputSample {
  /** What is read, in order. */
  readonly sources: readonly string[];
  /** Those of the first records; NDJSON may have more further down. */
  readonly columns: readonly Column[];
}

/**
 * Reads no more than the first records.
 * @throws SluiceError `input` where it cannot be read, `usage` for standard input, which a look would use up
 */
export async function sampleInput(
  job: Pick<JobFile, 'input' | 'format' | 'delimiter' | 'encoding'>,
): Promise<InputSample> {
  const { format, delimiter, encoding } = job;
  const input = typeof job.input === 'string' ? [job.input] : job.input;
  if (input.includes(STANDARD_INPUT)) {
    throw new SluiceError('usage', 'Standard input cannot be looked at beforehand. Name a file.');
  }
  const reader = await openLeadReader(input, {
    standardInput: nothing(),
    ...(format === undefined ? {} : { format }),
    ...(delimiter === undefined ? {} : { delimiter }),
    ...(encoding === undefined ? {} : { encoding }),
  });
  for await (const { columns } of reader.batches()) return { sources: reader.sources, columns };
  return { sources: reader.sources, columns: [] };
}

async function* nothing(): AsyncIterable<Uint8Array> {}
