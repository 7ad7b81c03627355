import { expect, it } from 'vitest';
import type { LeadAnswer } from '../../../src/model/answer.js';
import { createLeadIndex, OTHER } from '../../../src/ui/leads/lead-index.js';

function leadAt(position: number, changes: Partial<LeadAnswer>): LeadAnswer {
  return {
    position,
    file: 0,
    line: position + 1,
    cells: [],
    status: 'found',
    reason: null,
    ticket: null,
    source: 'api',
    paidBy: 1,
    credits: 0,
    enrichedAt: null,
    ask: [],
    inputs: {},
    result: null,
    ...changes,
  };
}

const emailed = (status: string): Partial<LeadAnswer> => ({
  result: { find_email: { email: 'a@b.example', status } },
});
const FIRST = { direction: 'after', position: 0 } as const;

it('counts each facet among the leads that have the wished values of the others', () => {
  const index = createLeadIndex();
  index.add([
    leadAt(1, {
      ...emailed('deliverable'),
      provenance: { email: { step: 'a', at: 1 }, tried: [] },
    }),
    leadAt(2, {
      ...emailed('risky'),
      provenance: { email: { step: 'b', at: 1 }, phone: { step: 'a', at: 1 }, tried: [] },
    }),
    leadAt(4, { status: 'failed', reason: 'broken' }),
    // An older answer, whose newer request has failed as well.
    leadAt(7, {
      ...emailed('risky'),
      askedAgain: 'failed',
      reason: 'an older answer; asked again: failed (broken)',
    }),
  ]);
  const of = (value: string, leads: number) => ({ value, leads });
  expect(index.count({})).toEqual({
    leads: 4,
    facets: {
      outcome: [of('found', 3), of('failed', 2)],
      reason: [of('broken', 2)],
      email: [of('risky', 2), of('deliverable', 1)],
      step: [of('a', 2), of('b', 1)],
    },
  });
  expect(index.count({ email: 'risky', step: 'a' })).toEqual({
    leads: 1,
    facets: {
      outcome: [of('found', 1)],
      reason: [],
      email: [of('deliverable', 1), of('risky', 1)],
      step: [of('a', 1), of('b', 1)],
    },
  });
  expect(index.positions({ outcome: 'failed' }, FIRST, 9)).toEqual([4, 7]);
  expect(index.positions({ outcome: 'failed' }, { ...FIRST, position: 4 }, 9)).toEqual([7]);
  expect(index.positions({}, { direction: 'before', position: 7 }, 2)).toEqual([4, 2]);
  expect(index.positions({ email: 'none' }, FIRST, 9)).toEqual([]);
  expect(index.placeOf({}, 4)).toEqual({ at: 3, of: 4 });
  expect(index.placeOf({ outcome: 'failed' }, 7)).toEqual({ at: 2, of: 2 });
  // A lead that is not there, and one of another outcome.
  expect(index.placeOf({}, 5)).toBeNull();
  expect(index.placeOf({ outcome: 'failed' }, 2)).toBeNull();
});

it('tells a thousand reasons apart, and holds the others together', () => {
  const index = createLeadIndex();
  const leads = Array.from({ length: 3_000 }, (_, n) =>
    leadAt(n + 1, { status: 'failed', reason: `reason ${n}` }),
  );
  index.add(leads);
  const { reason } = index.count({}).facets;
  expect(reason).toHaveLength(1_001);
  expect(reason[0]).toEqual({ value: OTHER, leads: 2_000 });
  expect(index.positions({ reason: OTHER }, FIRST, 1)).toEqual([1_001]);
});
