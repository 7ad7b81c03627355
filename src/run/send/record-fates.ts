// What became of sent enrichments, written down for good, and told to the other steps.
import type { SubmitAnswer } from '../../ports/platform.js';
import type { ClaimedEnrichment, SubmitRecord } from '../../ports/store/enrichments.js';
import { observeSettled } from '../observe-settled.js';
import type { RunContext } from '../run-context.js';
import { retryWrite } from './retry-write.js';

/** What the store shall know of one answer to a submit. */
export function toRecord(
  answer: SubmitAnswer,
  { id, send }: ClaimedEnrichment,
  callId: number | undefined,
  context: RunContext,
): SubmitRecord {
  const at = context.clock.now();
  switch (answer.kind) {
    case 'accepted': {
      const deadlineAt = at + context.deadlineMs;
      const pollAt = Math.min(at + context.schedule.firstWaitMs(), deadlineAt);
      return { id, send, at, kind: 'accepted', ticket: answer.ticket, callId, pollAt, deadlineAt };
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
  const write = () => store.recordSubmits(records);
  const written = new Set(await retryWrite(write, clock, observe));
  const changed = records.filter(({ id }) => written.has(id));
  for (const record of changed) {
    if (record.kind === 'accepted') backlog.submitted(record.pollAt);
    if (record.kind === 'unsent') backlog.requeued();
    if (record.kind === 'uncertain') backlog.expectClaims(1, record.at + callbacks.claimWaitMs);
  }
  const idsOf = (kind: SubmitRecord['kind']): number[] =>
    changed.filter((record) => record.kind === kind).map(({ id }) => id);
  const [accepted, unsent] = [idsOf('accepted'), idsOf('unsent')];
  if (accepted.length > 0) observe({ kind: 'enrichments.submitted', enrichments: accepted });
  if (unsent.length > 0) observe({ kind: 'enrichments.requeued', enrichments: unsent });
  observeSettled(observe, 'submit', [
    ...idsOf('refused').map((id) => ({ id, outcome: 'failed' as const })),
    ...idsOf('uncertain').map((id) => ({ id, outcome: 'uncertain' as const })),
  ]);
}
