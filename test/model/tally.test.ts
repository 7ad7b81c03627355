import { expect, it } from 'vitest';
import type { LeadStatus } from '../../src/model/answer.js';
import { STATES } from '../../src/model/enrichment/arrows.js';
import { emptyByStatus, openLeads, type RunTally, unansweredLeads } from '../../src/model/tally.js';

const STATUSES: LeadStatus[] = ['skipped', 'not_asked', ...STATES];

function tallyOf(changes: Partial<Record<LeadStatus, number>>): RunTally {
  const byStatus = { ...emptyByStatus(), ...changes };
  return {
    leads: 100,
    rejects: 0,
    byStatus,
    askedAgain: {},
    reasons: [],
    inPart: { leads: 0, reasons: [] },
    enrichments: 0,
    fromCache: 0,
    credits: 0,
  };
}

it('every status is there, at zero, in an object of its own', () => {
  const byStatus = emptyByStatus();
  expect(Object.keys(byStatus).sort()).toEqual(STATUSES.toSorted());
  expect(Object.values(byStatus).every((leads) => leads === 0)).toBe(true);
  byStatus.found = 1;
  expect(emptyByStatus().found).toBe(0);
});

it.each<[LeadStatus, 'open' | 'unanswered' | 'answered']>([
  ['skipped', 'answered'],
  ['not_asked', 'answered'],
  ['queued', 'open'],
  ['submitting', 'open'],
  ['awaiting', 'open'],
  ['found', 'answered'],
  ['not_found', 'answered'],
  ['failed', 'unanswered'],
  ['timed_out', 'unanswered'],
  ['uncertain', 'unanswered'],
])('a lead that is %s counts as %s', (status, kind) => {
  const tally = tallyOf({ [status]: 3 });
  expect(openLeads(tally)).toBe(kind === 'open' ? 3 : 0);
  expect(unansweredLeads(tally)).toBe(kind === 'unanswered' ? 3 : 0);
});

it('leads of which not one could be asked for anything count as unanswered', () => {
  expect(unansweredLeads(tallyOf({ skipped: 100 }))).toBe(100);
  expect(unansweredLeads(tallyOf({ skipped: 3, not_asked: 97 }))).toBe(3);
  expect(unansweredLeads(tallyOf({ not_asked: 100 }))).toBe(0);
  expect(unansweredLeads({ ...tallyOf({}), leads: 0 })).toBe(0);
});

it.each(['failed', 'timed_out', 'uncertain', 'awaiting'] as const)(
  'a lead that shows an older answer is answered, though its newer request is %s',
  (state) => {
    const tally = { ...tallyOf({ found: 3 }), askedAgain: { [state]: 3 } };
    expect(unansweredLeads(tally)).toBe(0);
    expect(openLeads(tally)).toBe(state === 'awaiting' ? 3 : 0);
  },
);
