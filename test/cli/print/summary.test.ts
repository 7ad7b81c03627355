import { describe, expect, it } from 'vitest';
import type { RunReport } from '../../../src/app/run/run-options.js';
import { listLine, summaryJson, summaryLines } from '../../../src/cli/print/summary.js';
import type { Run } from '../../../src/model/run.js';
import { emptyByStatus, type RunTally } from '../../../src/model/tally.js';
import { runPlan } from '../../helpers/leads.js';

const RUN: Run = {
  ...runPlan(),
  id: 7,
  state: 'working',
  columns: [],
  mapping: [],
  leadCount: 0,
  rejectCount: 0,
  startedAt: Date.UTC(2026, 10, 21, 7, 40, 12),
  endedAt: null,
};
const EMPTY: RunTally = {
  leads: 0,
  rejects: 0,
  byStatus: emptyByStatus(),
  askedAgain: {},
  reasons: [],
  inPart: { leads: 0, reasons: [] },
  enrichments: 0,
  fromCache: 0,
  credits: 0,
};
const FULL: RunTally = {
  leads: 1_234,
  rejects: 2,
  byStatus: { ...emptyByStatus(), found: 1_000, not_found: 200, skipped: 34 },
  askedAgain: {},
  reasons: [{ status: 'skipped', reason: 'malformed: email is not an e-mail address', leads: 34 }],
  inPart: { leads: 0, reasons: [] },
  enrichments: 900,
  fromCache: 300,
  credits: 4_500,
};

function reportOf(
  exported: RunReport['exported'],
  endedAt = 200_000,
  listed: RunReport['listed'] = null,
): RunReport {
  const times = { startedAt: 0, endedAt };
  const known = { run: RUN, tally: FULL, isFinished: true, refused: [], reportFile: null } as const;
  const charges = { requests: 0, credits: 0 };
  return { ...known, exported, listed, renames: [], charges, ...times };
}
const WRITTEN = reportOf({
  out: 'o.csv',
  rows: 1_234,
  rejects: 'o.rejects.csv',
  further: {},
  key: null,
  changed: [],
});

const SIZE = { bytes: 9, unusedBytes: 0, logBytes: 0, bytesADay: null };

describe('the summary of a run that no process works on', () => {
  it('names how it was left', () => {
    const seen = {
      pendingDeliveries: 0,
      disturbances: [],
      refused: [],
      list: null,
      stateSize: SIZE,
    };
    const parked = { run: 7, job: 'nightly', parked: null };
    const left = (by: NonNullable<Run['left']>['by']) => ({
      left: { at: 0, by, said: 'So it was.' },
    });
    const cases = [
      [{}, { isAtWork: true }, 'working'],
      [left('budget'), { isAtWork: true }, 'working'],
      [{}, {}, 'cut_off'],
      [left('budget'), {}, 'stopped_at_budget'],
      [left('budget'), { pausedAt: 1 }, 'stopped_at_budget'],
      [left('signal'), {}, 'stopped'],
      [left('paused'), { pausedAt: 1 }, 'paused'],
      [left('signal'), { pausedAt: 1 }, 'paused'],
      [left('paused'), {}, 'stopped'],
      [left('platform'), {}, 'stopped_by_error'],
      [left('bug'), {}, 'stopped_by_error'],
      [{ ...left('budget'), reopenedAt: 5 }, {}, 'reopened'],
      [left('budget'), { task: parked }, 'queued'],
      [{ ...left('replaced'), state: 'replaced' as const }, {}, 'replaced'],
    ] as const;
    for (const [run, beside, state] of cases) {
      const known = {
        ...seen,
        isAtWork: false,
        worker: null,
        pausedAt: null,
        task: null,
        caps: [],
        ...beside,
      };
      expect(summaryJson({ ...RUN, ...run }, FULL, undefined, known)).toMatchObject({
        state,
        stopped_why: 'left' in run ? 'So it was.' : null,
      });
      expect(summaryLines({ ...RUN, ...run }, FULL, undefined, known)[0]).toBe(
        `Run 7 of nightly: 1,234 leads, ${state.replaceAll('_', ' ')}`,
      );
    }
    const stopped = { ...reportOf(null), isFinished: false };
    const run = { ...RUN, ...left('signal') };
    expect(summaryJson(run, FULL, stopped)).toMatchObject({ state: 'stopped' });
    expect(summaryLines(run, FULL, stopped)[0]).toMatch(/, stopped$/);
  });
});

