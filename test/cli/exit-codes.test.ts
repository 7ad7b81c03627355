import { describe, expect, it } from 'vitest';
import { EXIT, exitCodeOf } from '../../src/cli/exit-codes.js';
import { type ErrorCode, SluiceError } from '../../src/model/errors.js';

/** A code that is missing here does not compile. */
const CODES: Readonly<Record<ErrorCode, number>> = {
  usage: 2,
  input: 3,
  platform: 4,
  store: 5,
  output: 5,
  budget: 6,
  cancelled: 7,
  paused: 8,
  cap: 9,
  'hit-rate': 10,
  busy: 75,
};

describe('an exit code', () => {
  it.each(Object.entries(CODES) as [ErrorCode, number][])(
    'of the error %s is %i',
    (code, exitCode) => {
      expect(exitCodeOf(new SluiceError(code, 'x'))).toBe(exitCode);
    },
  );

  it.each([new Error('x'), new TypeError('x'), 'text', undefined, null, { code: 'usage' }])(
    'of %s, which was not expected, is that of a bug',
    (error) => {
      expect(exitCodeOf(error)).toBe(70);
    },
  );

  it('is a number of its own that a shell can tell', () => {
    const codes = Object.values(EXIT);
    expect(new Set(codes).size).toBe(codes.length);
    for (const code of codes) expect(code).toBeGreaterThanOrEqual(0);
    for (const code of codes) expect(code).toBeLessThanOrEqual(255);
  });
});
