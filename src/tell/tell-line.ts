// Tells everything about one line of a run's input: what was read, asked, sent, answered and paid. It shows personal data:
// the user may read the state, and asked for it.
import type { ExplainedLine } from '../app/results/explain-line.js';
import { type Tone, toneOfStatus } from '../html/parts.js';
import type { LeadAnswer } from '../model/answer.js';
import { formatPartialDate, orderPositions } from '../model/columns/positions.js';
import type { EnrichmentState } from '../model/enrichment/arrows.js';
import { tellMapping } from '../model/mapping/tell-columns.js';
import { cutText, formatCount, formatTimes } from '../model/text/count.js';
import { exactText, type JsonValue } from '../model/text/json.js';
import type { EnrichmentHistory, LeadHistory } from '../ports/store/runs.js';
import { lineData, namedCells, shownStatus, whyNow } from './line-data.js';
import type { Fact, Facts, Page, Ref, Step } from './page.js';
import { factPart, factsOf, table } from './shared.js';

/** `others`: the lines that share its payment. */
export function tellLine(story: ExplainedLine, others: readonly Ref[]): Page {
  const { lead, reject, run } = story;
  const head = `Line ${story.line} of ${story.source}, in run ${run.id} of ${run.job}`;
  const enrichment = lead?.enrichment ?? null;
  const result = story.steps?.row.result ?? enrichment?.result ?? {};
  const { custom = {}, find_email: email, find_phone: call, social_enrichment: profile } = result;
  const { positionGroups = [], ...fields } = profile ?? {};
  const more = (enrichment?.sharedCount ?? 0) - others.length;
  const read = lead === null ? [['text', reject?.raw ?? ''] as const] : namedCells(story, lead);
  return {
    title: lead === null ? head : `${head}: lead ${lead.position}`,
    parts: [
      foundPart(
        'What was found',
        [
          ['e-mail', email?.email],
          ['e-mail status', email?.status],
          ['status of the platform', email?.platformStatus],
          ['phone', call?.phone],
          ['profile', profile?.socialUrl],
          ...Object.entries(custom).flatMap(([ask, values]) =>
            Object.entries(values).map(([name, value]) => [`${ask} ${name}`, value] as const),
          ),
        ],
        'big',
      ),
      { kind: 'steps', title: 'What happened', steps: stepsOf(story) },
      factPart(
        lead === null ? 'The line' : 'What was read',
        ...read.map(([name, cell]) => [name, cutText(exactText(cell), TEXT_MAX)] as const),
      ),
      factPart('Shared with', [
        'lines',
        others.length === 0 ? null : others.flatMap((one, n) => (n === 0 ? [one] : [', ', one])),
        `${more > 0 ? `and ${more} more; ` : ''}they ask the same, and one payment covers all`,
      ]),
      foundPart('The profile that was found', Object.entries(fields)),
      table(
        'Its positions',
        ['title…', 'company…', 'domain?', 'from', 'until', 'description…?'],
        orderPositions(positionGroups).map(({ date, group: { company }, position }) => [
          position?.title ?? '–',
          position?.companyName ?? company.name ?? '',
          company.domain ?? null,
          formatPartialDate(date.start),
          formatPartialDate(date.end),
          position?.description ?? null,
        ]),
        { isStacked: true },
      ),
    ],
    data: lineData(story),
  };
}

const TEXT_MAX = 600;

function foundPart(
  title: string,
  values: readonly (readonly [name: string, value: JsonValue | undefined])[],
  shape?: 'big',
): Facts {
  const facts = values.map(([name, value]) => ({
    name,
    value: value === undefined ? null : cutText(exactText(value), TEXT_MAX) || null,
  }));
  return { kind: 'facts', title, areCopied: true, ...(shape && { shape }), facts };
}

function stepsOf(story: ExplainedLine): Step[] {
  const { lead, mapping, reject, steps } = story;
  const read = step('Read', 'known', `line ${story.line} of ${story.source}`);
  if (lead === null) {
    const why = `rejected: ${reject?.reason ?? ''}; it was not read as a lead, and cost nothing`;
    return [read, step('Outcome', 'bad', why)];
  }
  const mapped = tellMapping(mapping);
  const asLead = { ...read, facts: factsOf(['mapping', mapped || null]) };
  if (steps !== undefined) {
    return [
      asLead,
      ...steps.stories.flatMap(({ step: name, story: own }) =>
        own === null
          ? [step(`Step ${name}`, 'wait', 'not reached')]
          : [step(`Step ${name}`, 'known', null), ...stepsOf(own).slice(1)],
      ),
      step('Row', toneOfStatus(steps.row.status), tellRow(steps.row)),
    ];
  }
  const { enrichment } = lead;
  if (enrichment !== null) return [asLead, ...askedSteps(story, lead, enrichment)];
  const status = shownStatus(lead);
  const why = `${status}: ${lead.note ?? ''}; nothing was asked, and nothing paid`;
  return [asLead, step('Outcome', toneOfStatus(status), why)];
}

