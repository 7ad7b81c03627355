// What became of sent enrichments, written down for good, and told to the other steps.
import type { SubmitAnswer } from '../domain/ports/platform.js';
import type { ClaimedEnrichment, SubmitRecord } from '../domain/ports/store.js';
import { persistently } from './persistently.js';
import type { RunContext } from './run-context.js';

/** What the store shall know of one answer to a submit. */
export function toRecord(
  answer: SubmitAnswer,
  { id, send }: ClaimedEnrichment,
  context: RunContext,
): SubmitRecord {
  const at = context.clock.now();
  switch (answer.kind) {
    case 'accepted': {
      const deadlineAt = at + context.deadlineMs;
      const pollAt = Math.min(at + context.schedule.firstWaitMs(), deadlineAt);
      return { id, send, at, kind: 'accepted', ticket: answer.ticket, pollAt, deadlineAt };
    }
    case 'unsent':
    case 'throttled':
      return { id, send, at, kind: 'unsent' };
    case 'refused':
      return { id, send, at, kind: 'refused', reason: answer.reason };
    case 'uncertain':
      return { id, send, at, kind: 'uncertain', reason: answer.reason };
  }
}

/** Writes them in one step. What somebody else has changed meanwhile (a webhook, another run) counts no more. */
export async function recordFates(
  { backlog, callbacks, clock, observe, store }: RunContext,
  records: readonly SubmitRecord[],
): Promise<void> {
  const changed = new Set(await persistently(() => store.recordSubmits(records), clock));
  for (const record of records) {
    if (!changed.has(record.id)) continue;
    switch (record.kind) {
      case 'accepted':
        backlog.awaiting += 1;
        observe({ kind: 'submitted', count: 1 });
        backlog.expectPoll(record.pollAt);
        break;
      case 'unsent':
        backlog.queued += 1;
        break;
      case 'refused':
        observe({ kind: 'settled', outcome: 'failed', count: 1 });
        break;
      case 'uncertain':
        observe({ kind: 'settled', outcome: 'uncertain', count: 1 });
        backlog.expectClaims(1, record.at + callbacks.claimWaitMs);
        break;
    }
  }
}
