// The comparison of charges, a ticket at a time: by examples, and by a random truth into which errors are put.
import { describe, expect, it } from 'vitest';
import type { InvoiceRow } from '../../../src/model/audit/invoice.js';
import { judgeTicket } from '../../../src/model/audit/judge-tickets.js';
import { type KnownCharge, QUARTER_MS } from '../../../src/ports/store/charges.js';

const AT = 1_700_000_000_000 - (1_700_000_000_000 % QUARTER_MS);
const DAY_MS = 86_400_000;

function known(changes: Partial<KnownCharge> = {}): KnownCharge {
  return {
    key: 'e1',
    ticket: 't',
    ask: ['find_email'],
    outcome: 'found',
    credits: 5,
    sentAt: AT,
    answeredAt: AT,
    ...changes,
  };
}
const MISS = known({ outcome: 'not_found', credits: 0 });

let line = 0;
function row(changes: Partial<InvoiceRow> = {}): InvoiceRow {
  line += 1;
  return { line, ticket: 't', credits: 5, when: null, date: '', ...changes };
}
const day = (days: number) => {
  const from = AT + days * DAY_MS;
  return { from, until: from + 60_000 };
};

const findings = (...args: Parameters<typeof judgeTicket>) =>
  judgeTicket(...args).map(({ finding, over }) => `${finding} ${over}`);

describe('the charges of one ticket', () => {
  it.each<[string, InvoiceRow[], KnownCharge[], string[]]>([
    ['agree', [row()], [known()], ['agreed 0']],
    ['agree without a price', [row({ credits: null })], [known()], ['agreed 0']],
    ['were never asked', [row(), row()], [], ['never_asked 5', 'never_asked 5']],
    ['came twice', [row(), row()], [known()], ['agreed 0', 'charged_twice 5']],
    [
      'came twice, once at another price',
      [row({ credits: 9 }), row()],
      [known()],
      ['agreed 0', 'charged_twice 9'],
    ],
    ['are for nothing', [row()], [MISS], ['nothing_found 5']],
    ['are for nothing, twice', [row(), row()], [MISS], ['nothing_found 5', 'charged_twice 5']],
    ['are for a failure', [row()], [known({ outcome: 'failed', credits: 0 })], ['nothing_found 5']],
    ['are too high', [row({ credits: 7 })], [known()], ['other_price 2']],
    ['are too low', [row({ credits: 1 })], [known()], ['other_price -4']],
    ['are listed at nothing', [row({ credits: 0 })], [known()], []],
    ['are early', [row({ when: day(-2) })], [known()], ['other_date 0']],
    ['are late', [row({ when: day(2) })], [known()], ['other_date 0']],
    ['are a little late', [row({ when: day(0.9) })], [known()], ['agreed 0']],
    [
      'have no answer here',
      [row()],
      [known({ outcome: 'unanswered', credits: 0 })],
      ['unanswered 0'],
    ],
    ['were taken back', [row(), row({ credits: -5 })], [MISS], ['refunded 0', 'refunded 0']],
    [
      'were taken back once',
      [row(), row(), row({ credits: -5 })],
      [known()],
      ['refunded 0', 'refunded 0', 'agreed 0'],
    ],
  ])('that %s', (_name, rows, charges, found) => {
    expect(findings(rows, charges, 0)).toEqual(found);
  });

  it('may belong to sends without a ticket', () => {
    expect(findings([row()], [], 1)).toEqual(['unknown_ticket 5']);
  });

  it('of a bulk call come as one sum, or each by itself', () => {
    const call = [known(), known({ credits: 20 }), MISS];
    expect(findings([row({ credits: 25 })], call, 0)).toEqual(['agreed 0']);
    expect(findings([row({ credits: 30 })], call, 0)).toEqual(['other_price 5']);
    expect(findings([row(), row({ credits: 20 })], call, 0)).toEqual(['agreed 0', 'agreed 0']);
    expect(findings([row(), row({ credits: 20 }), row()], call, 0)).toEqual([
      'agreed 0',
      'agreed 0',
      'nothing_found 5',
    ]);
  });
});
