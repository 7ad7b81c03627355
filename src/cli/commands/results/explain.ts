// sluice explain RUN LINE: everything that is known about one line of a run's input.
import { type ExplainedLine, explainLine } from '../../../app/results/explain-line.js';
import {
  namedCells,
  shorten,
  shownStatus,
  type Told,
  tellAsked,
  tellAwaited,
  tellCost,
  tellDelivery,
  tellMapping,
  tellOutcome,
  tellReject,
  tellSent,
  tellSharing,
  tellUnasked,
} from '../../../app/results/tell-line.js';
import type { LeadAnswer } from '../../../model/answer.js';
import { SluiceError } from '../../../model/errors.js';
import { nameOfMapped } from '../../../model/mapping/find-column.js';
import { exactText, plainJson } from '../../../model/text/json.js';
import { printable } from '../../../model/text/printable.js';
import type { EnrichmentHistory, LeadHistory } from '../../../ports/store/runs.js';
import { RUN, TEXT } from '../../command.js';
import { findRun, stateCommand } from '../../open-state.js';

export const explainCommand = stateCommand({
  builder: (yargs) =>
    yargs
      .positional('run', RUN)
      .positional('line', {
        type: 'number',
        demandOption: true,
        describe: 'Line of the input file; the header is line 1',
      })
      .options({
        source: { ...TEXT, describe: 'The input file, where a run has read several' },
      })
      .example('$0 explain 3 17', 'The story of line 17 in run 3'),
  prepare: ({ line }) => {
    if (Number.isSafeInteger(line) && line >= 1) return;
    const message = 'A line is named by its number in the input file, counted from 1.';
    throw new SluiceError('usage', message);
  },
  handler: async ({ run: id, line, source }, store, path) => {
    await findRun(store, path, id);
    const story = await explainLine(store, id, { line, source });
    return { json: storyJson(story), lines: storyLines(story) };
  },
});

/** As an object with constant keys. */
export function storyJson(story: ExplainedLine): object {
  const { run, lead, reject, mapping, deliveries, steps } = story;
  const enrichment = lead?.enrichment ?? null;
  return {
    run: run.id,
    job: run.job,
    source: story.source,
    line: story.line,
    lead: lead?.position ?? null,
    status: steps?.row.status ?? (lead === null ? 'rejected' : shownStatus(lead)),
    reason: steps?.row.reason ?? reject?.reason ?? enrichment?.reason ?? lead?.note ?? null,
    note: lead?.note ?? null,
    raw: reject?.raw ?? null,
    cells: lead === null ? null : plainJson(namedCells(story, lead)),
    mapping: mapping.map(({ input, isGuessed, ...mapped }) => ({
      input,
      column: nameOfMapped(mapped),
      guessed: isGuessed,
    })),
    enrichment: enrichment === null ? null : enrichmentJson(enrichment, story, lead),
    deliveries: deliveries.map((entry) => ({
      delivery: entry.id,
      received_at: isoTime(entry.receivedAt),
      handled_at: isoTime(entry.handledAt),
    })),
    steps:
      steps?.stories.map(({ step, story: one }) => ({
        step,
        ...(one === null ? { status: null } : storyJson(one)),
      })) ?? null,
  };
}

function enrichmentJson(one: EnrichmentHistory, story: ExplainedLine, lead: LeadHistory | null) {
  return {
    id: one.id,
    fingerprint: Buffer.from(one.fingerprint).toString('hex'),
    is_current: one.isCurrent,
    ask: one.request.ask,
    inputs: one.request.inputs,
    ticket: one.ticket,
    worked_on_by: one.runId,
    paid_by: one.paidBy,
    served_by: one.servedBy,
    paid_for_this_line: lead?.isPayer ?? false,
    credits: one.credits,
    sends: one.sendCount,
    lost_sends: one.lostSends,
    pending_polls: one.pollCount,
    sent_at: isoTime(one.submittedAt),
    next_poll_at: isoTime(one.pollAt),
    deadline_at: isoTime(one.deadlineAt),
    answered_at: isoTime(one.settledAt),
    older_answer_at: isoTime(one.standsSince),
    result: one.result,
    shared_with: one.sharedWith.map(({ runId, source, line }) => ({
      run: runId,
      source: runId === story.run.id ? (story.run.sources[source] ?? null) : null,
      line,
    })),
    shared_count: one.sharedCount,
  };
}

/** The same as lines of text, without empty ones. */
export function storyLines(story: ExplainedLine): string[] {
  const { run, lead, reject } = story;
  const head = `Line ${story.line} of ${story.source}, in run ${run.id} of ${run.job}`;
  const rows: readonly Told[] =
    lead === null
      ? [
          ['outcome', tellReject(reject?.reason ?? '')],
          ['raw', shorten(reject?.raw ?? '')],
        ]
      : leadRows(story, lead);
  const lines = rows.map(([name, text]) => `  ${name.padEnd(12)} ${text}`);
  return [
    lead === null ? head : `${head}: lead ${lead.position}`,
    ...lines,
    ...stepLines(story),
  ].map(printable);
}

/** The story of a lead in each step of a waterfall. */
function stepLines({ steps }: ExplainedLine): string[] {
  if (steps === undefined) return [];
  return steps.stories.flatMap(({ step, story }) => {
    if (story?.lead == null) return [`Step ${step}: not reached`];
    const rows = leadRows(story, story.lead);
    return [`Step ${step}:`, ...rows.map(([name, text]) => `  ${name.padEnd(12)} ${text}`)];
  });
}

function leadRows(story: ExplainedLine, lead: LeadHistory): Told[] {
  const { enrichment } = lead;
  const cells = Object.entries(namedCells(story, lead)).map(
    ([key, cell]): Told => ['cell', `${key} = ${shorten(exactText(cell))}`],
  );
  const mapped = tellMapping(story.mapping);
  const start: Told[] = [...cells, ...(mapped === '' ? [] : [['mapping', mapped] as const])];
  if (story.steps !== undefined) return [...start, ['outcome', tellRow(story.steps.row)]];
  if (enrichment === null) return [...start, ['outcome', tellUnasked(lead)]];
  const note = lead.note ?? '';
  return [
    ...start,
    ...tellAsked(enrichment),
    ...(note === '' ? [] : [['in part', note] as const]),
    ['sent', tellSent(enrichment)],
    ...tellAwaited(enrichment),
    ...story.deliveries.map((entry): Told => ['delivery', tellDelivery(entry)]),
    ...tellOutcome(enrichment),
    ['cost', tellCost(enrichment, lead, story)],
    ...tellSharing(enrichment, story),
  ];
}

/** `found: ada@firm.com (deliverable) from second, verified by check` */
function tellRow({ provenance, reason, result, status }: LeadAnswer): string {
  const { email, emailVerifiedBy, phone, profile } = provenance ?? {};
  const address = result?.find_email;
  const by = emailVerifiedBy === undefined ? '' : `, verified by ${emailVerifiedBy}`;
  const parts = [
    email && `${address?.email ?? ''} (${address?.status ?? 'no status'}) from ${email.step}${by}`,
    phone && `${result?.find_phone?.phone ?? ''} from ${phone.step}`,
    profile && `profile from ${profile.step}`,
    reason,
  ].filter((part) => typeof part === 'string');
  return parts.length === 0 ? status : `${status}: ${parts.join('; ')}`;
}

function isoTime(epochMs: number | null): string | null {
  return epochMs === null ? null : new Date(epochMs).toISOString();
}