describe('the summary for people', () => {
  it('of a run that has just ended', () => {
    expect(summaryLines({ ...RUN, state: 'finished' }, FULL, WRITTEN)).toEqual([
      'Run 7 of nightly: 1,234 leads in 3 min 20 s, finished',
      '  skipped           34',
      '               34 malformed: email is not an e-mail address',
      '  found          1,000',
      '  not_found        200',
      '  rejects            2  not readable as leads: o.rejects.csv',
      '  credits        4,500  300 leads share what was paid for before, or for another line',
      '  table       o.csv (1,234 rows)',
    ]);
  });

  it('says what requests without an answer may have cost', () => {
    const charged = (requests: number, credits: number) => {
      const report = { ...WRITTEN, charges: { requests, credits } };
      const json = Object.entries(summaryJson(RUN, FULL, report)).find(
        ([key]) => key === 'may_be_charged',
      )?.[1];
      const line = summaryLines(RUN, FULL, report).find((one) => one.startsWith('  credits'));
      return [json, line?.split('; ')[0]];
    };
    expect(charged(2, 10)).toEqual([
      10,
      '  credits        4,500  up to 10 more may have been charged, for 2 requests without an answer',
    ]);
    // What can cost nothing needs no word.
    expect(charged(2, 0)).toEqual([0, expect.stringMatching(/4,500 {2}300 leads share/)]);
  });

  it('shows the five most frequent reasons of a status, below its number', () => {
    const of = (status: 'skipped' | 'failed') =>
      Array.from({ length: 7 }, (_, i) => ({ status, reason: `${status} reason ${i}`, leads: 1 }));
    const byStatus = { ...emptyByStatus(), skipped: 7, failed: 7 };
    const reasons = [...of('failed'), ...of('skipped')];
    const lines = summaryLines(RUN, { ...EMPTY, byStatus, reasons });
    expect(lines.filter((line) => line.includes('reason'))).toHaveLength(10);
    const at = lines.findIndex((line) => line.startsWith('  failed'));
    expect(lines[at + 1]).toContain('1 failed reason 0');
  });

  it('tells which cells of the table are not as they were, at most five columns of them', () => {
    const changed = [
      { column: 'summary', change: 'length' as const, cells: 1_234 },
      { column: 'note', change: 'characters' as const, cells: 1 },
    ];
    const lines = (columns: typeof changed) =>
      summaryLines(
        RUN,
        FULL,
        reportOf({ out: 'o', rows: 1, rejects: null, further: {}, key: null, changed: columns }),
      )
        .map((line) => line.trim())
        .filter((line) => line.startsWith('changed'));
    expect(lines(changed)).toEqual([
      'changed     1,234 cells of summary: cut to the longest text that a cell of this format holds',
      'changed     1 cell of note: characters that this format cannot hold are replaced by U+FFFD',
    ]);
    const many = Array.from({ length: 7 }, () => changed).flat();
    expect(lines(many)).toHaveLength(6);
    expect(lines(many).at(-1)).toBe('changed     cells of 9 more columns');
    expect(lines([])).toEqual([]);
  });

  it('holds no character that could steer a terminal, wherever it came from', () => {
    const evil = 'a\u001b[2Jb\r\n\u0007\u009b31m\u202e\u200bc';
    const reasons = [{ status: 'skipped' as const, reason: evil, leads: 1 }];
    const run: Run = { ...RUN, job: evil, output: { ...RUN.output, out: evil } };
    const report = reportOf({
      out: evil,
      rows: 1,
      rejects: evil,
      further: {},
      key: null,
      changed: [{ column: evil, change: 'length', cells: 2 }],
    });
    const lines = [
      ...summaryLines(run, { ...FULL, reasons }),
      ...summaryLines(run, { ...FULL, reasons }, report),
    ];
    for (const line of lines) expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(lines.filter((line) => line.includes('[2Jb'))).toHaveLength(8);
  });
});

describe('the contact list of a run', () => {
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

  it.each([
    [list, '  list        Warm (clt_1): 1,200 leads added, 3 were already in it'],
    [{ ...list, state: 'wanted', listId: null } as const, '  list        Warm: not created yet'],
    [{ ...list, state: 'creating', listId: null } as const, '  list        Warm: being created'],
    [
      { ...list, state: 'uncertain', listId: null } as const,
      '  list        Warm: it may have been created, and its id is not known. Look on the platform, then "sluice lists adopt 7 ID"',
    ],
    [null, undefined],
  ])('is told as far as it is: %j', (stored, line) => {
    expect(listLine(RUN, stored)).toBe(line);
  });

  it('is in the summary for scripts as well', () => {
    const beside = {
      pendingDeliveries: 0,
      disturbances: [],
      refused: [],
      isAtWork: true,
      worker: null,
      task: null,
      caps: [],
      pausedAt: null,
    };
    const seen = { ...beside, list, stateSize: SIZE };
    expect(summaryJson(RUN, FULL, undefined, seen)).toMatchObject({
      list: 'clt_1',
      listed: 1_200,
      state_bytes: 9,
      state_bytes_a_day: null,
    });
  });
});

describe('the credits of a summary', () => {
  const lineOf = (name: string, lines: readonly string[]) =>
    lines.find((line) => line.startsWith(`  ${name}`));

  it('stand beside what the balance says, and it is said where they differ', () => {
    const told = (after: number) => {
      const balance = { before: 100.5, after, counted: 12.5 };
      return lineOf('balance', summaryLines(RUN, FULL, { ...WRITTEN, balance }));
    };
    expect(told(88)).toBe('  balance     100.5 before, 88 after: 12.5 charged, as counted');
    expect(told(80)).toMatch(/: 20.5 charged, and 12.5 counted: prices may be others/);
    expect(lineOf('balance', summaryLines(RUN, FULL, WRITTEN))).toBeUndefined();
  });
});
