// What is told about one line of a run's input, as data.
import type { ExplainedLine } from '../app/results/explain-line.js';
import type { LeadStatus } from '../model/answer.js';
import { nameOfMapped } from '../model/mapping/find-column.js';
import { whyUnsent } from '../model/run.js';
import { type JsonValue, plainJson } from '../model/text/json.js';
import type { EnrichmentHistory, LeadHistory } from '../ports/store/runs.js';

/** The status that the line's row shows, if no older answer stands there. */
export function shownStatus({ enrichment, isNotAsked }: LeadHistory): LeadStatus {
  if (enrichment === null) return isNotAsked ? 'not_asked' : 'skipped';
  return enrichment.isSuppressed ? 'skipped' : enrichment.state;
}

/** The cells of a lead by the keys of their columns. */
export function namedCells(
  { run }: ExplainedLine,
  { cells }: LeadHistory,
): (readonly [string, JsonValue])[] {
  return cells.map((cell, i) => [run.columns[i]?.key ?? `column_${i + 1}`, cell]);
}

/** The reason of its state; of one that waits, why its run does not send it. */
export function whyNow({ reason, runId, state }: EnrichmentHistory, { run }: ExplainedLine) {
  return reason ?? (state === 'queued' && runId === run.id ? whyUnsent(run) : null);
}

/** With constant keys. */
export function lineData(story: ExplainedLine): object {
  const { run, lead, reject, mapping, deliveries, steps } = story;
  const enrichment = lead?.enrichment ?? null;
  return {
    run: run.id,
    job: run.job,
    source: story.source,
    line: story.line,
    lead: lead?.position ?? null,
    status: steps?.row.status ?? (lead === null ? 'rejected' : shownStatus(lead)),
    reason:
      steps?.row.reason ??
      reject?.reason ??
      (enrichment && whyNow(enrichment, story)) ??
      lead?.note ??
      null,
    note: lead?.note ?? null,
    raw: reject?.raw ?? null,
    cells:
      lead === null
        ? null
        : new Map(namedCells(story, lead).map(([name, cell]) => [name, plainJson(cell)])),
    mapping: mapping.map(({ input, isGuessed, ...mapped }) => ({
      input,
      column: nameOfMapped(mapped),
      guessed: isGuessed,
    })),
    enrichment: enrichment === null ? null : enrichmentData(enrichment, story, lead),
    deliveries: deliveries.map(({ handledAt, id, receivedAt }) => ({
      delivery: id,
      receivedAt,
      handledAt,
    })),
    steps:
      steps?.stories.map(({ step, story: one }) => ({
        step,
        ...(one === null ? { status: null } : lineData(one)),
      })) ?? null,
  };
}

function enrichmentData(one: EnrichmentHistory, { run }: ExplainedLine, lead: LeadHistory | null) {
  return {
    id: one.id,
    fingerprint: Buffer.from(one.fingerprint).toString('hex'),
    isCurrent: one.isCurrent,
    ask: one.request.ask,
    inputs: new Map<string, unknown>(Object.entries(one.request.inputs)),
    ticket: one.ticket,
    workedOnBy: one.runId,
    paidBy: one.paidBy,
    imported: one.isImported,
    known: one.known.map(({ answeredAt, asks, enrichmentId, isImported, line, runId }) => ({
      asks,
      imported: isImported,
      enrichment: enrichmentId,
      run: runId,
      line,
      answeredAt,
    })),
    paidForThisLine: lead?.isPayer ?? false,
    credits: one.credits,
    sends: one.sendCount,
    lostSends: one.lostSends,
    pendingPolls: one.pollCount,
    sentAt: one.submittedAt,
    nextPollAt: one.pollAt,
    deadlineAt: one.deadlineAt,
    answeredAt: one.settledAt,
    olderAnswerAt: one.standsSince,
    foundSince: one.foundSince && { run: one.foundSince.runId, at: one.foundSince.at },
    result: one.result === null ? null : new Map<string, unknown>(Object.entries(one.result)),
    sharedWith: one.sharedWith.map(({ runId, source, line }) => {
      return { run: runId, source: runId === run.id ? (run.sources[source] ?? null) : null, line };
    }),
    sharedCount: one.sharedCount,
  };
}
