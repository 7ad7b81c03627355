import { pino, stdTimeFunctions } from 'pino';
import { describe, expect, it } from 'vitest';
import type { LogLevel } from '../../src/model/telemetry/fact.js';
import { RUN_EVENT_CATALOGUE, type RunEvent } from '../../src/model/telemetry/observe.js';
import { logFieldsOf, logText, openLog, readableLine } from '../../src/telemetry/open-log.js';
import { EVENTS, RUN } from '../helpers/run-events.js';

function logged(level: LogLevel, events: readonly RunEvent[]): Record<string, unknown>[] {
  const lines: string[] = [];
  const observe = openLog({ level, write: (line) => lines.push(line) });
  for (const event of events) observe(event);
  return lines.map((line) => {
    expect(line.indexOf('\n')).toBe(line.length - 1);
    return JSON.parse(line) as Record<string, unknown>;
  });
}

describe('a log', () => {
  it('has one line of JSON for each event, with the fields of every line', () => {
    const lines = logged('trace', Object.values(EVENTS));
    expect(lines.map(({ event }) => event)).toEqual(Object.keys(EVENTS));
    for (const line of lines) {
      expect(line).toMatchObject({
        level: expect.stringMatching(/^(error|warn|info|debug|trace)$/),
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        pid: process.pid,
      });
      expect(line).not.toHaveProperty('msg');
      expect(line).not.toHaveProperty('hostname');
    }
  });

  it('tells job and run in every line from their start on', () => {
    const lines = logged('info', [
      EVENTS['listener.opened'],
      EVENTS['run.started'],
      EVENTS['platform.ready'],
    ]);
    expect(lines[0]).not.toHaveProperty('run');
    expect(lines[1]).toMatchObject({ job: 'nightly', run: 7 });
    expect(lines[2]).toMatchObject({ job: 'nightly', run: 7, duration_ms: 12 });
  });

  it.each<[LogLevel, string[]]>([
    ['error', ['command.failed']],
    ['warn', ['run.recovered', 'command.failed']],
    ['info', ['run.started', 'run.recovered', 'command.failed']],
    ['debug', ['run.started', 'run.recovered', 'leads.read', 'command.failed']],
    ['trace', ['run.started', 'run.recovered', 'leads.read', 'request.sent', 'command.failed']],
  ])('of level %s holds those before it', (level, kinds) => {
    const all = ['run.started', 'run.recovered', 'leads.read', 'request.sent', 'command.failed'];
    const events = all.map((kind) => EVENTS[kind as RunEvent['kind']]);
    expect(logged(level, events).map(({ event }) => event)).toEqual(kinds);
  });

  it('keeps a value of others on its line, and from steering a terminal', () => {
    const job = 'a"\n{"level":"error"}\u001B[2J\u009B\u2028b';
    const type = '\r\n\u0007 "}';
    const [first, second] = logged('info', [
      { ...EVENTS['run.started'], run: { ...RUN, job } },
      { ...EVENTS['hook.added'], type },
    ]);
    expect(first?.['job']).toBe('a" {"level":"error"} [2J  b');
    expect(second?.['type']).toBe('    "}');
  });
});

describe('the fields of a log line', () => {
  it.each(Object.values(EVENTS))(
    'of $kind are those of the catalogue, each with a value',
    (event) => {
      const fields = logFieldsOf(event);
      expect(Object.keys(fields)).toEqual(Object.keys(RUN_EVENT_CATALOGUE[event.kind].fields));
      for (const value of Object.values(fields)) expect(value).toBeDefined();
    },
  );

  it('never hold a column of the input, which may be a lead where the header is missing', () => {
    expect(logFieldsOf(EVENTS['run.mapped'])).toEqual({ inputs: 'email', guessed: 1 });
  });

  it('are one line, steer no terminal and have a bound', () => {
    expect(logText('a\nb\u001B[2Jc\u009Bd\u202Ee\r')).toBe('a b [2Jc d e ');
    expect(logText('x'.repeat(10_000))).toHaveLength(501);
  });
});

describe('a line for people', () => {
  it('is the time of day, the level, the event and its fields on one line', () => {
    const time = new Date(2026, 10, 21, 9, 5, 7).toISOString();
    const line = JSON.stringify({
      level: 'warn',
      time,
      pid: 4711,
      event: 'run.warned',
      job: 'nightly',
      run: 7,
      message: 'Two words, a = sign and a\nbreak.',
      ids: [1, 2],
      rate: null,
    });
    expect(readableLine(line)).toBe(
      '09:05:07 warn  run.warned job=nightly run=7 message="Two words, a = sign and a\\nbreak." ids=[1,2] rate=null\n',
    );
  });

  it('reads what pino writes', () => {
    const lines: string[] = [];
    const options = {
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label: string) => ({ level: label }) },
    };
    pino(options, { write: (line: string) => lines.push(readableLine(line)) }).info({
      event: 'a.b',
      n: 1,
    });
    expect(lines).toEqual([
      expect.stringMatching(/^\d\d:\d\d:\d\d info  a\.b hostname=\S+ n=1\n$/),
    ]);
  });
});
