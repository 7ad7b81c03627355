import { expect, it } from 'vitest';
import type { RunReport } from '../../src/app/run/run-options.js';
import type { Run } from '../../src/model/run.js';
import { emptyByStatus } from '../../src/model/tally.js';
import { asText } from '../../src/tell/as-text.js';
import type { ToldRun } from '../../src/tell/run-data.js';
import { runData } from '../../src/tell/run-data.js';
import { CHARTS } from '../../src/tell/tell-charts.js';
import { tellRun } from '../../src/tell/tell-run.js';
import { tellRuns } from '../../src/tell/tell-runs.js';
import { figuresOf, tallyOf } from '../html/figures.js';

const RUN: Run = { ...figuresOf().run, id: 7, state: 'working', endedAt: null };
const ENDED = RUN.startedAt + 200_000;
const TALLY = tallyOf({
  leads: 1_234,
  rejects: 2,
  byStatus: { ...emptyByStatus(), found: 1_000, not_found: 200, skipped: 34 },
  reasons: [{ status: 'skipped', reason: 'malformed: email is not an e-mail address', leads: 34 }],
  fromCache: 300,
  credits: 4_500,
});
const SEEN = figuresOf().seen;
const EXPORTED = { out: 'o.csv', rows: 1_234, rejects: 'o.rejects.csv', further: {}, key: null };

function reportOf(changes: Partial<RunReport> = {}): RunReport {
  return {
    run: RUN,
    tally: TALLY,
    isFinished: true,
    exported: { ...EXPORTED, changed: [] },
    listed: null,
    renames: [],
    startedAt: RUN.startedAt,
    endedAt: ENDED,
    charges: { requests: 0, credits: 0 },
    byAsk: null,
    budget: null,
    refused: [],
    reportFile: null,
    changes: null,
    ...changes,
  };
}

const linesOf = (told: Partial<ToldRun>) =>
  asText(tellRun({ run: RUN, tally: TALLY, ...told }).parts);
const lineOf = (name: string, told: Partial<ToldRun>) =>
  linesOf(told).find((line) => line.startsWith(name));

it('says at the end of a run what became of its leads, where they are, and what to do next', () => {
  const run = { ...RUN, state: 'finished' } as const;
  expect(linesOf({ run, report: reportOf(), next: ['Look at it.'] })).toEqual([
    'Run 7 of nightly: 1,234 leads in 3 min 20 s, finished',
    expect.stringMatching(/^asked for /),
    expect.stringMatching(/^read from /),
    'table           o.csv (1,234 rows)',
    'begun           2026-11-21 07:40:12 (UTC)',
    '1,000 of 1,234 found. Every lead is answered for.',
    'credits           4,500  300 leads share an answer that was known, or that another line asked for',
    'Leads by outcome',
    '  found             1,000  81 %',
    '  not found           200  16 %',
    '  skipped              34  3 %',
    '  2 lines could not be read as they are: o.rejects.csv.',
    'Why leads were not asked (of 1,234 leads)',
    '         34 skipped: malformed: email is not an e-mail address',
    'Look at it.',
  ]);
});

it('names how a run was left that no process works on', () => {
  const parked = { task: '{}', parked: null };
  const left = (by: NonNullable<Run['left']>['by']) => ({
    left: { at: 0, by, said: 'So it was.' },
  });
  const cases = [
    [{}, { isAtWork: true }, 'working'],
    [left('budget'), { isAtWork: true }, 'working'],
    [{}, {}, 'cut_off'],
    [left('budget'), { pausedAt: 1 }, 'stopped_at_budget'],
    [left('signal'), {}, 'stopped'],
    [left('signal'), { pausedAt: 1 }, 'paused'],
    [left('paused'), {}, 'stopped'],
    [left('bug'), {}, 'stopped_by_error'],
    [{ ...left('budget'), reopenedAt: 5 }, {}, 'reopened'],
    [left('budget'), { task: parked }, 'queued'],
    [{ ...left('replaced'), state: 'replaced' }, {}, 'replaced'],
  ] as const;
  for (const [changes, beside, state] of cases) {
    const known = { run: { ...RUN, ...changes }, tally: TALLY, seen: { ...SEEN, ...beside } };
    const stoppedWhy = 'left' in changes ? 'So it was.' : null;
    expect(runData(known)).toMatchObject({ state, stoppedWhy });
    expect(linesOf(known)[0]).toContain(`1,234 leads, ${state.replaceAll('_', ' ')}`);
  }
  const paused = { run: { ...RUN, ...left('paused') }, tally: TALLY, report: reportOf() };
  expect(runData(paused)).toMatchObject({ state: 'paused' });
  const run = { ...RUN, ...left('signal') };
  const stopped = { run, tally: TALLY, report: reportOf({ exported: null, isFinished: false }) };
  expect(runData(stopped)).toMatchObject({ state: 'stopped' });
});

it('says at the end of a run that was stopped how long it worked, as is said of it later', () => {
  const told = (changes: Partial<Run>) =>
    linesOf({ run: { ...RUN, ...changes }, report: reportOf() });
  const left = { at: ENDED - 1_000, by: 'budget' } as const;
  expect(told({ left })[0]).toContain(' in 3 min 19 s');
  expect(told({ left, idleMs: 60_000 })[0]).toContain(' in 2 min 19 s');
});

