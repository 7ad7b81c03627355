// Events as people and scripts read them: listed, followed, or written as a table.
import { type EventTable, exportEvents } from '../../app/state/export-events.js';
import { systemClock } from '../../app/system-clock.js';
import { toEventObject } from '../../model/events/event-columns.js';
import type { RunObserver } from '../../model/telemetry/run-event.js';
import type { JsonValue } from '../../model/text/json.js';
import { printable, printableJson } from '../../model/text/printable.js';
import { ClosedPipe } from '../../output/closed-pipe.js';
import type { EventFilter, StoredEvent } from '../../ports/store/events.js';
import type { Store } from '../../ports/store/store.js';
import { followEvents } from '../../run/follow-events.js';
import { untilStopped } from '../until-stopped.js';
import { formatCount, formatTable, formatTime } from './format.js';

const HEADER = ['happened (UTC)', 'type', 'lead', 'campaign', 'about'];
/** Of a followed line, whose later neighbours are not known yet. */
const WIDTHS = [19, 28, 32, 24];
const ABOUT_LENGTH_MAX = 60;

interface Listing {
  /** How many there are at most before the first one that comes. */
  readonly last: number;
  readonly isJson: boolean;
}

/** The newest, oldest of them first. */
export async function listEvents(
  store: Store,
  filter: EventFilter,
  { last, isJson }: Listing,
): Promise<void> {
  const events = await store.lastEvents(filter, last);
  if (isJson) for (const event of events) console.log(toLine(event, true));
  else for (const line of formatTable(HEADER, events.map(toCells))) console.log(line);
}

/** The newest, then each that comes, until Ctrl+C or until nobody reads any more. */
export async function printEventsAsTheyCome(
  store: Store,
  filter: EventFilter,
  { last, isJson }: Listing,
  observe: RunObserver,
): Promise<void> {
  const stop = new AbortController();
  void untilStopped().then(() => stop.abort());
  process.stdout.once('close', () => stop.abort());
  const [newest] = await store.lastEvents({}, 1);
  const events = await store.lastEvents(filter, last);
  for (const event of events) console.log(toLine(event, isJson));
  const after = Math.max(newest?.number ?? 0, events.at(-1)?.number ?? 0);
  for await (const page of followEvents(store, { after, filter }, systemClock, stop.signal)) {
    for (const event of page) console.log(toLine(event, isJson));
    const newestNumber = page.at(-1)?.number ?? after;
    observe({ kind: 'events.followed', count: page.length, last: newestNumber });
  }
}

export async function exportTable(
  store: Store,
  filter: EventFilter,
  table: EventTable,
  { force, json }: { readonly force: boolean; readonly json: boolean },
): Promise<void> {
  const { out } = table;
  try {
    const events = await exportEvents(store, filter, table, {
      standardOutput: process.stdout,
      force,
    });
    const line = json ? JSON.stringify({ out, events }) : `${out}: ${formatCount(events, 'event')}`;
    // Beside the table, where that is standard output.
    if (out !== '-') console.log(line);
    else if (json) console.error(line);
  } catch (error) {
    if (!(error instanceof ClosedPipe)) throw error;
  }
}

function toLine(event: StoredEvent, isJson: boolean): string {
  if (isJson) return printableJson(JSON.stringify(toEventObject(event)));
  const cells = toCells(event).map((cell, i) => cell.padEnd(WIDTHS[i] ?? 0));
  return cells.join('  ').trimEnd();
}

/** In the order of the header. */
function toCells({ type, happenedAt, record }: StoredEvent): string[] {
  const who = text(record['leadEmail']) ?? text(record['leadId']) ?? '';
  const campaign = text(record['campaignName']) ?? text(record['campaignId']) ?? '';
  const about = text(record['subject']) ?? text(record['sendUserEmail']) ?? '';
  const cells = [formatTime(happenedAt), type, who, campaign, about.slice(0, ABOUT_LENGTH_MAX)];
  return cells.map(printable);
}

function text(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
