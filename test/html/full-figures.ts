// Figures of a run that has everything: as a test of the whole report, and whoever looks at one, want them.
import type { RunFigures } from '../../src/model/report/run-figures.js';
import { addHistograms, fitTimeline, stepOf } from '../../src/model/report/series.js';
import { emptyByStatus } from '../../src/model/tally.js';
import { bucketAt, figuresOf, STARTED_AT, tallyOf, timeOf } from './figures.js';

const SECONDS = 720;

export function fullFigures(): RunFigures {
  const { run } = figuresOf();
  const places = (...lines: number[]) => lines.map((line) => ({ source: 0, line }));
  const own = (column: string, filled: number, either: number) => ({ column, filled, either });
  return figuresOf({
    run: {
      ...run,
      ask: ['find_email', 'find_phone', 'social_enrichment'],
      sources: ['data/in/leads-november.csv', 'data/in/more.csv'],
      output: { ...run.output, out: 'data/out/nightly.csv' },
      endedAt: STARTED_AT + SECONDS * 1_000,
      leadCount: 3_000,
    },
    tally: tallyOf({
      leads: 3_000,
      rejects: 3,
      byStatus: {
        ...emptyByStatus(),
        found: 2_211,
        not_found: 610,
        failed: 41,
        timed_out: 12,
        uncertain: 2,
        skipped: 84,
        not_asked: 40,
      },
      fromCache: 322,
      credits: 9_127,
      inPart: { leads: 14, reasons: [] },
    }),
    cost: {
      paid: 9_127,
      charges: { requests: 2, credits: 52 },
      budget: 12_000,
      forecastMax: 15_600,
      arePricesAssumed: true,
      byAsk: [
        { ask: 'find_email', asked: 2_876, found: 1_790, paidNow: 1_490, credits: 7_450 },
        { ask: 'find_phone', asked: 2_876, found: 70, paidNow: 70, credits: 1_400 },
        { ask: 'social_enrichment', asked: 2_876, found: 1_902, paidNow: 1_580, credits: null },
      ],
    },
    time: fullTime(),
    trouble: {
      reasons: [
        {
          status: 'skipped',
          reason: 'find_email needs email, or firstName + lastName + companyDomain',
          leads: 84,
          places: places(3, 17, 230, 231),
          command: 'sluice run nightly --map companyDomain=Website',
        },
        {
          status: 'failed',
          reason: 'the platform answered 500 to each of 5 attempts',
          leads: 41,
          places: places(9, 12),
          command: 'sluice retry 12 --only failed, then sluice run nightly',
        },
        {
          status: 'timed_out',
          reason: 'no answer within 2h',
          leads: 12,
          places: places(99),
          command: 'sluice run nightly',
        },
        {
          status: 'uncertain',
          reason: 'the connection was lost while the request was sent',
          leads: 2,
          places: places(1_020, 1_021),
          command: 'sluice run nightly --resend-uncertain',
        },
      ],
      rejects: [
        { source: 0, line: 45, reason: 'expected 12 cells, found 11' },
        { source: 1, line: 460, reason: 'a quote is not closed' },
      ],
      disturbances: ['The account was blocked once, at 2026-11-21 07:45:12 (UTC).'],
      advice: [
        'uncertain: sent, and it is not known whether the platform took it; --resend-uncertain sends again.',
        'timed_out: the answer may still come. Ask again, for nothing, with: sluice run nightly',
        'failed: reading their tickets again costs nothing: sluice retry 12 --only failed, then sluice run nightly.',
      ],
    },
    quality: {
      columns: [
        { column: 'email', filled: 1_790, own: own('Work email', 1_200, 2_400) },
        { column: 'phone', filled: 70, own: own('Phone', 30, 95) },
        ...PROFILE.map((column, n) => ({ column, filled: 1_902 - n * 110, own: null })),
        { column: 'company_logo', filled: 0, own: null },
      ],
      emailStatus: [
        { status: 'deliverable', leads: 1_500 },
        { status: 'risky', leads: 200 },
        { status: 'undeliverable', leads: 40 },
        { status: 'unknown', leads: 50 },
      ],
      domainMatch: { yes: 1_600, no: 120, unknown: 70 },
      nameMatch: { yes: 1_801, no: 101, unknown: 0 },
      companyMatch: { yes: 1_500, no: 300, unknown: 102 },
      answers: {
        askedNow: 2_499,
        shared: 102,
        known: [1, 7, 30, 90, null].map((daysMax, n) => ({ daysMax, leads: 20 + n * 11 })),
      },
    },
  });
}

const PROFILE = [
  'first_name',
  'last_name',
  'headline',
  'location',
  'industry',
  'company_name',
  'company_domain',
  'company_size',
  'position_title',
  'skills',
  'languages',
  'summary',
];

/** Nearly as fast as the limit allows, with a pause in the middle. */
function fullTime() {
  const start = Math.floor(STARTED_AT / 1_000) * 1_000;
  const buckets = Array.from({ length: SECONDS }, (_, s) => {
    const isPaused = s > 300 && s < 330;
    const sent = isPaused ? 0 : 6 + ((s * 7) % 5);
    const answers = isPaused || s < 8 ? 0 : 1 + ((s * 3) % 4);
    return bucketAt(start + s * 1_000, {
      submits: Math.ceil(sent / 2),
      polls: Math.floor(sent / 2),
      peak: Math.min(20, sent * 2),
      found: Math.ceil(answers * 0.7),
      notFound: answers - Math.ceil(answers * 0.7),
      failed: s % 60 === 59 ? 1 : 0,
      credits: Math.ceil(answers * 0.7) * 5,
      throttled: s === 300 ? 3 : 0,
      pausedMs: s === 300 ? 29_000 : 0,
    });
  });
  const spread = (count: number, value: (n: number) => number) =>
    Array.from({ length: count }, (_, n) => [
      ...Array.from({ length: stepOf(value(n)) }, () => 0),
      1,
    ]).reduce((sum, one) => [...addHistograms(sum, one)], []);
  return timeOf({
    ...fitTimeline({ buckets, widthMs: 1_000 }),
    asked: {
      leads: 3_000,
      expected: 2_700,
      toPay: [{ ask: ['find_email'], count: 2_700 }],
      onTheirWay: 0,
    },
    forecastMs: 540_000,
    answers: spread(900, (n) => 2_000 + ((n * n) % 30_011)),
    http: spread(900, (n) => 40 + ((n * n) % 900)),
  });
}
