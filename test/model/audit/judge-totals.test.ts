// Sums for days and months.
import { describe, expect, it } from 'vitest';
import { createTotals, judgeTotals } from '../../../src/model/audit/judge-totals.js';
import { openZone, readWhen } from '../../../src/model/audit/zoned-time.js';
import { type ChargeSum, QUARTER_MS } from '../../../src/ports/store/charges.js';

function sum(sent: string, answered: string, changes: Partial<ChargeSum> = {}): ChargeSum {
  return {
    ask: ['find_email'],
    outcome: 'found',
    credits: 5,
    sentAt: Date.parse(sent),
    answeredAt: Date.parse(answered),
    isNamed: true,
    count: 1,
    ...changes,
  };
}

interface Wish {
  readonly kind: 'day' | 'month';
  readonly timeZone: string;
  readonly stated: string;
}

function judge(
  rows: readonly (readonly [string, number])[],
  sums: readonly ChargeSum[],
  { kind = 'day', timeZone = 'UTC', stated = '' }: Partial<Wish> = {},
) {
  const zone = openZone(timeZone);
  const totals = createTotals(kind, zone);
  for (const [text, credits] of rows) {
    const when = readWhen(text, zone);
    if (when === undefined) throw new Error(text);
    totals.add(when, credits);
  }
  const all = totals.all(readWhen(stated, zone) ?? null) ?? [];
  const { periods, whole } = judgeTotals(all, sums);
  return [...periods, whole].map(
    ({ credits, finding, label, least, most, over }) =>
      `${label}: ${credits} of ${least} to ${most}, ${finding} ${over}`,
  );
}

const NOON = [sum('2026-11-02T12:00Z', '2026-11-02T12:00Z', { count: 3 })];

describe('sums', () => {
  it('agree, are more, or less; days in between without a row count as nothing', () => {
    const days = [
      ...NOON,
      sum('2026-11-03T12:00Z', '2026-11-03T12:00Z'),
      sum('2026-11-04T12:00Z', '2026-11-04T12:00Z'),
    ];
    expect(
      judge(
        [
          ['2026-11-02T08:00Z', 10],
          ['2026-11-02', 5],
          ['2026-11-04', 7],
        ],
        days,
      ),
    ).toEqual([
      '2026-11-02: 15 of 15 to 15, agreed 0',
      '2026-11-03: 0 of 5 to 5, less -5',
      '2026-11-04: 7 of 5 to 5, more 2',
      'all: 22 of 25 to 25, less -3',
    ]);
  });

  it('may count what was asked before midnight, and answered behind it, for either day', () => {
    const late = [sum('2026-11-02T23:45Z', '2026-11-03T00:00Z')];
    const both = (first: number, second: number) =>
      judge(
        [
          ['2026-11-02', first],
          ['2026-11-03', second],
        ],
        late,
      );
    expect(both(5, 0)).toEqual([
      '2026-11-02: 5 of 0 to 5, agreed 0',
      '2026-11-03: 0 of 0 to 5, agreed 0',
      'all: 5 of 5 to 5, agreed 0',
    ]);
    expect(both(5, 5).at(-1)).toBe('all: 10 of 5 to 5, more 5');
    expect(both(0, 0).at(-1)).toBe('all: 0 of 5 to 5, less -5');
  });

  it('are those of the zone', () => {
    const evening = [sum('2026-11-30T23:30Z', '2026-11-30T23:30Z')];
    expect(judge([['2026-12', 5]], evening, { kind: 'month', timeZone: 'Europe/Vienna' })).toEqual([
      '2026-12: 5 of 5 to 5, agreed 0',
      'all: 5 of 5 to 5, agreed 0',
    ]);
    expect(judge([['2026-12', 5]], evening, { kind: 'month' })[0]).toContain('more 5');
  });

  it('cover the month that is stated', () => {
    expect(judge([['2026-11-03', 0]], NOON, { stated: '2026-11' })).toContain(
      '2026-11-02: 0 of 15 to 15, less -15',
    );
  });

  it.each([
    ['by what a find of theirs costs', 5, 'open 5'],
    ['not by more', 10, 'more 10'],
  ])('may be explained by sends without an answer, %s', (_name, more, said) => {
    const open = sum('2026-11-02T12:15Z', '2026-11-02T12:15Z', {
      outcome: 'uncertain',
      credits: 0,
    });
    expect(judge([['2026-11-02', 15 + more]], [...NOON, open])[0]).toContain(said);
  });

  it('may be explained by a send of the evening before', () => {
    const open = sum('2026-11-01T23:45Z', '2026-11-01T23:45Z', {
      outcome: 'unanswered',
      credits: 0,
    });
    expect(judge([['2026-11-02', 20]], [...NOON, open])[0]).toContain('open 5');
    const earlier = {
      ...open,
      sentAt: open.sentAt - 86_400_000,
      answeredAt: open.answeredAt - 86_400_000,
    };
    expect(judge([['2026-11-02', 20]], [...NOON, earlier])[0]).toContain('more 5');
  });

  it('have nothing to do with a quarter that only begins where they end', () => {
    const next = [sum('2026-11-03T00:00Z', '2026-11-03T00:00Z')];
    expect(judge([['2026-11-02', 0]], next)[0]).toContain('agreed');
    expect(QUARTER_MS).toBe(15 * 60 * 1_000);
  });
});
