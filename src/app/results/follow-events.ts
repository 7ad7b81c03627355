// Hands events on as they are kept, whichever process keeps them.
import type { Clock } from '../../ports/clock.js';
import type { EventFilter, EventJournal, StoredEvent } from '../../ports/store/events.js';

/** Events handed on at once, at most. */
const PAGE_SIZE = 100;
/** An event is seen this late at most. */
const LOOK_MS = 500;

/** The events behind that number, then each that comes, until the signal aborts. */
export async function* followEvents(
  store: Pick<EventJournal, 'eventsAfter'>,
  { after, filter }: { readonly after: number; readonly filter: EventFilter },
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<StoredEvent[]> {
  let seen = after;
  while (!signal.aborted) {
    const events = await store.eventsAfter(seen, filter, PAGE_SIZE);
    const last = events.at(-1);
    if (last === undefined) {
      await clock.sleep(LOOK_MS, signal);
    } else {
      seen = last.number;
      yield events;
    }
  }
}
