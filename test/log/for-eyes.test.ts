import { pino, stdTimeFunctions } from 'pino';
import { expect, it } from 'vitest';
import { forEyes } from '../../src/log/for-eyes.js';

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
  expect(forEyes(line)).toBe(
    '09:05:07 warn  run.warned job=nightly run=7 message="Two words, a = sign and a\\nbreak." ids=[1,2] rate=null\n',
  );
});

it('reads what pino writes', () => {
  const lines: string[] = [];
  const options = {
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  pino(options, { write: (line: string) => lines.push(forEyes(line)) }).info({
    event: 'a.b',
    n: 1,
  });
  expect(lines).toEqual([expect.stringMatching(/^\d\d:\d\d:\d\d info  a\.b hostname=\S+ n=1\n$/)]);
});
