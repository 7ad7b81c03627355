import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countWaterfall } from '../../../src/model/waterfall/count-steps.js';
import { mergeAnswers } from '../../../src/model/waterfall/merge.js';
import type { StepTally } from '../../../src/model/waterfall/provenance.js';
import { questionOf } from '../../../src/model/waterfall/waterfall.js';
import { tries } from '../../helpers/long.js';
import {
  address,
  answered,
  aWaterfall,
  aWayThrough,
  HELD,
  NOTHING_ASKED,
  OPEN,
  verdict,
  WANTED,
  type Way,
  waterfall,
} from './answers.js';

const NONE = {
  found: 0,
  accepted: 0,
  bought: 0,
  known: 0,
  held: 0,
  rejected: 0,
  waiting: 0,
  credits: 0,
};

describe('the numbers of a waterfall', () => {
  it('are those of its rows', () => {
    const rowsOfOne = aWaterfall.chain((of) =>
      fc.record({ of: fc.constant(of), ways: fc.array(aWayThrough(of), { maxLength: 30 }) }),
    );
    fc.assert(
      fc.property(rowsOfOne, ({ of, ways }) => {
        const counted = countWaterfall(of);
        const rows = ways.map(({ answers, wanted }) => {
          const row = mergeAnswers(HELD, answers, of, wanted);
          counted.add(row, wanted);
          return row;
        });
        const tally = counted.tally({ rejects: 3 });
        expect(tally).toMatchObject({ leads: rows.length, rejects: 3, askedAgain: {} });
        for (const [status, leads] of Object.entries(tally.byStatus)) {
          expect(leads).toBe(rows.filter((row) => row.status === status).length);
        }
        const thousandths = (credits: number) => Math.round(credits * 1000);
        const bill = rows.reduce((sum, { credits }) => sum + thousandths(credits), 0);
        expect(thousandths(tally.credits)).toBe(bill);
        const steps = tally.steps ?? [];
        expect(thousandths(steps.reduce((sum, { credits }) => sum + credits, 0))).toBe(bill);
        for (const { leads, reason, status } of tally.reasons) {
          expect(rows.filter((row) => row.status === status && row.reason === reason)).toHaveLength(
            leads,
          );
        }
        for (const [n, step] of steps.entries()) {
          const asked = ways
            .map(({ answers }) => answers[n])
            .filter((one) => one && !['not_asked', 'queued'].includes(one.status));
          expect(step.reached).toBe(asked.length);
          // Or the lead is to reach it next.
          const waits = ({ answers, wanted }: Way): boolean => {
            const at = answers.findIndex((one, i) =>
              one === undefined
                ? questionOf(of, i, answers.slice(0, i), wanted).kind !== 'none'
                : OPEN.includes(one.status),
            );
            return at === n;
          };
          expect(step.waiting).toBe(ways.filter(waits).length);
          expect(step.found).toBe(asked.filter((one) => one?.status === 'found').length);
          expect(step.accepted + step.held).toBeLessThanOrEqual(step.found);
          expect(step.found).toBeLessThanOrEqual(step.reached);
        }
      }),
      { numRuns: tries(400) },
    );
  });

  it('tell of each step what it found, and what was made of that', () => {
    const of = waterfall([WANTED, ['find_email'], ['verify_email']]);
    const counted = countWaterfall(of);
    const risky = (email: string) => answered('found', address(email, 'risky'), { credits: 5 });
    const good = answered('found', address('a@a.example', 'deliverable'), { credits: 5 });
    const phone = answered('found', { find_phone: { phone: '+1' } }, { credits: 20 });
    const miss = answered('not_found', {});
    for (const answers of [
      [good, NOTHING_ASKED, NOTHING_ASKED],
      [phone, risky('b@a.example'), verdict('b@a.example', 'deliverable')],
      [risky('c@a.example'), miss, verdict('c@a.example', 'undeliverable')],
      [risky('d@a.example'), miss, verdict('d@a.example', 'unknown')],
      [miss, answered('queued'), undefined],
      [undefined, undefined, undefined],
      // Known before: it cost nothing, and this run asked for nothing.
      [{ ...good, source: 'cache' as const, credits: 0 }, NOTHING_ASKED, NOTHING_ASKED],
    ]) {
      counted.add(mergeAnswers(HELD, answers, of, WANTED), WANTED);
    }
    // No step is asked for a lead that the run itself skipped.
    counted.add({ ...HELD, reason: 'malformed', steps: [undefined] }, WANTED);
    const first: StepTally = {
      step: 's0',
      reached: 6,
      known: 1,
      asks: [
        { ask: 'find_email', asked: 5, found: 3 },
        { ask: 'social_enrichment', asked: 5, found: 0 },
        { ask: 'find_phone', asked: 5, found: 1 },
      ],
      found: 5,
      accepted: 3,
      bought: 2,
      held: 1,
      rejected: 1,
      waiting: 1,
      credits: 35,
      credit: null,
    };
    expect(counted.tally({ rejects: 0 })).toMatchObject({
      leads: 8,
      credits: 40,
      byStatus: { found: 4, not_found: 1, queued: 2, skipped: 1 },
      steps: [
        first,
        {
          ...NONE,
          step: 's1',
          // One is still to be sent.
          reached: 3,
          found: 1,
          accepted: 1,
          bought: 1,
          waiting: 1,
          credits: 5,
        },
        { ...NONE, step: 's2', reached: 3, found: 3, accepted: 1, bought: 1, held: 1, rejected: 1 },
      ],
    });
  });

  it('count leads that show an older answer while they are asked again', () => {
    const of = waterfall([['find_email']]);
    const counted = countWaterfall(of);
    const older = answered('found', address('a@a.example', 'deliverable'), {
      askedAgain: 'uncertain',
      reason: 'an older answer',
    });
    counted.add(mergeAnswers(HELD, [older], of, WANTED), WANTED);
    expect(counted.tally({ rejects: 0 })).toMatchObject({
      byStatus: { found: 1, uncertain: 0 },
      askedAgain: { uncertain: 1 },
      reasons: [{ status: 'uncertain', reason: 's0: an older answer', leads: 1 }],
      steps: [{ waiting: 1, found: 1 }],
    });
  });
});
