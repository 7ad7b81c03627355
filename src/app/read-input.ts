// Opens a job's input and looks at its first records, so that a wrong mapping ends the command before
// anything is stored or paid for.
import { resolveMapping } from '../domain/mapping.js';
import type { LeadReader } from '../domain/ports/lead-reader.js';
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
  // What can be read only once is checked as it is read, which is before its first lead is asked for.
  if ((await reader.signature()) !== null) await checkMapping(reader, settings);
  return reader;
}

async function checkMapping(reader: LeadReader, settings: JobSettings): Promise<void> {
  for await (const { columns } of reader.batches()) {
    resolveMapping(columns, settings.map);
    break;
  }
}
