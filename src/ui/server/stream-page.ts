// Keeps an open page up to date by server-sent events: asks for its parts again and again while the browser listens,
// and sends those that have changed. Without a listener nothing is asked.
import type { ServerResponse } from 'node:http';
import { onAbort } from '../../model/schedule/on-abort.js';
import type { Clock } from '../../ports/clock.js';
import type { LivePart } from './routes.js';

/** The page as it is now; `trouble` says why that cannot be told. */
export type Look =
  | { readonly title: string; readonly live: readonly LivePart[]; readonly isFinal: boolean }
  | { readonly trouble: string };

export interface StreamOptions {
  readonly look: () => Promise<Look>;
  readonly clock: Clock;
  /** Ends the stream. */
  readonly signal: AbortSignal;
}

const LOOK_MS = 1_000;
/** A look at a run of a million leads takes a while; the disk and this process must have time for other work. */
const PAUSE_PER_LOOK = 5;
/** Proxies and browsers give up a connection on which nothing moves. */
const HEARTBEAT_MS = 10_000;
/** A browser that has not read the sent events after this long is cut off, and will come again. */
const UNREAD_MS = 20_000;
/** The time after which the browser tries again when the connection was lost. */
const RETRY_MS = 2_000;

/** Resolves when the browser has gone, the page stays as it is, or the signal aborts. `response` has its headers. */
export async function streamPage(
  response: ServerResponse,
  { look, clock, signal }: StreamOptions,
): Promise<void> {
  const sent = new Map<string, string>();
  let wroteAt = clock.now();
  const write = async (text: string): Promise<void> => {
    wroteAt = clock.now();
    if (response.write(text)) return;
    if (!(await isRead(response, clock, signal))) response.destroy();
  };
  await write(`retry: ${RETRY_MS}\n\n`);
  while (!signal.aborted) {
    const startedAt = clock.now();
    const seen = await look();
    const events = eventsOf(seen).filter(({ name, text }) => sent.get(name) !== text);
    const tookMs = clock.now() - startedAt;
    for (const { name, text } of events) {
      sent.set(name, text);
      await write(text);
    }
    if ('live' in seen && (seen.isFinal || seen.live.length === 0))
      return write(eventOf('final', null));
    if (clock.now() - wroteAt >= HEARTBEAT_MS) await write(': still here\n\n');
    await clock.sleep(Math.max(LOOK_MS, tookMs * PAUSE_PER_LOOK), signal);
  }
}

/** Each event has the name of the part of the page that it replaces. */
function eventsOf(look: Look): { readonly name: string; readonly text: string }[] {
  if ('trouble' in look) return [{ name: 'trouble', text: eventOf('trouble', look.trouble) }];
  return [
    // Takes the place of a trouble that is over.
    { name: 'trouble', text: eventOf('trouble', '') },
    { name: 'title', text: eventOf('title', look.title) },
    ...look.live.map((part) => ({ name: `part ${part.id}`, text: eventOf('part', part) })),
  ];
}

function eventOf(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Whether the browser reads the sent events before it is cut off. */
function isRead(response: ServerResponse, clock: Clock, signal: AbortSignal): Promise<boolean> {
  const over = new AbortController();
  return new Promise((resolve) => {
    const end = (isDrained: boolean) => (): void => {
      response.off('drain', onDrain);
      stopListening();
      over.abort();
      resolve(isDrained);
    };
    const onDrain = end(true);
    // The stream has ended: its owner closes it.
    const stopListening = onAbort(signal, end(true));
    response.on('drain', onDrain);
    void clock.sleep(UNREAD_MS, over.signal).then(end(false));
  });
}
