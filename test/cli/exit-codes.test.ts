import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { EXIT, EXIT_MEANINGS, exitCodeOf, renderExitCodesDoc } from '../../src/cli/exit-codes.js';
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
    'of %s, which nobody expected, is that of a bug',
    (error) => {
      expect(exitCodeOf(error)).toBe(70);
    },
  );

  it('is a number of its own that a shell can tell', () => {
    const codes = Object.values(EXIT);
    expect(new Set(codes).size).toBe(codes.length);
    for (const code of codes) expect(code).toBeGreaterThanOrEqual(0);
    for (const code of codes) expect(code).toBeLessThanOrEqual(255);
    expect(Object.keys(EXIT_MEANINGS)).toEqual(Object.keys(EXIT));
  });
});

describe('docs/exit-codes.md', () => {
  it('is what the table of exit codes renders', async () => {
    const written = await readFile(new URL('../../docs/exit-codes.md', import.meta.url), 'utf8');
    expect(written, 'docs/exit-codes.md is out of date: npm run generate').toBe(
      renderExitCodesDoc(),
    );
  });

  it('has one row of three cells for each code', () => {
    const table = renderExitCodesDoc()
      .split('\n')
      .filter((line) => line.startsWith('|'));
    const cells = table.map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()));
    expect(cells.every((row) => row.length === 5)).toBe(true);
    expect(cells.slice(2).map(([, code, name]) => [name, Number(code)])).toEqual(
      Object.entries(EXIT),
    );
  });
});
