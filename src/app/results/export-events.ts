// Writes the journal of events as a table, always with the same columns.
import { Writable } from 'node:stream';
import { EVENT_COLUMNS } from '../../model/events/event-columns.js';
import type { Delimiter } from '../../model/lead.js';
import { openTableWriter } from '../../output/open-table-writer.js';
import type { EventFilter } from '../../ports/store/events.js';
import type { Store } from '../../ports/store/store.js';
import type { CellChange } from '../../ports/table-writer.js';
import { exportEvents as writeEvents } from '../../run/export.js';
import { checkWrites } from '../files/check-writes.js';
import { placeOf } from '../files/target.js';
import { type ExportOptions, noStream } from './export-run.js';

export interface EventTable {
  /** The path; `-` for standard output. */
  readonly out: string;
  /** The delimiter. Default: a comma. */
  readonly delimiter?: Delimiter | undefined;
  readonly bom: boolean;
  readonly excel: boolean;
  readonly formulaGuard: boolean;
}

export interface EventReport {
  /** The number of written events. */
  readonly events: number;
  /** Cells that the format of the table could not hold unchanged. */
  readonly changed: readonly CellChange[];
}

/**
 * @throws SluiceError `usage` if no table can be written to the path, or a file there must not be replaced; `output` if
 * writing fails
 * @throws ClosedPipe when the reader of standard output has gone; not an error
 */
export async function exportEvents(
  store: Store,
  filter: EventFilter,
  table: EventTable,
  { standardOutput, force = false }: ExportOptions = {},
): Promise<EventReport> {
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
      store.noteWritten(placeOf(file.path), {
        ...file,
        role: 'events',
        job: '',
        run: null,
      }),
  });
  const events = await writeEvents(store, filter, writer);
  return { events, changed: writer.changes() };
}
