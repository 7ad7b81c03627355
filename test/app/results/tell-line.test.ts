import { describe, expect, it } from 'vitest';
import type { ExplainedLine } from '../../../src/app/results/explain-line.js';
import { tellCost, tellOutcome } from '../../../src/app/results/tell-line.js';
import type { EnrichmentState } from '../../../src/model/enrichment/arrows.js';
import type { EnrichmentHistory, LeadHistory } from '../../../src/ports/store/runs.js';

function costOf(state: EnrichmentState, isPayer: boolean, credits = 0): string {
  const one = { state, credits, paidBy: 3, servedBy: null } as EnrichmentHistory;
  return tellCost(one, { isPayer } as LeadHistory, { run: { id: 3 } } as ExplainedLine);
}

describe('what a line cost', () => {
  it('is told in credits once there is an answer', () => {
    expect(costOf('found', true, 5)).toBe('5 credits, paid by this run for this line');
    expect(costOf('found', false, 5)).toBe('nothing here: another line of this run paid 5 credits');
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

it('tells a reason and its time in one sentence, and no reason where there is none', () => {
  const toldOf = (reason: string | null, settledAt: number | null) =>
    tellOutcome({
      state: 'failed',
      reason,
      settledAt,
      standsSince: null,
      result: null,
    } as EnrichmentHistory);
  const at = Date.UTC(2026, 0, 2, 3, 4, 5);
  expect(toldOf('It took too long.', at)).toEqual([
    ['outcome', 'failed: It took too long, at 2026-01-02 03:04:05 (UTC)'],
  ]);
  expect(toldOf('It took too long.', null)).toEqual([['outcome', 'failed: It took too long.']]);
  expect(toldOf(null, at)).toEqual([['outcome', 'failed, at 2026-01-02 03:04:05 (UTC)']]);
});
