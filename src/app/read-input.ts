// Opens a job's input and looks at its first records, so that a wrong mapping ends the command before
// anything is stored or paid for.

import { resolveMapping } from '../domain/mapping.js';
import type { LeadReader, RecordBatch } from '../domain/ports/lead-reader.js';
import { openLeadReader } from '../input/open-lead-reader.js';
import type { JobSettings } from './job-settings.js';

/**
 * @throws SluiceError `input` where it cannot be read, `usage` where a mapped column is not there
 */
export async function readInput(
  settings: JobSettings,
  standardInput: AsyncIterable<Uint8Array>,
): Promise<LeadReader> {
  const { format, delimiter, encoding } = settings;
  const reader = await openLeadReader(settings.input, {
    standardInput,
    ...(format === undefined ? {} : { format }),
    ...(delimiter === undefined ? {} : { delimiter }),
    ...(encoding === undefined ? {} : { encoding }),
  });
  const batches = reader.batches()[Symbol.asyncIterator]();
  const first = await batches.next();
  if (first.done !== true) resolveMapping(first.value.columns, settings.map);
  return { ...reader, batches: () => replay(first, batches) };
}

async function* replay(
  first: IteratorResult<RecordBatch>,
  rest: AsyncIterator<RecordBatch>,
): AsyncGenerator<RecordBatch> {
  try {
    for (let next = first; next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