function askedSteps(story: ExplainedLine, lead: LeadHistory, one: EnrichmentHistory): Step[] {
  const { isCurrent, request } = one;
  const inputs = Object.entries(request.inputs).map(
    ([name, value]) => `${name} = ${cutText(value, TEXT_MAX)}`,
  );
  const place = isCurrent ? '' : ' (a newer enrichment has taken its place)';
  const isSettled = one.settledAt !== null || one.state === 'uncertain';
  const { foundSince: since, pollAt, deadlineAt } = one;
  const isAwaited = one.state === 'awaiting' && pollAt !== null && deadlineAt !== null;
  const polled = `${formatTimes(one.pollCount)} before there was an answer`;
  const awaited = factsOf(
    ['ticket', one.ticket],
    ['polled', one.pollCount === 0 ? null : polled],
    ['next poll', isAwaited ? [{ at: pollAt }, ', until ', { at: deadlineAt }] : null],
  );
  return [
    step('Asked', 'known', request.ask.join(', '), null, [
      { name: 'inputs', value: inputs.length === 0 ? 'forgotten' : inputs.join(', ') },
      { name: 'in part', value: lead.note || null },
      { name: 'fingerprint', value: Buffer.from(one.fingerprint).toString('hex') + place },
    ]),
    ...one.known.map(({ answeredAt, asks, isImported, line, runId }) => {
      const place = line === null ? '' : ` line ${line}`;
      return step(
        'Known',
        'known',
        `${asks.join(', ')} from run ${story.payers.get(runId) ?? runId}${place}${isImported ? ', imported' : ''}`,
        answeredAt,
      );
    }),
    step(
      'Sent',
      one.sendCount === 0 && !one.isImported && one.known.length === 0 ? 'wait' : 'good',
      tellSent(one, story),
      one.submittedAt,
    ),
    ...(awaited.every(({ value }) => value === null)
      ? []
      : [step('Awaited', 'wait', null, null, awaited)]),
    ...story.deliveries.map(({ handledAt, id, receivedAt }): Step => {
      const isLater = handledAt !== null && handledAt !== one.settledAt;
      const handled = handledAt === null ? 'pending' : isLater ? 'handled ' : 'handled';
      const text = [`${id}, ${handled}`, ...(isLater ? [{ at: handledAt }] : [])];
      return { name: 'Delivered', tone: 'good', at: receivedAt, text };
    }),
    step(
      isSettled ? 'Outcome' : 'Now',
      toneOfStatus(one.state),
      [one.isSuppressed ? 'skipped' : one.state, whyNow(one, story)].filter(Boolean).join(': '),
      one.settledAt,
      factsOf(
        ['the row', one.standsSince && ['shows an older answer, of ', { at: one.standsSince }]],
        [
          'since then',
          since && [
            `found by run ${story.payers.get(since.runId) ?? since.runId}, at `,
            { at: since.at },
          ],
        ],
      ),
    ),
    step('Paid', one.paidBy === null ? 'idle' : 'good', tellCost(one, lead, story)),
  ];
}

function step(
  name: string,
  tone: Tone,
  text: string | null,
  at: number | null = null,
  facts: Fact[] = [],
): Step {
  return { name, tone, text, at, facts };
}

function tellSent(one: EnrichmentHistory, { payers, run }: ExplainedLine): string {
  const { isImported, known, lostSends, paidBy, sendCount, state } = one;
  if (isImported) return 'not sent: it was imported';
  if (sendCount === 0) {
    return known.length === 0 || state === 'queued' ? 'not yet' : 'not sent: all of it was known';
  }
  const last = sendCount > 1 ? '; this was the last' : '';
  const lost =
    lostSends === 0
      ? ''
      : `; whether ${formatCount(lostSends, 'earlier send')} arrived is not known`;
  const by = paidBy === null || paidBy === run.id ? '' : `by run ${payers.get(paidBy) ?? paidBy}: `;
  return `${by}${formatTimes(sendCount)}${last}${lost}`;
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

/** The cost in states without an answer that states it. */
const COST_UNKNOWN: Partial<Record<EnrichmentState, string>> = {
  submitting: 'not known before the answer',
  awaiting: 'not known before the answer',
  timed_out: 'not known, since no answer has come',
  uncertain: 'not known, since it is not known whether it was taken',
};

/** The cost, and who paid. */
function tellCost(
  one: EnrichmentHistory,
  lead: LeadHistory,
  { payers, run }: ExplainedLine,
): string {
  const credits = formatCount(one.credits, 'credit');
  if (one.isImported) return 'nothing: it was bought elsewhere';
  if (one.paidBy === null) {
    return one.known.length === 0
      ? 'nothing so far'
      : 'nothing here: what is known was paid before';
  }
  const payer =
    one.paidBy === run.id
      ? 'another line of this run'
      : `run ${payers.get(one.paidBy) ?? one.paidBy}`;
  const unknown = COST_UNKNOWN[one.state];
  if (lead.isPayer) return `${unknown ?? credits}, paid by this run for this line`;
  return `nothing here: ${payer} paid ${unknown === undefined ? credits : `for it; how much is ${unknown}`}`;
}
