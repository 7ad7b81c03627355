// Hands events on as they are kept, by any process.
import type { Clock } from '../../ports/clock.js';
import type { EventFilter, EventJournal, StoredEvent } from '../../ports/store/events.js';

/** The greatest number of events that are handed on at once. */
const PAGE_SIZE = 100;
/** The interval at which new events are looked for. */
const LOOK_MS = 500;

/** The events after that number, then each new one, until the signal aborts. */
export async function* followEvents(
  store: Pick<EventJournal, 'events'>,
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
