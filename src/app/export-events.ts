// Writes the journal of events as a table: CSV or NDJSON, with the same columns whatever the events.
import type { Writable } from 'node:stream';
import { EVENT_COLUMNS } from '../domain/event-columns.js';
import type { EventFilter } from '../domain/ports/events.js';
import type { Store } from '../domain/ports/store.js';
import { openTableWriter } from '../output/open-table-writer.js';
import { checkWritable } from '../output/target-file.js';
import { exportEvents as writeEvents } from '../pipeline/export.js';

export interface EventTable {
  /** `-` for standard output. */
  readonly out: string;
  readonly bom: boolean;
  readonly excel: boolean;
  readonly formulaGuard: boolean;
}

/**
 * Returns the number of events written.
 * @throws SluiceError `usage` where no table can stand at the path, `output` where writing fails
 * @throws ClosedPipe when the reader of standard output has gone; not an error
 */
export async function exportEvents(
  store: Store,
  filter: EventFilter,
  table: EventTable,
  standardOutput: Writable,
): Promise<number> {
  await checkWritable(table.out);
  const writer = await openTableWriter(table.out, EVENT_COLUMNS, { ...table, standardOutput });
  return writeEvents(store, filter, writer);
}
