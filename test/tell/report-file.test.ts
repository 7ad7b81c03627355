import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import type { RunFigures } from '../../src/model/report/run-figures.js';
import { toBuckets } from '../../src/model/report/series.js';
import { emptyByStatus } from '../../src/model/tally.js';
import { asText } from '../../src/tell/as-text.js';
import { reportFile } from '../../src/tell/report-file.js';
import { CHARTS } from '../../src/tell/tell-charts.js';
import { tellRun } from '../../src/tell/tell-run.js';
import { bucketAt, figuresOf, STARTED_AT, tallyOf, timeOf } from '../html/figures.js';
import { fullFigures } from '../html/full-figures.js';

it('says what one find costs by those that the run paid for, and how many cost nothing', () => {
  const { budget, charges, forecastMax, arePricesAssumed } = figuresOf().cost;
  const aboutOf = (found: number, paidNow: number | null, credits: number) => {
    const byAsk = [{ ask: 'find_email', asked: 322, found, paidNow, credits }] as const;
    const cost = { paid: credits, budget, charges, forecastMax, arePricesAssumed, byAsk };
    return String(reportFile(figuresOf({ cost })));
  };
  expect(aboutOf(216, 102, 510)).toContain(
    '67 % found; 510 credits, 5 for each of 102; 114 cost nothing',
  );
  expect(aboutOf(216, 0, 0)).toContain('67 % found; 0 credits; 216 cost nothing');
  expect(aboutOf(216, null, 510)).toContain('67 % found; 510 credits<');
});

it('says how many are perhaps another person', () => {
  const { quality, ...others } = fullFigures();
  expect(String(reportFile({ ...others, quality }))).toContain(
    '101 of 1,902 are perhaps another person: the column name_matches says which.',
  );
  const nameMatch = { yes: 4, no: 0, unknown: 1 };
  const none = { ...others, quality: quality && { ...quality, nameMatch } };
  expect(String(reportFile(none))).not.toContain('perhaps another person:');
});

it('says in a sentence whether the run worked', () => {
  const verdictOf = (changes: Partial<RunFigures>) =>
    /<p class="big">([^<]+)/.exec(String(reportFile(figuresOf(changes))))?.[1]?.trim();
  const tally = (counts: Partial<ReturnType<typeof emptyByStatus>>) =>
    tallyOf({ leads: 100, byStatus: { ...emptyByStatus(), ...counts } });
  expect(verdictOf({ tally: tally({ found: 60, not_found: 40 }) })).toBe(
    '60 of 100 found. Every lead is answered for.',
  );
  expect(verdictOf({ tally: tally({ found: 99, failed: 1 }) })).toBe(
    '99 of 100 found. 1 lead ended without a reliable answer.',
  );
  expect(verdictOf({ state: 'working', tally: tally({ found: 99, queued: 1 }) })).toBe(
    'The run goes on: 1 lead is still to send.',
  );
  expect(
    verdictOf({ state: 'working', tally: tally({ awaiting: 4, submitting: 1, queued: 95 }) }),
  ).toBe('The run goes on: 5 leads wait for an answer, and 95 are still to send.');
  expect(verdictOf({ state: 'queued', tally: tally({ queued: 100 }) })).toBe(
    'The run waits for a worker: 100 leads are still to send.',
  );
  expect(verdictOf({ state: 'reopened', tally: tally({ awaiting: 100 }) })).toBe(
    'The run was opened again, and waits to be started: 100 leads wait for an answer.',
  );
  expect(verdictOf({ state: 'stopped_at_budget', tally: tally({ found: 60, queued: 40 }) })).toBe(
    'The run stopped at its budget: 40 leads are still to send.',
  );
  expect(verdictOf({ state: 'cut_off', tally: tally({ awaiting: 100 }) })).toBe(
    'The run was cut off, and no process works on it: 100 leads wait for an answer.',
  );
  expect(verdictOf({})).toBe('The input had no lead that could be read.');
  const { cost, run } = figuresOf();
  const asks = {
    run: { ...run, ask: ['find_email', 'social_enrichment'] },
    tally: tally({ found: 60 }),
  };
  expect(verdictOf(asks)).toBe('60 of 100 found (e-mail or profile). Every lead is answered for.');
  const count = (ask: string, found: number) => ({
    ask,
    found,
    asked: 100,
    paidNow: null,
    credits: null,
  });
  const byAsk = [count('find_email', 41), count('social_enrichment', 55)];
  expect(verdictOf({ ...asks, cost: { ...cost, byAsk } })).toBe(
    '60 of 100 found (e-mail 41, profile 55). Every lead is answered for.',
  );
});

