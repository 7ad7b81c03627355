// Everything about one line, for people and for scripts. It shows personal data: the user may read the state file, and
// asked for it.
import type { ExplainedLine } from '../../app/results/explain-line.js';
import type { LeadStatus } from '../../model/answer.js';
import type { EnrichmentState } from '../../model/enrichment.js';
import { nameOfMapped } from '../../model/mapping/mapping.js';
import type { Result } from '../../model/result.js';
import { exactText, type JsonValue, plainJson } from '../../model/text/json.js';
import { printable } from '../../model/text/printable.js';
import type { JournalEntry } from '../../ports/store/deliveries.js';
import type { EnrichmentHistory, LeadHistory } from '../../ports/store/runs.js';
import { describeMapping } from './describe-event.js';
import { formatCount, formatTime } from './format.js';

/** Longer texts are cut on the screen, but not with `--json`. */
const SHOWN_LENGTH_MAX = 200;

/** As an object with constant keys. */
export function storyJson(story: ExplainedLine): object {
  const { run, lead, reject, mapping, deliveries } = story;
  const enrichment = lead?.enrichment ?? null;
  return {
    run: run.id,
    job: run.job,
    source: story.source,
    line: story.line,
    lead: lead?.position ?? null,
    status: lead === null ? 'rejected' : (enrichment?.state ?? unaskedStatus(lead)),
    reason: reject?.reason ?? enrichment?.reason ?? lead?.note ?? null,
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
  const rows =
    lead === null
      ? [
          ['outcome', `rejected: ${reject?.reason ?? ''}; it became no lead, and cost nothing`],
          ['raw', cut(reject?.raw ?? '')],
        ]
      : leadRows(story, lead);
  const lines = rows.map(([name = '', text = '']) => `  ${name.padEnd(12)} ${text}`);
  return [lead === null ? head : `${head}: lead ${lead.position}`, ...lines].map(printable);
}

function leadRows(story: ExplainedLine, lead: LeadHistory): string[][] {
  const { enrichment } = lead;
  const cells = Object.entries(namedCells(story, lead)).map(([key, cell]) => [
    'cell',
    `${key} = ${cut(exactText(cell))}`,
  ]);
  const mapped = describeMapping(story.mapping);
  const start = [...cells, ...(mapped === '' ? [] : [['mapping', mapped]])];
  const note = lead.note ?? '';
  if (enrichment === null) {
    const status = unaskedStatus(lead);
    return [...start, ['outcome', `${status}: ${note}; nothing was asked, and nothing paid`]];
  }
  return [
    ...start,
    ...askedRows(enrichment),
    ...(note === '' ? [] : [['in part', note]]),
    ...sentRows(enrichment),
    ...story.deliveries.map((entry) => ['delivery', deliveryText(entry)]),
    ...outcomeRows(enrichment, lead, story),
  ];
}

function unaskedStatus({ isNotAsked }: LeadHistory): LeadStatus {
  return isNotAsked ? 'not_asked' : 'skipped';
}

function askedRows({ request, fingerprint, isCurrent }: EnrichmentHistory): string[][] {
  const inputs = Object.entries(request.inputs).map(([name, value]) => `${name} = ${cut(value)}`);
  const place = isCurrent ? '' : ' (a newer enrichment has taken its place)';
  return [
    ['inputs', inputs.length === 0 ? 'forgotten' : inputs.join(', ')],
    ['asked', request.ask.join(', ')],
    ['fingerprint', Buffer.from(fingerprint).toString('hex') + place],
  ];
}

function sentRows(one: EnrichmentHistory): string[][] {
  const rows: string[][] = [];
  if (one.sendCount === 0) rows.push(['sent', 'not yet']);
  else {
    const last = one.submittedAt === null ? '' : `, last at ${formatTime(one.submittedAt)} (UTC)`;
    const lost = one.lostSends === 0 ? '' : `; the fate of ${one.lostSends} stayed unknown`;
    rows.push(['sent', `${formatCount(one.sendCount, 'time')}${last}${lost}`]);
  }
  if (one.ticket !== null) rows.push(['ticket', one.ticket]);
  if (one.pollCount > 0) {
    rows.push(['polled', `${formatCount(one.pollCount, 'time')} while it was pending`]);
  }
  if (one.state === 'awaiting' && one.pollAt !== null && one.deadlineAt !== null) {
    const until = `until ${formatTime(one.deadlineAt)} (UTC)`;
    rows.push(['next poll', `${formatTime(one.pollAt)}, ${until}`]);
  }
  return rows;
}

function outcomeRows(one: EnrichmentHistory, lead: LeadHistory, story: ExplainedLine): string[][] {
  const reason = one.reason === null ? '' : `: ${one.reason}`;
  const at = one.settledAt === null ? '' : `, at ${formatTime(one.settledAt)} (UTC)`;
  const others = one.sharedWith.map(({ runId, source, line }) =>
    runId === story.run.id
      ? `line ${line}${story.run.sources.length > 1 ? ` of ${story.run.sources[source] ?? ''}` : ''}`
      : `run ${runId} line ${line}`,
  );
  const more = one.sharedCount - others.length;
  return [
    ['outcome', `${one.state}${reason}${at}`],
    ...(one.standsSince === null
      ? []
      : [['the row', `shows an older answer, of ${formatTime(one.standsSince)} (UTC)`]]),
    ...(one.result === null ? [] : resultRows(one.result)),
    ['cost', costText(one, lead, story)],
    ...(others.length === 0
      ? []
      : [['shared with', `${others.join(', ')}${more > 0 ? ` and ${more} more` : ''}`]]),
  ];
}

/** The cost in states without an answer that states it. */
const COST_UNKNOWN: Partial<Record<EnrichmentState, string>> = {
  submitting: 'not known before the answer',
  awaiting: 'not known before the answer',
  timed_out: 'not known, since no answer has come',
  uncertain: 'not known, since it is not known whether it was taken',
};

export function costText(
  one: EnrichmentHistory,
  lead: LeadHistory,
  { run }: ExplainedLine,
): string {
  const credits = formatCount(one.credits, 'credit');
  if (one.paidBy === null) return 'nothing so far';
  const unknown = COST_UNKNOWN[one.state];
  if (lead.isPayer) return `${unknown ?? credits}, paid by this run for this line`;
  const payer = one.paidBy === run.id ? 'another line of this run' : `run ${one.paidBy}`;
  return `nothing here: ${payer} paid ${unknown === undefined ? credits : `for it; how much is ${unknown}`}`;
}

function resultRows({ find_email, find_phone, social_enrichment }: Result): string[][] {
  const email = [find_email?.email, find_email?.status].filter((one) => one !== undefined);
  return [
    ...(email.length === 0 ? [] : [['e-mail', cut(email.join(', '))]]),
    ...(find_phone?.phone === undefined ? [] : [['phone', cut(find_phone.phone)]]),
    ...(social_enrichment === undefined
      ? []
      : [['profile', cut(social_enrichment.socialUrl ?? 'without an address')]]),
  ];
}

function deliveryText({ id, receivedAt, handledAt }: JournalEntry): string {
  const handled = handledAt === null ? 'pending' : `settled ${formatTime(handledAt)}`;
  return `${id}, received ${formatTime(receivedAt)} (UTC), ${handled}`;
}

function namedCells({ run }: ExplainedLine, { cells }: LeadHistory): Record<string, JsonValue> {
  return Object.fromEntries(
    cells.map((cell, i) => [run.columns[i]?.key ?? `column_${i + 1}`, cell]),
  );
}

function cut(text: string): string {
  return text.length > SHOWN_LENGTH_MAX ? `${text.slice(0, SHOWN_LENGTH_MAX)}…` : text;
}

function isoTime(epochMs: number | null): string | null {
  return epochMs === null ? null : new Date(epochMs).toISOString();
}
