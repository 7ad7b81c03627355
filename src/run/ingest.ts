// Reads leads into the store, while others are already being submitted.
import type { LookAlike } from '../model/mapping/look-alikes.js';
import { onAbort } from '../model/schedule/on-abort.js';
import type { LeadReader } from '../ports/lead-reader.js';
import type { IngestBatch, IngestCount, LeadEntry } from '../ports/store/enrichments.js';
import { describeLack, lackOf } from './advise.js';
import { bringPollsForward } from './collect/due-tickets.js';
import { leadBatches } from './lead-batches.js';
import type { ReadingContext } from './run-context.js';

/**
 * The number of batches in one commit while no lead has to be sent or waited for, since a sync costs as much as
 * hundreds of known leads and no step waits for the next batch. Batches of a pipe, which may be slow, are kept as they
 * come.
 */
const KNOWN_AT_ONCE = 4;

/** A run that was cut off here goes on where it stopped. `change` has the last word on each lead. */
export async function ingest(
  context: ReadingContext,
  reader: LeadReader,
  resendUncertain = false,
  change?: (lead: LeadEntry) => LeadEntry,
): Promise<void> {
  const { drain, observe, run, store } = context;
  let position = run.leadCount;
  let alike: readonly LookAlike[] = [];
  const counts = { asked: 0, skipped: 0, not_asked: 0, held: 0 };
  const batches = leadBatches(reader, {
    terms: context.terms,
    afterPosition: run.leadCount,
    limit: context.limit,
    change,
    onMapped: (mapping) => {
      const inputs = mapping.map(({ input }) => input).join(',');
      const guessed = mapping.filter(({ isGuessed }) => isGuessed).length;
      observe({ kind: 'run.mapped', inputs, guessed, mapping });
    },
    onDetected: (detection) => {
      const { what, value } = detection;
      observe({ kind: 'run.detected', what, value, detection });
    },
    onFirst: (batch) => {
      ({ alike } = lackOf(batch, context.terms));
    },
  });
  const source = untilAborted(batches, drain);
  const most = (await reader.signature()) === null ? 1 : KNOWN_AT_ONCE;
  let atOnce = 1;
  for await (const batch of together(source, () => atOnce)) {
    for (const { kind } of batch.leads) counts[kind] += 1;
    const count = await ingestBatch(context, batch, resendUncertain);
    position = batch.leads.at(-1)?.position ?? position;
    atOnce = count.queued + count.awaiting === 0 ? most : 1;
    const { length: leads } = batch.leads;
    observe({ kind: 'leads.read', position, leads, rejects: batch.rejects.length, ...count });
    // The other steps get their turn before the next batch is parsed.
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (drain.aborted) return;
  await store.finishReading(run.id);
  const message = describeLack({
    alike,
    skipped: counts.skipped,
    leads: counts.asked + counts.held + counts.skipped,
  });
  if (message !== '') observe({ kind: 'run.warned', warning: 'columns_unused', message });
  observe({ kind: 'leads.complete', leads: position });
}

export async function ingestBatch(
  context: ReadingContext,
  batch: IngestBatch,
  resendUncertain: boolean,
): Promise<IngestCount> {
  const { backlog, clock, run, store } = context;
  const at = clock.now();
  const freshSince = context.startedAt - context.freshForMs;
  const count = await store.ingest(run.id, batch, {
    at,
    // An answer that comes during ingest, from a kept body or a ticket of an earlier run, is not old.
    freshSince,
    resendUncertain,
    deadlineAt: at + context.deadlineMs,
    ...(context.setsAside === true && { asideSince: freshSince }),
  });
  backlog.ingested(count);
  if (count.awaiting > 0) {
    await bringPollsForward(context);
    backlog.expectPoll(at);
  }
  backlog.changed();
  return count;
}

async function* together(
  source: AsyncIterable<IngestBatch>,
  count: () => number,
): AsyncGenerator<IngestBatch, void> {
  let waiting: IngestBatch[] = [];
  let failure: { readonly cause: unknown } | undefined;
  try {
    for await (const batch of source) {
      waiting.push(batch);
      if (waiting.length < count()) continue;
      yield asOne(waiting);
      waiting = [];
    }
  } catch (cause) {
    // Batches that were read before the failure are kept.
    failure = { cause };
  }
  if (waiting.length > 0) yield asOne(waiting);
  if (failure !== undefined) throw failure.cause;
}

/** The columns and the mapping only grow from batch to batch. */
function asOne(batches: readonly IngestBatch[]): IngestBatch {
  const last = batches.at(-1);
  if (last === undefined) throw new Error('no batch to ingest');
  return {
    ...last,
    leads: batches.flatMap(({ leads }) => leads),
    rejects: batches.flatMap(({ rejects }) => rejects),
  };
}

/** It does not wait for a pipe that is silent at that moment. */
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
    // A source that waits for its input closes only when the input comes.
    const closed = source.return().catch(() => undefined);
    if (!signal.aborted) await closed;
  }
}

function nextOrAborted<T>(
  source: AsyncGenerator<T, void>,
  signal: AbortSignal,
): Promise<IteratorResult<T, void> | undefined> {
  return new Promise((resolve, reject) => {
    const stopListening = onAbort(signal, () => resolve(undefined));
    source.next().then(resolve, reject).finally(stopListening);
  });
}
