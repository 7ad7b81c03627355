// Keeps an open page up to date by server-sent events: asks for it again and again while the browser listens, and sends
// the parts that have changed. Without a listener nothing is asked.
import type { Clock } from '../../ports/clock.js';
import type { Answer, PageContent } from '../page.js';

const LOOK_MS = 1_000;
/** A look at a run of a million leads takes a while; the disk and this process must have time for other work. */
const PAUSE_PER_LOOK = 5;
/** Proxies and browsers give up a connection on which nothing moves. */
const HEARTBEAT_MS = 10_000;

/** The events, until the page stays as it is or the signal aborts. `look` asks for the page anew. */
export async function* streamPage(
  first: PageContent,
  look: () => Promise<Answer>,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const sent = new Map<string, string>();
  let page: Answer = first;
  let [pauseMs, wroteAt] = [LOOK_MS, 0];
  while (!signal.aborted && 'title' in page) {
    const { isFinal = false, live = [] } = page;
    const changed = live.filter(({ id, markup }) => sent.get(id) !== String(markup));
    if (changed.length > 0 || clock.now() - wroteAt >= HEARTBEAT_MS) {
      wroteAt = clock.now();
      // A comment, which opens the stream at once.
      yield ': still here\n\n';
    }
    for (const { id, markup } of changed) {
      sent.set(id, String(markup));
      yield eventOf('part', { id, html: String(markup) });
    }
    if (isFinal || live.length === 0) return yield eventOf('final', null);
    await clock.sleep(pauseMs, signal);
    const askedAt = clock.now();
    page = await look();
    pauseMs = Math.max(LOOK_MS, (clock.now() - askedAt) * PAUSE_PER_LOOK);
  }
}

function eventOf(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
