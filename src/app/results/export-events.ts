// Writes the journal of events as a table: CSV or NDJSON, always with the same columns.
import { Writable } from 'node:stream';
import { EVENT_COLUMNS } from '../../model/events/event-columns.js';
import type { Delimiter } from '../../model/lead.js';
import { openTableWriter } from '../../output/open-table-writer.js';
import type { EventFilter } from '../../ports/store/events.js';
import type { Store } from '../../ports/store/store.js';
import { exportEvents as writeEvents } from '../../run/export.js';
import { checkWrites } from '../files/check-writes.js';
import { placeOf } from '../files/target.js';
import { type ExportOptions, noStream } from './export-run.js';

export interface EventTable {
  /** `-` for standard output. */
  readonly out: string;
  /** Default: a comma. */
  readonly delimiter?: Delimiter | undefined;
  readonly bom: boolean;
  readonly excel: boolean;
  readonly formulaGuard: boolean;
}

/**
 * Returns the number of events written.
 * @throws SluiceError `usage` where no table can be written to the path, or a file there must not be replaced; `output`
 * where writing fails
 * @throws ClosedPipe when the reader of standard output has gone; not an error
 */
export async function exportEvents(
  store: Store,
  filter: EventFilter,
  table: EventTable,
  { standardOutput, force = false }: ExportOptions = {},
): Promise<number> {
  const { out: path } = table;
  if (path === '-' && standardOutput === undefined) throw noStream('The table of events');
  await checkWrites(
    [{ path, purpose: 'events' }],
    { job: '', sources: [], isForced: force },
    store,
  );
  const writer = await openTableWriter(path, EVENT_COLUMNS, {
    ...table,
    standardOutput: standardOutput ?? new Writable(),
    onReady: (file) =>
      store.noteWritten({
        ...file,
        path: placeOf(file.path),
        role: 'events',
        job: '',
        run: null,
      }),
  });
  return writeEvents(store, filter, writer);
}
