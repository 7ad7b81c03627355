import { expect, it } from 'vitest';
import type { LeadStatus } from '../../../src/model/answer.js';
import {
  FAIL_ON_DEFAULT,
  isAnswered,
  parseCondition,
  REFUSED,
  SHARED_TICKET,
  STILL_UNREAD,
  toConditions,
} from '../../../src/model/report/fail-on.js';
import { emptyByStatus } from '../../../src/model/tally.js';
import { SET_ASIDE } from '../../../src/model/waterfall/waterfall.js';
import { tallyOf } from '../../html/figures.js';

function answered(
  counts: Partial<Record<LeadStatus, number>>,
  { failOn = FAIL_ON_DEFAULT, reason = '' }: { failOn?: readonly string[]; reason?: string } = {},
): boolean {
  const byStatus = { ...emptyByStatus(), ...counts };
  const leads = Object.values(byStatus).reduce((sum, count) => sum + count, 0);
  const reasons = reason === '' ? [] : [{ status: 'failed' as const, reason, leads: 1 }];
  return isAnswered(tallyOf({ byStatus, leads, reasons }), toConditions(failOn));
}

it.each([
  [{ found: 9, failed: 1 }, true],
  [{ found: 8, failed: 2, skipped: 5, not_asked: 5 }, true],
  [{ found: 7, failed: 2 }, false],
  [{ not_found: 99, failed: 1 }, false],
  [{ not_found: 100 }, true],
  [{ found: 99, uncertain: 1 }, false],
  [{ found: 99, timed_out: 1 }, false],
  [{ skipped: 3 }, false],
  [{ not_asked: 3 }, true],
] as const)('unless the job says otherwise, %j is answered: %s', (counts, isSo) => {
  expect(answered(counts)).toBe(isSo);
});

it.each([
  [['failed'], { found: 99, failed: 1 }, false],
  [['failed > 0.5 %'], { found: 199, failed: 1 }, true],
  [['failed>0.5%'], { found: 198, failed: 2 }, false],
  [['uncertain > 50 %'], { found: 1, uncertain: 1, timed_out: 1, failed: 1 }, true],
  [[], { uncertain: 9, failed: 9 }, true],
  [[], { skipped: 9 }, false],
] as const)('by %j, %j is answered: %s', (failOn, counts, isSo) => {
  expect(answered(counts, { failOn })).toBe(isSo);
});

it.each([
  ['refused', `${REFUSED}firstName is missing`],
  ['refused', `hunter: ${REFUSED}no`],
  ['refused', `hunter: ${SET_ASIDE}`],
  ['unreadable', `${STILL_UNREAD}: no path of the dialect reads mails`],
  ['another-person', `${SHARED_TICKET}line 3`],
])('%s counts by the reason "%s"', (kind, reason) => {
  const counts = { found: 99, failed: 1 };
  expect(answered(counts, { reason })).toBe(false);
  expect(answered(counts, { reason, failOn: [kind] })).toBe(false);
  expect(answered(counts, { reason, failOn: ['failed > 20 %'] })).toBe(true);
});

it.each(['fail', 'failed > 100 %', 'failed > %', 'refused > 5 %', 'failed 20', ''])(
  '"%s" is no condition',
  (text) => {
    expect(parseCondition(text)).toBeUndefined();
  },
);

it.each([
  ['uncertain', FAIL_ON_DEFAULT, false],
  ['timed_out', FAIL_ON_DEFAULT, false],
  ['failed', FAIL_ON_DEFAULT, true],
  ['failed', ['failed'], true],
  ['uncertain', ['failed'], true],
  ['uncertain', ['uncertain > 50 %'], true],
] as const)('a found lead whose rest is %s is answered by %j: %s', (state, failOn, isSo) => {
  const byStatus = { ...emptyByStatus(), found: 9 };
  const tally = tallyOf({ byStatus, leads: 9, askedAgain: { [state]: 1 } });
  expect(isAnswered(tally, toConditions(failOn))).toBe(isSo);
});
