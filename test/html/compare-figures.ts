// A comparison of two runs as a test wants it.
import type { ComparedRun, CompareFigures } from '../../src/model/report/compare-figures.js';

export const AT = Date.UTC(2026, 4, 1);
const NONE = { new: 0, lost: 0, changed: 0, same: 0, none: 0, not_known: 0 };

export function runOf(id: number, changes: Partial<ComparedRun> = {}): ComparedRun {
  return {
    id,
    job: 'crm',
    state: 'finished',
    startedAt: AT + id,
    endedAt: AT + id + 1,
    leads: 10,
    withoutKey: 0,
    suppressed: 0,
    forgotten: 0,
    repeated: 0,
    unanswered: {},
    late: 0,
    ...changes,
  };
}

export function figuresOf(changes: Partial<CompareFigures> = {}): CompareFigures {
  return {
    before: runOf(1),
    after: runOf(2),
    key: ['Record ID'],
    leads: { both: 10, onlyBefore: 1, onlyAfter: 2, changed: 4, unchanged: 5, notKnown: 1 },
    fields: {
      email: { ...NONE, changed: 3, lost: 1, same: 5, not_known: 1 },
      phone: { ...NONE, not_known: 10 },
      company: { ...NONE, changed: 7, none: 3 },
      title: { ...NONE, new: 9, same: 1 },
    },
    changedEmailStatus: 0,
    nowFound: 0,
    noLongerFound: 0,
    shared: 0,
    ...changes,
  };
}