it('says at the end what each ask cost, in the data as in words', () => {
  const mail = {
    ask: 'find_email',
    asked: 1_200,
    found: 900,
    paidNow: 800,
    credits: 4_000,
  } as const;
  const phone = { ask: 'find_phone', asked: 1_200, found: 25, paidNow: 25, credits: 500 } as const;
  const known = { run: RUN, tally: TALLY, report: reportOf({ byAsk: [mail, phone] }) };
  const lines = linesOf(known).join('\n');
  expect(lines).toContain('By what was asked');
  expect(lines).toMatch(
    /find email +900 of 1,200 .*4,000 credits, 5 for each of 800; 100 cost nothing/,
  );
  expect(lines).toMatch(/find phone +25 of 1,200 .*500 credits, 20 for each of 25/);
  expect(runData(known).byAsk).toMatchObject([mail, phone]);
  expect(linesOf({ report: reportOf({ byAsk: [mail] }) })).not.toContain('By what was asked');
});

it('says what requests without an answer may have cost, and where a balance differs', () => {
  const charged = (requests: number, credits: number) =>
    lineOf('credits', { report: reportOf({ charges: { requests, credits } }) });
  expect(charged(2, 10)).toContain(
    'up to 10 credits more may be charged, for 2 requests without an answer',
  );
  // What can cost nothing needs no word.
  expect(charged(2, 0)).toMatch(/4,500 {2}300 leads share an answer/);
  const balanceAt = (after: number) =>
    lineOf('balance', { report: reportOf({ balance: { before: 100.5, after, counted: 12.5 } }) });
  expect(balanceAt(88)).toContain('100.5 before, 88 after: 12.5 charged, as counted');
  expect(balanceAt(80)).toMatch(/: 20.5 charged, and 12.5 counted: prices may be others/);
  expect(lineOf('balance', { report: reportOf() })).toBeUndefined();
});

it('tells which cells of the table are not as they were, at most five columns of them', () => {
  const changed = Array.from({ length: 7 }, (_, n) => ({
    column: `c${n}`,
    change: 'length' as const,
    cells: 1_234,
  }));
  const lines = linesOf({ report: reportOf({ exported: { ...EXPORTED, changed } }) }).filter(
    (line) => line.startsWith('changed'),
  );
  expect(lines).toHaveLength(6);
  expect(lines[0]).toMatch(/1,234 cells of c0: cut to the longest text that a cell of this format/);
  expect(lines.at(-1)).toMatch(/cells of 2 more columns$/);
  const zip = [{ column: 'ZIP', change: 'excel' as const, cells: 58 }];
  expect(
    lineOf('in Excel', { report: reportOf({ exported: { ...EXPORTED, changed: zip } }) }),
  ).toMatch(
    /58 cells of ZIP lose digits when Excel opens the CSV .*: sluice export 7 --out all\.xlsx$/,
  );
});

it('says once that nothing had to be asked', () => {
  const { cost, time } = figuresOf();
  const lines = linesOf({
    run: { ...RUN, state: 'finished' },
    cost: { ...cost, forecastMax: 0 },
    time: { ...time, buckets: [], asked: { leads: 4, expected: 0, toPay: [], onTheirWay: 0 } },
    charts: CHARTS,
  });
  expect(lines.filter((line) => line.includes('Nothing had to be asked.'))).toHaveLength(1);
  expect(lines.join()).not.toMatch(/expected at most|counted yet/);
});

it('tells the contact list as far as it is', () => {
  const list = {
    id: 1,
    runId: 7,
    name: 'Warm',
    state: 'created',
    listId: 'clt_1',
    reason: null,
    position: 9,
    added: 1_200,
    alreadyIn: 3,
  } as const;
  const told = (changes: object) =>
    lineOf('list', { seen: { ...SEEN, list: { ...list, ...changes } } });
  expect(told({})).toContain('Warm (clt_1): 1,200 leads added, 3 were already in it');
  expect(told({ state: 'wanted' })).toContain('Warm: not created yet');
  expect(told({ state: 'creating' })).toContain('Warm: being created');
  expect(told({ state: 'uncertain' })).toContain('then "sluice lists adopt 7 ID"');
  expect(lineOf('list', { seen: SEEN })).toBeUndefined();
  const { listed, list: id } = runData({ run: RUN, tally: TALLY, seen: { ...SEEN, list } });
  expect([id, listed]).toEqual(['clt_1', 1_200]);
});

it('tells what was found of what was asked, where others were left aside', () => {
  const byStatus = { ...emptyByStatus(), found: 6, not_found: 4, not_asked: 110 };
  const tally = tallyOf({ leads: 120, byStatus });
  const lines = linesOf({ tally, run: { ...RUN, state: 'finished' }, state: 'finished' });
  expect(lines).toContain('Found: 6 of 10 asked (120 in the file). Every lead is answered for.');
  expect(lines).toContain('  found                 6  60 %');
  expect(lines).toContain('  not asked           110');
  const { run } = figuresOf();
  const seen = { worker: null, pausedAt: null, task: null, disturbances: [] };
  const line = { run, tally, file: null, state: 'finished', left: null, seen } as const;
  expect(asText(tellRuns([line]).parts)[1]).toContain('  6 of 10 asked (120 in the file)  ');
});
