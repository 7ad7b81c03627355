// Writes the journal of events as a table, always with the same columns; or hands events on as they are kept, by any
// process.
import { EVENT_COLUMNS } from '../../model/events/event-columns.js';
import type { CsvOptions } from '../../output/csv-format.js';
import { openTableWriter } from '../../output/open-table-writer.js';
import type { Clock } from '../../ports/clock.js';
import type { EventFilter, EventJournal, StoredEvent } from '../../ports/store/events.js';
import type { Store } from '../../ports/store/store.js';
import type { CellChange } from '../../ports/table-writer.js';
import { exportEvents as writeEvents } from '../../run/export.js';
import { checkWrites } from '../files/check-writes.js';
import type { ExportOptions } from './export-run.js';
import { noting } from './write-tables.js';

export interface EventTable extends CsvOptions {
  /** The path; `-` for standard output. */
  readonly out: string;
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
  await checkWrites(
    [{ path, purpose: 'events' }],
    { job: '', sources: [], isForced: force },
    store,
  );
  const writer = await openTableWriter(path, EVENT_COLUMNS, {
    ...table,
    standardOutput,
    onReady: noting(store, null, 'events'),
  });
  const events = await writeEvents(store, filter, writer);
  return { events, changed: writer.changes() };
}

/** The greatest number of events that are handed on at once. */
const PAGE_SIZE = 100;
/** The interval at which new events are looked for. */
const LOOK_MS = 500;

/** The events after that number, then each new one, until the signal aborts. */
export async function* followEvents(
  store: EventJournal,
  { after, filter }: { readonly after: number; readonly filter: EventFilter },
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<StoredEvent[]> {
  let seen = after;
  while (!signal.aborted) {
    const events = await store.events(filter, { after: seen, limit: PAGE_SIZE });
    const last = events.at(-1);
    if (last === undefined) {
      await clock.sleep(LOOK_MS, signal);
    } else {
      seen = last.number;
      yield events;
    }
  }
}
