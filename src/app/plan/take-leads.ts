import { type LeadsInMemory, leadsAsLines } from '../../input/leads-as-lines.js';
import { STANDARD_INPUT } from '../../input/sources/source-name.js';
import { wrongUse } from '../../model/errors.js';
import type { JobSettings } from '../settings/job-settings.js';

interface Given {
  readonly leads?: LeadsInMemory | undefined;
  readonly standardInput?: AsyncIterable<Uint8Array> | undefined;
}

interface Taken {
  readonly settings: JobSettings;
  readonly standardInput: AsyncIterable<Uint8Array> | undefined;
}

/**
 * The job as it reads these leads: a stream of NDJSON, which can be read once.
 * @throws SluiceError `usage` if the job has an input of its own, or the leads are not iterable
 */
export function takeLeads(settings: JobSettings, { leads, standardInput }: Given): Taken {
  if (leads === undefined) return { settings, standardInput };
  const given: object = leads;
  if (!(Symbol.iterator in given || Symbol.asyncIterator in given)) {
    throw wrongUse('leads is no iterable: give an array of objects, or a generator.');
  }
  const [only] = settings.input;
  if (settings.input.length > 1 || only !== STANDARD_INPUT || standardInput !== undefined) {
    const other = standardInput === undefined ? 'input of the job' : 'standardInput';
    throw wrongUse(`Give either leads or the ${other}, and leave the other out.`);
  }
  return {
    settings: { ...settings, format: 'ndjson', encoding: 'utf-8', delimiter: undefined },
    standardInput: leadsAsLines(leads),
  };
}
