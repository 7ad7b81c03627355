// The steps of a line's history for the page of a lead, in the words of `sluice explain`.
import type { ExplainedLine } from '../../app/results/explain-line.js';
import {
  type Told,
  tellAsked,
  tellAwaited,
  tellCost,
  tellDeliveryUndated,
  tellMapping,
  tellOutcome,
  tellReject,
  tellSent,
  tellUnasked,
  unaskedStatus,
} from '../../app/results/tell-line.js';
import { toneOfStatus } from '../../html/parts.js';
import type { EnrichmentHistory, LeadHistory } from '../../ports/store/runs.js';
import type { TimelineStep } from './line-view.js';

/** The setting for steps, which have their times beside their names. */
const UNDATED = { isDated: false };

export function leadSteps(story: ExplainedLine): TimelineStep[] {
  const { lead, mapping, reject } = story;
  const read = step('Read', 'known', null, `Line ${story.line} of ${story.source}`);
  if (lead === null) {
    return [read, step('Rejected', 'bad', null, tellReject(reject?.reason ?? ''))];
  }
  const mapped = tellMapping(mapping);
  const asLead = { ...read, facts: mapped === '' ? [] : ([['mapping', mapped]] as Told[]) };
  const { enrichment } = lead;
  if (enrichment === null) {
    return [asLead, step('Not asked', toneOfStatus(unaskedStatus(lead)), null, tellUnasked(lead))];
  }
  return [asLead, ...askedSteps(story, lead, enrichment)];
}

function askedSteps(story: ExplainedLine, lead: LeadHistory, one: EnrichmentHistory) {
  const note: Told[] = lead.note === null || lead.note === '' ? [] : [['in part', lead.note]];
  const [outcome, ...facts] = tellOutcome(one, UNDATED);
  const cost = tellCost(one, lead, story);
  const awaited = tellAwaited(one);
  return [
    step('To be asked', 'known', null, '', [...tellAsked(one), ...note]),
    step(
      'Claimed and sent',
      one.sendCount === 0 && one.servedBy === null ? 'wait' : 'good',
      one.submittedAt,
      tellSent(one, UNDATED),
    ),
    ...(awaited.length === 0 ? [] : [step('Awaited', 'wait', null, '', awaited)]),
    ...story.deliveries.map((entry) =>
      step('Delivered', 'good', entry.receivedAt, tellDeliveryUndated(entry, one.settledAt)),
    ),
    step(settledName(one), toneOfStatus(one.state), one.settledAt, outcome?.[1] ?? '', facts),
    step('Paid', one.paidBy === null ? 'idle' : 'good', null, cost),
  ];
}

function settledName({ settledAt, state }: EnrichmentHistory): string {
  return settledAt === null && state !== 'uncertain' ? 'Now' : 'Settled';
}

function step(
  name: string,
  tone: TimelineStep['tone'],
  at: number | null,
  text: string,
  facts: TimelineStep['facts'] = [],
): TimelineStep {
  return { name, tone, at, text, facts };
}
