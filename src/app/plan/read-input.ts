import { keptAsks } from '../../dialect/custom-asks.js';
import type { Dialect } from '../../dialect/dialect.js';
import { openLeadReader } from '../../input/open-lead-reader.js';
import type { DropFile } from '../../input/sources/drop-folder.js';
import type { CustomAsks } from '../../model/ask.js';
import { wrongUse } from '../../model/errors.js';
import type { LeadReader } from '../../ports/lead-reader.js';
import type { Store } from '../../ports/store/store.js';
import { formerGuesses } from '../run/asking-terms.js';
import type { JobSettings } from '../settings/job-settings.js';
import { checkColumns, naming, namingSheet } from './check-columns.js';
import type { FirstRecords } from './first-look.js';

interface InputOptions {
  readonly standardInput: AsyncIterable<Uint8Array>;
  /** For a drop folder: the only files that are read. */
  readonly files?: readonly DropFile[];
  /** The store, which knows the mapping of the job's last run; undefined while there is no state file. */
  readonly store: Store | undefined;
  /** Those of the steps of a waterfall, or the job's own alone. */
  readonly dialects: readonly Dialect[];
}

/** The custom asks of all these that the job asks for. */
export function customOf(dialects: readonly Dialect[], { ask }: JobSettings): CustomAsks {
  return Object.assign({}, ...dialects.map((dialect) => keptAsks(dialect, ask)));
}

/**
 * @throws SluiceError `input` if it cannot be read, `usage` if the mapping or `where` names a column that does not
 * exist (`input` with a drop folder); an input that can be read only once throws that with its first batch
 */
export async function readInput(
  settings: JobSettings,
  { dialects, standardInput, files, store }: InputOptions,
): Promise<LeadReader> {
  const paths = files?.map(({ path }) => path);
  const digests = files && new Map(files.map(({ path, digest }) => [path, digest]));
  const options = { ...settings, standardInput, digests };
  const reader = await openLeadReader(paths ?? settings.input, options);
  const former = await formerGuesses(store, settings.job, settings.ask);
  const custom = customOf(dialects, settings);
  const check = (first: FirstRecords) =>
    naming(paths, () =>
      namingSheet(first, () => checkColumns(first, settings, { custom, former })),
    );
  // An input that can be read only once is checked while it is read, before its first lead is asked for.
  if ((await reader.signature()) === null) {
    if (settings.sample !== undefined) {
      throw wrongUse(
        'sample: a sample needs two looks at the input, and this input can be read only once. Save it as a file, and name that.',
      );
    }
    return checkedAsRead(reader, check);
  }
  for await (const batch of reader.batches()) {
    check(batch);
    break;
  }
  return reader;
}

function checkedAsRead(reader: LeadReader, check: (first: FirstRecords) => unknown): LeadReader {
  return {
    ...reader,
    async *batches() {
      let isChecked = false;
      for await (const batch of reader.batches()) {
        if (!isChecked) check(batch);
        isChecked = true;
        yield batch;
      }
    },
  };
}