it('says of a run in the sandbox that its answers are made up', () => {
  const { cost } = figuresOf();
  const pageOf = (isMadeUp: boolean) =>
    String(reportFile(figuresOf({ cost: { ...cost, isMadeUp } })));
  expect(pageOf(true)).toContain('its answers are made up');
  expect(pageOf(false)).not.toContain('made up');
});

it('counts the time up to what happened last while no process works on the run', () => {
  const { run } = figuresOf();
  const timeIn = (changes: Partial<RunFigures>) =>
    /time(?: so far)?<\/span> <span class="value">([^<]+)/.exec(
      String(reportFile(figuresOf(changes))),
    )?.[1];
  const time = timeOf({ buckets: [bucketAt(STARTED_AT, {}), bucketAt(STARTED_AT + 80_000, {})] });
  const open = { ...run, state: 'working', endedAt: null } as const;
  const at = STARTED_AT + 294_000;
  expect(timeIn({ run: open, state: 'working', time, at })).toBe('4 min 54 s');
  expect(timeIn({ run: open, state: 'cut_off', time, at })).toBe('1 min 21 s');
  const reopened = { ...open, reopenedAt: at - 1_000, endedBefore: STARTED_AT + 81_000 };
  for (const state of ['reopened', 'queued', 'parked'] as const) {
    expect(timeIn({ run: reopened, state, time, at })).toBe('1 min 21 s');
  }
  const cancelled = { ...reopened, state: 'cancelled', endedAt: at } as const;
  expect(timeIn({ run: cancelled, state: 'cancelled', time, at })).toBe('1 min 21 s');
});

it('leaves the time out of the count in which no process worked on the run, and says so', () => {
  const { run } = figuresOf();
  const page = String(reportFile(figuresOf({ run: { ...run, idleMs: 20_000 } })));
  expect(page).toContain('time</span> <span class="value">40 s');
  expect(page).toContain('20 s in which no process worked on it are not counted');
});

it('draws no days in which no process worked on the run', () => {
  const { run, time } = figuresOf();
  const { startedAt } = run;
  const lines = (idleMs: number) => {
    const counts = [
      { at: startedAt, found: 5 },
      { at: startedAt + 20_000 + idleMs, found: 7 },
    ];
    const told = figuresOf({
      run: { ...run, endedAt: (run.endedAt ?? 0) + idleMs, idleMs },
      time: { ...time, buckets: toBuckets(counts, time.widthMs) },
    });
    const said = asText(tellRun({ ...told, charts: CHARTS }).parts);
    return [said.find((line) => line.startsWith('Answers over time: ')), chartOf(told)];
  };
  expect(lines(0)[0]).toMatch(/^Answers over time: 12 of \d+ leads answered in 1 min/);
  expect(lines(5 * 24 * 3_600_000)).toEqual(lines(0));
});

const chartOf = (told: RunFigures): string | undefined =>
  /<svg class="chart".*?<\/svg>/s.exec(String(reportFile(told)))?.[0];

it('needs nothing beside it: no network, no script, no style but its own; and is small', () => {
  const page = String(reportFile(fullFigures()));
  expect(Buffer.byteLength(page)).toBeLessThan(300_000);
  expect(page).not.toMatch(/https?:|url\(|@import|\bsrc=|\bstyle="|\son[a-z]+=|<script/);
  const links = Array.from(page.matchAll(/href="([^"]*)"/g), ([, href = '']) => href);
  expect(links).toContain('#trouble');
  // Each leads to a place in it.
  for (const link of links) expect(page).toContain(`id="${link.slice(1)}"`);
  const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(page) ?? [];
  const hash = createHash('sha256').update(style).digest('base64');
  expect(page).toContain(`content="default-src 'none'; style-src 'sha256-${hash}';`);
});
