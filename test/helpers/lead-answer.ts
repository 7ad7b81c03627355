// The answer of a lead, of which a test says what matters to it.
import type { LeadAnswer } from '../../src/model/answer.js';

/** Found by a request of its own, with nothing in it. */
export function leadAnswer(changes: Partial<LeadAnswer> = {}): LeadAnswer {
  return {
    position: 1,
    file: 0,
    line: 2,
    cells: [],
    status: 'found',
    reason: null,
    ticket: 'enr_1',
    source: 'api',
    paidBy: null,
    credits: 0,
    enrichedAt: 0,
    ask: [],
    inputs: {},
    result: null,
    ...changes,
  };
}
