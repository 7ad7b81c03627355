// Reads the first batch of an input that can be read only once, before a run is begun.
import type { LeadReader } from '../../../ports/lead-reader.js';

/** A reader with its first batch read: its trouble is thrown here. It stops waiting when the signal aborts. */
export async function readAhead(reader: LeadReader, drain: AbortSignal): Promise<LeadReader> {
  const batches = reader.batches()[Symbol.asyncIterator]();
  const first = batches.next();
  const stopped = new Promise((resolve) => {
    drain.addEventListener('abort', resolve, { once: true });
  });
  if (!drain.aborted) await Promise.race([first, stopped]);
  first.catch(() => undefined);
  return {
    ...reader,
    async *batches() {
      const { done, value } = await first;
      if (done === true) return;
      yield value;
      yield* { [Symbol.asyncIterator]: () => batches };
    },
  };
}
