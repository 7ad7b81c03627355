import { describe, expect, it } from 'vitest';
import type { ExplainedLine } from '../../src/app/results/explain-line.js';
import { asText } from '../../src/tell/as-text.js';
import { tellLine } from '../../src/tell/tell-line.js';

const T0 = Date.UTC(2026, 10, 21, 7, 40, 12);

/** A lead that was sent at T0, and answered five seconds later by the first of two deliveries. */
function linesOf(changes: object = {}, isPayer = true): string[] {
  const enrichment = {
    state: 'found',
    request: { inputs: { email: 'ada@example.com' }, ask: ['find_phone'] },
    fingerprint: new Uint8Array([1]),
    isCurrent: true,
    ticket: 'enr_1',
    reason: null,
    result: { find_email: { email: 'a@b.com' } },
    credits: 5,
    paidBy: 3,
    known: [],
    foundSince: null,
    sendCount: 2,
    lostSends: 0,
    submittedAt: T0,
    settledAt: T0 + 5_000,
    standsSince: null,
    pollCount: 1,
    pollAt: null,
    deadlineAt: null,
    sharedWith: [],
    sharedCount: 3,
    ...changes,
  };
  const story = {
    run: { id: 3, job: 'nightly', columns: [{ key: 'mail' }] },
    source: 'leads.csv',
    line: 2,
    mapping: [{ input: 'email', column: { key: 'mail' }, isGuessed: true }],
    lead: { enrichment, isPayer, note: null, position: 1, cells: ['ada@example.com'] },
    reject: null,
    payers: new Map([
      [1, '1'],
      [3, '3'],
    ]),
    deliveries: [
      { id: 8, receivedAt: T0 + 4_000, handledAt: T0 + 5_000 },
      { id: 9, receivedAt: T0 + 6_000, handledAt: T0 + 7_000 },
    ],
  } as unknown as ExplainedLine;
  const other = { to: 'line', run: 2, line: 7, text: 'run 2 line 7' } as const;
  return asText(tellLine(story, [other]).parts);
}

it('tells what happened in its order, each time once, what was read and found, and who shares it', () => {
  expect(linesOf()).toEqual(
    `What was found
  e-mail          a@b.com
What happened
  Read            line 2 of leads.csv
    mapping         email = mail (guessed)
  Asked           find_phone
    inputs          email = ada@example.com
    fingerprint     01
  Sent            2 times; this was the last  2026-11-21 07:40:12 (UTC)
  Awaited
    ticket          enr_1
    polled          once before there was an answer
  Delivered       8, handled  2026-11-21 07:40:16 (UTC)
  Delivered       9, handled 2026-11-21 07:40:19 (UTC)  2026-11-21 07:40:18 (UTC)
  Outcome         found  2026-11-21 07:40:17 (UTC)
  Paid            5 credits, paid by this run for this line
What was read
  mail            ada@example.com
Shared with
  lines           run 2 line 7  and 2 more; they ask the same, and one payment covers all`.split(
      '\n',
    ),
  );
});

it('has the positions of a profile as a table, the latest first, beside its other values', () => {
  const position = (title: string, year: number) => ({ title, date: { start: { year }, end: {} } });
  const group = { company: { name: 'Firm', domain: 'firm.com' }, date: { start: {}, end: {} } };
  const lines = linesOf({
    result: {
      social_enrichment: {
        socialUrl: 'https://x.example/ada',
        tagline: 'builds',
        positionGroups: [
          { ...group, profilePositions: [position('Clerk', 2019), position('Chief', 2024)] },
        ],
      },
    },
  });
  expect(lines[1]).toBe('  profile         https://x.example/ada');
  expect(lines.slice(-7)).toEqual([
    'The profile that was found',
    '  socialUrl       https://x.example/ada',
    '  tagline         builds',
    'Its positions',
    '  title  company  domain    from  until',
    '  Chief  Firm     firm.com  2024',
    '  Clerk  Firm     firm.com  2019',
  ]);
});

it('says which run sent what this one reused', () => {
  const sentOf = (paidBy: number) =>
    linesOf({ paidBy, sendCount: 1 }).find((line) => line.startsWith('  Sent'));
  expect(sentOf(3)).toMatch(/Sent +once/);
  expect(sentOf(1)).toMatch(/Sent +by run 1: once/);
});

describe('what a line cost', () => {
  const costOf = (state: string, isPayer: boolean) =>
    linesOf({ state }, isPayer)
      .find((line) => line.startsWith('  Paid'))
      ?.replace(/ +Paid +/, '');

  it('is told in credits once there is an answer', () => {
    expect(costOf('found', false)).toBe('nothing here: another line of this run paid 5 credits');
  });

  it('is not known, and not 0, before there is one', () => {
    expect(costOf('awaiting', true)).toBe(
      'not known before the answer, paid by this run for this line',
    );
    expect(costOf('uncertain', true)).toContain('it is not known whether it was taken');
    expect(costOf('timed_out', false)).toBe(
      'nothing here: another line of this run paid for it; how much is not known, since no answer has come',
    );
  });
});
