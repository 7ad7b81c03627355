// The bar and the lines above it, on one terminal.
import { Writable } from 'node:stream';
import type { WriteStream } from 'node:tty';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createProgress, createWatchedProgress } from '../../../src/cli/print/progress.js';
import type { Run } from '../../../src/model/run.js';
import { emptyByStatus } from '../../../src/model/tally.js';
import type { RunEvent } from '../../../src/model/telemetry/observe.js';
import { openLog } from '../../../src/telemetry/open-log.js';
import { runPlan } from '../../helpers/leads.js';

const RUN: Run = {
  ...runPlan(),
  id: 7,
  state: 'reading',
  columns: [],
  mapping: [],
  leadCount: 0,
  rejectCount: 0,
  startedAt: 0,
  endedAt: null,
};
const STARTED = { kind: 'run.started', run: RUN, leads: 0, isContinued: false } as const;
const FATES = { queued: 10_000, awaiting: 0, cached: 321, shared: 0, skipped: 0, notAsked: 0 };
const READ: RunEvent = {
  kind: 'leads.read',
  position: 10_321,
  leads: 10_321,
  rejects: 0,
  ...FATES,
};

/** What the lines of a terminal show after all that was written; a line that is cleared is gone. */
function screenOf(text: string): string[] {
  return text.split('\n').map((line) => line.split('\r\u001B[2K').at(-1) ?? '');
}

it('gives each line of a log a line of its own, with the bar below', () => {
  let text = '';
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      text += chunk.toString();
      done();
    },
  });
  const terminal = Object.assign(sink, { isTTY: true, columns: 80 }) as unknown as WriteStream;
  const progress = createProgress(terminal, false);
  const log = openLog({ level: 'trace', write: (line) => progress.say(line.trimEnd()) });
  const events: readonly RunEvent[] = [STARTED, READ, { kind: 'leads.complete', leads: 3 }];
  for (const event of events) {
    log(event);
    progress.observe(event);
  }
  progress.stop();
  const screen = screenOf(text);
  const lines = screen.slice(0, events.length);
  const logged = lines.map((line) => (JSON.parse(line) as { event: string }).event);
  expect(logged).toEqual(events.map(({ kind }) => kind));
  expect(screen.at(-2)).toMatch(/^[█▒░]+ \d+ %/);
});

/** A terminal that is so wide, and what stands on it. */
function terminalOf(columns: number) {
  let text = '';
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      text += chunk.toString();
      done();
    },
  });
  const stream = Object.assign(sink, { isTTY: true, columns }) as unknown as WriteStream;
  return { stream, last: () => screenOf(text).at(-1) ?? '' };
}

describe('the line of a run with 10,000 leads', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  function play(columns: number, { isRead = false } = {}) {
    vi.useFakeTimers();
    const terminal = terminalOf(columns);
    const progress = createProgress(terminal.stream, false);
    const some = (count: number) => Array.from({ length: count }, () => 1);
    const best = { limit: [], perCall: 1, isRead } as const;
    progress.observe({ ...STARTED, run: isRead ? { ...RUN, pace: best } : RUN });
    progress.observe(READ);
    progress.observe({ kind: 'leads.complete', leads: 10_321 });
    const work = (seconds: number, { sent = 0, settled = 0, pollInMs = 0 }) => {
      for (let second = 0; second < seconds; second += 1) {
        const pollAt = Date.now() + pollInMs;
        progress.observe({ kind: 'enrichments.submitted', enrichments: some(sent), pollAt });
        const answered = { by: 'poll', credits: 10, enrichments: some(settled) } as const;
        progress.observe({ kind: 'enrichments.settled', outcome: 'found', ...answered });
        vi.advanceTimersByTime(1_000);
      }
      return terminal.last();
    };
    return { work, stop: () => progress.stop() };
  }

  it.each([20, 40, 60, 80, 120])('fits %i columns', (columns) => {
    const { work, stop } = play(columns);
    const line = work(20, { sent: 10, settled: 8 });
    stop();
    expect(line.length).toBeLessThan(columns);
    expect(line).toContain('1 %');
    if (columns >= 40) expect(line).toMatch(/ 160(\/10000| of 10000 done) .*about 18 min left$/);
    if (columns >= 60) expect(line).toMatch(/^[█▒░]{8,24} 1 % /);
    if (columns >= 80) expect(line).toContain('160 found  40 awaited');
  });

  it('tells the time left from the first seconds, and learns it anew after a pause', () => {
    const { work, stop } = play(120);
    // 9,970 at ten a second.
    expect(work(3, { sent: 10 })).toMatch(/ {2}about 17 min left$/);
    expect(work(60, {})).not.toContain('left');
    expect(work(40, { sent: 100, settled: 100 })).toMatch(/ (59 s|1 min)( \d s)? left$/);
    stop();
  });
});

describe('the line of a run that is watched', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  function watch(columns?: number) {
    vi.useFakeTimers();
    const line = createWatchedProgress();
    const startedAt = Date.now() - 60_000;
    return (found: number, queued: number, awaiting: number): string => {
      const leadCount = found + queued + awaiting;
      const byStatus = { ...emptyByStatus(), found, queued, awaiting };
      const none = { rejects: 0, reasons: [], enrichments: null, fromCache: 0, credits: 10 };
      const inPart = { leads: 0, reasons: [] };
      const tally = { ...none, inPart, leads: leadCount, byStatus, askedAgain: {} };
      vi.advanceTimersByTime(1_000);
      return line({ ...RUN, leadCount, startedAt, state: 'working' }, tally, columns);
    };
  }

  it('knows the time left from the second look on, by what was done between the looks', () => {
    const look = watch();
    expect(look(500, 480, 20)).toBe('50 %  500 of 1000 done  500 found  20 awaited  1 min 1 s');
    // Ten a second, and 490 are left.
    expect(look(510, 470, 20)).toMatch(/ {2}1 min 2 s {2}about 50 s left$/);
    for (const done of [520, 530, 540]) look(done, 980 - done, 20);
    // A twentieth of all was answered while it was watched.
    expect(look(550, 430, 20)).toMatch(/ {2}44 s left$/);
  });
});
