// Opens a job's input and looks at its first records, so that a wrong mapping ends the command before
// anything is stored or paid for.
import type { Column } from '../domain/lead.js';
import { resolveMapping } from '../domain/mapping.js';
import { outputColumns } from '../domain/output-columns.js';
import type { LeadReader } from '../domain/ports/lead-reader.js';
import { parseWhere } from '../domain/where.js';
import type { DropFile } from '../input/drop-folder.js';
import { openLeadReader } from '../input/open-lead-reader.js';
import { type JobSettings, shapeOf } from './job-settings.js';

/**
 * Of a drop folder, `files` are what is read.
 * @throws SluiceError `input` where it cannot be read, `usage` where a column is not there that the mapping or
 * `where` names; of an input that can be read only once, its first batch throws the latter
 */
export async function readInput(
  settings: JobSettings,
  standardInput: AsyncIterable<Uint8Array>,
  files?: readonly DropFile[],
): Promise<LeadReader> {
  const { format, delimiter, encoding } = settings;
  const paths = files?.map(({ path }) => path);
  const reader = await openLeadReader(paths ?? settings.input, {
    standardInput,
    ...(files === undefined
      ? {}
      : { digests: new Map(files.map(({ path, digest }) => [path, digest])) }),
    ...(format === undefined ? {} : { format }),
    ...(delimiter === undefined ? {} : { delimiter }),
    ...(encoding === undefined ? {} : { encoding }),
  });
  // What can be read only once is checked as it is read, which is before its first lead is asked for.
  if ((await reader.signature()) === null) return checkedAsRead(reader, settings);
  for await (const { columns } of reader.batches()) {
    checkColumns(columns, settings);
    break;
  }
  return reader;
}

function checkedAsRead(reader: LeadReader, settings: JobSettings): LeadReader {
  return {
    ...reader,
    async *batches() {
      let isChecked = false;
      for await (const batch of reader.batches()) {
        if (!isChecked) checkColumns(batch.columns, settings);
        isChecked = true;
        yield batch;
      }
    },
  };
}

/** @throws SluiceError `usage` where one is not there that the mapping or `where` names */
export function checkColumns(columns: readonly Column[], settings: JobSettings): void {
  resolveMapping(columns, settings.map);
  const where = settings.list?.where;
  if (where !== undefined) parseWhere(where, outputColumns(columns, shapeOf(settings.positions)));
}
