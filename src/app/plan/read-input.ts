// Opens a job's input and looks at its first records, so that a wrong mapping ends the command before anything is
// stored or paid for; or looks at them alone, for a job that is made or checked.

import { Readable } from 'node:stream';
import type { JobFile } from '../../config/job-schema.js';
import { openLeadReader } from '../../input/open-lead-reader.js';
import type { DropFile } from '../../input/sources/drop-folder.js';
import { STANDARD_INPUT } from '../../input/sources/source-name.js';
import { outputColumns } from '../../model/columns/output-columns.js';
import { SluiceError } from '../../model/errors.js';
import type { Column } from '../../model/lead.js';
import { resolveMapping } from '../../model/mapping.js';
import { parseWhere } from '../../model/where/where.js';
import type { LeadReader } from '../../ports/lead-reader.js';
import { type JobSettings, shapeOf } from '../settings/job-settings.js';

/**
 * Of a drop folder, `files` are what is read.
 * @throws SluiceError `input` where it cannot be read, `usage` where a column is not there that the mapping or
 * `where` names (of a drop folder `input`); of an input that can be read only once, its first batch throws the latter
 */
export async function readInput(
  settings: JobSettings,
  standardInput: AsyncIterable<Uint8Array>,
  files?: readonly DropFile[],
): Promise<LeadReader> {
  const { format, delimiter, encoding } = settings;
  const paths = files?.map(({ path }) => path);
  const digests = files && new Map(files.map(({ path, digest }) => [path, digest]));
  const options = { standardInput, format, delimiter, encoding, digests };
  const reader = await openLeadReader(paths ?? settings.input, options);
  const check = (columns: readonly Column[]): void =>
    naming(paths, () => checkColumns(columns, settings));
  // What can be read only once is checked as it is read, which is before its first lead is asked for.
  if ((await reader.signature()) === null) return checkedAsRead(reader, check);
  for await (const { columns } of reader.batches()) {
    check(columns);
    break;
  }
  return reader;
}

function checkedAsRead(
  reader: LeadReader,
  check: (columns: readonly Column[]) => void,
): LeadReader {
  return {
    ...reader,
    async *batches() {
      let isChecked = false;
      for await (const batch of reader.batches()) {
        if (!isChecked) check(batch.columns);
        isChecked = true;
        yield batch;
      }
    },
  };
}

/**
 * An error about files of a drop folder names the path: each may be wrong by itself, and the fault is the input's, not
 * the job's.
 * @throws SluiceError what `check` throws, as `input` with the paths in front
 */
export function naming(paths: readonly string[] | undefined, check: () => void): void {
  try {
    check();
  } catch (error) {
    if (paths === undefined || !(error instanceof SluiceError)) throw error;
    const [path = ''] = paths;
    const where = paths.length > 1 ? `${path} and ${paths.length - 1} more` : path;
    throw error.ofInput(where, { path });
  }
}

/** @throws SluiceError `usage` where one is not there that the mapping or `where` names */
export function checkColumns(columns: readonly Column[], settings: JobSettings): void {
  resolveMapping(columns, settings.map);
  const where = settings.list?.where;
  if (where !== undefined) parseWhere(where, outputColumns(columns, shapeOf(settings.positions)));
}

export interface InputSample {
  /** What is read, in order. */
  readonly sources: readonly string[];
  /** Those of the first records; NDJSON may have more further down. */
  readonly columns: readonly Column[];
}

/**
 * The first look at an input, for a person who has no job yet or checks one: reads no more than the first records.
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
  const standardInput = Readable.from([]);
  const reader = await openLeadReader(input, { standardInput, format, delimiter, encoding });
  for await (const { columns } of reader.batches()) return { sources: reader.sources, columns };
  return { sources: reader.sources, columns: [] };
}
