// Reads leads into the store, while others are already being submitted.
import type { LeadReader } from '../domain/ports/lead-reader.js';
import { leadBatches } from './lead-batches.js';
import type { RunContext } from './run-context.js';

/** Reads the whole input, or until the run drains; a run cut off here goes on where it stopped. */
export async function ingest(context: RunContext, reader: LeadReader): Promise<void> {
  const { backlog, clock, drain, observe, run, store } = context;
  let position = run.leadCount;
  const batches = leadBatches(reader, {
    terms: context.terms,
    afterPosition: run.leadCount,
    limit: context.limit,
    onMapped: (mapping) => observe({ kind: 'mapped', mapping }),
  });
  for await (const batch of batches) {
    if (drain.aborted) return;
    const at = clock.now();
    const count = await store.ingest(run.id, batch, {
      at,
      freshSince: at - context.freshForMs,
      deadlineAt: at + context.deadlineMs,
    });
    position = batch.leads.at(-1)?.position ?? position;
    backlog.queued += count.queued;
    backlog.awaiting += count.awaiting;
    if (count.awaiting > 0) backlog.expectPoll(at);
    backlog.changed();
    observe({ kind: 'read', position, count });
    // The other steps get their turn before the next batch is parsed.
    await new Promise((resolve) => setImmediate(resolve));
  }
  await store.finishReading(run.id);
  observe({ kind: 'reading-ended', leads: position });
}
