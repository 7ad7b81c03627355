// Reads leads into the store, while others are already being submitted.
import type { LeadReader } from '../ports/lead-reader.js';
import { bringPollsForward } from './collect/due-tickets.js';
import { leadBatches } from './lead-batches.js';
import type { RunContext } from './run-context.js';

/** Reads the whole input, or until the run drains; a run cut off here goes on where it stopped. */
export async function ingest(
  context: RunContext,
  reader: LeadReader,
  resendUncertain = false,
): Promise<void> {
  const { backlog, clock, drain, observe, run, store } = context;
  let position = run.leadCount;
  const batches = leadBatches(reader, {
    terms: context.terms,
    afterPosition: run.leadCount,
    limit: context.limit,
    onMapped: (mapping) => observe({ kind: 'run.mapped', mapping }),
    onDetected: (detection) => observe({ kind: 'run.detected', detection }),
  });
  for await (const batch of untilAborted(batches, drain)) {
    const at = clock.now();
    const count = await store.ingest(run.id, batch, {
      at,
      // What is answered during ingest, by a kept body or a ticket of an earlier run, is not old.
      freshSince: context.startedAt - context.freshForMs,
      resendUncertain,
      deadlineAt: at + context.deadlineMs,
    });
    position = batch.leads.at(-1)?.position ?? position;
    backlog.ingested(count);
    if (count.awaiting > 0) {
      await bringPollsForward(context);
      backlog.expectPoll(at);
    }
    backlog.changed();
    const { length: leads } = batch.leads;
    observe({ kind: 'leads.read', position, leads, rejects: batch.rejects.length, count });
    // The other steps get their turn before the next batch is parsed.
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (drain.aborted) return;
  await store.finishReading(run.id);
  observe({ kind: 'leads.complete', leads: position });
}

/** What the source yields, until the signal aborts; it does not wait for a pipe that is silent just then. */
async function* untilAborted<T>(
  source: AsyncGenerator<T, void>,
  signal: AbortSignal,
): AsyncGenerator<T, void> {
  try {
    while (!signal.aborted) {
      const next = await nextOrAborted(source, signal);
      if (signal.aborted || next === undefined || next.done === true) return;
      yield next.value;
    }
  } finally {
    // A source that waits for its input closes only when that comes.
    const closed = source.return().catch(() => undefined);
    if (!signal.aborted) await closed;
  }
}

function nextOrAborted<T>(
  source: AsyncGenerator<T, void>,
  signal: AbortSignal,
): Promise<IteratorResult<T, void> | undefined> {
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve(undefined);
    signal.addEventListener('abort', stop, { once: true });
    const settled = (): void => signal.removeEventListener('abort', stop);
    source.next().then(resolve, reject).finally(settled);
  });
}
