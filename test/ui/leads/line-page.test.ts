import { expect, it } from 'vitest';
import type { ExplainedLine } from '../../../src/app/results/explain-line.js';
import { formatTime } from '../../../src/model/text/format-time.js';
import { leadSteps } from '../../../src/ui/leads/line-page.js';

const T0 = Date.UTC(2026, 10, 21, 7, 40, 12);

/** A lead that was sent at T0, and answered five seconds later by the first of two deliveries. */
function deliveredStory(): ExplainedLine {
  const enrichment = {
    state: 'found',
    request: { inputs: { email: 'ada@example.com' }, ask: ['find_phone'] },
    fingerprint: new Uint8Array([1]),
    isCurrent: true,
    ticket: 'enr_1',
    reason: null,
    result: {},
    credits: 5,
    paidBy: 3,
    servedBy: null,
    sendCount: 2,
    lostSends: 0,
    submittedAt: T0,
    settledAt: T0 + 5_000,
    standsSince: null,
    pollCount: 1,
    pollAt: null,
    deadlineAt: null,
  };
  return {
    run: { id: 3 },
    source: 'leads.csv',
    line: 2,
    mapping: [],
    lead: { enrichment, isPayer: true, note: null },
    reject: null,
    deliveries: [
      { id: 8, receivedAt: T0 + 4_000, handledAt: T0 + 5_000 },
      { id: 9, receivedAt: T0 + 6_000, handledAt: T0 + 7_000 },
    ],
  } as unknown as ExplainedLine;
}

it('says each time once: beside the step, or in its text', () => {
  const steps = leadSteps(deliveredStory());
  const said = steps.flatMap(({ at, facts, text }) => [
    ...(at === null ? [] : [formatTime(at)]),
    text,
    ...facts.map(([, fact]) => fact),
  ]);
  const times = [T0, T0 + 4_000, T0 + 5_000, T0 + 6_000, T0 + 7_000].map(formatTime);
  const often = times.map((time) => said.join(' ').split(time).length - 1);
  expect(often).toEqual([1, 1, 1, 1, 1]);
  expect(steps.map(({ text }) => text)).toEqual([
    'Line 2 of leads.csv',
    '',
    '2 times; this was the last',
    '',
    '8, settled',
    '9, settled 2026-11-21 07:40:19 (UTC)',
    'found',
    '5 credits, paid by this run for this line',
  ]);
});
